// Package plumb runs the git command, reads its settings, and knows where git keeps what.
//
// A call of git runs no program that a repository names (hooks, fsmonitor,
// pager), asks nobody anything, reads no variable that would lead it to another
// repository, and syncs what it writes. What it says of a failure is in the error.
//
//	git := plumb.At(top, gitDir, commonDir)
//	out, err := git.Run(ctx, nil, "rev-parse", "--verify", "HEAD")
//	if plumb.ExitCode(err) == 1 {
//		// git ran, and found none
//	}
package plumb
