package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/code"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
)

// replayOptions say what is bound and where it is judged.
type replayOptions struct {
	seed                        int64
	back, stops, files, windows int
	verbose                     bool
	after                       string // a command of the shell
}

// result is what the replay of a history showed.
type result struct {
	name     string
	base     string // the commit at which things were bound
	head     string
	files    int
	windows  tally // of three lines and more
	short    tally // of one and two
	symbols  tally
	examples []string
}

// tally counts the verdicts of one kind of binding.
type tally struct {
	all, alive, loud, falseLoud, missed, verbatim, unknown int
	states                                                 map[string]int
}

func (t tally) String() string {
	share := func(n int) float64 { return 100 * float64(n) / float64(max(1, t.all)) }
	return fmt.Sprintf("%5d judged, %4.1f %% loud: false loud %d (%.2f %%), missed %d (%.2f %%) and %d whose text is there all the same (%.2f %%), unknown %d",
		t.all, share(t.loud), t.falseLoud, share(t.falseLoud), t.missed, share(t.missed), t.verbatim, share(t.verbatim), t.unknown)
}

func (r result) String() string {
	text := fmt.Sprintf("%s, bound at %.8s in %d files, judged up to %.8s\n", r.name, r.base, r.files, r.head)
	for _, row := range []struct {
		name string
		tally
	}{{"3 lines and more", r.windows}, {"1 and 2 lines", r.short}, {"symbols", r.symbols}} {
		text += fmt.Sprintf("  %-17s %s %v\n", row.name, row.tally, row.states)
	}
	for _, e := range r.examples {
		text += "  " + e + "\n"
	}
	return text
}

// replayHistory binds at an old commit and judges at later ones.
func replayHistory(ctx context.Context, gitDir string, o replayOptions) (r result, err error) {
	h, err := openHistory(ctx, gitDir, o)
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(h.top)
	base, stops := h.commits[0], h.stops(o.stops)
	all, err := h.bindAt(ctx, base, o)
	if err != nil {
		return r, err
	}
	r = result{name: gitDir, base: base, head: stops[len(stops)-1]}
	files := make(map[string]bool)
	for _, b := range all {
		files[b.file] = true
	}
	r.files = len(files)
	for _, stop := range stops {
		if err := h.judgeAt(ctx, base, stop, all, &r, o.verbose); err != nil {
			return r, err
		}
	}
	return r, nil
}

// judgeAt judges all bindings at one commit, beside what blame says.
func (h history) judgeAt(ctx context.Context, base, stop string, all []bound, r *result, verbose bool) error {
	if err := h.checkout(ctx, stop); err != nil {
		return err
	}
	states, err := h.states(ctx, all)
	if err != nil {
		return err
	}
	lives := oracle{h, base, stop, map[string][]survivor{}}
	for i, b := range all {
		alive, err := lives.doLive(ctx, b)
		if err != nil {
			return err
		}
		if wrong := r.tallyOf(b).add(b, states[i], alive); wrong != "" && verbose {
			r.examples = append(r.examples, fmt.Sprintf("%.8s %s: %s %+v", stop, wrong, b.Text, states[i]))
		}
	}
	return nil
}

// states returns how the bindings stand in the work tree.
func (h history) states(ctx context.Context, all []bound) ([]vault.BindingState, error) {
	files, err := code.Open(h.top)
	if err != nil {
		return nil, err
	}
	asked := make([]about.Bound, len(all))
	for i := range all {
		asked[i] = all[i].Bound
	}
	return (&about.Judge{Code: files}).States(ctx, asked)
}

// judgeAfter binds at the newest commit, runs a command in the work tree, and judges. All that is loud is
// counted as false, and only bindings of files that the command changes are counted.
func judgeAfter(ctx context.Context, gitDir string, o replayOptions) (r result, err error) {
	h, err := openHistory(ctx, gitDir, o)
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(h.top)
	head := h.commits[len(h.commits)-1]
	all, err := h.bindAt(ctx, head, o)
	if err == nil {
		err = h.checkout(ctx, head)
	}
	if err != nil {
		return r, err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", o.after)
	cmd.Dir, cmd.Stderr = h.top, os.Stderr
	if err := cmd.Run(); err != nil {
		return r, fmt.Errorf("%s: %w", o.after, err)
	}
	listing, err := h.git(ctx, "diff", "--name-only", "-z")
	if err != nil {
		return r, err
	}
	changed := fieldsOf(listing)
	all = slices.DeleteFunc(all, func(b bound) bool { return !slices.Contains(changed, b.file) })
	states, err := h.states(ctx, all)
	r = result{name: gitDir + " after " + o.after, base: head, head: head, files: len(changed)}
	for i, s := range states {
		r.tallyOf(all[i]).add(all[i], s, life{alive: true, top: h.top})
	}
	return r, err
}

func (r *result) tallyOf(b bound) *tally {
	switch {
	case b.symbol:
		return &r.symbols
	case b.to-b.from < 2:
		return &r.short
	}
	return &r.windows
}

// add counts a verdict, and says what is wrong with it.
func (t *tally) add(b bound, s vault.BindingState, l life) (wrong string) {
	if t.states == nil {
		t.states = make(map[string]int)
	}
	t.all++
	t.states[s.State]++
	loud := vault.IsLoud(s.State)
	switch {
	case l.alive:
		t.alive++
	case !loud && s.State != vault.CodeUnknown:
		wrong = "missed"
	}
	switch {
	case s.State == vault.CodeUnknown:
		t.unknown++
	case loud && l.alive:
		t.falseLoud++
		wrong = "false loud"
	case wrong == "missed" && l.verbatim(b, s):
		t.verbatim++
		wrong = "there all the same"
	case wrong == "missed":
		t.missed++
	}
	if loud {
		t.loud++
	}
	return wrong
}

// stampOf returns a stamp as it would be made at the commit.
func stampOf(b about.Binding, commit, blob string, lines []string) *about.Stamp {
	return &about.Stamp{Binding: b.String(), Commit: commit, Blob: blob, Text: about.SumLines(lines), At: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
}

// fieldsOf returns the fields of git's answer that end in NUL.
func fieldsOf(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
}
