package about_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault/about"
)

var (
	commit = strings.Repeat("4a", 20)
	blob   = strings.Repeat("5d", 20)
)

const sum = "9f86d081884c7d65"

func TestParseStamp(t *testing.T) {
	at := time.Date(2026, 11, 26, 15, 30, 0, 0, time.UTC)
	for _, row := range []struct {
		line string
		want about.Stamp // with no time: it is none
	}{
		{"a.py#L10-L24 " + commit + " " + blob + " " + sum + " 2026-11-26T15:30:00Z", about.Stamp{"a.py#L10-L24", commit, blob, sum, at}},
		{"a%20b.py - - - 2026-11-26T15:30:00Z", about.Stamp{Binding: "a b.py", At: at}},
		{"a.py " + commit + strings.Repeat("0", 24) + " " + blob + " - 2026-11-26T15:30:00Z", about.Stamp{"a.py", commit + strings.Repeat("0", 24), blob, "", at}},
		{"a.py - - - 2026-11-26T17:30:00+02:00", about.Stamp{}},
		{"a.py - - - 2026-11-26", about.Stamp{}},
		{"a.py - - 2026-11-26T15:30:00Z", about.Stamp{}},
		{"a.py  - - - 2026-11-26T15:30:00Z", about.Stamp{}},
		{"a.py 4aa8efb - - 2026-11-26T15:30:00Z", about.Stamp{}},
		{"a.py - - " + sum[1:] + " 2026-11-26T15:30:00Z", about.Stamp{}},
		{"../a.py - - - 2026-11-26T15:30:00Z", about.Stamp{}},
		{"", about.Stamp{}},
	} {
		got, ok := about.ParseStamp(row.line)
		if ok != !row.want.At.IsZero() || ok && (got != row.want || got.String() != row.line) {
			t.Errorf("%s: got %+v, %v, want %+v", row.line, got, ok, row.want)
		}
	}
}

func TestStampsFor(t *testing.T) {
	line := "a.py " + commit + " " + blob + " - 2026-11-26T15:30:00Z"
	later := strings.Replace(line, "-26T", "-27T", 1)
	got := about.StampsFor([]string{line, "not a stamp", "b%20c.py - - - 2026-11-26T15:30:00Z", later})
	if len(got) != 2 || len(got["a.py"]) != 2 || got["a.py"][1].String() != later || len(got["b c.py"]) != 1 {
		t.Errorf("got %v", got)
	}
}

func FuzzParseStamp(f *testing.F) {
	f.Add("a%20b.py#L10-L24 " + commit + " " + blob + " " + sum + " 2026-11-26T15:30:00Z")
	f.Add("a.py - - - 2026-11-26T15:30:00Z")
	f.Fuzz(func(t *testing.T, line string) {
		s, ok := about.ParseStamp(line)
		if !ok {
			return
		}
		if s.String() != line {
			t.Fatalf("%q is written %q", line, s)
		}
		if again, ok := about.ParseStamp(s.String()); !ok || again != s {
			t.Fatalf("%q is read %+v, then %+v", line, s, again)
		}
	})
}
