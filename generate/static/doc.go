// Package static turns texts into vectors without a service: it reads a static
// embedding model in the layout of model2vec from a folder. It implements
// [embed.Embedder].
//
// # The layout
//
//	model.safetensors   embeddings: a row of numbers for each token; where the
//	                    vocabulary is quantised also mapping (which row a token
//	                    has) and weights (by what its row is multiplied)
//	tokenizer.json      how a text becomes tokens
//	config.json         max_length: how many tokens of a text are looked at
//
// A text's vector is the mean of its tokens' rows, brought to unit length. What
// sentence-transformers writes for such a model (the tensor embedding.weight,
// the folder 0_StaticEmbedding) is read as well.
//
// # Tokens
//
// This reader knows the models WordPiece (the potion models) and Unigram (the multilingual
// ones), and the normalisers and splitters that come with them. If a tokenizer.json holds
// anything else, it names that and embeds nothing: tokens that are nearly right would make
// vectors that are wrong. It does not look for added tokens, as [PAD], in a text.
//
// To read 300,000 tokens for one question takes a third of a second, so whoever reads them
// leaves a shelf in the folder [Model.Shelves] (shelf.go): a file in which the next process finds
// the few tokens of its question. It is derived: deleted, damaged or of another tokenizer.json it
// is made again, and the tokens are the same with it and without.
//
//	model := static.New("/home/ada/models/potion-base-8M")
//	vectors, err := model.Embed(ctx, embed.Document, []string{"the gateway serves the old version"})
package static
