// Package embed keeps a vector of each memory's content, and finds memories by
// them. It is a room of the house: models, vectors and files come through ports.
//
// # What is embedded
//
// [vault.Memory.Embedded]: type, title and prose, without the block. The vector
// is kept by the content's hash ([vault.Memory.ContentHash]) and the [Space] it
// lies in, so that a rename, a move, a new child or a label costs nothing, a
// text that comes back has its vector still, and vectors that cannot be compared
// never are.
//
// # When
//
// Never in a write. [Run] is what an "embed-backfill" does: it looks which
// contents have no vector, asks the model for them batch by batch, and keeps
// each batch at once. It may be stopped at any moment and goes on where it was.
//
//	ports := embed.Ports{Model: model, Vectors: vectors, Holders: mirror, Files: v.Store}
//	done, err := ports.Run(ctx, embed.Run{Batch: 100})
//	found, err := embed.Leg{Ports: ports}.Near(ctx, "how do I roll back", vault.ListOptions{Limit: 10})
package embed
