// Package remote fetches from another repository, pushes to it, and lists what a push
// would bring there.
//
// It uses the person's own credentials and never asks for more. It forces no push but that
// of a clone's own counts, and touches neither HEAD, the index nor the work tree: fetched
// commits are under refs/cp until they are joined.
//
//	r := remote.Remote{Git: git, Limit: time.Minute}
//	up, err := r.Upstream(ctx, "refs/heads/main")
//	tip, err := r.Fetch(ctx, up, nil)
//	moved, err := r.Push(ctx, up, commit, nil) // moved: fetch, join and push again
package remote
