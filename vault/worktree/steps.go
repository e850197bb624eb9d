package worktree

import (
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/files"
)

// redo makes the steps on a text that may hold the effect of some already: a
// crashed run, or this one before somebody saved, may have been there. A step that
// would replace what that person saved is left out.
func (e *edit) redo(b []byte) (next []byte, spared bool, err error) {
	left := slices.DeleteFunc(slices.Clone(e.Steps), func(s vault.Step) bool {
		spares := e.spares(s, b)
		spared = spared || spares
		return spares || s.Done(b)
	})
	next, err = vault.ApplySteps(left, b)
	return next, spared, err
}

// sameMemory reports whether two texts carry one id.
func sameMemory(a, b []byte) bool {
	id := vault.Parse("a.md", a).ID
	return id != "" && id == vault.Parse("b.md", b).ID
}

// sameMemories reports whether two files carry one id.
func sameMemories(a, b string) bool {
	x, y, ok := files.Both(a, b)
	return ok && sameMemory(x, y)
}
