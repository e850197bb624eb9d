package render

import (
	"cmp"

	"github.com/cp-memory/cp/cmd/internal/app"
)

// Initialized writes the outcome of init.
func Initialized(s Screen, done app.Initialized) {
	s.Printf("Initialized memory vault %s (project %s, ids %s-…)\n", done.Vault, done.Project, done.Prefix)
	if done.GitInit {
		s.Println("  a new git repository")
	}
	for _, name := range done.Files {
		s.Printf("  %s\n", name)
	}
	if done.Commit == "" {
		s.Println("Nothing to change.")
		return
	}
	s.Println(`Next: cp memory add "what you want to remember"`)
}

// Status writes the vault at a glance.
func Status(s Screen, o app.Overview) {
	s.Println("cp memory")
	row := func(name, format string, args ...any) {
		s.Printf("  %-13s"+format+"\n", append([]any{name + ":"}, args...)...)
	}
	row("Project", "%s", o.Project)
	row("Agent", "%s", cmp.Or(o.Agent, "not set"))
	row("Status", "%s", o.Status)
	row("Shards", "%d (%d open, %d closed, %d other)", o.Shards.Total, o.Shards.Open, o.Shards.Closed, o.Shards.Other)
	row("Memories", "%d, of them %d at the root; deepest level %d; about %d tokens", o.Memories, o.Roots, o.MaxDepth, o.Tokens)
	row("Vault", "%s", o.Vault)
	row("Index", "%s", o.Index)
	if o.Vectors != nil {
		row("Vectors", "%s", vectors(*o.Vectors))
	}
	row("Git", "%s", app.GitLine(o))
	row("Watcher", "%s", app.WatcherLine(o.Watcher))
	if o.Uncommitted > 0 {
		row("Uncommitted", "%d (git status shows them)", o.Uncommitted)
	}
	if n := o.Waiting - o.Unfinished; n > 0 {
		row("Outbox", "%d waiting; the next command after this is over commits them", n)
	}
	if o.Unfinished > 0 {
		row("Unfinished", "%d interrupted; the next command after this is over finishes them", o.Unfinished)
	}
	if o.Problems > 0 {
		row("Problems", "%d (cp doctor shows them)", o.Problems)
	}
}
