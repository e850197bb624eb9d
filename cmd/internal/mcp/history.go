package mcp

import (
	"cmp"
	"context"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
)

// historyArgs are the parameters of memory_history.
type historyArgs struct {
	ID    string `tool:"id" about:"default all"`
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

// revision is a line of a history: date, agent, what was done, commit. What was done is the
// commit's subject, which of a write of ours is the verb, the id and the title.
func revision(r past.LogRow) string {
	what := vault.Clip(strings.TrimPrefix(r.Subject, "memory: "), 100)
	return r.Time.UTC().Format("2006-01-02 15:04") + "  " + cmp.Or(r.Agent, r.Author) + "  " + what + "  " + vault.Short(r.Commit)
}
