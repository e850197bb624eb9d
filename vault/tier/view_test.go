package tier_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault/tier"
)

const view = `# Long-Term Memory

## It hangs
- Count: 5
- First seen: 2026-01-20
- Last seen: 2026-01-26
- Sessions: session-1, session-2
- Status: approved_for_core

## It leaks
- Count: 2
- Last seen: 2026-02-01
- Status: pending_core_promotion
`

// Each row is a view, and what is read of it: a line for each item, and the warnings.
func TestParseView(t *testing.T) {
	const hangs, leaks = "It hangs 5 [session-1 session-2] 2026-01-20 2026-01-26 2026-01-26 approved\n", "It leaks 2 [] - 2026-02-01 2026-02-01\n"
	swap := func(old, new string) string { return strings.Replace(view, old, new, 1) }
	for name, row := range map[string]struct{ text, want string }{
		"nothing":             {"", ""},
		"a title alone":       {"# Long-Term Memory\n", ""},
		"two":                 {view, hangs + leaks},
		"line ends":           {strings.ReplaceAll(view, "\n", "\r\n"), hangs + leaks},
		"a byte order mark":   {"\ufeff" + view, hangs + leaks},
		"no final newline":    {strings.TrimSpace(view), hangs + leaks},
		"no title":            {swap("# Long-Term Memory\n", ""), hangs + leaks},
		"a bare heading":      {"## It hangs", "It hangs 0 [] - - 2026-11-23\n"},
		"a count of words":    {swap("Count: 5", "Count: many"), leaks + `line 4: the item is skipped: its count cannot be "many"`},
		"a count below zero":  {swap("Count: 5", "Count: -1"), leaks + `line 4: the item is skipped: its count cannot be "-1"`},
		"a date of words":     {swap("2026-01-26", "today"), leaks + `line 6: the item is skipped: "today" is no date`},
		"another status":      {swap("approved_for_core", "gone"), leaks + `line 8: the item is skipped: its status cannot be "gone"`},
		"a line of prose":     {swap("- Count: 5", "prose\n- Count: 5"), hangs + leaks + `line 4: "prose" is not understood`},
		"another key":         {swap("- Count: 5", "- Count: 5\n- Mood: good"), hangs + leaks + `line 5: "- Mood: good" is not understood`},
		"a line before all":   {"- Count: 5\n", `line 1: "- Count: 5" is not understood`},
		"a heading of spaces": {"## \n- Count: 5\n", `line 1: "##" is not understood` + "\n" + `line 2: "- Count: 5" is not understood`},
	} {
		items, warnings := tier.ParseView(row.text, now)
		got := ""
		day := func(at time.Time) string {
			if at.IsZero() {
				return "-"
			}
			return at.Format(time.DateOnly)
		}
		for _, i := range items {
			got += fmt.Sprintf("%s %d %v %s %s %s", i.Text, i.Count, i.Sessions, day(i.FirstSeen), day(i.LastSeen), day(i.LongTerm))
			if i.Approved.After(i.LongTerm) {
				got += " approved"
			}
			got += "\n"
		}
		if got += strings.Join(warnings, "\n"); got != row.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, row.want)
		}
	}
}

// What is written is read, and written again the same.
func FuzzView(f *testing.F) {
	f.Add(view)
	f.Add("## a\n- Sessions: a,, b\n## ## b\n- Count: 3\n- Status: approved_for_core")
	f.Fuzz(func(t *testing.T, text string) {
		items, _ := tier.ParseView(text, now)
		once := tier.View(items)
		again, warnings := tier.ParseView(once, now)
		if twice := tier.View(again); twice != once || len(warnings) > 0 || len(again) != len(items) {
			t.Errorf("%q is written as %q, and that as %q; %q", text, once, twice, warnings)
		}
	})
}
