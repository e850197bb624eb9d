// Package house holds the tests of what the program promises to those who build on it: its
// JSON answers, help texts, tool schemas and errors, word for word. It has no code of its own.
//
// A change that is meant is written down by
//
//	CP_PROMISES=write go test ./cmd/internal/house
//
// and shows in the diff of the folder promises. Fields and codes are added, never changed.
package house
