package web

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// waitForIt is how long the index may take to be made while somebody waits for the answer
// to a keystroke. One that takes longer is made behind the answer.
const waitForIt = 30 * time.Millisecond

// titles are the indexes of titles, one a vault.
type titles struct {
	mu  sync.Mutex
	all map[string]*titled // by the vault's root
}

// titled is the index of a vault, and how it is made anew.
type titled struct {
	TitleIndex

	mu   sync.Mutex // guards what follows
	took time.Duration
	now  bool // it is being made
}

func (t *titles) titlesUnder(root string) *titled {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = map[string]*titled{}
	}
	if t.all[root] == nil {
		t.all[root] = &titled{}
	}
	return t.all[root]
}

// found is an answer to a keystroke: the text that was asked for, and what the script shows.
type found struct {
	Q    string      `json:"q"`
	Hits []jumpedHit `json:"hits"`
}

type jumpedHit struct {
	Href    string `json:"href"`
	Title   string `json:"title"`
	Summary string `json:"summary"`
	Project string `json:"project,omitempty"` // where several answer

	score int
}

// How many hits answer a keystroke, and how many whole words.
const jumpHits, wholeHits = 12, 8

// jumps answers a keystroke with memories whose titles, phrases or paths hold what was typed,
// and what was typed for a while with those that hold its words.
func jumps(c *call, ctx context.Context, s *app.Session, fam *ask.Family) error {
	q := c.r.URL.Query().Get("q")
	out := found{Q: q, Hits: []jumpedHit{}}
	if c.r.URL.Query().Get("whole") != "" {
		p, err := fam.SearchMemories(ctx, q, app.Filter{Limit: wholeHits})
		for _, row := range p.Rows {
			out.Hits = append(out.Hits, c.hit(string(row.ID), row.Title, row.Summary, row.Project, row.ProjectPath))
		}
		return cmp.Or(err, c.send(out))
	}
	for _, m := range fam.Members {
		hits, err := c.findJumpHits(ctx, m, q)
		if err != nil && m.Session == fam.Here {
			return err
		}
		out.Hits = append(out.Hits, hits...)
	}
	slices.SortStableFunc(out.Hits, func(a, b jumpedHit) int { return b.score - a.score })
	out.Hits = out.Hits[:min(len(out.Hits), jumpHits)]
	return c.send(out)
}

// hit is a memory as the script shows it.
func (c *call) hit(id, title, phrase, project, path string) jumpedHit {
	if len(c.places) < 2 {
		project = ""
	} else {
		project = c.projectLabel(path, project)
	}
	return jumpedHit{Href: c.to(path) + "/m/" + id, Title: title, Summary: phrase, Project: project}
}

// findJumpHits returns the hits in a vault.
func (c *call) findJumpHits(ctx context.Context, m ask.Member, q string) (hits []jumpedHit, err error) {
	x := c.jump.titlesUnder(m.Root)
	err = m.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		if err := x.refill(ctx, c.App, c.About.Flags, m); err != nil {
			return err
		}
		for _, h := range x.FindTitles(q, jumpHits) {
			n, err := t.Find(ctx, string(h.ID))
			if vault.CodeOf(err) == vault.CodeNotFound {
				continue // it went since the index was made
			}
			if err != nil {
				return err
			}
			if !m.Share.Has(string(n.Path)) {
				continue
			}
			o := m.Origin(n.Path)
			hit := c.hit(string(n.ID), n.Title, n.Summary, o.Project, o.ProjectPath)
			hit.score = h.Score
			hits = append(hits, hit)
		}
		return nil
	})
	return hits, err
}

// refill makes the index of titles anew if the vault is another one since: at once where that
// is fast or there is none yet, else behind the answer, which then is of a moment ago.
func (x *titled) refill(ctx context.Context, a *app.App, flags settings.Flags, m ask.Member) error {
	now, err := m.Mirror.Generation(ctx)
	if err != nil {
		return err
	}
	of, ok := x.Generation()
	if ok && of == now {
		return nil
	}
	x.mu.Lock()
	if ok && x.took > waitForIt {
		defer x.mu.Unlock()
		if !x.now {
			x.now = true
			go x.rebuildIndex(*a, flags, m)
		}
		return nil
	}
	x.mu.Unlock()
	return x.buildIndex(ctx, m.Session)
}

// buildIndex makes the index anew.
func (x *titled) buildIndex(ctx context.Context, s *app.Session) error {
	began := time.Now()
	g, err := s.Mirror.Generation(ctx)
	if err != nil {
		return err
	}
	if err := x.Fill(g, func(fn func(tree.Titled)) error { return s.Titles(ctx, tree.TitleScope{}, fn) }); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.took = time.Since(began)
	return nil
}

// rebuildIndex makes the index anew with a vault of its own. What fails now is tried again with the
// next keystroke.
func (x *titled) rebuildIndex(a app.App, flags settings.Flags, m ask.Member) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	a.Warn, a.Progress = nil, nil
	_ = vault.Guard("listing the titles", nil, func() error {
		return a.With(ctx, flags.ForVault(m.Root), func(s *app.Session) error {
			return s.View(ctx, vault.Scope{None: true}, func(vault.Tree) error { return x.buildIndex(ctx, s) })
		})
	})
	x.mu.Lock()
	defer x.mu.Unlock()
	x.now = false
}
