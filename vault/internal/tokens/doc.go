// Package tokens estimates how many tokens a language model counts in a text.
//
// The promise: on the whole of some English, some program code or some Chinese and Japanese
// the estimate is within 5 % of o200k, the encoding of GPT-4o and later models; of one short
// text it may be off by a fifth. It needs no table of an encoding, looks at each character once
// and allocates nothing. The estimate of a text is at most the sum of those of its lines.
//
//	n := tokens.Count("How do I roll back a deploy?\n") // 9
package tokens
