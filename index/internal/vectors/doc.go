// Package vectors keeps the embedding vectors of one clone, in a file of its own:
// vectors.db, which costs money or time to lose and holds no knowledge. It implements
// [embed.Vectors] ([DB]).
//
// Two maps lie in it, for each space of a model: from a passage's hash to its vector, and from a
// content's hash to its passages. So what stands in several memories, or stays in an edit, has
// one vector.
//
// Its promise: a vector that was put is found, and none is ever made up. A damaged
// file is set aside as .bad and said to be; the vectors are then made again. A file of version 2,
// with a row for each vector, answers as it stands; one of version 1, whose vectors were those of
// whole memories, answers nothing. The first write brings either to this version with all its
// vectors, of which in version 1 those of short memories serve.
//
// The way in is [New]:
//
//	v := vectors.New(path)
//	err := v.Put(ctx, space, []embed.Vector{{Passage: hash, Numbers: unit}}, []embed.Text{{Content: content, Passages: []string{hash}}})
//	near, err := v.Nearest(ctx, space, query, 10, nil) // the 10 best contents, the best first
//
// A vector of unit length is kept twice:
//
//	bits     one per number, set where it is positive, in words of 64 in
//	         little-endian order; the last word is filled up with zeros
//	values   one byte per number, round(number / scale), where scale is the
//	         largest magnitude divided by 127
//
// For example (0.8, -0.6, 0) has the bits 001, the scale 0.8/127 and the values 127, -95, 0. Bits
// lie in blocks of 1,024 vectors, values in rows that fill a page of the file (page.go).
//
// Up to 24 million numbers, as of 375,000 vectors of 64 or 30,000 of 768, a search weighs the
// values of all vectors, and its answer is exact. Beyond that it looks at the bits of all, of which
// 100,000 of 768 numbers take 9.6 MB, keeps the few hundred whose bits differ least from the query's
// (scan.go), more the more passages a text has, and weighs those (weigh.go). It is known to miss
// some: of vectors of 64 numbers the bits alone hold eight of the ten nearest.
package vectors
