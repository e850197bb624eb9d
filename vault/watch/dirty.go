package watch

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/cp-memory/cp/vault"
)

// many is the number of names from which a scan of the whole vault is cheaper than looking
// at one after the other.
const many = 2000

// dirty lists the files and folders that have to be looked at.
type dirty struct {
	whole bool                // everything: at first, now and then, and when events were lost
	renew bool                // events were lost: all folders are to be watched anew
	git   bool                // HEAD or a branch may have moved
	paths map[vault.Path]bool // true for names that came or went, and may be folders

	first, last time.Time // when something happened; zero when nothing did
}

func (d *dirty) empty() bool { return !d.whole && !d.git && len(d.paths) == 0 }

// noteTime notes when something happened.
func (d *dirty) noteTime(now time.Time) {
	if d.first.IsZero() {
		d.first = now
	}
	d.last = now
}

// noteName notes a name in the vault.
func (d *dirty) noteName(p vault.Path, moved bool) {
	if d.paths == nil {
		d.paths = make(map[vault.Path]bool)
	}
	d.paths[p] = d.paths[p] || moved
	if len(d.paths) > many {
		d.whole, d.renew = true, true
	}
}

// due returns when the debounce is over: after 100 ms of quiet, but never later
// than a second after the first event.
func (d *dirty) due() time.Time {
	return earlier(d.last.Add(100*time.Millisecond), d.first.Add(time.Second))
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// topNames returns the names, without those that lie below another one.
func (d *dirty) topNames() []vault.Path {
	all := make([]vault.Path, 0, len(d.paths))
	for p := range d.paths {
		if !d.hasChangeAbove(p) {
			all = append(all, p)
		}
	}
	slices.Sort(all)
	return all
}

// hasChangeAbove reports whether a folder above p came or went, which a pass scans whole.
func (d *dirty) hasChangeAbove(p vault.Path) bool {
	for dir := p.Dir(); dir != ""; dir = dir.Dir() {
		if d.paths[dir] {
			return true
		}
	}
	return false
}

// moves reports whether a name came or went: a folder's contents then have to
// be looked at too.
func moves(e fsnotify.Event) bool {
	return e.Has(fsnotify.Create) || e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
}

// inVault returns the path of a name below the vault's folder. ok is false for a name that
// no scan looks at.
func inVault(root, name string, hides func(vault.Path) bool) (vault.Path, bool) {
	rel, ok := strings.CutPrefix(name, root+string(filepath.Separator))
	if !ok {
		return "", false
	}
	rel = filepath.ToSlash(rel)
	p := vault.Path(rel)
	if p.Within(vault.FactsDir) {
		rel = strings.TrimPrefix(rel, string(vault.FactsDir))
	}
	if hides != nil && !p.Within(vault.FactsDir) {
		return p, !hides(p)
	}
	for part := range strings.SplitSeq(rel, "/") {
		if strings.HasPrefix(part, ".") {
			return "", false
		}
	}
	return p, true
}
