package about_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/about"
)

func TestSplitLines(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, "\n": {""}, "a": {"a"}, "a\n": {"a"}, "a\r\nb\r\n": {"a", "b"}, "a\n\n": {"a", ""}, "a\rb\n": {"a\rb"},
	} {
		if got := about.SplitLines([]byte(text)); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TEXT is the sum of the lines, LF between them, and none behind the last one.
func TestSumLines(t *testing.T) {
	want := fmt.Sprintf("%x", sha256.Sum256([]byte("a\nb")))[:16]
	if got := about.SumLines([]string{"a", "b"}); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestIsText(t *testing.T) {
	for _, row := range []struct {
		name string
		blob string
		want bool
	}{
		{"nothing", "", true},
		{"a text", "a\n", true},
		{"a NUL", "a\x00", false},
		{"a NUL far down", strings.Repeat("a", 8000) + "\x00", true},
		{"4 MiB", strings.Repeat("a", 4<<20), true},
		{"more than 4 MiB", strings.Repeat("a", 4<<20+1), false},
		{"100,000 lines", strings.Repeat("\n", 100_000), true},
		{"100,001 lines", strings.Repeat("\n", 100_000) + "a", false},
	} {
		if got := about.IsText([]byte(row.blob)); got != row.want {
			t.Errorf("%s: got %v", row.name, got)
		}
	}
}

func TestFindLines(t *testing.T) {
	for _, row := range []struct {
		is, bound string // a letter a line
		want      []int
	}{
		{"abcabc", "bc", []int{2, 5}}, {"aaaa", "aa", []int{1, 2, 3}}, {"abab", "abab", []int{1}}, {"aabaaab", "aaab", []int{4}},
		{"abc", "x", nil}, {"abc", "", nil}, {"ab", "abc", nil}, {"xaxaxb", "xaxb", []int{3}},
	} {
		if got := about.FindLines(lines(row.is), lines(row.bound)); !slices.Equal(got, row.want) {
			t.Errorf("%s in %s: got %v, want %v", row.bound, row.is, got, row.want)
		}
	}
}

func TestFindSum(t *testing.T) {
	got, ok := about.FindSum(lines("abcabc"), 2, about.SumLines(lines("bc")))
	if !ok || !slices.Equal(got, []int{2, 5}) {
		t.Errorf("got %v, %v", got, ok)
	}
	if got, ok := about.FindSum(lines("abc"), 4, about.SumLines(lines("abcd"))); !ok || got != nil {
		t.Errorf("more lines than there are: got %v, %v", got, ok)
	}
	if _, ok := about.FindSum(slices.Repeat([]string{strings.Repeat("a", 40)}, 100_000), 1000, "0123456789abcdef"); ok {
		t.Error("a search of minutes is made")
	}
}

// lines returns a line for each letter.
func lines(letters string) []string {
	if letters == "" {
		return nil
	}
	return strings.Split(letters, "")
}
