package gitstore

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
)

// Lost calls fn for the files below prefix that a commit took away, the newest
// commit first, with the text each had, until fn returns false. It goes no
// further into the past than that takes.
func (r *Repo) Lost(ctx context.Context, from, prefix string, fn func(commit, name string, text []byte) bool) error {
	from, err := r.Resolve(ctx, from)
	if err != nil {
		return err
	}
	return r.Stream(ctx, nil, removalsArgs(from, prefix), func(out io.Reader) (bool, error) {
		return r.eachLost(ctx, &removals{in: bufio.NewReader(out)}, fn)
	})
}

// removalsArgs list what the commits took away. A merge is compared with its
// first parent, from which the branch went on.
func removalsArgs(from, prefix string) []string {
	args := []string{"log", "--no-show-signature", "--format=%H", "-z", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=D",
		"-m", "--first-parent", from, "--"}
	if prefix != "" {
		args = append(args, prefix)
	}
	return args
}

// eachLost reads the texts, of some files at a time: of one first, and then of
// twice as many. more says that fn has seen them all.
func (r *Repo) eachLost(ctx context.Context, in *removals, fn func(commit, name string, text []byte) bool) (more bool, err error) {
	for some := 1; ; some *= 2 {
		lost, err := in.next(some)
		if err != nil || len(lost) == 0 {
			return true, err
		}
		if more, err := r.textsLost(ctx, lost, fn); err != nil || !more {
			return false, err
		}
	}
}

func (r *Repo) textsLost(ctx context.Context, lost []removal, fn func(commit, name string, text []byte) bool) (more bool, err error) {
	names := make([]string, len(lost))
	for i, l := range lost {
		names[i] = l.name
	}
	eng, err := r.reader(ctx, names)
	if err != nil {
		return false, err
	}
	defer eng.Close()
	for _, l := range lost {
		text, err := eng.Text(ctx, l.name, l.blob)
		if err != nil || !fn(l.commit, l.name, text) {
			return false, err
		}
	}
	return true, nil
}

// removal is a file that a commit took away, and what it held.
type removal struct{ commit, name, blob string }

// removals reads fields that end in NUL: a commit's id, and for each file
// ":<mode> <mode> <blob> <blob> D" and its name.
type removals struct {
	in           *bufio.Reader
	commit, blob string
}

// noFile stands for the blob of a link or a submodule.
const noFile = "-"

// next returns up to n of them; none at the end.
func (l *removals) next(n int) (all []removal, err error) {
	for len(all) < n {
		field, err := l.in.ReadString(0)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		field = strings.TrimSuffix(field, "\x00")
		if l.blob != "" {
			if l.blob != noFile {
				all = append(all, removal{l.commit, field, l.blob})
			}
			l.blob = ""
			continue
		}
		switch raw := strings.Fields(field); {
		case len(raw) == 5 && raw[0][0] == ':':
			l.blob = raw[2]
			if !strings.HasPrefix(raw[0], ":100") {
				l.blob = noFile
			}
		case len(raw) == 1:
			l.commit = raw[0]
		}
	}
	return all, nil
}
