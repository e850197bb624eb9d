package query

import "github.com/cp-memory/cp/vault"

// Trail follows files back through the commits.
type Trail struct {
	Commits []TrailCommit // those that brought files, the newest first

	left  map[vault.Path]bool         // of the files that are looked for, those that were not found yet; nil is all
	names map[vault.Path][]vault.Path // the files that had a name, where it is not the one file that has it now
	step  []vault.Arrival             // of the commit that is told of
}

// TrailCommit is a commit that brought files.
type TrailCommit struct {
	vault.Origin
	Files []vault.Path // by the names that they have now
}

// NewTrail returns a trail that ends when all the files are found. It tells of others that it
// meets, too.
func NewTrail(files []vault.Path) *Trail {
	t := WholeTrail()
	t.left = make(map[vault.Path]bool, len(files))
	for _, p := range files {
		t.left[p] = true
	}
	return t
}

// WholeTrail returns a trail of every file.
func WholeTrail() *Trail { return &Trail{names: make(map[vault.Path][]vault.Path)} }

// Add takes one arrival, and reports whether it needs more. Those of one commit come one
// after the other.
func (t *Trail) Add(a vault.Arrival) (more bool) {
	if len(t.step) > 0 && t.step[0].Commit != a.Commit {
		t.End()
	}
	t.step = append(t.step, a)
	return t.left == nil || len(t.left) > 0
}

// End takes note that nothing more comes.
func (t *Trail) End() {
	files := make([][]vault.Path, len(t.step)) // two files may have changed names in one commit
	for i, a := range t.step {
		files[i] = t.filesNamed(a.Path)
		t.names[a.Path] = []vault.Path{}
	}
	var found []vault.Path
	for i, a := range t.step {
		if a.From == "" {
			found = append(found, files[i]...)
		} else {
			t.names[a.From] = append(t.filesNamed(a.From), files[i]...)
		}
	}
	for _, p := range found {
		delete(t.left, p)
	}
	if len(found) > 0 {
		t.Commits = append(t.Commits, TrailCommit{t.step[0].Origin, found})
	}
	t.step = nil
}

// filesNamed returns the files that had the name before the commits that were told of.
func (t *Trail) filesNamed(name vault.Path) []vault.Path {
	if files, ok := t.names[name]; ok {
		return files
	}
	return []vault.Path{name}
}

// MovedFiles returns the files that were not found and had another name before the commits
// that were told of, with that name.
func (t *Trail) MovedFiles() map[vault.Path]vault.Path {
	moved := make(map[vault.Path]vault.Path)
	for name, files := range t.names {
		for _, p := range files {
			if p != name {
				moved[p] = name
			}
		}
	}
	return moved
}
