package remote

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// Outgoing calls fn for every passage that a push of commit would add or remove upstream,
// the oldest first. tip is upstream's commit, or "". It leaves out passages that the
// remote's other branches have, and commits of ours that nobody has rewritten since,
// because they were checked when they were made. Of a merge only passages that are in
// neither side count.
func (r Remote) Outgoing(ctx context.Context, commit string, up vault.Upstream, tip string, fn func(vault.Passage) error) error {
	theirs, err := r.byPeople(ctx, commit, up, tip)
	if err != nil || len(theirs) == 0 {
		return err
	}
	args := []string{"diff-tree", "--stdin", "-r", "--root", "-p", "--cc", "--unified=0",
		"--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"}
	return r.Stream(ctx, theirs, args, func(out io.Reader) (bool, error) {
		return true, (&patch{in: bufio.NewReader(out), fn: fn}).read()
	})
}

// byPeople returns the ids of the commits that Outgoing looks at, a line each. A
// commit of ours has the time of its author; an amend or a rebase sets another.
func (r Remote) byPeople(ctx context.Context, commit string, up vault.Upstream, tip string) ([]byte, error) {
	args := []string{"log", "--no-show-signature", "--no-patch", "--reverse",
		"--format=%H %at %ct " + plumb.Trailer("Cp-Op"), commit, "--not", "--remotes=" + up.Remote}
	if tip != "" {
		args = append(args, tip)
	}
	out, err := r.Run(ctx, nil, append(args, "--")...)
	if err != nil {
		return nil, err
	}
	var ids []byte
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) == 3 || len(f) > 3 && f[1] != f[2] {
			ids = append(append(ids, f[0]...), '\n')
		}
	}
	return ids, nil
}

// EachPushedPath calls fn for every path that the commits of a push would touch upstream, the
// oldest first. tip is upstream's commit. Of a merge only paths count that differ from
// each of its sides. The revision has its Op if the commit is one of ours that nobody has
// rewritten. Commits that another branch of the remote has count, too, unless the
// push makes the branch.
func (r Remote) EachPushedPath(ctx context.Context, commit string, up vault.Upstream, tip string, fn func(rev vault.Revision, path string) error) error {
	args := []string{"log", "--no-show-signature", "--reverse", "-z", "--format=%H %at %ct " + plumb.Trailer("Cp-Op") + "%x01%s", "--raw", "-c", "--root",
		"--no-renames", "--ignore-submodules=none", commit, "--not"}
	if tip == "" {
		tip = "--remotes=" + up.Remote
	}
	var now vault.Revision
	header := func(text string) {
		said, subject, _ := strings.Cut(text, "\x01")
		f := strings.Fields(said)
		if now = (vault.Revision{Commit: f[0], Subject: subject}); len(f) == 4 && f[1] == f[2] {
			now.Op = f[3]
		}
	}
	return r.EachChange(ctx, append(args, tip, "--"), header, func(c plumb.Change) (bool, error) { return true, fn(now, c.Path) })
}

// patch reads what git diff-tree --stdin writes: the id of a commit on a line of
// its own, then for each file a header and hunks without context.
//
//	diff --git a/x.md b/x.md
//	--- a/x.md
//	+++ b/x.md
//	@@ -4,0 +5,2 @@
//	+a line
//
// That of a merge has "diff --cc", an @ more for each side but one, and as many
// signs before a line as there are sides.
type patch struct {
	in      *bufio.Reader
	fn      func(vault.Passage) error
	now     vault.Passage // that is being read; its Line is 0 in a header
	sides   int
	added   int // the line of the next one that is added
	removed int
}

// maxPassage bounds what is handed over at once, in bytes.
const maxPassage = vault.MaxFile

func (p *patch) read() error {
	for {
		line, err := p.in.ReadBytes('\n')
		if len(line) > 0 {
			if err := p.readLine(line); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return p.flush()
		}
		if err != nil {
			return err
		}
	}
}

func (p *patch) readLine(line []byte) error {
	word := string(bytes.TrimRight(line, "\r\n"))
	switch {
	case p.sides > 0 && bytes.IndexByte([]byte("+- "), line[0]) >= 0 && len(line) > p.sides:
		return p.takeHunkLine(line)
	case line[0] == '\\': // No newline at end of file
		return nil
	case strings.HasPrefix(word, "@@"):
		err := p.flush()
		p.hunk(strings.Fields(word))
		return err
	case word == "--- /dev/null", word == "+++ /dev/null":
		return nil
	case strings.HasPrefix(word, "--- "), strings.HasPrefix(word, "+++ "):
		p.now.Path = patchName(word[len("+++ "):])
		return nil
	}
	err := p.flush()
	p.sides = 0
	if plumb.IsHex(word) {
		p.now.Commit = word
	}
	return err
}

// hunk reads "@@ -4,0 +5,2 @@ …", or with another @ and another -4,0 for each further side.
func (p *patch) hunk(f []string) {
	p.sides = len(f[0]) - 1
	if len(f) <= p.sides+1 {
		p.sides = 0
		return
	}
	start := func(field string) int {
		n, _, _ := strings.Cut(field[1:], ",")
		at, err := strconv.Atoi(n)
		if err != nil {
			return 0 // git writes numbers
		}
		return at
	}
	p.removed, p.added = start(f[1]), start(f[p.sides+1])
}

// takeHunkLine takes a line of a hunk. One that a side of a merge has is no addition.
func (p *patch) takeHunkLine(line []byte) error {
	signs, rest := line[:p.sides], line[p.sides:]
	gone, added := bytes.IndexByte(signs, '-') >= 0, bytes.IndexByte(signs, ' ') < 0
	if len(p.now.Text) > 0 && (p.now.Gone != gone || !gone && !added || len(p.now.Text)+len(rest) > maxPassage) {
		if err := p.flush(); err != nil {
			return err
		}
	}
	at := &p.added
	if gone {
		at = &p.removed
	}
	if gone || added {
		if len(p.now.Text) == 0 {
			p.now.Line, p.now.Gone = *at, gone
		}
		p.now.Text = append(p.now.Text, rest...)
	}
	*at++
	return nil
}

func (p *patch) flush() error {
	if len(p.now.Text) == 0 {
		return nil
	}
	err := p.fn(p.now)
	p.now.Text = p.now.Text[:0]
	return err
}

// patchName removes the quotes and the prefix (a/ or b/) from a name in a patch.
func patchName(s string) string {
	if strings.HasPrefix(s, `"`) {
		if name, err := strconv.Unquote(s); err == nil {
			s = name
		}
	} else {
		s = strings.TrimSuffix(s, "\t") // git ends a name with spaces in it so
	}
	return s[min(len("b/"), len(s)):]
}
