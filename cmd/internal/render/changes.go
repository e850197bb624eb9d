package render

import (
	"cmp"
	"fmt"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// WriteAdded writes the outcome of add.
func WriteAdded(s Screen, a tree.Added) {
	if a.Duplicate {
		s.Printf("%s\n", a.Already())
		return
	}
	s.Printf("Created memory %s\n", a.ID)
}

// WriteAddedSub writes the outcome of add-sub.
func WriteAddedSub(s Screen, a tree.Added) {
	if a.Duplicate {
		WriteAdded(s, a)
		return
	}
	s.Printf("Created sub-memory %s %s under %s %s\n", a.ID, quoteTitle(a.Title), a.ParentID, quoteTitle(a.ParentTitle))
	s.Printf("Summary: %s\n", a.Summary)
}

// Similar points out what says the same as a new memory already.
func Similar(s Screen, a tree.Added) {
	for _, like := range a.Similar {
		how := fmt.Sprintf("%.0f %% the same", 100*like.Similarity)
		if like.Same {
			how = "the very same"
		}
		if like.Project != "" {
			s.Printf("similar: %s %s in the project %s says %s; `cp memory show %s` shows it, `cp memory delete %s` takes this one back\n", like.ID, quoteTitle(like.Title), Line(like.Project), how, like.ID, a.ID)
			continue
		}
		s.Printf("similar: %s %s says %s; `cp memory delete %s` takes this one back, `cp memory supersede %s %s` says that it is newer\n",
			like.ID, quoteTitle(like.Title), how, a.ID, like.ID, a.ID)
	}
}

// WriteQueued says why a write waits in the outbox: busy is the operation under way in the
// repository, if known, and why is the repository's own message.
func WriteQueued(s Screen, busy, why string) {
	switch busy {
	case "":
		s.Printf("saved; will be committed when the repository is free (%s)\n", why)
	case "detached HEAD":
		s.Printf("saved; will be committed when a branch is checked out\n")
	case "unmerged index":
		s.Printf("saved; will be committed when the conflicts are settled\n")
	default:
		s.Printf("saved; will be committed when the %s ends\n", busy)
	}
}

// WriteDelivered writes what came out of the outbox.
func WriteDelivered(s Screen, added []vault.Delivered) {
	added, more := some(s, added)
	for _, a := range added {
		s.Printf("committed what was waiting: %s %s\n", a.ID, quoteTitle(a.Title))
		for _, w := range a.Warnings {
			s.Warn(w)
		}
	}
	s.More("", more)
}

// DescribeUnfinished tells of writes that were interrupted and could not be finished.
func DescribeUnfinished(left []vault.Unfinished, why error) string {
	said := "a write that was interrupted is not finished: " + left[0].Subject + vault.More(len(left)-1)
	if why != nil {
		said += " (" + why.Error() + ")"
	}
	return said + "; what it touches is marked pending"
}

// describeMark says that no commit holds a memory as it is shown, and that its code has changed.
func describeMark(m vault.Mark) string {
	said := ""
	if mark := m.Code.Mark(); mark != "" {
		said = " [" + Line(mark) + "]"
	}
	switch {
	case m.Pending:
		return " [pending]" + said
	case m.Waiting:
		return " [waiting: " + cmp.Or(m.For, "to be committed") + "]" + said
	}
	return said
}

// DeletePreview writes the question before a delete, without the line feed at its end.
func DeletePreview(s Screen, d tree.DeletePreview, recursive bool) {
	t := d.Target
	if recursive && d.Descendants > 0 {
		s.Printf("Delete %s and %s? (y/n) ", t.Title, vault.Plural(d.Descendants, "descendant", "descendants"))
		return
	}
	s.Printf("Delete memory %s (%s)?\n", quoteTitle(t.Title), t.ID)
	if t.Parent != "" {
		s.Printf("  Parent: %s (%s) — pointer will be removed\n", quoteTitle(d.ParentTitle), t.Parent)
	}
	if d.Children > 0 {
		s.Printf("  Children: %d (use --recursive to delete them too)\n", d.Children)
	}
	s.Printf("[y/N] ")
}

// WriteDeleted writes the outcome of delete.
func WriteDeleted(s Screen, d tree.Deleted) {
	if len(d.IDs) == 0 {
		return
	}
	s.Printf("Deleted memory %s (%s)\n", quoteTitle(d.Title), d.IDs[0])
	if n := len(d.IDs) - 1; n > 0 {
		s.Printf("Deleted %s\n", vault.Plural(n, "descendant", "descendants"))
	}
	if d.Parent != nil {
		s.Printf("Removed pointer from parent %s (%s)\n", quoteTitle(d.ParentTitle), *d.Parent)
	}
	kept, more := some(s, d.Kept)
	for _, p := range kept {
		s.Printf("Kept the folder %s/ for the other files in it\n", p)
	}
	s.More("", more)
}

// WriteMoved writes the outcome of move.
func WriteMoved(s Screen, m tree.Moved) {
	from, to := nameParent(m.OldTitle, m.OldParent), nameParent(m.NewTitle, m.NewParent)
	at := "below " + to
	if m.NewParent == nil {
		at = "at the root"
	}
	switch {
	case m.Unchanged:
		s.Printf("%s (%s) is already %s. Nothing to do.\n", quoteTitle(m.Title), m.ID, at)
		return
	case from == to:
		s.Printf("%s (%s) stays %s\n", quoteTitle(m.Title), m.ID, at)
	default:
		s.Printf("Moved %s (%s) from %s to %s\n", quoteTitle(m.Title), m.ID, from, to)
	}
	if m.Summary != "" {
		s.Printf("Summary: %s\n", m.Summary)
	}
	writeLinkChanges(s, m.LinksMoved, false)
}

// WritePromoted writes the outcome of promote.
func WritePromoted(s Screen, m tree.Moved) {
	to := "root"
	if m.NewDepth > 0 {
		to = fmt.Sprintf("depth %d", m.NewDepth)
	}
	s.Printf("Promoted %s (%s) from depth %d to %s\n", quoteTitle(m.Title), m.ID, m.OldDepth, to)
	writeLinkChanges(s, m.LinksMoved, false)
}

// nameParent names a parent; none is the root.
func nameParent(title string, id *vault.ID) string {
	if id == nil {
		return "root"
	}
	return fmt.Sprintf("%s (%s)", quoteTitle(title), *id)
}

// writeLinkChanges writes what a move did, or would do, to links: those mended, and those left.
func writeLinkChanges(s Screen, r tree.LinksMoved, dry bool) {
	format, leads := "  link in %s: %s is %s now\n", "now leads nowhere"
	if dry {
		format, leads = "  link in %s: %s would be %s\n", "would lead nowhere"
	}
	links, more := some(s, r.Mended)
	for _, l := range links {
		s.Printf(format, l.Path, l.From, l.To)
	}
	s.More("  ", more)
	links, more = some(s, r.Unmended)
	for _, l := range links {
		s.Printf("  link in %s %s: %s (it would be %s)\n", l.Path, leads, l.From, l.To)
	}
	s.More("  ", more)
}

// WriteAmended writes the outcome of update and edit. done is the word for it, as in "Updated".
func WriteAmended(s Screen, done string, a tree.Amended) {
	if a.Unchanged {
		s.Printf("%s (%s) is as it was. Nothing to do.\n", quoteTitle(a.Title), a.ID)
		return
	}
	s.Printf("%s memory %s (%s)\n", done, quoteTitle(a.Title), a.ID)
}

func quoteTitle(title string) string { return `"` + title + `"` }

// acts says what each verb does.
var acts = map[string]string{"add": "created", "add-sub": "created", "add-parent": "created", "update": "updated", "resolve": "resolved", "capture": "captured", "observe": "observed", "approve": "approved", "deny": "denied", "demote": "demoted", "defer": "deferred",
	"supersede": "superseded", "move": "moved", "promote": "moved", "delete": "deleted"}

// WriteBatched writes what the lines of a batch have done, and how many.
func WriteBatched(s Screen, rows []tree.BatchRow, dry bool) {
	changed := 0
	for _, r := range rows {
		if !r.Unchanged {
			changed++
		}
	}
	rows, more := some(s, rows)
	for _, r := range rows {
		what := acts[r.Verb]
		if r.Unchanged {
			what = "unchanged"
		}
		if r.ID != "" {
			what += " " + string(r.ID)
		}
		s.Printf("%s %s\n", what, quoteTitle(r.Title))
		writeLinkChanges(s, r.LinksMoved, dry)
	}
	s.More("", more)
	if dry {
		s.Printf("Would write %s in one commit\n", vault.Plural(changed, "change", "changes"))
		return
	}
	s.Printf("Wrote %s in one commit\n", vault.Plural(changed, "change", "changes"))
}

// WriteSuperseded writes the outcome of supersede.
func WriteSuperseded(s Screen, o tree.Superseded) {
	if o.Unchanged {
		s.Printf("%s was superseded by %s before\n", o.Old, o.New)
		return
	}
	s.Printf("%s %s is superseded by %s %s\n", o.Old, quoteTitle(o.OldTitle), o.New, quoteTitle(o.NewTitle))
}
