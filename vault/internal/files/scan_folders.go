package files

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
)

// ScanFolders scans the whole vault, folder by folder. In one whose own stat is
// as an earlier scan saw it no name has come or gone, so it is not read: its
// files are asked for their stats by the names that were kept. That holds where
// the file system dates its folders (disk.Dated), where git ignores by the same rules, and
// for a folder that holds nothing worth a word: what a link leads to changes elsewhere, and
// what makes a folder another project's may come into the .cp that it has.
func (d Dir) ScanFolders(ctx context.Context, o Ignores, kept func(vault.Path) listing.Listing, fn func(listing.Folder) error) (complete bool, err error) {
	root, err := d.openDir("")
	if err != nil {
		return false, ReadError(string(d), "", err)
	}
	defer root.Close()
	w := newFolderScanner(ctx, o, kept, fn)
	top := w.at
	if err := w.visit(root, "", 0); err != nil {
		return false, err
	}
	if len(top.Files) > 0 { // the vault's own folder cannot be read
		err = fn(*top)
	}
	return w.complete && err == nil, err
}

// folderScanner is a scanner that gathers what each folder holds.
type folderScanner struct {
	scanner
	kept  func(vault.Path) listing.Listing
	told  func(listing.Folder) error
	at    *listing.Folder // what is found belongs to it
	subs  []byte          // of the folder that is being read
	stats []vault.Stat    // of the files of a listing
	dated map[uint64]bool
	each  bool // each file is asked for its stat, whatever its folder's is
}

func newFolderScanner(ctx context.Context, o Ignores, kept func(vault.Path) listing.Listing, fn func(listing.Folder) error) *folderScanner {
	w := &folderScanner{scanner: scanner{ctx: ctx, ignores: o, rules: o.Rules, complete: true}, kept: kept, told: fn, at: &listing.Folder{}, dated: make(map[uint64]bool), each: true}
	w.fn, w.sub = w.addFile, w.foundFolder
	return w
}

func (w *folderScanner) addFile(f vault.File) error {
	w.at.Files = append(w.at.Files, f)
	return nil
}

// foundFolder takes the place of entering a folder at once.
func (w *folderScanner) foundFolder(_ handle, p vault.Path, _ int) error {
	w.subs = append(append(w.subs, p.Base()...), 0)
	return nil
}

// visit looks at a folder, then at the folders in it, and reports it. A problem of the
// folder as a whole is reported for the folder above it.
func (w *folderScanner) visit(dir handle, p vault.Path, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	st, err := dir.Stat()
	if err != nil {
		return w.reportUnopened(p, err)
	}
	f, was := &listing.Folder{Path: p, Own: statOf(st)}, w.kept(p)
	defer w.enterKnown(dir, f, was)()
	if same := f.Own == was.Own && f.Rules == was.Rules; same && !w.each {
		f.Subs, f.Same = was.Subs, true
	} else if same && w.recheck(dir, was) {
		w.compareSeen(f, was)
	} else if known, err := w.readFolder(dir, f, st.Device, depth); err != nil || !known {
		return err
	}
	if err := w.inside(f, func() error { return w.visitAll(dir, f, depth) }); err != nil {
		return err
	}
	if f.Same && len(f.Files) > 0 { // one in it does not open any more
		problems := f.Files
		w.complete = w.recheck(dir, was) && w.complete
		w.fillFolder(f, was)
		f.Files, f.Own = append(f.Files, problems...), vault.Stat{}
	}
	if !f.Same {
		f.Count = len(f.Files)
	}
	return w.told(*f)
}

// enterKnown is enterRules for a folder of which a listing was kept: where that tells that
// no ignore file stands in it, none is looked for.
func (w *folderScanner) enterKnown(dir handle, f *listing.Folder, was listing.Listing) (leave func()) {
	up := w.rules
	if up == nil {
		return func() {}
	}
	w.rules = up.Below(f.Path.Base(), nil)
	if f.Own != was.Own || was.Rules != w.rules.Digest() {
		w.rules = up.Below(f.Path.Base(), ignoreText(dir))
	}
	f.Rules = w.rules.Digest()
	return func() { w.rules = up }
}

// inside runs fn while what is found belongs to f.
func (w *folderScanner) inside(f *listing.Folder, fn func() error) error {
	over := w.at
	w.at = f
	defer func() { w.at = over }()
	return fn()
}

func (w *folderScanner) visitAll(dir handle, f *listing.Folder, depth int) error {
	for subs := f.Subs; subs != ""; {
		name, rest, _ := strings.Cut(subs, "\x00")
		subs = rest
		if err := w.open(dir, f.Path.Join(name), depth+1, w.visit); err != nil {
			return err
		}
	}
	return nil
}

// readFolder lists a folder; known is false where there is nothing more to say of it.
func (w *folderScanner) readFolder(dir handle, f *listing.Folder, device uint64, depth int) (known bool, err error) {
	entries, err := dir.List(w.buffer())
	plain := err == nil
	if err != nil {
		if err := w.reportUnopened(f.Path, err); err != nil {
			return false, err
		}
	}
	if f.Path != "" && !w.facts && isNestedProject(dir, entries) {
		return false, nil
	}
	markable := f.Path != "" && slices.ContainsFunc(entries, func(e entry) bool { return e.Name == ".cp" && e.IsDir() })
	if what := repositoryAmong(entries); f.Path != "" && what != "" {
		return false, w.problem(f.Path, vault.ProblemNestedRepo, what)
	}
	entries, ruled := w.visible(f.Path, entries)
	w.subs = w.subs[:0]
	if err := w.inside(f, func() error { return w.scanEntries(dir, f.Path, entries, depth) }); err != nil {
		return false, err
	}
	f.Subs, f.Names = string(w.subs), len(entries)
	plain = plain && !ruled && !markable && !slices.ContainsFunc(entries, func(e entry) bool { return e.Mode&fs.ModeSymlink != 0 })
	if !plain || slices.ContainsFunc(f.Files, func(f vault.File) bool { return f.Problem != nil }) || !w.dates(dir, device) {
		f.Own = vault.Stat{}
	}
	return true, nil
}

func (w *folderScanner) dates(dir handle, device uint64) bool {
	yes, ok := w.dated[device]
	if !ok {
		yes = dir.HasReliableTime()
		w.dated[device] = yes
	}
	return yes
}

// recheck asks for the stats of the files that a listing names; false where it
// cannot be right.
func (w *folderScanner) recheck(dir handle, was listing.Listing) bool {
	w.stats = w.stats[:0]
	for name := range was.Files.All() {
		st, err := dir.StatAt(name)
		if err != nil || !st.Mode.IsRegular() {
			return false
		}
		w.stats = append(w.stats, statOf(st))
	}
	return true
}

// compareSeen tells of a folder what recheck has seen.
func (w *folderScanner) compareSeen(f *listing.Folder, was listing.Listing) {
	f.Subs, f.Same, f.Count = was.Subs, true, len(w.stats)
	i := 0
	var room [64]byte
	for _, mark := range was.Files.All() {
		now := w.stats[i].AppendPacked(room[:0])
		if f.Same = mark != "" && mark[1:] == string(now); !f.Same {
			w.fillFolder(f, was)
			return
		}
		i++
	}
}

// fillFolder gives f the files of a listing with the stats that recheck has seen.
func (w *folderScanner) fillFolder(f *listing.Folder, was listing.Listing) {
	f.Same, f.Files = false, make([]vault.File, 0, len(w.stats))
	for name := range was.Files.All() {
		if i := len(f.Files); i < len(w.stats) {
			f.Files = append(f.Files, vault.File{Path: f.Path.Join(name), Stat: w.stats[i]})
		}
	}
}
