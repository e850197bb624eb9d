package vault

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/frontmatter"
)

// A commit may be the first to hold a file that a person made: sync adopts it,
// and so does a command that writes into it. Undo has to tell such a file from one
// that the program made, and what was put into it from what stood there. So the
// commit says it, in trailers Cp-Adopts:
//
//	Cp-Adopts: *
//	Cp-Adopts: {"path":"a.md","steps":[{"op":"take-out","list":["status: closed\n"]}]}
//
// The star stands for all files that are new in the commit, and says that
// nothing was put into them but an id and pointers, as unadopted takes them out;
// the other form is for one file of which that is not so.
const adoptsAll = "*"

// Adoption is one file that a commit was the first to hold.
type Adoption struct {
	Path  Path   `json:"path"`
	From  Path   `json:"from,omitempty"`  // where it was on disk, if it was moved
	Steps []Step `json:"steps,omitempty"` // they take out what was put in
}

// Adopts returns the trailer for the file of an edit whose text was before and
// is after. alone says that the commit makes no file.
func (e *Edit) Adopts(before, after []byte, alone bool) string {
	a := Adoption{Path: e.Path, Steps: unadopted(after)}
	if e.To != "" {
		a.Path, a.From = e.To, e.Path
	}
	usual := gives(a.Steps, after, before)
	if usual && alone && a.From == "" {
		return adoptsAll
	}
	if !usual {
		a.Steps = TakenOut(before, after)
	}
	line, err := json.Marshal(a)
	if err != nil {
		return adoptsAll
	}
	return string(line)
}

// Adoptions are the trailers of a commit.
type Adoptions struct {
	all   bool
	files map[Path]Adoption
}

func (r *Revision) Adoptions() Adoptions {
	as := Adoptions{files: make(map[Path]Adoption)}
	for _, line := range r.Adopts {
		var a Adoption
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
func (as Adoptions) Of(p Path, doc []byte) (Adoption, bool) {
	if a, ok := as.files[p]; ok {
		return a, true
	}
	return Adoption{Path: p, Steps: unadopted(doc)}, as.all
}

// unadopted returns the steps that take out of a text what adoption usually puts
// in: the id, with the front matter when that has nothing else, and the block.
func unadopted(doc []byte) []Step {
	var steps []Step
	h, body := frontmatter.Split(doc)
	if n := h.Line("id"); n > 0 {
		line := strings.SplitAfter(string(doc), "\n")[n-1]
		whole := string(doc[bytes.Index(doc, []byte("---")) : len(doc)-len(body)])
		step := Step{Op: OpTakeOut, Name: takeFromHeader, List: []string{line}}
		if h.Text() == line {
			step.List = []string{whole, line}
		}
		steps = append(steps, step)
	}
	if b, err := pointer.Find(string(body)); err == nil && b != nil {
		steps = append(steps, takenOutOf([]byte(b.Without(string(body))), body, "")...)
		block, eol := string(body[b.Start:b.End]), lineEnds(body, doc) // where a text without a line end got more below it
		steps = append(steps, Step{Op: OpTakeOut, List: []string{eol + block, block}})
	}
	return steps
}

// TakenOut returns the steps that turn after into before, front matter and text
// each by themselves.
func TakenOut(before, after []byte) []Step {
	_, was := frontmatter.Split(before)
	_, is := frontmatter.Split(after)
	steps := append(takenOutOf(before[:len(before)-len(was)], after[:len(after)-len(is)], takeFromHeader), takenOutOf(was, is, "")...)
	if gives(steps, after, before) {
		return steps
	}
	return []Step{{Op: OpTakeOut, List: []string{string(after)}, Value: string(before)}}
}

// takenOutOf returns the step for the lines between the first and the last in
// which two texts differ; none where they do not.
func takenOutOf(before, after []byte, where string) []Step {
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
	return []Step{{Op: OpTakeOut, Name: where, List: []string{strings.Join(is, "")}, Value: strings.Join(was, "")}}
}

// gives reports whether the steps turn one text into the other.
func gives(steps []Step, from, to []byte) bool {
	doc, err := ApplySteps(steps, from)
	return err == nil && bytes.Equal(doc, to)
}

// takeFromHeader is the Name of a step OpTakeOut that looks into the front matter only.
const takeFromHeader = "front matter"

// takeOut puts Value in the place of the first of the runs of lines in List that
// stands in the text. Where none does, nothing changes.
func (s Step) takeOut(doc []byte) []byte {
	_, body := frontmatter.Split(doc)
	from, to := len(doc)-len(body), len(doc)
	if s.Name == takeFromHeader {
		from, to = 0, from
	}
	for _, run := range s.List {
		if run == string(doc) {
			return []byte(s.Value)
		}
		if i := findLines(doc[from:to], run); i >= 0 {
			i += from
			return append(append(doc[:i:i], s.Value...), doc[i+len(run):]...)
		}
	}
	return doc
}

// findLines returns where a run of lines stands in the text; -1 where it does not.
func findLines(text []byte, run string) int {
	for at := 0; run != ""; at++ {
		i := bytes.Index(text[at:], []byte(run))
		if i < 0 {
			break
		}
		at += i
		starts := len(bytes.TrimPrefix(text[:at], []byte("\ufeff"))) == 0 || text[at-1] == '\n'
		if starts && (run[len(run)-1] == '\n' || at+len(run) == len(text)) {
			return at
		}
	}
	return -1
}
