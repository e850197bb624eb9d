// Package house holds the tests of the house: which package may import which, who may touch
// the disk, the network and the terminal, how large things may get, what is documented, and
// what the program promises to those who build on it, its JSON answers, help texts, tool
// schemas and errors. It has no code of its own.
//
// A change of a promise that is meant is written down by
//
//	CP_PROMISES=write go test ./cmd/internal/house
//
// and shows in the diff of the folder promises. Fields and codes are added, never changed.
package house
