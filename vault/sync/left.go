package sync

import (
	"cmp"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// Kind is a kind of finding: a type of discrepancy, or a kind of problem of a file.
type Kind struct {
	Name string // as JSON has it
	Mend bool   // where one is left somebody should mend it; the others are left by design
	Says string
}

// Kinds lists every kind of finding. A pass that leaves one to be mended ends with an error,
// in sync and in doctor --fix alike.
func Kinds() []Kind {
	return []Kind{
		{MissingPointer, true, "a child that its parent's pointer block does not name"},
		{StalePointer, true, "a pointer to a memory that is not below the parent"},
		{EdgeMismatch, true, "a pointer and its memory have different phrases"},
		{TitleMismatch, true, "a pointer and its memory have different titles"},
		{OrphanedMemory, true, "the file of a memory's parent is gone"},
		{DuplicatePtr, true, "two pointers to one memory"},
		{DuplicateID, true, "one id in two files"},
		{InvalidBlock, true, "a pointer block that cannot be read"},
		{CycleFound, true, "two memories that were moved below each other"},
		{ConflictMarkers, true, "git's conflict markers"},
		{FormattedBlock, true, "words in a pointer block that a program that formats Markdown has changed"},
		{BlockStyle, true, "a pointer block in the other style, with `--restyle`"},
		{NewFile, true, "a file that is in no commit yet"},
		{MovedFile, true, "a file that was moved by hand, or in two directions"},
		{DeletedFile, true, "a file that was deleted by hand; it stays in the commit where too many are gone at once"},
		{ReturnedFile, true, "a file that one side of a merge deleted and the other edited"},
		{SharedPath, true, "two memories that were made at one path"},
		{ChangedID, true, "an id that was edited by hand"},
		{UnknownFacts, true, "facts, of which `.cp/.gitignore` or `.gitattributes` does not tell git"},
		{StrayFacts, true, "facts without their memory: it has another id, or is gone"},
		{vault.ProblemFacts, true, "a facts file of which nothing is used: it is broken, too large, or another memory's"},
		{vault.ProblemVersions, true, "two versions of one passage, which a merge kept"},
		{vault.ProblemFrontMatter, true, "a front matter that cannot be read"},
		{vault.ProblemID, true, "an id that cannot serve"},
		{vault.ProblemPointers, true, "a pointer block with more than 10,000 entries"},
		{vault.ProblemUnreadable, true, "a file or folder that cannot be read"},
		{vault.ProblemSecret, true, "a new file with a likely credential, which is not committed"},
		{vault.ProblemFilter, true, "a file whose text git's filter or encoding refuses: only this file waits"},
		{vault.ProblemEmpty, false, "an empty file: an editor may be at it"},
		{vault.ProblemNoKeys, false, "a list or a text in the place of a front matter"},
		{vault.ProblemShape, false, "a key of ours in another shape: `decisions` as a mapping, say"},
		{vault.ProblemProtection, false, "`protected` with a value that is none: the memory counts as protected"},
		{vault.ProblemEncoding, false, "no UTF-8 text, or NUL bytes"},
		{vault.ProblemUnfetched, false, "a text that git-lfs has not fetched"},
		{vault.ProblemEvicted, false, "a file that is kept in the cloud only"},
		{vault.ProblemTooBig, false, "a file of more than 4 MiB"},
		{vault.ProblemTooDeep, false, "a file below 64 folders"},
		{vault.ProblemName, false, "a name that cannot be a memory's"},
		{vault.ProblemTwin, false, "a name that differs from another one only in case or Unicode form"},
		{vault.ProblemCopy, false, "a copy that a cloud folder left"},
		{vault.ProblemSymlink, false, "a symbolic link"},
		{vault.ProblemNotRegular, false, "a pipe, a socket or a device"},
		{vault.ProblemNestedRepo, false, "a git repository inside the vault"},
	}
}

// Mends reports whether somebody should mend what is of that kind. What nobody knows is
// looked at rather than not.
func Mends(name string) bool {
	kinds := Kinds()
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	return i < 0 || kinds[i].Mend
}

// Left is a finding that a pass has left and that somebody should mend. Its fields are
// promises.
type Left struct {
	Type    string     `json:"type"`
	Path    vault.Path `json:"path,omitempty"`
	Line    int        `json:"line,omitempty"`
	Parent  vault.ID   `json:"parent,omitempty"`
	Child   vault.ID   `json:"child,omitempty"`
	Message string     `json:"message"`
	New     bool       `json:"provisional,omitempty"` // as in Discrepancy
}

// markLeft marks what has no id of its own yet, and fills Left from what is not fixed and from
// the problems that concern the pass. A problem that a discrepancy settles is none any more.
func (out *Synced) markLeft() {
	out.Left = []Left{}
	settled := make(map[Left]bool)
	for i := range out.Discrepancies {
		d := &out.Discrepancies[i]
		if d.New = d.Child.Provisional() || d.Parent.Provisional(); d.Fixed != "" {
			settled[Left{Type: d.Type, Path: d.Path}] = true
			settled[Left{Type: vault.ProblemFacts, Path: d.Path}] = true
			settled[Left{Type: vault.ProblemID, Path: d.Path}] = d.Key != "" // ours stands beside it then
		} else if Mends(d.Type) && !d.Aside {
			out.Left = append(out.Left, Left{Type: d.Type, Path: d.Path, Parent: d.Parent, Child: d.Child, New: d.New, Message: cmp.Or(d.Detail, "not fixed")})
		}
	}
	for _, p := range out.Problems {
		waits := !out.Fixed && settled[Left{Type: p.Kind, Path: p.Path}]
		if Mends(p.Kind) && !waits && out.about(p) {
			out.Left = append(out.Left, Left{Type: p.Kind, Path: p.Path, Line: p.Line, Message: p.Msg})
		}
	}
}

// about reports whether the pass was about a problem: not of a file that git ignores, say.
func (out *Synced) about(p vault.Problem) bool {
	return out.concerns == nil || p.Kind == vault.ProblemSecret || p.Kind == vault.ProblemFilter || out.concerns(p.Path)
}

// ListLeftByDesign returns the problems that are left by design.
func (out Synced) ListLeftByDesign() []vault.Problem {
	return slices.DeleteFunc(slices.Clone(out.Problems), func(p vault.Problem) bool { return Mends(p.Kind) })
}
