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
//
// # Calibrate
//
// This part measures how much the vectors of a model help the words of a vault, and so
// which weight they get. It is a room of the house: the model and the files come through ports.
//
// # How
//
// The questions are what the vault itself says of its memories: trigger phrases, titles and
// headings. A memory is to be found by its body alone, without title, phrase and headings, by
// words and by vectors alike: with them words find nearly every title, and every model looks
// useless. Of each question both legs are asked once, and what they find is mixed with each of
// [TriedWeights].
//
// A weight is worth the mean of two figures, the reciprocal rank of the memory and whether it is
// among the first ten. The default weight stays unless another is better by more than chance:
// 95 of 100 samples drawn from the questions with repetition have to say so. What it measures is
// the vault's own short names for things; people ask longer questions, so it can say that the
// vectors are good for more, and it never says so on a few questions.
//
// # Bounds
//
// At most [MostQuestions] questions are asked among at most [MostMemories] memories, chosen by
// the hashes of their contents, so the same vault gives the same answer. Only the first
// [MostPassages] passages of a body count. With fewer than [LeastQuestions] questions nothing is
// measured. Nothing but the weight is kept.
//
//	ports := embed.CalibratePorts{Ports: embedding, Lexicon: mirror, Nodes: mirror.Nodes}
//	out, err := ports.Run(ctx, embed.Calibrate{})
package embed
