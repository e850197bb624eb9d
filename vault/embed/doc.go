// Package embed keeps a vector of each memory's content, and finds memories by
// them. It is a room of the house: models, vectors and files come through ports.
//
// # The text that is embedded
//
// [vault.Memory.Embedded]: type, title and prose, without the block. The vector is kept by
// the content's hash ([vault.Memory.ContentHash]) and the [Space] it lies in. So a rename,
// a move, a new child or a label costs nothing, a text that comes back still has its
// vector, and only vectors of one space are compared.
//
// # When
//
// Never in a write. A process in the background, which a write starts after its answer, and
// "cp admin embed-backfill" call [Run], which looks for contents without a vector, asks the model for them batch by batch, and keeps each batch at once. It may be
// stopped at any moment; the next run goes on from there.
//
//	ports := embed.Ports{Model: model, Vectors: vectors, Holders: mirror, Files: v.Store}
//	done, err := ports.Run(ctx, embed.Run{Batch: 100})
//	found, err := embed.Leg{Ports: ports}.Near(ctx, "how do I roll back", vault.ListOptions{Limit: 10})
package embed
