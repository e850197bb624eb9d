package gitstore

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// plumber is the engine that asks the git command for everything.
type plumber struct {
	*Repo
	reader  *batch
	written []string
}

func (r *Repo) openPlumber() *plumber { return &plumber{Repo: r} }

// batch is a running "git cat-file --batch".
type batch struct {
	in   io.WriteCloser
	out  *bufio.Reader
	stop func() error
}

func (p *plumber) close() {
	if p.reader != nil {
		_ = p.reader.stop()
	}
}

func (p *plumber) start(ctx context.Context) (*batch, error) {
	if p.reader != nil {
		return p.reader, nil
	}
	cmd := p.Cmd(ctx, nil, "cat-file", "--batch")
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

// read asks for an object; the answer is "<id> <kind> <size>\n<bytes>\n", or "<id> missing\n".
func (p *plumber) read(ctx context.Context, id string) (string, []byte, error) {
	if !isHex(id) {
		return "", nil, errNoObject
	}
	b, err := p.start(ctx)
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
		return "", nil, errNoObject
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return "", nil, err
	}
	data := make([]byte, size+1)
	_, err = io.ReadFull(b.out, data)
	return fields[1], data[:size], err
}

func (p *plumber) write(ctx context.Context, kind string, data []byte) (string, error) {
	return p.hashObject(ctx, data, "-t", kind)
}

func (p *plumber) hashObject(ctx context.Context, data []byte, how ...string) (string, error) {
	out, err := p.Run(ctx, data, append([]string{"hash-object", "-w", "--stdin"}, how...)...)
	id := strings.TrimSpace(string(out))
	if err == nil {
		p.written = append(p.written, id)
	}
	return id, err
}

// settle flushes the file system: git syncs its objects, but not their names.
func (p *plumber) settle(context.Context) error {
	return disk.SyncFS(filepath.Join(p.CommonDir(), "objects"))
}

func (p *plumber) complete(ctx context.Context) (bool, error) {
	out, err := p.Run(ctx, []byte(strings.Join(p.written, "\n")+"\n"), "cat-file", "--batch-check")
	return err == nil && !bytes.Contains(out, []byte(" missing\n")), err
}

// text returns a blob as the work tree would hold it.
func (p *plumber) text(ctx context.Context, path, id string) ([]byte, error) {
	return p.Run(ctx, nil, "cat-file", "--filters", "--path="+path, id)
}

// blob adds a text as the path's filters have it.
func (p *plumber) blob(ctx context.Context, path string, text []byte) (string, error) {
	return p.hashObject(ctx, text, "--path="+path)
}

// listing is the part of an index that git ls-files told.
type listing map[string]staged

func (l listing) find(name string) (staged, bool) {
	s, ok := l[name]
	return s, ok
}

func (l listing) below(dir string, fn func(name string, s staged)) {
	for _, name := range slices.Sorted(maps.Keys(l)) {
		if strings.HasPrefix(name, dir+"/") {
			fn(name, l[name])
		}
	}
}

// maxPathspecs is how many paths fit on a command line for sure; beyond it the
// whole index is listed.
const maxPathspecs = 500

// openStage lists the entries; each is "<tag> <mode> <id> <stage>\t<name>".
func (p *plumber) openStage(ctx context.Context, paths []string) (*stage, error) {
	if out, err := p.Run(ctx, nil, "ls-files", "--unmerged", "-z"); err != nil || len(out) > 0 {
		return nil, errors.Join(err, unmergedError(out))
	}
	if len(paths) > maxPathspecs {
		paths = nil
	}
	out, err := p.Run(ctx, nil, append([]string{"ls-files", "--stage", "-t", "-z", "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	l := listing{}
	empty := false
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		info, name, ok := strings.Cut(line, "\t")
		fields := strings.Fields(info)
		if !ok || len(fields) != 4 {
			continue
		}
		mode, err := strconv.ParseUint(fields[1], 8, 32)
		if err != nil {
			return nil, err
		}
		l[name] = staged{entry: entry{uint32(mode), fields[2]}, skip: fields[0] == "S"}
		empty = empty || fields[2] == p.BlobID(nil)
	}
	if empty { // what is only announced looks like an empty file
		err = p.markIntents(ctx, l, paths)
	}
	return newStage(l), err
}

func unmergedError(out []byte) error {
	if len(out) == 0 {
		return nil
	}
	return busy("unmerged index")
}

func (p *plumber) markIntents(ctx context.Context, l listing, paths []string) error {
	args := append([]string{"diff-files", "--name-only", "--diff-filter=A", "--no-ext-diff", "-z", "--"}, paths...)
	out, err := p.Run(ctx, nil, args...)
	for name := range strings.SplitSeq(string(out), "\x00") {
		if s, ok := l[name]; ok {
			s.intent = true
			l[name] = s
		}
	}
	return err
}

// saveStage lets git change a private copy of the index. The copy is a second
// name of the same file: git replaces it, and until then sees the old time, by
// which it knows which entries may have changed since.
func (p *plumber) saveStage(ctx context.Context, s *stage, path string) error {
	err := disk.Link(filepath.Join(p.GitDir(), "index"), path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var lines bytes.Buffer
	var present, skipped []string
	for _, name := range slices.Sorted(maps.Keys(s.changes)) {
		c := s.changes[name]
		if c.gone || c.intent { // git cannot be told to announce a file that is not there yet
			fmt.Fprintf(&lines, "0 %s\t%s\x00", p.zeroID(), name)
			continue
		}
		fmt.Fprintf(&lines, "%o %s\t%s\x00", c.mode, c.id, name)
		present = append(present, name)
		if c.skip {
			skipped = append(skipped, name)
		}
	}
	env := []string{"GIT_INDEX_FILE=" + path}
	if _, err := p.RunWith(ctx, env, lines.Bytes(), "update-index", "-z", "--index-info"); err != nil {
		return err
	}
	if len(skipped) > 0 {
		in := []byte(strings.Join(skipped, "\x00") + "\x00")
		if _, err := p.RunWith(ctx, env, in, "update-index", "-z", "--skip-worktree", "--stdin"); err != nil {
			return err
		}
	}
	return p.restat(ctx, env, present)
}

// restat takes the stat data of the files that hold what the index says.
func (p *plumber) restat(ctx context.Context, env []string, names []string) error {
	var there []string
	for _, name := range names {
		if _, ok := p.lstat(name); ok {
			there = append(there, name)
		}
	}
	if len(there) == 0 {
		return nil
	}
	in := []byte(strings.Join(there, "\x00") + "\x00")
	args := []string{"add", "--refresh", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul"}
	_, err := p.RunWith(ctx, env, in, args...)
	return err
}
