package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
)

// oracle tells which lines of a commit live on at a later one, as git blame --reverse has it: it follows each line from
// commit to commit, by first parent, and through renames of files.
type oracle struct {
	history
	base, stop string
	files      map[string][]survivor
}

// survivor is a line of the old commit: where it stands in the last commit that has it.
type survivor struct {
	commit, file string
	line         int
}

// life is what became of bound lines.
type life struct {
	alive bool
	top   string // the work tree at the later commit
}

// doLive reports whether all lines of a binding live on, side by side.
func (o oracle) doLive(ctx context.Context, b bound) (life, error) {
	l := life{top: o.top}
	if same, err := o.isSameFile(ctx, b.file); same || err != nil {
		l.alive = same
		return l, err
	}
	lines, ok := o.files[b.file]
	if !ok {
		var err error
		if lines, err = o.blame(ctx, b.file); err != nil {
			return l, err
		}
		o.files[b.file] = lines
	}
	if b.to > len(lines) {
		return l, fmt.Errorf("%s: blame tells of %d lines, not of %d", b.file, len(lines), b.to)
	}
	first := lines[b.from-1]
	l.alive = true
	for i, s := range lines[b.from-1 : b.to] {
		l.alive = l.alive && s == survivor{o.stop, first.file, first.line + i}
	}
	return l, nil
}

// isSameFile reports whether the file is the same at both commits.
func (o oracle) isSameFile(ctx context.Context, file string) (bool, error) {
	key := "\x00" + file
	if known, ok := o.files[key]; ok {
		return len(known) > 0, nil
	}
	out, err := o.git(ctx, "diff-tree", "--raw", "-z", o.base, o.stop, "--", ":(literal)"+file)
	if err == nil && out == "" {
		o.files[key] = []survivor{{}}
		return true, nil
	}
	o.files[key] = nil
	return false, err
}

// blame returns where the lines of a file stand in the last commit that has them.
func (o oracle) blame(ctx context.Context, file string) (all []survivor, err error) {
	out, err := o.git(ctx, "blame", "--reverse", "--first-parent", "--line-porcelain", o.base+".."+o.stop, "--", file)
	if err != nil {
		return nil, err
	}
	var s survivor
	for line := range strings.SplitSeq(out, "\n") {
		switch words := strings.Fields(line); {
		case strings.HasPrefix(line, "\t"):
			all = append(all, s)
		case strings.HasPrefix(line, "filename "):
			s.file = line[len("filename "):]
		case len(words) >= 3 && len(words[0]) >= 40 && len(words) <= 4:
			s.commit = words[0]
			if _, err := fmt.Sscan(words[1], &s.line); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// verbatim reports whether the lines stand where a state says that they are: somebody wrote them anew, or
// took a change of them back.
func (l life) verbatim(b bound, s vault.BindingState) bool {
	at, err := about.Parse(s.At)
	if s.Now != "" {
		at, err = about.Parse(s.Now)
	}
	if err != nil {
		return false
	}
	text, err := os.ReadFile(filepath.Join(l.top, filepath.FromSlash(at.Path)))
	if err != nil {
		return false
	}
	now := about.SplitLines(text)
	if at.HasRange() {
		return at.To <= len(now) && slices.Equal(now[at.From-1:at.To], b.lines)
	}
	return len(about.FindLines(now, b.lines)) > 0
}
