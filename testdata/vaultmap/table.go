package vaultmap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cp-memory/cp/vault"
)

// Row is one state of a vault and what a verb makes of it.
type Row[R any] struct {
	Name  string
	Start Files        // what is committed; nil is the Family
	Given func(*World) // what has happened since; may be nil
	Verb  vault.Verb[R]
	Do    func(context.Context, *World) (R, error) // in the place of Verb, for what does more than plan

	// Want is what the commit changes, as Diff tells it. Tabs before a line are no part of it;
	// a line "+head id|title|summary" stands for the whole header of a new memory.
	Want string
	Left string // what the disk then has that HEAD has not, likewise
	Says string // stands in the JSON of the answer
	Err  string // the error: its sentence, " | " and its hint
}

// Run makes each row on a world of its own. Before, it plans twice on the same
// base, and wants the same change: ids, times and all.
func Run[R any](t *testing.T, rows []Row[R]) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.Name, func(t *testing.T) {
			t.Helper()
			row.run(t)
		})
	}
}

// world returns the row's base.
func (row *Row[R]) world() *World {
	start := row.Start
	if start == nil {
		start = Family()
	}
	w := New(start)
	if row.Given != nil {
		row.Given(w)
	}
	return w
}

func (row *Row[R]) run(t *testing.T) {
	t.Helper()
	w := row.world()
	head, disk := w.Head(), maps.Clone(w.Disk)
	out, err := row.do(t.Context(), w)
	Equal(t, "the error", Told(err), row.Err)
	Equal(t, "the commit", Diff(head, w.Head()), flush(row.Want))
	Equal(t, "what is on disk and in no commit", Diff(w.Head(), w.Disk), flush(row.Left))
	if err != nil {
		Equal(t, "what the refused verb did on disk", Diff(disk, w.Disk), "")
		return
	}
	said, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(said), row.Says) {
		t.Errorf("the answer is %s, without %s", said, row.Says)
	}
	row.again(t)
}

func (row *Row[R]) do(ctx context.Context, w *World) (R, error) {
	if row.Do != nil {
		return row.Do(ctx, w)
	}
	out, _, err := vault.Do(ctx, w.Vault, row.Verb, vault.Options{})
	return out, err
}

// again plans every write twice on one base.
func (row *Row[R]) again(t *testing.T) {
	t.Helper()
	w := row.world()
	w.Twice = func(first, second *vault.Change) {
		if d := cmp.Diff(first, second, cmpopts.IgnoreUnexported(vault.Change{})); d != "" {
			t.Errorf("planned again, the same base gives another plan:\n%s", d)
		}
	}
	if _, err := row.do(t.Context(), w); err != nil {
		t.Fatal(err)
	}
}

// flush takes the indentation off a text of a table, and writes out its short lines.
func flush(text string) string {
	all := strings.Split(strings.TrimPrefix(text, "\n"), "\n")
	for i := range all {
		all[i] = strings.TrimLeft(all[i], "\t")
		if head, ok := strings.CutPrefix(all[i], "+head "); ok {
			all[i] = made(head)
		}
	}
	return strings.Join(all, "\n")
}

// made is the header of a new memory, id|title or id|title|summary, as a diff has it.
func made(head string) string {
	p := strings.SplitN(head, "|", 3)
	lines := []string{"---", "id: " + p[0], "title: " + p[1], "type: memory", "status: open"}
	if len(p) > 2 {
		lines = append(lines, "summary: "+p[2])
	}
	lines = append(lines, "created: 2026-02-07T15:30:00Z", "creator: tester", "---")
	return "+" + strings.Join(lines, "\n+")
}

// Equal fails unless the two are the same.
func Equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
	}
}

// Told is an error in one line: its sentence and its hint.
func Told(err error) string {
	var e *vault.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e) && e.Hint != "":
		return err.Error() + " | " + e.Hint
	}
	return err.Error()
}

// Diff tells how two maps differ: for each file a line that names it, and below it
// the lines that went and came. A file that is new, went or moved says so.
//
//	deploy.md
//	-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
//	new deploy/x.md
//	+---
func Diff(a, b Files) string {
	var out strings.Builder
	moved := make(map[vault.Path]bool)
	for _, p := range differing(a, b) {
		if from := whence(a, b, b[p]); a[p] == "" && from != "" {
			moved[from] = true
		}
	}
	for _, p := range differing(a, b) {
		was, had := a[p]
		now, has := b[p]
		from := whence(a, b, now)
		switch {
		case moved[p]:
			continue
		case !has:
			fmt.Fprintf(&out, "gone %s\n", p)
			continue
		case !had && from != "":
			was = a[from]
			fmt.Fprintf(&out, "%s > %s\n", from, p)
		case !had:
			fmt.Fprintf(&out, "new %s\n", p)
		default:
			fmt.Fprintln(&out, p)
		}
		out.WriteString(lines(was, now))
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// marks are what stands for characters that do not show.
var marks = strings.NewReplacer("\r", "␍", "\ufeff", "<BOM>")

// lines tells which lines went and came, by the longest common subsequence.
func lines(was, now string) string {
	a, b := strings.SplitAfter(was, "\n"), strings.SplitAfter(now, "\n")
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var out []string
	say := func(sign, line string) {
		if line != "" {
			line = strings.ToValidUTF8(strings.TrimSuffix(line, "\n"), "�")
			out = append(out, sign+marks.Replace(line)+"\n")
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common[i+1][j] >= common[i][j+1]):
			say("-", a[i])
			i++
		default:
			say("+", b[j])
			j++
		}
	}
	return strings.Join(slices.Clone(out), "")
}
