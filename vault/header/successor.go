package header

import (
	"maps"
	"slices"
	"strings"
)

// Successors say what has become of commits, seen from one HEAD of the code. They are kept as text: the
// id of HEAD in the first line, and then a line for each commit, in the order of their ids. HEAD reaches
// the first of these, the second was rewritten to another one, the third is lost, and so is the fourth,
// which may have become one of two:
//
//	8b9b3baead6c546ac4119d96c1405248d451097d
//	1cc2a765d99160fafb031f7266f69a25db0b4d73
//	505b591f8342328555440f0d954332cc65d44b35 bd088372c02bb74254d70811a2a8061e5e4a86ed
//	869d617cfde16a841d14fabe6c5347eeca187025 ?
//	ee7b30bb0eb493289218de4263f4c4f10cbb9ed8 ? 8b9b3baead6c546ac4119d96c1405248d451097d f2857040f770cd853ec22fdccd28c4b5f3673395
type Successors struct {
	Head string
	Next map[string]Successor // by the commits' ids
}

// Successor is what has become of a commit.
type Successor struct {
	Commit     string   // itself where HEAD reaches it, else what it was rewritten to; empty if it is lost
	Candidates []string // of a lost one, where several may be its successor
}

// lost stands where a successor would.
const lost = "?"

// String returns the text that ParseSuccessors reads.
func (s Successors) String() string {
	var b strings.Builder
	b.WriteString(s.Head + "\n")
	for _, id := range slices.Sorted(maps.Keys(s.Next)) {
		b.WriteString(id)
		switch n := s.Next[id]; n.Commit {
		case id:
		case "":
			b.WriteString(" " + strings.Join(append([]string{lost}, n.Candidates...), " "))
		default:
			b.WriteString(" " + n.Commit)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// ParseSuccessors reads them. Of a text that ends within a line nothing is known.
func ParseSuccessors(text string) (s Successors) {
	head, lines, _ := strings.Cut(text, "\n")
	if lines != "" && !strings.HasSuffix(lines, "\n") {
		return s
	}
	s = Successors{head, make(map[string]Successor, len(lines)/40)}
	for line := range strings.SplitSeq(strings.TrimSuffix(lines, "\n"), "\n") {
		id, rest, more := strings.Cut(line, " ")
		switch next, candidates, _ := strings.Cut(rest, " "); {
		case id == "":
		case !more:
			s.Next[id] = Successor{Commit: id}
		case next == lost:
			s.Next[id] = Successor{Candidates: strings.Fields(candidates)}
		default:
			s.Next[id] = Successor{Commit: next}
		}
	}
	return s
}

// Inspection tells of commits what is not seen from HEAD.
type Inspection struct {
	Own     map[string]bool // those that are writes of the program's
	Kept    map[string]bool // those that a branch or a tag reaches
	Shallow bool            // the clone has only a part of its history
}
