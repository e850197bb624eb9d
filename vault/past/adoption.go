package past

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
)

// A commit may be the first to hold a file that a person made: sync adopts it, and so does
// a command that writes into it. Undo has to know such files, and which lines the program
// added to them. So the commit says it, in trailers Cp-Adopts:
//
//	Cp-Adopts: *
//	Cp-Adopts: {"path":"a.md","steps":[{"op":"take-out","list":["status: closed\n"]}]}
//
// The star means all files that are new in the commit, and says that only an id and
// pointers were added to them, which unadopted takes out. The other form is for one file
// with other additions.
const adoptsAll = "*"

// adoption is one file that no commit held before.
type adoption struct {
	Path  vault.Path   `json:"path"`
	From  vault.Path   `json:"from,omitempty"`  // where it was on disk, if it was moved
	Steps []vault.Step `json:"steps,omitempty"` // they take out what was put in
}

// Adopts returns the trailer for the file of an edit whose text was before and
// is after. alone says that the commit makes no file.
func Adopts(e *vault.Edit, before, after []byte, alone bool) string {
	a := adoption{Path: e.Path, Steps: stepsToUnadopt(after)}
	if e.To != "" {
		a.Path, a.From = e.To, e.Path
	}
	usual := gives(a.Steps, after, before)
	if usual && alone && a.From == "" {
		return adoptsAll
	}
	if !usual {
		a.Steps = takenOut(before, after)
	}
	line, err := json.Marshal(a)
	if err != nil {
		return adoptsAll
	}
	return string(line)
}

// adopted are the trailers of a commit.
type adopted struct {
	all   bool
	files map[vault.Path]adoption
}

// adoptions reads them.
func adoptions(r *vault.Revision) adopted {
	as := adopted{files: make(map[vault.Path]adoption)}
	for _, line := range r.Adopts {
		var a adoption
		if line == adoptsAll {
			as.all = true
		} else if json.Unmarshal([]byte(line), &a) == nil {
			as.files[a.Path] = a
		}
	}
	// An older version wrote no trailers; its pass over the files made none.
	as.all = as.all || r.Verb == "sync" && !strings.Contains(r.Subject, `"a merge, `)
	return as
}

// Of returns how the file at p, whose text in the commit is doc, was adopted;
// false when the commit made it.
func (as adopted) Of(p vault.Path, doc []byte) (adoption, bool) {
	if a, ok := as.files[p]; ok {
		return a, true
	}
	return adoption{Path: p, Steps: stepsToUnadopt(doc)}, as.all
}

// stepsToUnadopt returns the steps that take out of a text what adoption usually puts
// in: the id, with the front matter when that has nothing else, and the block.
func stepsToUnadopt(doc []byte) []vault.Step {
	var steps []vault.Step
	h, body := header.Split(doc)
	if n := idLine(h); n > 0 {
		line := strings.SplitAfter(string(doc), "\n")[n-1]
		step := vault.Step{Op: vault.OpTakeOut, Name: vault.TakeFromHeader, List: []string{line}}
		if at := bytes.Index(doc[:len(doc)-len(body)], []byte("---")); at >= 0 && h.Text() == line { // TOML and JSON were there before
			step.List = []string{string(doc[at : len(doc)-len(body)]), line}
		}
		steps = append(steps, step)
	}
	if b, err := pointer.FindBlock(string(body)); err == nil && b != nil {
		steps = append(steps, outOf([]byte(b.Without(string(body))), body, "")...)
		block, eol := string(body[b.Start:b.End]), prose.LineEnd(body, doc) // where a text without a line end got more below it
		steps = append(steps, vault.Step{Op: vault.OpTakeOut, List: []string{eol + block, block}})
	}
	return steps
}

// WithoutAdoption returns a text without what adoption usually puts in; false where nothing was.
func WithoutAdoption(doc []byte) ([]byte, bool) {
	if h, _ := header.Split(doc); idLine(h) == 0 {
		return doc, false
	}
	out, err := vault.ApplySteps(stepsToUnadopt(doc), doc)
	return out, err == nil
}

// idLine returns the line of the id that adoption has put into a header; 0 without one.
func idLine(h *header.Header) int {
	for _, key := range [...]string{header.OurID, header.OwnID} {
		if id, ok := h.Get(key); ok && vault.ID(id).IsDrawn("") {
			return h.Line(key)
		}
	}
	return 0
}

// takenOut returns the steps that turn after into before, front matter and text
// each by themselves.
func takenOut(before, after []byte) []vault.Step {
	_, was := header.Split(before)
	_, is := header.Split(after)
	steps := append(outOf(before[:len(before)-len(was)], after[:len(after)-len(is)], vault.TakeFromHeader), outOf(was, is, "")...)
	if gives(steps, after, before) {
		return steps
	}
	return []vault.Step{{Op: vault.OpTakeOut, List: []string{string(after)}, Value: string(before)}}
}

// outOf returns the step for the lines between the first and the last in
// which two texts differ; none where they do not.
func outOf(before, after []byte, where string) []vault.Step {
	was, is := strings.SplitAfter(string(before), "\n"), strings.SplitAfter(string(after), "\n")
	for len(was) > 0 && len(is) > 0 && was[0] == is[0] {
		was, is = was[1:], is[1:]
	}
	for len(was) > 0 && len(is) > 0 && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	if len(was)+len(is) == 0 {
		return nil
	}
	return []vault.Step{{Op: vault.OpTakeOut, Name: where, List: []string{strings.Join(is, "")}, Value: strings.Join(was, "")}}
}

// gives reports whether the steps turn one text into the other.
func gives(steps []vault.Step, from, to []byte) bool {
	doc, err := vault.ApplySteps(steps, from)
	return err == nil && bytes.Equal(doc, to)
}
