package past

import (
	"context"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
)

// EachRemoved calls fn for the files below prefix that a commit removed, with their last texts,
// the newest commit first, until fn returns false. It reads only as much of the past as
// that takes.
func (p Past) EachRemoved(ctx context.Context, from, prefix string, fn func(commit, name string, text []byte) bool) error {
	from, err := p.Resolve(ctx, from)
	if err != nil {
		return err
	}
	// A merge is compared with its first parent, from which the branch went on.
	args := []string{"log", "--no-show-signature", "--format=%H", "-z", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=D",
		"-m", "--first-parent", from, "--"}
	l := losses{past: p, fn: fn, some: 1, more: true}
	header := func(commit string) { l.commit = commit }
	err = p.git.EachChange(ctx, limitToFolder(args, prefix), header, func(c plumb.Change) (bool, error) { return l.addFile(ctx, c) })
	if err != nil || !l.more || len(l.wait) == 0 {
		return err
	}
	_, err = l.handOverFiles(ctx)
	return err
}

// losses reads the texts of files that were taken away, of some at a time: of one
// first, and then of twice as many.
type losses struct {
	past   Past
	fn     func(commit, name string, text []byte) bool
	commit string // that is being told of
	some   int
	wait   []loss
	more   bool // fn wants more
}

type loss struct{ commit, name, blob string }

// addFile takes a file. It skips links and submodules.
func (l *losses) addFile(ctx context.Context, c plumb.Change) (more bool, err error) {
	if (object.Entry{Mode: c.FromMode}).IsFile() {
		l.wait = append(l.wait, loss{l.commit, c.Path, c.From})
	}
	if len(l.wait) < l.some {
		return true, nil
	}
	return l.handOverFiles(ctx)
}

// handOverFiles hands over the files that wait.
func (l *losses) handOverFiles(ctx context.Context) (more bool, err error) {
	names := make([]string, len(l.wait))
	for i, f := range l.wait {
		names[i] = f.name
	}
	d, err := l.past.source.Reader(ctx, names)
	if err != nil {
		return false, err
	}
	defer d.Close()
	for _, f := range l.wait {
		text, err := d.Text(ctx, f.name, f.blob)
		if err != nil {
			return false, err
		}
		if l.more = l.fn(f.commit, f.name, text); !l.more {
			return false, nil
		}
	}
	l.wait, l.some = nil, 2*l.some
	return true, nil
}
