package render

import (
	"fmt"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/bindings"
	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// reasons are the words for why an item waits.
var reasons = map[journal.Reason]string{
	journal.ReasonObservation: "ready for a place in the tree",
	journal.ReasonPlace:       "asks for a place in the tree",
	journal.Core:              "ready for the agents' own files",
	journal.Stale:             "the copy in an agent's file is out of date",
	journal.ChangedCode:       "is about code that changed",
	journal.Alike:             "says nearly what another memory says",
	journal.Phrase:            "has no trigger phrase",
	journal.Deferred:          "the day to which it was put off has come",
	journal.IsBelow:           "seen too seldom",
	journal.Denied:            "denied",
}

// Queue writes what waits for a person, a paragraph for each item. first is the number of
// the first one.
func Queue(s Screen, q journal.Queue, first int) {
	of, several := whose(s, q.Items, func(item journal.Item) (name, path string) { return item.Project, item.ProjectPath })
	for i, item := range q.Items {
		if i > 0 {
			s.Printf("\n")
		}
		if item.Project = of(item); !several {
			item.Project = ""
		}
		Item(s, item, first+i, q.Total)
		for _, command := range Decisions(item) {
			s.Println("  decide: " + command)
		}
	}
	if q.MoreCode > 0 {
		s.Printf("\n%s about code that changed, after these are decided: cp memory stale\n", vault.Plural(q.MoreCode, "more memory is", "more memories are"))
	}
}

// LeftOver writes which memories stand in files that agents load and are not to be there.
func LeftOver(s Screen, all []tier.LeftOver) {
	for _, l := range all {
		s.Println(Line(l.String()))
	}
}

// Decisions lists the commands by which a person decides about an item.
func Decisions(item journal.Item) (all []string) {
	id := string(item.ID)
	deny := "cp memory deny " + id + " --reason \"…\""
	merge := "cp memory merge-into " + id + " ID"
	if len(item.Nearest) > 0 {
		merge = "cp memory merge-into " + id + " " + string(item.Nearest[0].ID)
	}
	switch item.Why {
	case journal.ReasonObservation, journal.ReasonPlace:
		all = []string{"cp memory promote " + id + " --to long-term --approve --summary \"When …\"", deny}
	case journal.IsBelow:
		all = []string{"cp memory approve " + id, deny}
	case journal.Core:
		all = []string{"cp memory promote " + id + " --to core --approve --target claude_md", deny}
	case journal.Stale:
		all = []string{"cp memory promote " + id + " --to core"}
	case journal.ChangedCode:
		return codeDecisions(item)
	case journal.Alike:
		return []string{"cp memory approve " + id, merge}
	case journal.Phrase:
		all = []string{"cp memory update " + id + " --summary \"When …\""}
	case journal.Deferred:
		all = []string{"cp memory update " + id + " --status open"}
	case journal.Denied:
		all = []string{"cp memory approve " + id}
	}
	if len(item.Nearest) > 0 && (item.Why == journal.ReasonObservation || item.Why == journal.IsBelow) {
		all = append(all, merge)
	}
	return all
}

// codeDecisions lists the commands for a memory whose code has changed.
func codeDecisions(item journal.Item) (all []string) {
	id := string(item.ID)
	if item.Unconfirmable == "" {
		all = []string{"cp memory confirm " + id, "cp memory update " + id + " --body \"…\" --confirm"}
	}
	if loud := bindings.ToUnbind(item.Code); len(loud) > 0 {
		unbind := "cp memory unbind " + id
		for _, at := range loud {
			unbind += " " + Line(vault.Path(at).QuoteForShell())
		}
		all = append(all, unbind)
	}
	return append(all, "cp memory resolve "+id+" --resolution \"…\"")
}

// CodeOf tells of an item whose code has changed what it is about, a line for each binding.
func CodeOf(item journal.Item) (all []string) {
	if !item.Code.IsLoud() {
		return nil
	}
	for _, b := range item.Code.Bindings {
		all = append(all, Line(describeBinding(b)))
	}
	return all
}

// Item writes an item of the queue as a paragraph.
func Item(s Screen, item journal.Item, n, total int) {
	of := ""
	if item.Project != "" {
		of = " [" + Line(item.Project) + "]"
	}
	s.Printf("%d of %d. %s%s\n", n, total, s.bold(Line(item.Title)), of)
	s.Printf("  %s, %s: %s\n", item.ID, item.Type, Because(item))
	if item.Text != "" && item.Text != item.Title {
		s.Printf("  %s\n", vault.Clip(strings.Join(strings.Fields(item.Text), " "), 300))
	}
	if seen := Evidence(item); seen != "" {
		s.Printf("  %s\n", seen)
	}
	for _, line := range CodeOf(item) {
		s.Printf("  code: %s\n", line)
	}
	for _, line := range item.Diff {
		s.Printf("    %s\n", Line(line))
	}
	for _, near := range item.Nearest {
		s.Printf("  near: %s %s (%s)%s\n", near.ID, quoteTitle(near.Title), Likeness(near), phraseOf(near))
	}
	if item.Parent != nil {
		s.Printf("  parent: %s %s%s\n", item.Parent.ID, quoteTitle(item.Parent.Title), phraseOf(*item.Parent))
	}
	if len(item.Targets) > 0 {
		s.Printf("  files: %s\n", strings.Join(item.Targets, ", "))
	}
}

// Because says why an item waits.
func Because(item journal.Item) string {
	why, mark := reasons[item.Why], Line(item.Code.Mark())
	switch {
	case mark != "" && item.Why == journal.ChangedCode:
		why = mark
	case mark != "":
		why += " [" + mark + "]"
	}
	if item.Needs != "" {
		why += ", " + item.Needs
	}
	if item.DeniedFor != "" {
		why += ": " + Line(item.DeniedFor)
	}
	if item.Why == journal.Denied && item.Back > 0 {
		why += "; seen again by " + vault.Plural(item.Back, "session", "sessions") + " since"
	}
	return why
}

// maxShown bounds the sessions that are named.
const maxShown = 3

// Evidence says who observed an item, and when.
func Evidence(item journal.Item) string {
	var parts []string
	if item.Count > 0 {
		names := strings.Join(item.Sessions[:min(len(item.Sessions), maxShown)], ", ")
		if len(item.Sessions) > maxShown {
			names += " …"
		}
		if names != "" {
			names = " (" + names + ")"
		}
		parts = append(parts, "seen by "+vault.Plural(item.Count, "session", "sessions")+names)
	}
	if !item.FirstSeen.IsZero() {
		parts = append(parts, "first "+item.FirstSeen.Format("2006-01-02"))
	}
	if !item.LastSeen.IsZero() && item.LastSeen.Format("2006-01-02") != item.FirstSeen.Format("2006-01-02") {
		parts = append(parts, "last "+item.LastSeen.Format("2006-01-02"))
	}
	if len(parts) == 0 && !item.Created.IsZero() {
		parts = append(parts, "made "+item.Created.Format("2006-01-02"))
	}
	if len(item.Sources) > 0 {
		parts = append(parts, "by "+strings.Join(item.Sources, ", "))
	}
	return strings.Join(parts, ", ")
}

// Likeness says how much of a memory says the same.
func Likeness(n journal.NearMemory) string {
	if n.Same {
		return "the very same"
	}
	return fmt.Sprintf("%.0f %% the same", 100*n.Similarity)
}

func phraseOf(n journal.NearMemory) string {
	if n.Summary == "" {
		return ""
	}
	return ": " + n.Summary
}

// ReviewKeys lists the answers of the review in line mode.
func ReviewKeys(s Screen) {
	s.WriteText(`a  approve; where the thresholds are met it gets the place that is suggested
p  approve it below another memory: p <id>
d  deny: d <reason>
m  merge it into the nearest memory: m <id> for another one
e  edit the text first, in your editor; where the code has changed that confirms it, too
c  confirm: it is right about its code as it is now
b  unbind it from the code that is gone, or else has changed
x  resolve: close it, since it holds no more: x <why>
s  skip
o  all sessions and sources, and the whole text
u  back to the item before; a decision about it is taken back
q  quit; what was decided stays`)
}

// became are the words for what came of a decision.
var became = map[string]string{queue.Approve: "Approved", queue.Deny: "Denied", queue.Merge: "Merged", queue.Edit: "Changed", queue.ToCore: "Written", queue.Confirm: "Confirmed", queue.Unbind: "Unbound", queue.Resolve: "Resolved"}

// Outcome writes what came of a decision, and in which project where several are decided about.
func Outcome(s Screen, o queue.Outcome) {
	in := ""
	if o.Project != "" {
		in = " [" + Line(o.Project) + "]"
	}
	switch {
	case o.Do == queue.Merge:
		s.Printf("%s %s into %s%s.\n", became[o.Do], o.ID, o.Into, in)
	case o.Do == queue.ToCore && len(o.Files) > 0:
		s.Printf("%s %s: %s%s\n", became[o.Do], o.ID, strings.Join(o.Files, ", "), in)
	case o.Do == queue.Approve && o.Level == string(tier.LongTerm):
		s.Printf("%s %s: %s%s\n", became[o.Do], o.ID, o.Path, in)
	default:
		s.Printf("%s %s%s.\n", became[o.Do], o.ID, in)
	}
}

// Outcomes writes what came of many decisions.
func Outcomes(s Screen, all []queue.Outcome) {
	if len(all) == 0 {
		s.Println("Nothing meets the thresholds.")
	}
	for _, o := range all {
		Outcome(s, o)
	}
}

// WriteReviewed says how far a review went.
func WriteReviewed(s Screen, at, total int, decisions map[string]int) {
	var parts []string
	for _, row := range [...][2]string{{queue.Approve, "approved"}, {queue.Deny, "denied"}, {queue.Merge, "merged"}, {queue.Edit, "edited"}, {queue.ToCore, "written into agents' files"}, {queue.Confirm, "confirmed"}, {queue.Unbind, "unbound"}, {queue.Resolve, "resolved"}, {"skip", "skipped"}} {
		if n := decisions[row[0]]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, row[1]))
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing was decided"}
	}
	s.Printf("%d of %d seen: %s.\n", at, total, strings.Join(parts, ", "))
}
