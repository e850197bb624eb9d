package gitstore

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Committing reports whether a git commit of this work tree is under way: its message is being
// edited, or a hook before it runs. Such a commit fails if the branch moves. One whose hook
// post-commit runs is made already.
func (r *Repo) Committing() bool {
	all, _ := os.ReadDir("/proc")
	for _, e := range all {
		if pid, err := strconv.Atoi(e.Name()); err == nil && commits(pid, r.Top()) {
			return true
		}
	}
	return false
}

// commits reports whether the process is a git commit in the work tree that is not made yet.
func commits(pid int, top string) bool {
	comm, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err != nil || string(comm) != "git\n" || !isCommit(argsOf(pid)) {
		return false
	}
	dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	return err == nil && dir == top && !hasCommitted(pid)
}

// hasCommitted reports whether a git commit has come to what it does last, or has ended.
func hasCommitted(pid int) bool {
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for child := range strings.FieldsSeq(string(children)) {
		id, _ := strconv.Atoi(child)
		if slices.ContainsFunc(argsOf(id), isLast) {
			return true
		}
	}
	return err != nil
}

// isLast reports whether an argument is the name of what git runs after a commit is made.
func isLast(arg string) bool {
	return slices.Contains([]string{"post-commit", "post-rewrite", "maintenance", "gc"}, path.Base(arg))
}

// argsOf returns the command line of a process.
func argsOf(pid int) []string {
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
}

// isCommit reports whether a command line of git's is a commit.
func isCommit(args []string) bool {
	for i := 1; i < len(args); i++ {
		switch a := args[i]; {
		case slices.Contains([]string{"-c", "-C", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix"}, a):
			i++ // its value
		case !strings.HasPrefix(a, "-"):
			return a == "commit"
		}
	}
	return false
}
