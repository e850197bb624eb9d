// Package branch keeps a vault on a branch of its own beside the code's history: a linked
// worktree whose place every worktree of the clone knows.
//
//	code/                          the main worktree
//	  memory/                      the vault
//	    .git                       gitdir: ../.git/worktrees/cp-branch-memory
//	  .git/
//	    cp/branch-memory/place     ../memory: where the vault is
//	    cp/branch-memory/…         its lock, outbox and other state
//	    worktrees/cp-branch-memory its HEAD and index; locked, so that git never prunes it
//	    info/exclude               /memory/
//	  refs/heads/memory            its history, from a root commit that is the same everywhere
//
// The vault's folder can be lost (git clean -ffdx, rm -rf): its commits and its state lie in
// the common directory, and Tend makes the folder again. Its .git is relative and git's link
// back is absolute, so a repository that moves or is copied needs one line mended, which
// Tend does, too. A copy of the folder alone has a .git that leads to the original's
// branch: For refuses it.
//
//	made, err := branch.Make(ctx, repo.Remote, branch.Options{Name: "memory"})
//	link, err := branch.At("/code") // later, from any worktree
//	err = link.Tend(ctx, 10*time.Second)
package branch
