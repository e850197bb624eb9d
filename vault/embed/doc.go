// Package embed keeps vectors of what each memory says, and finds memories by
// them. It is a room of the house: models, vectors and files come through ports.
//
// # The texts that are embedded
//
// The passages of [vault.Memory.Content], as package passage cuts them: type, title and prose,
// without the block. A vector is kept by its passage's hash and the [Space] it lies in, and
// each content's hash ([vault.Memory.ContentHash]) with its passages. So a rename, a move, a new
// child or a label costs nothing, an edit costs the passages that it touches, a text that comes
// back still has its vectors, and only vectors of one space are compared. A memory is as near
// to a question as its nearest passage.
//
// # When
//
// Never in a write. A process in the background, which a write starts after its answer, and
// "cp admin embed-backfill" call [Run], which looks for contents without vectors, asks the
// model for their passages batch by batch, and keeps each batch at once. It may be stopped at
// any moment; the next run goes on from there.
//
//	ports := embed.Ports{Model: model, Vectors: vectors, Holders: mirror, Files: v.Store}
//	done, err := ports.Run(ctx, embed.Run{Batch: 100})
//	found, err := embed.Leg{Ports: ports}.Near(ctx, "how do I roll back", vault.ListOptions{Limit: 10})
package embed
