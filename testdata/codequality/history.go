package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault/about"
)

// history is a clone with the commits that are replayed, the oldest first.
type history struct {
	top     string
	commits []string
}

// openHistory clones a repository, sharing its objects, and lists its newest commits by first parent.
func openHistory(ctx context.Context, gitDir string, o replayOptions) (h history, err error) {
	if h.top, err = os.MkdirTemp("", "codequality."); err != nil {
		return h, err
	}
	if _, err := h.git(ctx, "clone", "-q", "--shared", "--no-checkout", gitDir, h.top); err != nil {
		return h, err
	}
	out, err := h.git(ctx, "rev-list", "--first-parent", fmt.Sprintf("--max-count=%d", o.back+1), "HEAD")
	h.commits = strings.Fields(out)
	slices.Reverse(h.commits)
	if err == nil && len(h.commits) < 2 {
		err = fmt.Errorf("it has %d commits", len(h.commits))
	}
	return h, err
}

// stops returns the commits at which it is judged, in equal steps.
func (h history) stops(n int) (stops []string) {
	last := len(h.commits) - 1
	for i := range n {
		if at := last * (i + 1) / n; at > 0 {
			stops = append(stops, h.commits[at])
		}
	}
	return slices.Compact(stops)
}

// git runs git in the clone, without what a person or a repository has set.
func (h history) git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false", "-c", "advice.detachedHead=false"}, args...)...)
	cmd.Dir = h.top
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	var told bytes.Buffer
	cmd.Stderr = &told
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, told.String())
	}
	return string(out), err
}

func (h history) checkout(ctx context.Context, commit string) error {
	_, err := h.git(ctx, "checkout", "-q", "--force", "--detach", commit)
	return err
}

// bound is a binding that was made, with the lines it meant.
type bound struct {
	about.Bound
	file     string
	from, to int
	symbol   bool
	lines    []string
}

// bindAt binds windows and symbols of some of a commit's files, the same ones for the same seed.
func (h history) bindAt(ctx context.Context, commit string, o replayOptions) (all []bound, err error) {
	listing, err := h.git(ctx, "ls-tree", "-r", "-z", commit)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewSource(o.seed))
	rows := fieldsOf(listing)
	r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	files := 0
	for _, row := range rows {
		kind, file, _ := strings.Cut(row, "\t")
		if files == o.files || !strings.HasPrefix(kind, "100") {
			continue
		}
		blob := strings.Fields(kind)[2]
		text, err := h.git(ctx, "cat-file", "blob", blob)
		if err != nil {
			return nil, err
		}
		lines := about.SplitLines([]byte(text))
		if !about.IsText([]byte(text)) || len(lines) < 3 {
			continue
		}
		files++
		f := binder{file: file, commit: commit, blob: blob, lines: lines, Rand: r}
		all = append(all, f.bindSome(o.windows)...)
	}
	return all, nil
}

// binder binds lines of one file.
type binder struct {
	file, commit, blob string
	lines              []string
	*rand.Rand
}

// lengths are those of the windows.
var lengths = []int{1, 2, 3, 5, 12, 40}

var word = regexp.MustCompile(`[A-Za-z_]\w{2,}`)

// bindSome binds windows of each length, and symbols, at most so many of each.
func (f binder) bindSome(most int) (all []bound) {
	for _, n := range lengths {
		for range most {
			if b, ok := f.bindWindow(n); ok {
				all = append(all, b)
			}
		}
	}
	seen := make(map[string]bool)
	for tries := 10 * most; tries > 0 && most > 0; tries-- {
		words := word.FindAllString(f.lines[f.Intn(len(f.lines))], -1)
		if len(words) == 0 {
			continue
		}
		name := words[f.Intn(len(words))]
		if seen[name] {
			continue
		}
		seen[name] = true
		if from, to, err := about.FindSymbol(f.file, f.lines, name); err == nil {
			all = append(all, f.bind(about.Binding{Path: f.file, Symbol: name}, from, to))
			most--
		}
	}
	return all
}

// bindWindow binds n lines; not if they are blank.
func (f binder) bindWindow(n int) (bound, bool) {
	if n > len(f.lines) {
		return bound{}, false
	}
	from := 1 + f.Intn(len(f.lines)-n+1)
	to := from + n - 1
	return f.bind(about.Binding{Path: f.file, From: from, To: to}, from, to), strings.TrimSpace(strings.Join(f.lines[from-1:to], "")) != ""
}

func (f binder) bind(b about.Binding, from, to int) bound {
	lines := f.lines[from-1 : to]
	return bound{about.Bound{Text: b.String(), Stamp: stampOf(b, f.commit, f.blob, lines)}, f.file, from, to, b.Symbol != "", lines}
}
