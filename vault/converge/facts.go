package converge

import (
	"slices"

	"github.com/cp-memory/cp/vault"
)

// Facts are the facts that only the repository and the disk know. A decision asks for them
// on its way, works with the known ones, and is made again when its questions are
// answered.
type Facts struct {
	Paths   []vault.Path // whose texts are wanted of each of the Commits
	Folders []vault.Path // below which the files that are no memories are wanted, likewise

	Clean   Asked[vault.Path, bool]       // what is on disk, and staged, is what HEAD has
	File    Asked[vault.Path, bool]       // there is a file on disk
	Place   Asked[vault.ID, vault.Path]   // of a memory that neither side has changed; empty for none
	Below   Asked[vault.ID, []vault.Node] // a memory and those below it
	Arrived Asked[At, vault.Revision]     // which commit brought a file to a side
	Blob    Asked[At, []byte]             // the bytes of a file that is no memory
	Made    Asked[Made, Replayed]         // what git makes of a path where it merges once more
	commits map[string]*snapshot          // what they hold, as far as it is known
	asked   map[vault.Path]bool           // of the texts
	folders []vault.Path                  // whose other files are known
}

// At is a path in a commit.
type At struct {
	Commit string
	Path   vault.Path
}

// Made is a path in what git makes of the two sides.
type Made struct {
	How  Replay
	Path vault.Path
}

// Replayed is the text that git makes of a path; nil for none.
type Replayed struct {
	Text  []byte
	Blind bool // git is too old to merge once more
}

// Asked are questions of one kind with their answers.
type Asked[K comparable, V any] struct {
	known map[K]V
	open  map[K]bool
}

// get returns the answer. If there is none yet, it asks.
func (a *Asked[K, V]) get(k K) (V, bool) {
	v, ok := a.known[k]
	if !ok {
		if a.open == nil {
			a.open = make(map[K]bool)
		}
		a.open[k] = true
	}
	return v, ok
}

// Each answers what is open.
func (a *Asked[K, V]) Each(answer func(K) (V, error)) error {
	for k := range a.open {
		v, err := answer(k)
		if err != nil {
			return err
		}
		if a.known == nil {
			a.known = make(map[K]V)
		}
		a.known[k] = v
	}
	a.open = nil
	return nil
}

// Commits lists the commits whose Paths and Folders are asked for.
func (f *Facts) Commits() []string {
	var all []string
	for commit := range f.commits {
		all = append(all, commit)
	}
	slices.Sort(all)
	return all
}

// Tell adds to the facts of a commit: the texts that it has at the Paths, and the blob ids
// of the files in the Folders that are no memories.
func (f *Facts) Tell(commit string, texts map[vault.Path][]byte, others map[vault.Path]string) {
	n := f.commits[commit]
	n.add(texts)
	if len(f.Folders) > 0 {
		n.others = others
	}
}

// askTexts asks for the texts at the paths, and of the files that can be the memory of a
// folder above one.
func (f *Facts) askTexts(paths []vault.Path) {
	ask := func(p vault.Path) {
		if !f.asked[p] {
			f.asked[p] = true
			f.Paths = append(f.Paths, p)
		}
	}
	for _, p := range paths {
		if p.IsMarkdown() {
			ask(p)
		}
		for dir := p.Dir(); dir != ""; dir = dir.Dir() {
			for _, seat := range [...]vault.Path{dir + ".md", dir.Join("index.md"), dir.Join("_index.md"), dir.Join("README.md"), dir.Join("readme.md")} {
				ask(seat)
			}
		}
	}
	slices.Sort(f.Paths)
}

// hasQuestions reports whether there are questions.
func (f *Facts) hasQuestions() bool {
	return len(f.Paths)+len(f.Folders)+len(f.Clean.open)+len(f.File.open)+len(f.Place.open)+len(f.Below.open)+len(f.Arrived.open)+len(f.Blob.open)+len(f.Made.open) > 0
}
