// Package spelling compares words, to name what somebody may have meant who typed another one.
//
// Its promise: it does no I/O and takes time in proportion to the product of two lengths. The
// way in is [Edits]:
//
//	spelling.Edits("brwse", "browse") // 1
package spelling
