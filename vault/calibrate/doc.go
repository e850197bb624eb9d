// Package calibrate measures how much the vectors of a model help the words of a vault, and so
// which weight they get. It is a room of the house: the model and the files come through ports.
//
// # How
//
// The questions are what the vault itself says of its memories: trigger phrases, titles and
// headings. A memory is to be found by its body alone, without title, phrase and headings, by
// words and by vectors alike: with them words find nearly every title, and every model looks
// useless. Of each question both legs are asked once, and what they find is mixed with each of
// [Weights].
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
//	ports := calibrate.Ports{Ports: embedding, Lexicon: mirror, Nodes: mirror.Nodes}
//	out, err := ports.Run(ctx, calibrate.Run{})
package calibrate
