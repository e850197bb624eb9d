package watch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/unix"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// What is made, changed, moved and removed by other programs gets into the
// index by itself, in new folders and moved ones too.
func TestTheIndexFollows(t *testing.T) {
	w := newWorld(t)
	w.Write("old.md", "# Old\n")
	w.start(nil)
	m := w.mirror(nil)
	w.shows(m, "old.md", "# Old\n")

	w.Write("old.md", "# New\n")
	w.shows(m, "old.md", "# New\n")
	w.Write("a/b/c/deep.md", "# Deep\n")
	w.shows(m, "a/b/c/deep.md", "# Deep\n")
	w.Write("a/b/c/deep.md", "# Deeper\n")
	w.shows(m, "a/b/c/deep.md", "# Deeper\n")

	w.Check(os.Rename(filepath.Join(w.Root, "a"), filepath.Join(w.Root, "z")))
	w.shows(m, "z/b/c/deep.md", "# Deeper\n")
	w.shows(m, "a/b/c/deep.md", "")
	w.Write("z/b/c/deep.md", "# After the move\n")
	w.shows(m, "z/b/c/deep.md", "# After the move\n")

	w.Check(os.RemoveAll(filepath.Join(w.Root, "z")))
	w.shows(m, "z/b/c/deep.md", "")
	w.Write("z/b/again.md", "# Again\n")
	w.shows(m, "z/b/again.md", "# Again\n")
	w.Check(os.Mkdir(filepath.Join(w.Root, "name.md"), 0o755))
	w.Write("name.md/x.md", "# In a folder with a file's name\n")
	w.shows(m, "name.md/x.md", "# In a folder with a file's name\n")
}

// Links and repositories inside the vault are not entered, also when they come
// while the watch is on; a folder that ceases to be a repository is.
func TestWhatIsNotFollowed(t *testing.T) {
	w := newWorld(t)
	outside := t.TempDir()
	w.Check(os.WriteFile(filepath.Join(outside, "x.md"), []byte("# Outside\n"), 0o644))
	w.start(nil)
	m := w.mirror(nil)
	w.Check(os.Symlink(outside, filepath.Join(w.Root, "link")))
	w.Write("nested/.git/HEAD", "ref: refs/heads/main\n")
	w.Write("nested/x.md", "# Foreign\n")
	w.Write("last.md", "# Last\n")
	w.shows(m, "last.md", "# Last\n")
	w.shows(m, "nested/x.md", "")
	w.shows(m, "link/x.md", "")
	w.Check(os.RemoveAll(filepath.Join(w.Root, "nested/.git")))
	w.shows(m, "nested/x.md", "# Foreign\n")
}

// A folder that becomes another project's, by either mark, is not followed any more; its files
// are the vault's again once the mark is gone, whichever way it goes.
func TestProjectsBelowComeAndGo(t *testing.T) {
	w := newWorld(t)
	w.Write("sub/x.md", "# Sub\n")
	w.Write("old/y.md", "# Old\n")
	w.Write("old/.cp/vault.yaml", "format: 1\n")
	w.start(nil)
	m := w.mirror(nil)
	w.shows(m, "sub/x.md", "# Sub\n")
	w.shows(m, "old/y.md", "")
	for name, mark := range map[string]struct{ file, gone string }{
		"its vault.yaml": {"sub/.cp/vault.yaml", "sub/.cp/vault.yaml"},
		"its .cp":        {"sub/.cp/vault.yaml", "sub/.cp"},
		"a .cp.yaml":     {"sub/.cp.yaml", "sub/.cp.yaml"},
	} {
		t.Log(name)
		w.Write(mark.file, "format: 1\n")
		w.shows(m, "sub/x.md", "")
		w.Check(os.RemoveAll(filepath.Join(w.Root, mark.gone)))
		w.shows(m, "sub/x.md", "# Sub\n")
	}
	w.Check(os.Remove(filepath.Join(w.Root, "old/.cp/vault.yaml")))
	w.shows(m, "old/y.md", "# Old\n")
}

// An answer is never older than the disk: whatever is changed, a reader that
// the watcher answers finds it in the index without a scan.
func TestAnAnswerIsNeverOlderThanTheDisk(t *testing.T) {
	w := newWorld(t)
	w.start(nil)
	m := w.mirror(nil)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	p := person{w: w, random: random, texts: make(map[vault.Path]string)}
	answered := 0
	for range 300 {
		what := p.acts()
		generation, ok := w.reader().Current(t.Context())
		if !ok {
			_ = os.Remove(silentFile(w.place))
			continue // a busy machine: the reader would scan
		}
		answered++
		if report, err := m.CatchUp(t.Context(), w.store.Ports().Source, vault.Scope{Still: true}); err != nil || !report.Generation.Covers(generation) {
			t.Fatalf("after %s: the mirror is at %+v, the watcher said %+v (%v)", what, report.Generation, generation, err)
		}
		for path, text := range p.texts {
			if got := w.indexed(m, path); got != w.hash(text) {
				t.Fatalf("after %s: the index has %q for %s, the disk %q", what, got, path, w.hash(text))
			}
		}
	}
	t.Logf("%d of 300 questions were answered", answered)
}

// person changes files of the vault at random; texts is what stands on disk.
type person struct {
	w      *world
	random *rand.Rand
	texts  map[vault.Path]string // empty for what is gone
	n      int
}

var folderNames = []string{"", "a/", "a/b/", "c/", "c/d/e/"}

// acts does one thing and says what.
func (p *person) acts() string {
	p.n++
	dir := folderNames[p.random.IntN(len(folderNames))]
	name := fmt.Sprintf("%sf%d.md", dir, p.random.IntN(4))
	full := filepath.Join(p.w.Root, name)
	switch p.random.IntN(6) {
	case 0:
		_ = os.Remove(full)
		p.texts[vault.Path(name)] = ""
		return "removing " + name
	case 1:
		if dir != "" && os.RemoveAll(filepath.Join(p.w.Root, strings.TrimSuffix(dir, "/"))) == nil {
			p.gone(vault.Path(dir))
		}
		return "removing " + dir
	case 2:
		return p.moves()
	case 3:
		text := fmt.Sprintf("# Renamed over %d\n", p.n)
		p.w.Write(dir+"tmp~", text)
		p.w.Check(os.Rename(filepath.Join(p.w.Root, dir+"tmp~"), full))
		p.texts[vault.Path(name)] = text
		return "renaming over " + name
	}
	text := fmt.Sprintf("# Written %d\n", p.n)
	p.w.Write(name, text)
	p.texts[vault.Path(name)] = text
	return "writing " + name
}

func (p *person) gone(dir vault.Path) {
	for path := range p.texts {
		if strings.HasPrefix(string(path), string(dir)) {
			p.texts[path] = ""
		}
	}
}

// moves swaps the folders a and c, in the way a person would.
func (p *person) moves() string {
	at := func(name string) string { return filepath.Join(p.w.Root, name) }
	_ = os.Rename(at("a"), at("t"))
	_ = os.Rename(at("c"), at("a"))
	_ = os.Rename(at("t"), at("c"))
	swapped := make(map[vault.Path]string)
	for path, text := range p.texts {
		switch rest := string(path)[1:]; {
		case strings.HasPrefix(string(path), "a/"):
			swapped[vault.Path("c"+rest)] = text
		case strings.HasPrefix(string(path), "c/"):
			swapped[vault.Path("a"+rest)] = text
		default:
			swapped[path] = text
		}
	}
	for path := range p.texts {
		if _, ok := swapped[path]; !ok {
			swapped[path] = ""
		}
	}
	p.texts = swapped
	return "swapping a and c"
}

// A burst is a few passes, whatever the machine: no more than one in 100 ms.
func TestABurstIsAFewPasses(t *testing.T) {
	w := newWorld(t)
	w.start(nil)
	m := w.mirror(nil)
	begun := time.Now()
	for i := range 1000 {
		w.Write(fmt.Sprintf("burst/f%d.md", i), fmt.Sprintf("# Note %d\n", i))
	}
	w.Write("last.md", "# Last\n")
	w.shows(m, "last.md", "# Last\n")
	w.shows(m, "burst/f999.md", "# Note 999\n")
	took := time.Since(begun)
	if passes, most := len(w.seen()), 3+int(took/(100*time.Millisecond)); passes > most {
		t.Errorf("%d passes in %v", passes, took)
	}
}

// A commit and its index update are no reason for more than one pass.
func TestOwnWritesDoNotLoop(t *testing.T) {
	w := newWorld(t)
	w.start(nil)
	v := w.vault().Vault
	if _, err := (tree.Add{Text: "A memory", Title: "A memory"}).Do(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	var generation vault.Generation
	settled := 0
	w.until("the index to rest", func() bool {
		now, ok := w.reader().Current(t.Context())
		if ok && now == generation {
			settled++
		} else {
			settled = 0
		}
		generation = now
		return settled == 20
	})
}

// lossy loses the events of a while, as the kernel does when its queue is full.
type lossy struct {
	events
	out    chan fsnotify.Event
	errs   chan error
	losing *atomic.Bool
}

func openLossy(losing *atomic.Bool) func() (events, error) {
	return func() (events, error) {
		real, err := openInotify()
		if err != nil {
			return nil, err
		}
		l := &lossy{events: real, out: make(chan fsnotify.Event), errs: make(chan error), losing: losing}
		go l.pass()
		return l, nil
	}
}

func (l *lossy) pass() {
	lost := false
	for e := range l.events.Events() {
		if l.losing.Load() {
			lost = true
			continue
		}
		if lost {
			lost = false
			l.errs <- fsnotify.ErrEventOverflow
		}
		l.out <- e
	}
}

func (l *lossy) Events() <-chan fsnotify.Event { return l.out }
func (l *lossy) Errors() <-chan error          { return l.errs }

// Events that were lost are made good by a scan, and folders that came
// meanwhile are watched.
// Faults M12.
func TestLostEvents(t *testing.T) {
	w := newWorld(t)
	var losing atomic.Bool
	w.start(func(o *Options) { o.Events = openLossy(&losing) })
	m := w.mirror(nil)
	losing.Store(true)
	w.Write("lost/in/x.md", "# Lost\n")
	w.Write("also.md", "# Also lost\n")
	losing.Store(false)
	w.Write("then.md", "# Then\n") // the queue has room again
	w.shows(m, "then.md", "# Then\n")
	w.shows(m, "lost/in/x.md", "# Lost\n")
	w.shows(m, "also.md", "# Also lost\n")
	w.Write("lost/in/x.md", "# Found\n")
	w.shows(m, "lost/in/x.md", "# Found\n")
}

// full is a system that watches no more than a few folders.
type full struct {
	events
	left int
}

func (f *full) Add(folder string) error {
	if f.left--; f.left < 0 {
		return unix.ENOSPC
	}
	return f.events.Add(folder)
}

// Where the system watches no more it is said once, and the vault is scanned now
// and then; no reader asks.
func TestPolling(t *testing.T) {
	none := func() (events, error) { return nil, unix.EMFILE }
	few := func() (events, error) {
		real, err := openInotify()
		return &full{events: real, left: 2}, err
	}
	for name, open := range map[string]func() (events, error){"no instance": none, "few folders": few} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.Write("a/b/x.md", "# X\n")
			w.start(func(o *Options) { o.Events = open })
			m := w.mirror(nil)
			w.Write("a/b/x.md", "# Y\n")
			w.shows(m, "a/b/x.md", "# Y\n")
			w.Write("c/z.md", "# Z\n")
			w.shows(m, "c/z.md", "# Z\n")
			if said := w.warnings(); len(said) != 1 || !strings.Contains(said[0], "fs.inotify.max_user_") {
				t.Errorf("said %q", said)
			}
			if who, ok := Who(w.place); !ok || who.Polling == "" {
				t.Errorf("who watches: %+v %v", who, ok)
			}
			if _, ok := w.reader().Current(t.Context()); ok || isFolder(askFolder(w.place)) {
				t.Error("readers ask a watcher that polls")
			}
		})
	}
}

// What another machine changes on its disk, no event of this one tells.
// Faults M11.
func TestPollingOfAnotherMachinesDisk(t *testing.T) {
	for _, row := range []struct {
		name         string
		remote, poll bool
	}{{"NFS", true, true}, {"SMB", true, true}, {"FUSE", false, true}, {"", false, false}} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t)
			w.Write("x.md", "# X\n")
			w.start(func(o *Options) {
				o.FileSystem = func(string) (string, bool) { return row.name, row.remote }
			})
			m := w.mirror(nil)
			w.shows(m, "x.md", "# X\n")
			w.Write("x.md", "# Y\n")
			w.shows(m, "x.md", "# Y\n")
			said := strings.Join(w.warnings(), "\n")
			who, ok := Who(w.place)
			if polls := strings.HasPrefix(said, row.name+" does not tell of every change"); !ok || polls != row.poll && said != "" || (who.Polling != "") != row.poll {
				t.Errorf("%q said %q, polls: %+v", row.name, said, who)
			}
			if isFolder(askFolder(w.place)) == row.poll {
				t.Error("whether readers ask")
			}
		})
	}
}

// One watches; the other says who. When the first ends nothing is left but the
// lock's file, and readers do not wait.
func TestOneWatcherPerVault(t *testing.T) {
	w := newWorld(t)
	stop := w.start(nil)
	_, err := lockWatcher(t.Context(), w.place, build)
	if vault.CodeOf(err) != vault.CodeLocked || !strings.Contains(err.Error(), fmt.Sprint(os.Getpid())) {
		t.Errorf("a second watcher: %v", err)
	}
	if who, ok := Who(w.place); !ok || who.PID != os.Getpid() {
		t.Errorf("who watches: %+v %v", who, ok)
	}
	stop()
	if who, ok := Who(w.place); ok {
		t.Errorf("after the end: %+v", who)
	}
	left, err := os.ReadDir(w.place)
	if err != nil || len(left) != 1 || left[0].Name() != "lock" {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// A watcher of another build makes room for a new one, whose readers it could
// not answer.
func TestAnotherBuildTakesOver(t *testing.T) {
	w := newWorld(t)
	stop := w.start(nil)
	r := w.reader()
	r.Build = "1.other"
	if _, ok := r.Current(t.Context()); ok {
		t.Error("a reader of another build was told where another index stands")
	}
	l, err := lockWatcher(t.Context(), w.place, r.Build)
	w.Check(err)
	w.Check(l.Close())
	stop()
}

// A lock that is held and nobody who answers: a reader gives up, and leaves nothing.
func TestNobodyAnswers(t *testing.T) {
	w := newWorld(t)
	l, err := lockWatcher(t.Context(), w.place, build)
	w.Check(err)
	defer l.Close()
	w.Check(os.MkdirAll(askFolder(w.place), 0o700))
	for range 3 {
		if _, ok := w.reader().Current(t.Context()); ok {
			t.Error("somebody answered")
		}
	}
	if w.Check(os.Remove(silentFile(w.place))); w.reader().isSilent() {
		t.Error("silent without an ask")
	}
	if w.reader().Current(t.Context()); !w.reader().isSilent() {
		t.Error("whoever asks next waits as well")
	}
	w.Check(os.Chtimes(silentFile(w.place), time.Time{}, time.Now().Add(-time.Minute)))
	if w.reader().isSilent() {
		t.Error("a watcher is never asked again")
	}
	left, err := filepath.Glob(filepath.Join(w.place, "*", "*"))
	more, _ := filepath.Glob(filepath.Join(w.place, "new-*"))
	if err != nil || len(left)+len(more) > 0 {
		t.Errorf("left behind: %v %v %v", left, more, err)
	}
}

// A watcher does not take turns with a version that keeps another index.
func TestAForeignIndexEndsTheWatch(t *testing.T) {
	w := newWorld(t)
	ended := make(chan error, 1)
	var foreign atomic.Bool
	o := Options{
		Vault: w.vault(), Mirror: w.mirror(nil), Folders: w.store, Root: w.Root, Place: w.place, Build: build, Told: w.told, Warn: w.warn,
		Foreign: foreign.Load,
	}
	go func() { ended <- Run(t.Context(), o) }()
	w.until("the first pass", func() bool { return len(w.seen()) > 0 })
	foreign.Store(true)
	w.Write("a.md", "# A\n")
	if err := <-ended; vault.CodeOf(err) != vault.CodeConflict {
		t.Errorf("ended with %v", err)
	}
}

// The vault's folder is moved away under the watcher: it ends and says why.
func TestTheVaultGoes(t *testing.T) {
	w := newWorld(t)
	ended := make(chan error, 1)
	o := Options{
		Vault: w.vault(), Mirror: w.mirror(nil), Folders: w.store, Root: w.Root, Place: w.place, Build: build, Told: w.told, Warn: w.warn,
	}
	go func() { ended <- Run(t.Context(), o) }()
	w.until("the first pass", func() bool { return len(w.seen()) > 0 })
	w.Check(os.Rename(w.Root, w.Root+"-moved"))
	defer os.RemoveAll(w.Root + "-moved")
	select {
	case err := <-ended:
		if !errors.Is(err, errGone) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
}

// Commits, checkouts and resets by git are noticed, and an index that is deleted
// under the watcher is made anew.
func TestGitAndALostIndex(t *testing.T) {
	w := newWorld(t)
	w.Write("a.md", "# One\n")
	w.Git("add", "-A")
	w.Git("commit", "-qm", "one")
	w.start(nil)
	m := w.mirror(nil)
	committed := func(p vault.Path) bool {
		n, ok, err := m.At(t.Context(), p)
		return err == nil && ok && n.Hash == n.Head
	}
	w.until("a.md to be committed", func() bool { return committed("a.md") })
	w.Write("a.md", "# Two\n")
	w.shows(m, "a.md", "# Two\n")
	w.Git("commit", "-qam", "two")
	w.until("the second commit", func() bool { return committed("a.md") })
	w.Git("checkout", "-q", "-b", "other", "HEAD~1")
	w.until("the other branch", func() bool { return committed("a.md") && w.indexed(m, "a.md") == w.hash("# One\n") })
	w.Check(os.Remove(filepath.Join(w.Root, ".cp", "index.db")))
	w.Write("b.md", "# B\n")
	w.shows(m, "b.md", "# B\n")
	w.shows(m, "a.md", "# One\n")
}
