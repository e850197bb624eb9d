package filename

import "strings"

// BareParts gathers the names in a folder that make it a bare repository, which
// can come with a pull, as files: git, used in there, runs the programs that its
// config names (faults, S4). The zero value has none.
type BareParts struct{ head, objects, refs, common bool }

// Add takes a name into account; git asks a file system that may not tell
// capitals apart.
func (b *BareParts) Add(name string) {
	switch {
	case strings.EqualFold(name, "HEAD"):
		b.head = true
	case strings.EqualFold(name, "objects"):
		b.objects = true
	case strings.EqualFold(name, "refs"):
		b.refs = true
	case strings.EqualFold(name, "commondir"): // for objects and refs that lie elsewhere
		b.common = true
	}
}

// IsBareRepo reports whether git would take the folder for a repository.
func (b BareParts) IsBareRepo() bool { return b.head && (b.common || b.objects && b.refs) }
