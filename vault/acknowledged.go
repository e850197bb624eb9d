package vault

import "fmt"

// Acknowledged is a write whose success was told: the operation, the branch, and where the
// branch stood before and after it.
type Acknowledged struct {
	Op     string
	Ref    string
	Before string // empty on an unborn branch
	Commit string
}

// Span is what somebody has changed between two commits.
type Span struct {
	From, To string
	Files    []Difference
}

// Loss is an acknowledged write whose result the branch has no more, and that no operation
// of this program took away.
type Loss struct {
	Revision
	By      Revision // the commit of a person that took it; empty where the branch was moved
	OnDisk  bool     // all of it is on disk still
	ByMerge bool     // a git merge that failed had taken it from files and index before that: nobody asked for it
}

// String tells it in a sentence, with the way back.
func (l Loss) String() string {
	by := "the branch was moved"
	if l.By.Commit != "" {
		by = fmt.Sprintf("the commit %.10s (%s) undid it", l.By.Commit, l.By.Subject)
	}
	if l.OnDisk {
		return fmt.Sprintf("%q was acknowledged and is in no commit of the branch: %s; its text is on disk, so commit it: cp memory sync, or git commit", l.Subject, by)
	}
	return fmt.Sprintf("%q was acknowledged and is gone: %s; unless you mean that: %s", l.Subject, by, l.wayBack())
}

func (l Loss) wayBack() string {
	switch {
	case l.ID == "" || l.Verb == "move":
		return "git cherry-pick " + Short(l.Commit)
	case l.Verb == "delete":
		return "cp memory delete " + string(l.ID)
	}
	return "cp memory restore " + string(l.ID) + " " + Short(l.Commit)
}
