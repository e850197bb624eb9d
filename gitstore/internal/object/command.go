package object

import (
	"bufio"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// Command asks the git command for objects, and for texts as the paths' filters
// have them.
type Command struct {
	git     plumb.Git
	reader  *batch
	written []string
}

// OpenCommand opens the objects of a repository; Close must be called.
func OpenCommand(git plumb.Git) *Command { return &Command{git: git} }

// batch is a running "git cat-file --batch".
type batch struct {
	in   io.WriteCloser
	out  *bufio.Reader
	stop func() error
}

// Close ends the git that is running.
func (p *Command) Close() {
	if p.reader != nil {
		_ = p.reader.stop()
	}
}

func (p *Command) startBatch(ctx context.Context) (*batch, error) {
	if p.reader != nil {
		return p.reader, nil
	}
	cmd := p.git.Cmd(ctx, nil, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, plumb.Error([]string{"cat-file"}, "", err)
	}
	p.reader = &batch{in, bufio.NewReader(out), func() error { return errors.Join(in.Close(), cmd.Wait()) }}
	return p.reader, nil
}

// Read asks for an object; the answer is "<id> <kind> <size>\n<bytes>\n", or "<id> missing\n".
func (p *Command) Read(ctx context.Context, id string) (string, []byte, error) {
	if !plumb.IsHex(id) {
		return "", nil, ErrMissing
	}
	b, err := p.startBatch(ctx)
	if err != nil {
		return "", nil, err
	}
	if _, err := io.WriteString(b.in, id+"\n"); err != nil {
		return "", nil, err
	}
	line, err := b.out.ReadString('\n')
	if err != nil {
		return "", nil, vault.Errorf(vault.CodeIO, "run: git fsck", "git cat-file ended early: %w", err)
	}
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return "", nil, ErrMissing
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return "", nil, err
	}
	data := make([]byte, size+1)
	_, err = io.ReadFull(b.out, data)
	return fields[1], data[:size], err
}

// Write adds an object by git hash-object.
func (p *Command) Write(ctx context.Context, kind string, data []byte) (string, error) {
	return p.hashObject(ctx, data, "-t", kind)
}

func (p *Command) hashObject(ctx context.Context, data []byte, how ...string) (string, error) {
	out, err := p.git.Run(ctx, data, append([]string{"hash-object", "-w", "--stdin"}, how...)...)
	id := strings.TrimSpace(string(out))
	if err == nil {
		p.written = append(p.written, id)
	}
	return id, err
}

// Flush flushes the file system: git syncs its objects, but not their names.
func (p *Command) Flush(context.Context) error {
	return disk.SyncFS(filepath.Join(p.git.CommonDir(), "objects"))
}

// Complete asks git for every object written.
func (p *Command) Complete(ctx context.Context) (bool, error) {
	missing, err := p.git.Missing(ctx, p.written)
	return err == nil && missing == 0, err
}

// Text returns a blob as the work tree would hold it. The error has CodeFilter if the path's
// filters are what refuses.
func (p *Command) Text(ctx context.Context, path, id string) ([]byte, error) {
	text, err := p.git.Run(ctx, nil, "cat-file", "--filters", "--path="+path, id)
	if err == nil {
		return text, nil
	}
	if _, plain := p.git.Run(ctx, nil, "cat-file", "blob", id); plain != nil {
		return nil, err
	}
	return nil, inconvertible(path, err)
}

// Blob adds a text as the path's filters have it. The error has CodeFilter if they are what
// refuses.
func (p *Command) Blob(ctx context.Context, path string, text []byte) (string, error) {
	id, err := p.hashObject(ctx, text, "--path="+path)
	if err != nil && p.cannotConvert(ctx, path, text) {
		return "", inconvertible(path, err)
	}
	return id, err
}

// cannotConvert reports whether a text that git did not add is refused by the path's filters. An
// encoding refuses only what is to be added: there another object shows whether git adds any.
func (p *Command) cannotConvert(ctx context.Context, path string, text []byte) bool {
	if _, err := p.git.Run(ctx, text, "hash-object", "--stdin", "--path="+path); err != nil {
		return ctx.Err() == nil
	}
	_, err := p.git.Run(ctx, []byte("cp asks whether git adds objects, for "+path+"\n"), "hash-object", "-w", "--stdin")
	return err == nil
}

// inconvertible says in git's own words why it cannot convert a file. No other one is concerned.
func inconvertible(path string, said error) error {
	words := strings.Join(strings.FieldsFunc(said.Error(), isLineEnd), "; ")
	return &vault.Error{Code: vault.CodeFilter, Path: path, Err: said, Msg: "git, which has to convert the file, refuses: " + words,
		Hint: "unlock, install or mend the filter or encoding that git's attributes name for it (`git check-attr -a FILE` shows them), then repeat the command; until then what would change this file is refused, also as the parent that lists a memory, and every other one can be written"}
}

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' }
