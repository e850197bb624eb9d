package tokens

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// The totals of English, program code and East Asian text are within 5 % of those of o200k.
func TestAgainstO200k(t *testing.T) {
	table, err := os.ReadFile("testdata/o200k.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(table)) {
		name, count, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := strconv.Atoi(count)
		if err != nil {
			t.Fatal(err)
		}
		rows++
		if got := Count(string(text)); 100*got < 95*want || 100*got > 105*want {
			t.Errorf("%s: %d tokens, and o200k counts %d: %.3f", name, got, want, float64(got)/float64(want))
		}
	}
	if rows != 3 {
		t.Errorf("the table has %d rows", rows)
	}
}

func TestCount(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a": 2, " a": 2, "\n": 2, "\n\n\n": 2, "\n    ": 2, "word word": 3, "camelCase": 3, "HTTP": 2, "12345": 4, "----------": 1,
		"How do I roll back a deploy?\n": 9, "漢字": 2, "かな": 2, "한국": 2, "привет": 3, "\xff": 4, "🚚": 4, "café": 3,
	} {
		if got := Count(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

// A part costs no more than the whole but for what a cut makes of one word, and the lines of a
// text cost at least as much as the text.
func FuzzCount(f *testing.F) {
	for _, name := range []string{"english.txt", "cjk.txt"} {
		text, _ := os.ReadFile(filepath.Join("testdata", name))
		f.Add(string(text[:500]))
	}
	f.Add("a\n\n  b\xff\xf0\x9f 1234é")
	f.Fuzz(func(t *testing.T, text string) {
		all, sum := Count(text), 0
		for line := range strings.Lines(text) {
			sum += Count(line)
		}
		if all > sum {
			t.Errorf("%d, and its lines %d", all, sum)
		}
		if (all == 0) != (strings.Trim(text, " \t\r") == "" && len(text) < 2) {
			t.Errorf("%q costs %d", text, all)
		}
		if all > 4*utf8.RuneCountInString(text)+1 {
			t.Errorf("%d for %d characters", all, utf8.RuneCountInString(text))
		}
	})
}

func BenchmarkCount(b *testing.B) {
	text, err := os.ReadFile("testdata/english.txt")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Count(string(text))
	}
}
