package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// A power cut is played on paper: the test build writes down every change that
// package disk makes, and a model of a file system that keeps nothing but what
// was synced tells what may be left after each of them. What is left is laid out
// in a folder, and the next command has to make it whole.
//
// As in every journaling file system, names change in the order in which they
// were changed, and a sync of one folder keeps all changes before it. Beyond
// that the model is cruel: a sync of a file keeps no name, any number of the
// changes since may be there, and a text that was not synced is empty or there,
// each by itself.

// paperFile is one inode.
type paperFile struct {
	text, synced []byte
}

// renaming is one change of names, which is kept or lost as a whole. A nil file
// is a name taken away. A name that ends in a slash is a folder that was taken
// away; of others the paper knows nothing.
type renaming map[string]*paperFile

func (r renaming) on(names map[string]*paperFile) {
	for name, f := range r {
		if f == nil {
			delete(names, name)
		} else {
			names[name] = f
		}
	}
}

// paper is the file system: its names now, those that are synced, and the
// changes in between.
type paper struct {
	now, synced map[string]*paperFile
	pending     []renaming
}

// papered reads a folder; all of it counts as synced.
func papered(t *testing.T, root string) *paper {
	t.Helper()
	p := &paper{now: make(map[string]*paperFile)}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		p.now[path] = &paperFile{text: b, synced: b}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	p.synced = maps.Clone(p.now)
	return p
}

// change is one line of what the test build wrote down.
type change struct {
	Op, Path, From string
	Data           []byte
}

func (p *paper) do(c change) {
	switch c.Op {
	case "create":
		p.name(renaming{c.Path: {}})
	case "write":
		if p.now[c.Path] == nil { // a log that is begun
			p.name(renaming{c.Path: {}})
		}
		f := p.now[c.Path]
		f.text = slices.Concat(f.text, c.Data)
	case "fsync":
		f := p.now[c.Path]
		f.synced = f.text
	case "rename":
		p.name(renaming{c.Path: p.now[c.From], c.From: nil})
	case "exchange":
		p.name(renaming{c.Path: p.now[c.From], c.From: p.now[c.Path]})
	case "link":
		p.name(renaming{c.Path: p.now[c.From]})
	case "remove":
		if p.now[c.Path] != nil {
			p.name(renaming{c.Path: nil})
		}
	case "rmdir":
		p.name(renaming{c.Path + "/": {}})
	case "mkdir":
		if p.now[c.Path+"/"] != nil {
			p.name(renaming{c.Path + "/": nil})
		}
	case "sync-dir":
		p.keep()
	case "sync-fs":
		for _, f := range p.now {
			f.synced = f.text
		}
		p.keep()
	}
}

func (p *paper) name(r renaming) {
	r.on(p.now)
	p.pending = append(p.pending, r)
}

// keep makes all names durable.
func (p *paper) keep() {
	p.synced, p.pending = maps.Clone(p.now), nil
}

// cut is what a power cut may leave: the first so many changes of names, and of
// the texts what was synced or, where whole says so, all.
func (p *paper) cut(kept int, whole func() bool) map[string]left {
	names := maps.Clone(p.synced)
	for _, r := range p.pending[:kept] {
		r.on(names)
	}
	texts, all := make(map[*paperFile][]byte), make(map[string]left, len(names))
	for _, name := range slices.Sorted(maps.Keys(names)) {
		f := names[name]
		if _, decided := texts[f]; !decided {
			texts[f] = f.synced
			if !bytes.Equal(f.text, f.synced) && whole() {
				texts[f] = f.text
			}
		}
		all[name] = left{f, texts[f]}
	}
	return all
}

// left is what stands behind a name afterwards. Two names of one inode stay that.
type left struct {
	file *paperFile
	text []byte
}

// leftovers are the cuts that are tried at one point: nothing of what was not
// synced, all names and no text, and drawn ones.
func (p *paper) leftovers(r *rand.Rand, drawn int) map[string]map[string]left {
	never := func() bool { return false }
	cuts := map[string]map[string]left{"nothing unsynced": p.cut(0, never), "names only": p.cut(len(p.pending), never)}
	for range drawn {
		kept := r.IntN(len(p.pending) + 1)
		name := fmt.Sprintf("%d of %d names and some texts", kept, len(p.pending))
		cuts[name] = p.cut(kept, func() bool { return r.IntN(2) == 0 })
	}
	return cuts
}

// TestPowerCut cuts the power after each change that a command makes, and after
// its last one, when it had said that it is done.
// Faults M3.
func TestPowerCut(t *testing.T) {
	testlevel.Check(t)
	faulty := faultyProgram(t)
	template := sweepScene(t)
	for _, sw := range sweeps {
		if !torture() && !slices.Contains([]string{"add-sub", "move", "delete", "import"}, sw.name) {
			continue
		}
		t.Run(sw.name, func(t *testing.T) {
			t.Parallel()
			s := template.copy(t)
			s.prepare(sw.prep)
			s.powerCuts(faulty, sw)
		})
	}
}

func (s *scene) powerCuts(faulty string, sw sweep) {
	s.t.Helper()
	_, after, ok, _ := s.outcomes(faulty, sw)
	done := s.copy(s.t)
	p := papered(s.t, done.dir)
	before := maps.Clone(p.now)
	changes := done.writtenDown(faulty, append([]string{"memory"}, sw.args...))
	for name, f := range gits(s.t, done.dir, before, changes) {
		p.now[name], p.synced[name] = f, f
	}
	try := points(sw.name, len(changes))
	r := rand.New(rand.NewPCG(uint64(len(changes)), 1))
	cuts, drawn := 0, 1
	if torture() {
		drawn = 6
	}
	for n, c := range changes {
		p.do(c)
		last := n == len(changes)-1
		if !last && !slices.Contains(try, n+1) {
			continue
		}
		all := p.leftovers(r, drawn)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			when := fmt.Sprintf("after change %d of %d (%s %s), %s", n+1, len(changes), c.Op, strings.TrimPrefix(c.Path, done.dir), name)
			c := s.laidOut(done.dir, before, all[name])
			got := c.settled()
			if ok[got] == "" || last && got != after {
				s.t.Errorf("%s: %q, and that is not as it was before (-done +got):\n%s", when, ok[got], cmp.Diff(after, got))
			}
			c.untouched(when)
			if s.t.Failed() {
				return
			}
			cuts++
		}
	}
	s.t.Logf("%d changes, %d power cuts", len(changes), cuts)
}

// gits returns the objects that git wrote in a command: it is told to sync them,
// and writes down nothing.
func gits(t *testing.T, root string, before map[string]*paperFile, changes []change) map[string]*paperFile {
	ours := make(map[string]bool)
	for _, c := range changes {
		ours[c.Path] = true
	}
	found := make(map[string]*paperFile)
	for name, f := range papered(t, root).now {
		if before[name] == nil && !ours[name] && strings.Contains(name, "/.git/objects/") {
			found[name] = f
		}
	}
	return found
}

// writtenDown runs a command and returns the changes that it made in the vault.
func (s *scene) writtenDown(faulty string, args []string) []change {
	s.t.Helper()
	log := filepath.Join(s.t.TempDir(), "log")
	recorded := *s
	recorded.env = append(slices.Clone(s.env), editing, "CP_DISK_LOG="+log)
	recorded.must(faulty, args...)
	b, err := os.ReadFile(log)
	if err != nil {
		s.t.Fatal(err)
	}
	var all []change
	for line := range bytes.Lines(b) {
		var c change
		if err := json.Unmarshal(line, &c); err != nil {
			s.t.Fatal(err)
		}
		if strings.HasPrefix(c.Path, s.dir+"/") {
			all = append(all, c)
		}
	}
	return all
}

// laidOut is a copy of the scene with the files that a power cut left of it;
// root is where they were when it was cut. The index is lost.
func (s *scene) laidOut(root string, before map[string]*paperFile, after map[string]left) *scene {
	s.t.Helper()
	c := s.copy(s.t)
	at := func(name string) string { return filepath.Join(c.dir, strings.TrimPrefix(name, root)) }
	if err := removeIndex(filepath.Join(c.dir, ".cp", "index.db")); err != nil {
		s.t.Fatal(err)
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			_ = os.Remove(at(name))
		}
	}
	stands := make(map[*paperFile]string)
	for name, l := range after {
		if before[name] == l.file && bytes.Equal(l.file.text, l.text) {
			stands[l.file] = at(name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		l := after[name]
		if strings.Contains(name, "index.db") || strings.HasSuffix(name, "/") || stands[l.file] == at(name) {
			continue
		}
		_ = os.MkdirAll(filepath.Dir(at(name)), 0o755)
		_ = os.Remove(at(name)) // a new inode, and objects are read-only
		var err error
		if other := stands[l.file]; other != "" {
			err = os.Link(other, at(name))
		} else {
			stands[l.file] = at(name)
			err = os.WriteFile(at(name), l.text, 0o644)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(after))) { // a folder after those in it
		if strings.HasSuffix(name, "/") {
			_ = os.Remove(at(name))
		}
	}
	return c
}
