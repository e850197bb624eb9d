package sync

import "github.com/cp-memory/cp/vault"

// file is what a pass knows of the file at a path.
type file struct {
	node               // the memory on disk, if it is there
	id      vault.ID   // after this pass, if that is not the mirror's
	lost    []vault.ID // what it went by before: ids that a block may still name it by
	named   bool       // it gets an id
	left    bool       // the pass leaves it alone: it holds a secret, or is not to be adopted
	taken   bool       // it is the target of a move
	text    []byte     // without the conflict markers of its front matter, if it had some
	damaged bool       // its front matter cannot be read
	refused bool       // git cannot convert its text, or what HEAD has of it

	head     *vault.Memory // HEAD's version, once it was asked for
	asked    bool
	arrived  []node     // orphans that come under it
	departed []vault.ID // ids that left, which its block in HEAD has
}

// isInMirror reports whether the mirror has a memory in the file.
func (f *file) isInMirror() bool { return f.Path != "" }

// memory is what a pass knows of an id.
type memory struct {
	seen    bool       // somebody has it
	phrase  string     // in whatever block has one
	touched bool       // the commit changes its place or id
	told    bool       // or what both sides say of it, which is told
	spared  bool       // it has no readable file, and its pointers stay
	stands  vault.Path // on disk
	place   vault.Path // likewise, if HEAD has it elsewhere
	record  vault.Path // the file, of another type than memory; see loadRecords
}

// fileAt returns what is known of a path.
func (r *reconciler) fileAt(p vault.Path) *file { return getOrMake(r.files, p) }

// knownMemory returns what is known of an id.
func (r *reconciler) knownMemory(id vault.ID) *memory { return getOrMake(r.memories, id.Fold()) }

// getOrMake returns what a map knows of a key, for what is to be noted, too.
func getOrMake[K comparable, V any](all map[K]*V, key K) *V {
	one := all[key]
	if one == nil {
		one = new(V)
		all[key] = one
	}
	return one
}
