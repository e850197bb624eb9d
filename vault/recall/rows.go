package recall

import (
	"context"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/tree"
)

// passageWidth bounds the characters of a passage.
const passageWidth = 240

// rows makes the answer from the candidates on the page.
func (r *run) rows(ctx context.Context) error {
	from := min(r.q.Filter.Offset, len(r.all))
	to := min(from+r.q.Filter.Limit, len(r.all))
	words := make([]string, 0, len(r.terms))
	for _, t := range r.terms {
		words = append(words, t.Text)
	}
	marks, err := r.markPage(ctx, r.all[from:to])
	if err != nil {
		return err
	}
	r.answer.Rows = make([]Row, 0, to-from)
	for i := range r.all[from:to] {
		c := &r.all[from+i]
		row, err := r.makeRow(ctx, c, words)
		if err != nil {
			return err
		}
		row.Mark = marks[c.key()]
		r.answer.Rows = append(r.answer.Rows, row)
	}
	if err := r.date(ctx, r.all[from:to]); err != nil {
		return err
	}
	r.pack()
	return nil
}

// markPage says of the memories on the page what is not in a commit yet, and how their code stands.
func (r *run) markPage(ctx context.Context, page []candidate) (map[key]vault.Mark, error) {
	marks := make(map[key]vault.Mark)
	for i, m := range r.members {
		var ids []vault.ID
		for _, c := range page {
			if c.member == i {
				ids = append(ids, c.ID)
			}
		}
		if len(ids) == 0 {
			continue
		}
		own, err := m.Marks(ctx, m.Mirror.Tree, ids...)
		if err != nil {
			return nil, err
		}
		for id, mark := range own {
			marks[key{i, id}] = mark
		}
	}
	return marks, nil
}

// date says of the rows when their files were made, where these do not; they are those of
// the first candidates on the page.
func (r *run) date(ctx context.Context, page []candidate) error {
	for i, m := range r.members {
		var own []*Row
		for j := range r.answer.Rows {
			if page[j].member == i {
				own = append(own, &r.answer.Rows[j])
			}
		}
		err := m.Mirror.Date(ctx, len(own), func(j int) (vault.Path, *time.Time, *string) {
			return own[j].Path, &own[j].Created, &own[j].Creator
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *run) makeRow(ctx context.Context, c *candidate, words []string) (Row, error) {
	out := Row{ID: c.ID, New: c.ID.Provisional(), Title: c.Title, Similarity: roundSimilarity(c.similarity), Type: c.Type, Status: c.Status, Labels: c.Labels,
		Summary: c.Summary, Phraseless: c.Placeheld(), Path: c.Path, Folder: c.In, Created: c.Created, Creator: c.Creator, Superseded: c.Superseded, Commit: c.Header.Commit, Standing: tier.StandingOf(&c.Header), Origin: r.members[c.member].From(c.Path), Ancestors: []Step{}}
	if out.Labels == nil {
		out.Labels = []string{}
	}
	if c.Parent != "" {
		out.ParentID = &c.Parent
	}
	way, err := r.members[c.member].Mirror.Ancestry(ctx, c.ID)
	if err != nil && vault.CodeOf(err) != vault.CodeNotFound {
		return out, err
	}
	for _, n := range way {
		if n.ID != c.ID {
			out.Ancestors = append(out.Ancestors, Step{n.ID, n.Title, n.ID.Provisional()})
		}
	}
	if m := r.readMemory(c); m != nil {
		text := strings.TrimSpace(m.Prose)
		out.Content, out.Tokens = &text, vault.Tokens(text)
		out.Passage = c.passage(m, words)
	}
	out.Ending = r.endingOf(ctx, c, r.readMemory(c))
	if r.q.Explain {
		out.Explain = r.explain(c)
	}
	return out, nil
}

// passage picks the lines that show best why the memory was found.
func (c *candidate) passage(m *vault.Memory, words []string) string {
	near := c.nearest(m)
	switch {
	case near != "":
		return tree.Snippet(near, words, passageWidth)
	case c.text.link != "":
		return tree.LinkedAs + c.text.link
	case c.text.best != "":
		return tree.Snippet(c.text.best, words, passageWidth)
	}
	return tree.Snippet(m.Prose, words, passageWidth)
}

// nearest returns the passage by which the second leg brought the memory; empty if the words
// did, or if the text is another one by now.
func (c *candidate) nearest(m *vault.Memory) string {
	if !c.brought || c.near == 0 || m.ContentHash() != c.Content {
		return ""
	}
	return NthPassage(m, c.near)
}

// Explain tells which leg found a memory, and by what.
type Explain struct {
	Lexical float64   `json:"lexical"`                 // the score of its words; 0 when they did not find it
	Parts   Parts     `json:"parts"`                   // of Lexical
	Vector  *float64  `json:"vector"`                  // the second leg's cosine; null when that did not find it
	Weight  *Weight   `json:"vector_weight,omitempty"` // that the cosine counted by
	Graph   *Reached  `json:"graph,omitempty"`         // how the best of the others lead to it
	Terms   []Matched `json:"terms"`
}

// Weight is what the second leg's scores were multiplied by, and where that comes from.
type Weight struct {
	Weight float64 `json:"weight"`
	From   string  `json:"from"` // one of the From… constants
}

// Where a weight comes from.
const (
	FromSettings = "settings"
	FromMeasure  = "calibrated"
	FromDefault  = "default"
)

func (r *run) weightFrom(c *candidate) string {
	switch {
	case r.Finder.Weight != 0:
		return FromSettings
	case c.measured:
		return FromMeasure
	}
	return FromDefault
}

// Matched is a term of the query.
type Matched struct {
	Term   string  `json:"term"`
	Rarity float64 `json:"rarity"`
	Found  bool    `json:"found"` // in this memory's title, text or header, or in what links call it
}

func (r *run) explain(c *candidate) *Explain {
	e := &Explain{Lexical: c.score(), Parts: c.parts, Graph: c.reached, Terms: []Matched{}}
	if c.vector != 0 {
		e.Vector, e.Weight = &c.vector, &Weight{c.weight, r.weightFrom(c)}
	}
	for i, t := range r.terms {
		e.Terms = append(e.Terms, Matched{Term: t.Text, Rarity: t.Rarity, Found: i < len(c.text.in) && c.text.in[i]})
	}
	return e
}
