// Package testlevel says how much of the tests runs. There are four levels:
//
//	make quick      go test -short: what one runs while one works
//	make test       all but what takes long: random runs have one seed, every tenth story is told
//	make check      CP_CHECK=1: everything but what takes hours
//	make torture    CP_TORTURE=1: every kill, failure and power cut, a thousand seeds
package testlevel

import (
	"flag"
	"os"
	"testing"
)

// IsCheck reports whether everything runs, or tests were asked for by name (go test -run).
func IsCheck() bool {
	f := flag.Lookup("test.run")
	return os.Getenv("CP_CHECK") != "" || os.Getenv("CP_TORTURE") != "" || f != nil && f.Value.String() != ""
}

// Check skips a long test, unless everything runs.
func Check(t testing.TB) {
	t.Helper()
	if !IsCheck() {
		t.Skip("only in make check")
	}
}

// Rounds returns how often a test with random or many inputs goes round: most times where
// everything runs, else an eighth of it, at least once.
func Rounds(most int) int {
	if IsCheck() {
		return most
	}
	return max(1, most/8)
}

// Share returns all rows where everything runs, else the first of every n.
func Share[T any](n int, all []T) (some []T) {
	for i, row := range all {
		if i%n == 0 || IsCheck() {
			some = append(some, row)
		}
	}
	return some
}
