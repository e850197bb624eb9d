package mcp

import (
	"context"

	"github.com/cp-memory/cp/cmd/internal/bindings"
	"github.com/cp-memory/cp/cmd/internal/render"
)

// recallAbout answers what is known of a file of the code.
func (s *Server) recallAbout(ctx context.Context, who caller, in recallArgs, limit, budget int) (string, error) {
	return s.reading(ctx, call{caller: who, project: in.Project}, func(h *held, t *text) error {
		a, err := bindings.Room{Session: h.Session}.About(ctx, bindings.Question{Path: in.About, Limit: limit, Budget: budget})
		if err != nil {
			return err
		}
		if len(a.Memories) == 0 {
			t.printf("Nothing is known of %q.\n", a.Path)
			return nil
		}
		t.WriteString(notice)
		for _, k := range a.Memories {
			t.openFence(label{id: string(k.ID), path: string(k.Path), author: k.Creator, date: k.Created, status: unusual(k.Status)})
			t.writeLine(k.Title + state(k.Mark))
			if k.Summary != "" {
				t.writeLine("when: " + k.Summary)
			}
			t.writeLine(render.DescribeMatch(k))
			t.closeFence()
		}
		if a.More > 0 {
			t.printf("%d more found; a larger budget shows them.\n", a.More)
		}
		t.printf("memory_show with an id gives all of one.\n")
		return nil
	})
}
