package mcp

import (
	"context"
)

// tools adds the eight tools. Their names and these descriptions are all that a model sees
// before it calls one, so each says when to call it.
func (s *Server) tools() {
	tool(s, "memory_recall", "Find memories by subject, best first. Call before answering, planning or changing code.",
		hints{reads: true, always: true}, s.recall)
	tool(s, "memory_show", "Read one memory in full, with pointers to those below it.",
		hints{reads: true, always: true}, s.show)
	tool(s, "memory_tree", "Outline of all memories, or of those below one.",
		hints{reads: true}, s.tree)
	tool(s, "memory_add", "Keep knowledge for later sessions: in the tree with a summary (and parent), or with a type and no parent in the journal.",
		hints{adds: true}, s.addMemory)
	tool(s, "memory_update", "Correct or extend a memory.",
		hints{}, s.update)
	tool(s, "memory_move", "Give a memory another parent; those below move along.",
		hints{idempotent: true}, s.move)
	tool(s, "memory_retire", "Take a memory out: resolved (done), superseded (by another), deleted. Git keeps it.",
		hints{idempotent: true}, s.retire)
	tool(s, "memory_history", "Who changed a memory, or anything, and when.",
		hints{reads: true}, s.history)
}

// reading answers a call that reads.
func (s *Server) reading(ctx context.Context, c call, answer func(*held, *text) error) (string, error) {
	return answering(answer, func(fn func(*held) error) error { return s.vaults.viewVault(ctx, c, fn) })
}

// writing answers a call that writes.
func (s *Server) writing(ctx context.Context, c call, answer func(*held, *text) error) (string, error) {
	return answering(answer, func(fn func(*held) error) error { return s.vaults.changeVault(ctx, c, fn) })
}

// answering puts the warnings behind an answer.
func answering(answer func(*held, *text) error, with func(func(*held) error) error) (string, error) {
	var t text
	err := with(func(h *held) error {
		if err := answer(h, &t); err != nil {
			return err
		}
		t.writeWarnings(h.warned)
		return nil
	})
	return t.String(), err
}
