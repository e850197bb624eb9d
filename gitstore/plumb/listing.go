package plumb

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// List runs git and returns the fields of its output that end in NUL, as -z makes
// it write them.
func (g Git) List(ctx context.Context, stdin []byte, args ...string) ([]string, error) {
	out, err := g.Run(ctx, stdin, args...)
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

// CommitOf returns the id of the commit that rev names in any way git understands;
// empty when it names none.
func (g Git) CommitOf(ctx context.Context, rev string) (string, error) {
	out, err := g.Run(ctx, nil, "rev-parse", "--quiet", "--verify", "--end-of-options", rev+"^{commit}")
	if ExitCode(err) == 1 {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}

// Missing counts the ids without an object.
func (g Git) Missing(ctx context.Context, ids []string) (int, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	out, err := g.Run(ctx, []byte(strings.Join(ids, "\n")+"\n"), "cat-file", "--batch-check=%(objectname)")
	return bytes.Count(out, []byte(" missing\n")), err
}

// HasAllObjects reports whether every object is there that git rev-list reaches with the arguments.
func (g Git) HasAllObjects(ctx context.Context, args ...string) (bool, error) {
	_, err := g.Run(ctx, nil, append([]string{"-c", "core.commitGraph=false", "rev-list", "--objects", "--quiet"}, args...)...)
	if ExitCode(err) > 0 {
		return false, nil
	}
	return err == nil, err
}

// Record reads a field of git ls-tree or git ls-files: some words, a tab and the
// path. It returns no words for any other field.
func Record(field string) (words []string, path string) {
	what, path, ok := strings.Cut(field, "\t")
	if !ok {
		return nil, ""
	}
	return strings.Fields(what), path
}

// Trailer is the format with which git log writes the values of a trailer,
// separated by spaces.
func Trailer(key string) string { return "%(trailers:key=" + key + ",valueonly,separator=%x20)" }

// Change is a file that differs between two trees, as git tells it with --raw -z:
//
//	:<mode> <mode> <blob> <blob> <status>\0<path>\0
//
// A moved file has its new path behind the old one. A merge, with -c, has one more colon,
// mode and blob for each parent but one; From is the first parent's. Its old paths are not
// told, and its letter is M where the parents' differ.
type Change struct {
	vault.Difference
	Status byte   // git's letter
	Was    string // the old path of what moved; else empty
}

// EachChange runs git with --raw -z and calls fn for each change, until it returns
// false. header, which may be nil, is called with the fields in between: they begin a
// commit of a log.
func (g Git) EachChange(ctx context.Context, args []string, header func(string), fn func(Change) (more bool, err error)) error {
	return g.Stream(ctx, nil, args, func(out io.Reader) (bool, error) {
		err := eachChange(bufio.NewReader(out), header, fn)
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		return false, err
	})
}

// eachChange ends with io.EOF, or when fn has had enough.
func eachChange(in *bufio.Reader, header func(string), fn func(Change) (more bool, err error)) error {
	for {
		field, err := nextField(in)
		if err != nil {
			return err
		}
		if field = strings.TrimPrefix(field, "\n"); !strings.HasPrefix(field, ":") {
			if field != "" && header != nil {
				header(field)
			}
			continue
		}
		c, err := readChange(field, in)
		if err != nil {
			return err
		}
		if more, err := fn(c); err != nil || !more {
			return err
		}
	}
}

func nextField(in *bufio.Reader) (string, error) {
	field, err := in.ReadString(0)
	return strings.TrimSuffix(field, "\x00"), err
}

// readChange parses the words of a change and reads its path.
func readChange(field string, in *bufio.Reader) (c Change, err error) {
	words := strings.Fields(strings.TrimLeft(field, ":"))
	sides := strings.LastIndexByte(field, ':') + 1
	if len(words) != 2*sides+3 {
		return c, vault.Errorf(vault.CodeIO, "run: git fsck", "git wrote the odd line %q of a difference", field)
	}
	letters := words[len(words)-1] // a score follows the one of a move
	if c.Status = letters[0]; sides > 1 && strings.Trim(letters, letters[:1]) != "" {
		c.Status = 'M'
	}
	if c.FromMode, c.From, err = versionIn(words[0], words[sides+1]); err != nil {
		return c, err
	}
	if c.IntoMode, c.Into, err = versionIn(words[sides], words[2*sides+1]); err != nil {
		return c, err
	}
	if c.Path, err = nextField(in); err == nil && sides == 1 && (c.Status == 'R' || c.Status == 'C') {
		c.Was = c.Path
		c.Path, err = nextField(in)
	}
	return c, err
}

// versionIn returns one side of a change, and zero values for a side without a file.
func versionIn(octal, id string) (uint32, string, error) {
	mode, err := strconv.ParseUint(octal, 8, 32)
	if err != nil || mode == 0 {
		return 0, "", err
	}
	return uint32(mode), id, nil
}
