package repair

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
)

// lastBranch returns the branch that HEAD named last: the one that its log says was
// checked out, else the one whose own log ends as HEAD's does.
func (x *examiner) lastBranch() string {
	moves := x.log("HEAD")
	for i := len(moves) - 1; i >= 0; i-- {
		if _, to, ok := strings.Cut(moves[i].Why, "checkout: moving from "); ok {
			if _, name, ok := strings.Cut(to, " to "); ok && x.hasLog("refs/heads/"+name) {
				return "refs/heads/" + name
			}
		}
	}
	for _, ref := range x.listLoggedBranches() {
		own := x.log(ref)
		if len(own) > 0 && len(moves) > 0 && own[len(own)-1].New == moves[len(moves)-1].New {
			return ref
		}
	}
	if all := x.listLoggedBranches(); len(all) > 0 {
		return all[0]
	}
	return "refs/heads/main"
}

func (x *examiner) hasLog(ref string) bool {
	_, err := os.Stat(x.logFile(ref))
	return err == nil
}

// listLoggedBranches returns the branches that have a log, in order.
func (x *examiner) listLoggedBranches() []string {
	var refs []string
	root := filepath.Join(x.CommonDir(), "logs", "refs", "heads")
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(root, path)
			refs = append(refs, "refs/heads/"+filepath.ToSlash(rel))
		}
		return nil
	})
	return refs
}

func (x *examiner) logFile(ref string) string {
	if ref == "HEAD" {
		return filepath.Join(x.GitDir(), "logs", "HEAD")
	}
	return filepath.Join(x.CommonDir(), "logs", filepath.FromSlash(ref))
}

// log reads a reflog, the oldest entry first. A branch that was deleted has moved
// to the null id: such an entry is left out.
func (x *examiner) log(ref string) (all []plumb.Move) {
	b, _ := os.ReadFile(x.logFile(ref))
	for line := range strings.Lines(string(b)) {
		if m, ok := plumb.ParseMove(line); ok && strings.Trim(m.New, "0") != "" {
			all = append(all, m)
		}
	}
	return all
}

// newest returns the newest whole commit that the branch or HEAD is known to
// have been at; empty when none is.
func (x *examiner) newest(ref, broken string) (string, error) {
	entries := x.log(ref)
	if ref == x.ref && len(entries) == 0 {
		entries = x.log("HEAD")
	}
	tried := map[string]bool{broken: true}
	for i := len(entries) - 1; i >= 0; i-- {
		id := entries[i].New
		if tried[id] {
			continue
		}
		tried[id] = true
		if ok, err := x.isWhole(id, false); ok || err != nil {
			return id, err
		}
	}
	return "", nil
}
