package object

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/objfile"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault/disk"
)

// DB is the object database read and written in this process: loose objects,
// packs, and those of the repositories it borrows from. It is not for use by
// several goroutines.
type DB struct {
	ids     IDs
	sources []*source         // ours first
	fresh   map[string]object // written, perhaps not on the disk yet
	read    map[string]object // trees and commits: a write asks for the same ones again
	order   []string          // of fresh, as they were written
	packed  []string          // the packs that fresh went to, without their ending; none when it went loose
	deflate deflater
}

type object struct {
	kind string
	data []byte
}

// source is one objects directory.
type source struct {
	dir   string
	packs map[string]*pack // by file name; nil until looked at
}

// manyObjects is from where on one flush of the file system is cheaper than
// one of each file; packObjects from where on one pack is cheaper than a file
// for each object, and the number at which git fetch keeps a pack, too.
const (
	manyObjects = 32
	PackObjects = 100
)

// Open opens the database in the folder of objects; Close must be called.
func Open(dir string, ids IDs) (*DB, error) {
	o := &DB{ids: ids, fresh: map[string]object{}, read: map[string]object{}}
	return o, o.addSource(dir, 0)
}

// addSource adds an objects directory and, up to git's depth of 5, its alternates.
func (o *DB) addSource(dir string, depth int) error {
	o.sources = append(o.sources, &source{dir: dir})
	b, err := os.ReadFile(filepath.Join(dir, "info", "alternates"))
	if errors.Is(err, fs.ErrNotExist) || depth == 5 {
		return nil
	}
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(dir, line)
		}
		if err := o.addSource(line, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// Close closes the packs that were read.
func (o *DB) Close() {
	for _, s := range o.sources {
		for _, p := range s.packs {
			p.close()
		}
	}
}

// Read looks an object up among those written, the trees and commits read before,
// and on the disk.
func (o *DB) Read(_ context.Context, id string) (string, []byte, error) {
	if obj, ok := o.fresh[id]; ok {
		return obj.kind, obj.data, nil
	}
	if obj, ok := o.read[id]; ok {
		return obj.kind, obj.data, nil
	}
	if !plumb.IsHex(id) {
		return "", nil, ErrMissing
	}
	kind, data, err := o.readFromDisk(id)
	if err == nil && kind != KindBlob {
		o.read[id] = object{kind, data}
	}
	return kind, data, err
}

// readFromDisk reads an object from the disk.
func (o *DB) readFromDisk(id string) (string, []byte, error) {
	// A repack moves an object from one place that we have looked at to another.
	// So it is missing only if two looks in a row found every pack that they had
	// listed; the first may be at the packs that we know of.
	for try, still := 0, 0; try < looks && still < 2; try++ {
		moved := false
		for _, s := range o.sources {
			kind, data, err := s.read(id, try > 0)
			if !errors.Is(err, ErrMissing) {
				return kind, data, err
			}
			moved = moved || errors.Is(err, ErrMoved)
		}
		still++
		if moved {
			still = 0
		}
	}
	return "", nil, ErrMissing
}

// looks bounds how often an object is looked for beside a git that repacks all the time.
const looks = 50

func (s *source) read(id string, rescan bool) (string, []byte, error) {
	kind, data, err := readLoose(s.loosePath(id))
	if !errors.Is(err, fs.ErrNotExist) {
		return kind, data, err
	}
	return s.readPacked(id, rescan)
}

func (s *source) loosePath(id string) string { return filepath.Join(s.dir, id[:2], id[2:]) }

// readLoose reads a loose object. The error is fs.ErrNotExist if there is none.
func readLoose(path string) (string, []byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	r, err := objfile.NewReader(f)
	if err != nil {
		return "", nil, &fs.PathError{Op: "decode", Path: path, Err: err}
	}
	defer r.Close()
	kind, size, err := r.Header()
	if err != nil {
		return "", nil, &fs.PathError{Op: "decode", Path: path, Err: err}
	}
	data := make([]byte, 0, size+bytes.MinRead)
	buf := bytes.NewBuffer(data)
	if _, err := buf.ReadFrom(io.LimitReader(r, size)); err != nil {
		return "", nil, &fs.PathError{Op: "decode", Path: path, Err: err}
	}
	return kind.String(), buf.Bytes(), nil
}

// Write takes an object; Flush brings it to the disk.
func (o *DB) Write(_ context.Context, kind string, data []byte) (string, error) {
	id := o.ids.HashObject(kind, data)
	if _, ok := o.fresh[id]; !ok {
		o.fresh[id] = object{kind, data}
		o.order = append(o.order, id)
	}
	return id, nil
}

// Flush writes each new object loose. One that is loose already is made young,
// so that a prune spares it. One that is only in a pack or in a borrowed
// repository is written all the same: then its life hangs neither on the age of
// a pack nor on a repository that does not know of us, and git drops such a
// copy by itself (prune-packed).
//
// A prune that runs beside us sweeps our temporary files and empty folders, too:
// then ErrMoved asks for another attempt.
func (o *DB) Flush(context.Context) error {
	err := o.writeAll()
	if errors.Is(err, fs.ErrNotExist) {
		return errors.Join(ErrMoved, err)
	}
	return err
}

func (o *DB) writeAll() error {
	if len(o.order) >= PackObjects {
		return o.writePacks(packLimit)
	}
	many := len(o.order) > manyObjects
	objects, dirs := o.sources[0].dir, map[string]bool{}
	for _, id := range o.order {
		path := o.sources[0].loosePath(id)
		if disk.Touch(path) == nil {
			continue
		}
		made, err := o.writeLoose(path, o.fresh[id], !many)
		if err != nil {
			return err
		}
		dirs[filepath.Dir(path)] = true
		dirs[objects] = dirs[objects] || made
	}
	if many {
		return disk.SyncFS(objects)
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) { // objects first: it sorts before what is in it
		if dir == objects && !dirs[dir] {
			continue
		}
		if err := disk.SyncDir(dir); err != nil {
			return err
		}
	}
	return nil
}

// writeLoose writes a loose object, and reports whether its folder is new.
func (o *DB) writeLoose(path string, obj object, sync bool) (made bool, err error) {
	dir := filepath.Dir(path)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := disk.Mkdir(dir, 0o755); err != nil {
			return false, err
		}
		made = true
	}
	b, err := o.deflate.deflateAll(objectHeader(obj.kind, len(obj.data)), obj.data)
	if err != nil {
		return made, err
	}
	write := disk.Write
	if sync {
		write = disk.WriteSync
	}
	return made, placeObject(write, filepath.Join(dir, "tmp_obj_"+filepath.Base(path)), path, b)
}

// placeObject writes a file of the object database under a name that git's prune
// sweeps, should we die before it gets its own.
func placeObject(write func(string, []byte, fs.FileMode) error, temp, path string, b []byte) error {
	if err := disk.Remove(temp); err != nil {
		return err
	}
	if err := write(temp, b, 0o444); err != nil {
		return err
	}
	if err := disk.Rename(temp, path); err != nil {
		return errors.Join(err, disk.Remove(temp))
	}
	return nil
}

// Complete looks for every object written, or for the packs they went to.
func (o *DB) Complete(context.Context) (bool, error) {
	if len(o.packed) > 0 {
		if !slices.ContainsFunc(o.packed, gonePack) {
			return true, nil // a pack never changes
		}
		for _, s := range o.sources { // repacked: what is open still is not what is there
			if err := s.scanPacks(); err != nil {
				return false, err
			}
		}
	}
	for _, id := range o.order {
		if !o.has(id) {
			return false, nil
		}
	}
	return true, nil
}

// has reports whether an object is on the disk.
func (o *DB) has(id string) bool {
	if _, err := os.Stat(o.sources[0].loosePath(id)); err == nil {
		return true
	}
	_, _, err := o.readFromDisk(id)
	return err == nil
}

// Text returns a blob's bytes: nothing is converted where this database is written.
func (o *DB) Text(ctx context.Context, _, id string) ([]byte, error) {
	return ReadKind(ctx, o, KindBlob, id)
}

// Blob adds a text as it is.
func (o *DB) Blob(ctx context.Context, _ string, text []byte) (string, error) {
	return o.Write(ctx, KindBlob, text)
}
