package mcp

import (
	"cmp"
	"context"

	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
)

// historyArgs are the parameters of memory_history.
type historyArgs struct {
	ID    string `tool:"id" about:"of one memory; default all"`
	Since string `tool:"since" about:"24h, 7d or 2026-01-31"`
	Limit int    `tool:"limit" default:"10" within:"1 100"`
}

func (s *Server) history(ctx context.Context, who caller, in historyArgs) (string, error) {
	c := call{caller: who, verb: "log", sought: target.Gone}
	if in.ID != "" {
		c.refs = []string{in.ID}
	}
	return s.reading(ctx, c, func(h *held, t *text) error {
		since, err := h.app.Since(in.Since)
		if err != nil {
			return err
		}
		log, err := h.History().Log(ctx, past.Log{Ref: in.ID, Since: since, Limit: in.Limit})
		if err != nil {
			return err
		}
		if len(log) == 0 {
			t.printf("Nothing was changed in that time.\n")
			return nil
		}
		t.WriteString(notice)
		t.openFence(label{})
		for _, r := range log {
			t.writeLine(revision(r))
		}
		t.closeFence()
		return nil
	})
}

// revision is a line of a history: date, agent, verb, id, commit. A commit of a person has a
// subject in the place of the verb and the id.
func revision(r past.LogRow) string {
	what := r.Verb + " " + string(r.ID)
	if r.Verb == "" {
		what = vault.Clip(r.Subject, 100)
	}
	return r.Time.UTC().Format("2006-01-02 15:04") + "  " + cmp.Or(r.Agent, r.Author) + "  " + what + "  " + vault.Short(r.Commit)
}
