// Package recall finds memories by what they are about. It is a room of the
// house: it ranks, mixes and packs, and does no I/O itself.
//
// # Legs
//
// The lexical leg stands on its own: it finds memories by their words and needs
// nothing but the mirror. A second one ([Leg]), usually of vectors, may be there;
// what it finds is mixed in by score ([Mix]). A leg that fails costs a warning
// and never the answer.
package recall
