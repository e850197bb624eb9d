package tier

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// WhyNotCore says why a memory may stand in no file that agents load any more; empty for one that
// may. nil is one that is gone.
func WhyNotCore(m *vault.Memory) string {
	switch {
	case m == nil:
		return "it is deleted"
	case IsDenied(&m.Header):
		return "it is denied"
	case m.Status == vault.StatusClosed:
		return "it is closed"
	case len(m.Refers("superseded_by")) > 0:
		return "it is superseded"
	}
	return ""
}

// WhyNotInUserFile is [WhyNotCore] for a copy in a user's own file, of which no commit tells: it may stand
// there while the memory has its place in the tree.
func WhyNotInUserFile(m *vault.Memory) string {
	if why := WhyNotCore(m); why != "" {
		return why
	}
	switch LevelOf(&m.Header) {
	case LongTerm, Core:
		return ""
	}
	return "it has no place in the tree"
}

// WhyNotInProject is [WhyNotCore] for a copy in a project's file, which belongs to the targets names.
// The memory's header says which targets were decided on.
func WhyNotInProject(m *vault.Memory, names []string) string {
	if why := WhyNotCore(m); why != "" {
		return why
	}
	switch {
	case m.Core.IsZero() && len(m.CoreTargets) == 0:
		return "it is demoted"
	case len(m.CoreTargets) == 0:
		return ""
	}
	if slices.ContainsFunc(names, func(name string) bool { return slices.Contains(m.CoreTargets, name) }) {
		return ""
	}
	return "this is no file of " + strings.Join(m.CoreTargets, ", ")
}

// LeftOver is a copy in a file that agents load, of a memory that is not to be there any more.
type LeftOver struct {
	ID      vault.ID `json:"id"`
	Title   string   `json:"title,omitempty"` // of a memory that is there
	File    string   `json:"file"`
	Why     string   `json:"why"`
	Command string   `json:"command"` // takes it out
}

// String tells of it in a line.
func (l LeftOver) String() string {
	return "left over in " + l.File + ": " + string(l.ID) + ", though " + l.Why + ". Take it out: " + l.Command
}
