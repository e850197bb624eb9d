// Package remote fetches from another repository and pushes to it, and tells what
// a push would bring there.
//
// It talks with the person's own credentials and never asks for more, forces no
// push but that of a clone's own counts, and touches neither HEAD, the index nor
// the work tree: what came is under refs/cp until somebody joins it.
//
//	r := remote.Remote{Git: git, Limit: time.Minute}
//	up, err := r.Upstream(ctx, "refs/heads/main")
//	tip, err := r.Fetch(ctx, up, nil)
//	moved, err := r.Push(ctx, up, commit, nil) // moved: fetch, join and push again
package remote
