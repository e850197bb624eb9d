// Package plumb runs the git command, reads its settings, and knows the paths of its files.
//
// A call of git runs no program that a repository names (hooks, fsmonitor,
// pager), asks nobody anything, reads no variable that would lead it to another
// repository, and syncs what it writes. An error holds git's own message.
//
//	git := plumb.At(top, gitDir, commonDir)
//	out, err := git.Run(ctx, nil, "rev-parse", "--verify", "HEAD")
//	if plumb.ExitCode(err) == 1 {
//		// git ran, and found none
//	}
package plumb
