package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/exchange"
	"github.com/cp-memory/cp/vault/sync"
)

// WritePulled writes the outcome of pull.
func WritePulled(s Screen, p exchange.Pulled, dryRun bool) {
	switch p.Outcome {
	case exchange.NothingThere:
		s.Printf("%s is not there yet; cp memory push makes it.\n", p.Upstream)
		return
	case exchange.UpToDate:
		s.Printf("Up to date with %s.%s\n", p.Upstream, outgoing(p))
		return
	}
	came(s, p, dryRun)
	if dryRun {
		return
	}
	if p.Synced != nil && len(p.Synced.Discrepancies) > 0 {
		Sync(s, *p.Synced, false)
	}
}

func outgoing(p exchange.Pulled) styled {
	if !p.Outgoing {
		return ""
	}
	return " You have commits that it has not: cp memory push"
}

// came lists what came and went.
func came(s Screen, p exchange.Pulled, dryRun bool) {
	how := "merged"
	if p.Outcome == exchange.FastForward {
		how = "fast-forward"
	}
	did := "Pulled"
	if dryRun {
		did = "Would pull"
	}
	s.Printf("%s %s (%s): %d new, %d changed, %d gone\n", did, p.Upstream, styled(how), len(p.Created), len(p.Changed), len(p.Removed))
	for _, part := range []struct {
		mark  styled
		names []string
	}{{"+", p.Created}, {"~", p.Changed}, {"-", p.Removed}} {
		names, more := some(s, part.names)
		for _, name := range names {
			s.Printf("  %s %s\n", part.mark, name)
		}
		s.More("  "+part.mark+" ", more)
	}
}

// WritePushed writes the outcome of push, and of sync with a remote.
func WritePushed(s Screen, p exchange.Pushed, dryRun bool) {
	if p.Synced != nil && len(p.Synced.Discrepancies) > 0 {
		Sync(s, *p.Synced, dryRun)
	}
	for _, pulled := range p.Pulled {
		WritePulled(s, pulled, dryRun)
	}
	Left(s, p.Left())
	switch {
	case p.Pushed:
		s.Printf("Pushed %s to %s.\n", vault.Short(p.Commit), p.Upstream)
	case p.WouldPush:
		s.Printf("Would push to %s.\n", p.Upstream)
	default:
		s.Printf("Nothing to push to %s.\n", p.Upstream)
	}
}

// Sync writes what a sync found and mended, or with dryRun would mend.
func Sync(s Screen, r sync.Synced, dryRun bool) {
	switch {
	case r.Ejected: // which a warning says
	case len(r.Discrepancies) == 0:
		s.Println("All pointer blocks are in sync. No changes needed.")
	case dryRun:
		syncCheck(s, r)
	default:
		syncFixed(s, r)
	}
}

func syncCheck(s Screen, r sync.Synced) {
	s.Printf("Sync check: %s, %s\n\n", vault.Plural(r.ParentsChecked, "parent", "parents"), vault.Plural(len(r.Discrepancies), "discrepancy", "discrepancies"))
	group := ""
	rest, more := some(s, newcomers(s, r, finding))
	for _, d := range rest {
		if g := subject(d); g != group {
			group = g
			s.Printf("  %s:\n", styled(g))
		}
		s.Printf("    %s\n", finding(d))
	}
	s.More("  ", more)
	writeLinkChanges(s, r.LinksMoved, true)
	command := "cp memory sync"
	if slices.ContainsFunc(r.Discrepancies, func(d sync.Discrepancy) bool { return d.Type == sync.BlockStyle }) {
		command += " --restyle"
	}
	s.Printf("\nRun `%s` to fix.\n", command)
}

func syncFixed(s Screen, r sync.Synced) {
	fixed := 0
	for _, d := range r.Discrepancies {
		if d.Fixed != "" {
			fixed++
		}
	}
	s.Printf("Sync: %s checked, %d fixed\n\n", vault.Plural(r.ParentsChecked, "parent", "parents"), fixed)
	rest, more := some(s, unfixedFirst(s, newcomers(s, r, describeFix)))
	for _, d := range rest {
		said := describeFix(d)
		if d.Type == sync.DeletedFile { // it names a command, and no text of a person
			said = RenameCommands(s.Name, said)
		}
		s.Printf("  %s: %s\n", styled(subject(d)), said)
	}
	s.More("  ", more)
	writeLinkChanges(s, r.LinksMoved, false)
}

// unfixedFirst brings what a person has to look at to the top of a list that will be cut.
func unfixedFirst(s Screen, all []sync.Discrepancy) []sync.Discrepancy {
	if _, more := some(s, all); more == 0 {
		return all
	}
	fixed := func(d sync.Discrepancy) int { return min(len(d.Fixed), 1) }
	return slices.SortedStableFunc(slices.Values(all), func(a, b sync.Discrepancy) int { return fixed(a) - fixed(b) })
}

// describeFix tells what was done about a discrepancy.
func describeFix(d sync.Discrepancy) string {
	if d.Fixed == "" {
		return "NOT FIXED: " + finding(d)
	}
	return d.Fixed + describeKeptID(d)
}

// describeKeptID tells that a person's id: line stays where it cannot serve.
func describeKeptID(d sync.Discrepancy) string {
	if d.Key == "" {
		return ""
	}
	return " (as " + d.Key + ": its own id line stays)"
}

// newcomers names the files that are committed for the first time, and returns the other
// discrepancies.
func newcomers(s Screen, r sync.Synced, tell func(sync.Discrepancy) string) (rest []sync.Discrepancy) {
	var first []sync.Discrepancy
	for _, d := range r.Discrepancies {
		if d.Type == sync.NewFile && d.Detail == sync.FirstCommit {
			first = append(first, d)
		} else {
			rest = append(rest, d)
		}
	}
	if len(first) > 0 {
		s.Printf("  %s:\n", styled(sync.FirstCommit))
	}
	first, more := some(s, first)
	for _, d := range first {
		s.Printf("    %s: %s\n", styled(subject(d)), tell(d))
	}
	s.More("    ", more)
	return rest
}

// subject names what a discrepancy is about: the parent whose block it is, else
// the file, else the memory.
func subject(d sync.Discrepancy) string {
	switch {
	case d.ParentTitle != "":
		return Line(fmt.Sprintf("%s %s", d.Parent, quoteTitle(d.ParentTitle)))
	case d.Path != "":
		return Line(string(d.Path))
	case d.Parent != "":
		return Line(string(d.Parent))
	}
	return Line(string(d.Child))
}

// discrepancies are the words before a discrepancy's detail.
var discrepancies = map[string]string{
	sync.MissingPointer: "MISSING", sync.StalePointer: "STALE", sync.EdgeMismatch: "MISMATCH", sync.TitleMismatch: "TITLE",
	sync.OrphanedMemory: "ORPHAN", sync.DuplicatePtr: "DUPLICATE", sync.DuplicateID: "DUPLICATE ID", sync.InvalidBlock: "INVALID BLOCK", sync.BlockStyle: "STYLE", sync.FormattedBlock: "FORMATTED",
	sync.CycleFound: "CYCLE", sync.ConflictMarkers: "CONFLICT", sync.NewFile: "NEW", sync.MovedFile: "MOVED", sync.DeletedFile: "DELETED",
	sync.ChangedID: "CHANGED ID",
}

// finding tells a discrepancy in words.
func finding(d sync.Discrepancy) string {
	word, ok := discrepancies[d.Type]
	if !ok {
		word = strings.ToUpper(strings.ReplaceAll(d.Type, "_", " "))
	}
	return strings.TrimSuffix(word+": "+detail(d), ": ") + describeKeptID(d)
}

func detail(d sync.Discrepancy) string {
	switch d.Type {
	case sync.MissingPointer:
		return fmt.Sprintf("child %s not in pointer block", childLabel(d))
	case sync.StalePointer:
		return fmt.Sprintf("pointer to %s — %s", d.Child, cmp.Or(d.Detail, "shard no longer exists"))
	case sync.EdgeMismatch:
		return fmt.Sprintf("child %s and its pointer have different summaries", childLabel(d))
	case sync.DuplicatePtr:
		return fmt.Sprintf("second pointer to %s", childLabel(d))
	case sync.NewFile:
		return fmt.Sprintf("%s is to be adopted", quoteTitle(d.ChildTitle))
	case sync.ConflictMarkers:
		return cmp.Or(d.Detail, "git conflict markers")
	}
	return strings.Trim(childLabel(d)+": "+d.Detail, ": ")
}

// childLabel is the child's id with its title.
func childLabel(d sync.Discrepancy) string {
	if d.ChildTitle == "" {
		return string(d.Child)
	}
	return fmt.Sprintf("%s %s", d.Child, quoteTitle(d.ChildTitle))
}

// Conflicts writes what two sides had changed in ways that exclude each other.
func Conflicts(s Screen, conflicts []sync.Conflict) {
	texts := make([]string, len(conflicts))
	for i, c := range conflicts {
		texts[i] = c.Path + ": " + c.Detail
	}
	s.Warn(texts...)
}

// Left lists what somebody should mend.
func Left(s Screen, all []sync.Left) {
	if len(all) == 0 {
		return
	}
	s.Printf("Left to be mended:\n")
	shown, more := some(s, all)
	for _, l := range shown {
		s.Printf("  %s: %s: %s\n", styled(leftAt(l)), l.Type, l.Message)
	}
	s.More("  ", more)
}

// leftAt says where it is: the file and the line, else the memories.
func leftAt(l sync.Left) string {
	switch {
	case l.Line > 0:
		return Line(fmt.Sprintf("%s:%d", l.Path, l.Line))
	case l.Path != "":
		return Line(string(l.Path))
	}
	return Line(strings.Trim(fmt.Sprintf("%s → %s", l.Parent, l.Child), "→ "))
}

// Problems writes what is wrong with single files.
func Problems(s Screen, problems []vault.Problem) {
	texts := make([]string, len(problems))
	for i, p := range problems {
		texts[i] = (&vault.Error{Path: string(p.Path), Line: p.Line, Msg: p.Msg}).Error()
	}
	s.Warn(texts...)
}
