package worktree

import (
	"slices"

	"github.com/cp-memory/cp/vault"
)

// redo makes steps on a text that may hold the effect of some already: a crashed
// run, or this one before somebody saved, may have been there.
func redo(steps []vault.Step, b []byte) ([]byte, error) {
	left := slices.DeleteFunc(slices.Clone(steps), func(s vault.Step) bool { return s.Done(b) })
	return vault.ApplySteps(left, b)
}

// sameMemory reports whether two texts carry one id.
func sameMemory(a, b []byte) bool {
	id := vault.Parse("a.md", a).ID
	return id != "" && id == vault.Parse("b.md", b).ID
}
