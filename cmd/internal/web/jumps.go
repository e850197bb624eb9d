package web

import (
	"context"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
)

// waitForIt is how long the index may take to be made while somebody waits for the answer
// to a keystroke. One that takes longer is made behind the answer.
const waitForIt = 30 * time.Millisecond

// found is an answer to a keystroke: the text that was asked for, and what the script shows.
type found struct {
	Q    string      `json:"q"`
	Hits []jumpedHit `json:"hits"`
}

type jumpedHit struct {
	ID      vault.ID `json:"id"`
	Title   string   `json:"title"`
	Summary string   `json:"summary"`
}

// jumpHits bounds the answer to a keystroke.
const jumpHits = 12

// jumps answers a keystroke with memories whose titles, phrases or paths hold what was typed.
func jumps(c *call, ctx context.Context, s *app.Session) error {
	q := c.r.URL.Query().Get("q")
	out := found{Q: q, Hits: []jumpedHit{}}
	err := s.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		if err := c.refill(ctx, s, t); err != nil {
			return err
		}
		for _, id := range c.jump.Find(q, jumpHits) {
			n, err := t.Find(ctx, string(id))
			if vault.CodeOf(err) == vault.CodeNotFound {
				continue // it went since the index was made
			}
			if err != nil {
				return err
			}
			out.Hits = append(out.Hits, jumpedHit{n.ID, n.Title, n.Summary})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.send(out)
}

// refill makes the index of titles anew if the vault is another one since: at once where that
// is fast or there is none yet, else behind the answer, which then is of a moment ago.
func (c *call) refill(ctx context.Context, s *app.Session, t vault.Tree) error {
	now, err := s.Mirror.Generation(ctx)
	if err != nil {
		return err
	}
	of, ok := c.jump.Of()
	if ok && of == now {
		return nil
	}
	c.refilling.Lock()
	took := c.refillTook
	if ok && took > waitForIt {
		defer c.refilling.Unlock()
		if c.refillsNow {
			return nil
		}
		c.refillsNow = true
		go c.refillBehind()
		return nil
	}
	c.refilling.Unlock()
	return c.fillJump(ctx, s, t)
}

// fillJump makes the index anew.
func (s *Server) fillJump(ctx context.Context, vs *app.Session, t vault.Tree) error {
	began := time.Now()
	g, err := vs.Mirror.Generation(ctx)
	if err != nil {
		return err
	}
	nodes, err := t.Walk(ctx, vault.WalkOptions{Outline: true, Uncounted: true})
	if err != nil {
		return err
	}
	s.jump.Fill(g, nodes)
	s.refilling.Lock()
	defer s.refilling.Unlock()
	s.refillTook = time.Since(began)
	return nil
}

// refillBehind makes the index anew with a vault of its own. What fails now is tried again
// with the next keystroke.
func (s *Server) refillBehind() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	a := *s.App
	a.Warn, a.Progress = nil, nil
	_ = a.With(ctx, func(vs *app.Session) error {
		return vs.View(ctx, vault.Scope{None: true}, func(t vault.Tree) error { return s.fillJump(ctx, vs, t) })
	})
	s.refilling.Lock()
	defer s.refilling.Unlock()
	s.refillsNow = false
}
