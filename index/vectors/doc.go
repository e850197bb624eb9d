// Package vectors is how embedding vectors are packed and compared. It knows
// nothing of files and of what the vectors stand for.
//
// A vector of unit length is kept twice:
//
//	bits     one per number, set where it is positive, in words of 64 in
//	         little-endian order; the last word is filled up with zeros
//	values   one byte per number, round(number / scale), where scale is the
//	         largest magnitude divided by 127
//
// A search looks at the bits of all vectors, of which 100,000 of 768 numbers
// take 9.6 MB, keeps the few hundred whose bits differ least from the query's
// ([Scan]), and weighs those by their values ([Dot]). For example (0.8, -0.6, 0)
// has the bits 001, the scale 0.8/127 and the values 127, -95, 0.
//
//	scan := vectors.NewScan(vectors.Bits(query))
//	scan.Add(chunk, nil)
//	for _, i := range scan.Best(300) { // the places of the nearest, by their bits
//		score := vectors.Dot(query, scales[i], values[i])
//	}
package vectors
