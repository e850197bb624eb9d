package pointer

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzUsualArray: what the short way reads, encoding/json reads alike.
func FuzzUsualArray(f *testing.F) {
	for _, text := range []string{
		"[]", " [ ]\n", "\n[\n  {\"id\": \"a\", \"title\": \"A\", \"summary\": \"if a\"},\n  {\"title\":\"B\" , \"id\":\"b\"}\r\n]\n", `[{"id":"ä","summary":"\u007f"}]`,
		`[{"id":"a"},]`, `[{}]`, `[{"id":"a"}{"id":"b"}]`, `[{"id":"a","id":"b"}]`, `[{"id":"a","k":"v"}]`, `[{"id":1}]`, `[{"id":"a",}]`, `[{"id":"a"}] x`, "[{\"id\":\"\xff\"}]", "[{\"id\":\"a\tb\"}]",
	} {
		f.Add(text)
	}
	all := cmp.AllowUnexported(Block{}, element{}, object{}, span{})
	f.Fuzz(func(t *testing.T, text string) {
		short, long := Block{body: span{7, 7 + len(text)}}, Block{body: span{7, 7 + len(text)}}
		if !short.usual(text) {
			return
		}
		if at, err := long.elements(text); err != nil {
			t.Fatalf("%q: the long way stops at %d: %v", text, at, err)
		}
		if diff := cmp.Diff(long, short, all); diff != "" {
			t.Errorf("%q (-long +short):\n%s", text, diff)
		}
	})
}

// TestUsualArray tells what goes the short way.
func TestUsualArray(t *testing.T) {
	for text, want := range map[string]bool{
		"\n[\n  {\"id\": \"a\", \"title\": \"A\", \"summary\": \"if ä\"},\n  {\"id\": \"b\"}\n]\n": true,
		"[]": true, `[{"id":"a"},]`: false, `[{}]`: false, `[{"id":"a","id":"b"}]`: false, `[{"id":"a\n"}]`: false, `[{"id":"a","k":"v"}]`: false, `[{"id":"a"}] x`: false, `[{"id":"a"`: false,
	} {
		if got := (&Block{}).usual(text); got != want {
			t.Errorf("usual(%q) = %v, want %v", text, got, want)
		}
	}
}
