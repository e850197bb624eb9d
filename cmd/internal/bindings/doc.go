// Package bindings is what a face can ask for around the code that memories are about: what is known of a
// file, and what has changed under a memory.
//
//	known, err := bindings.Room{Session: s}.About(ctx, bindings.Question{Path: "src/auth.py"})
//	stale, err := bindings.Room{Session: s}.Stale(ctx, bindings.Stale{})
package bindings

import "github.com/cp-memory/cp/cmd/internal/app"

// Room is an open vault.
type Room struct{ *app.Session }
