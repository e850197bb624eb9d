package render

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/tree"
)

// WriteInitialized writes the outcome of init.
func WriteInitialized(s Screen, done app.Initialized) {
	said := "Initialized memory vault %s (project %s, ids %s-…)\n"
	if done.Existed {
		said = "The memory vault %s was there already (project %s, ids %s-…)\n"
	}
	s.Printf(said, done.Vault, done.Project, done.Prefix)
	if done.GitInit {
		s.Println("  a new git repository")
	}
	if done.Branch != "" {
		s.Printf("  on the branch %s, %s; the code's history stays as it is\n", done.Branch, began[done.Began])
	}
	if done.FoundFrom != "" {
		s.Printf("  found from %s: your own settings say so\n", done.FoundFrom)
	}
	for _, name := range done.Files {
		s.Printf("  %s\n", name)
	}
	if done.Existed || done.Began == "remote" || done.Began == "converted" {
		s.Println(`Next: cp memory recall "what you want to know"`)
		return
	}
	if done.Commit == "" {
		s.Println("Nothing to change.")
		return
	}
	if done.Markdown > 0 {
		s.Printf("Found %s: each is a memory as it stands.\n", vault.Plural(done.Markdown, "Markdown file", "Markdown files"))
		s.Println("Next: cp memory sync, which gives each an id and commits it")
		return
	}
	if done.Import != "" {
		s.Printf("Found %s elsewhere in the repository.\n", vault.Plural(done.Elsewhere, "Markdown file", "Markdown files"))
		s.Printf("Next: cp memory import %s, which copies them in\n", vault.Path(done.Import).QuoteForShell())
		return
	}
	s.Println(`Next: cp memory add --summary "when one needs it" "what you want to remember"`)
}

// began says where a vault's branch came from.
var began = map[string]string{
	"new": "which begins here", "local": "which was here", "remote": "which came from the remote",
	"converted": "with the history that the vault had in the code",
}

// Status writes the vault at a glance.
func Status(s Screen, o app.Overview) {
	s.Println("cp memory")
	row := func(name, format string, args ...any) {
		s.Printf("  %-13s"+format+"\n", append([]any{name + ":"}, args...)...)
	}
	row("Project", "%s", o.Project)
	row("Agent", "%s", cmp.Or(o.Agent, "not set"))
	row("Status", "%s", o.Status)
	row("Shards", "%d (%d open, %d closed, %d other)", o.Shards.Total, o.Shards.Open, o.Shards.Closed, o.Shards.Other)
	row("Memories", "%d, of them %d at the root; deepest level %d; about %d tokens", o.Memories, o.Roots, o.MaxDepth, o.Tokens)
	totals(row, o.Totals)
	row("Vault", "%s", o.Vault)
	row("Index", "%s", o.Index)
	if o.Vectors != nil {
		row("Vectors", "%s", vectors(*o.Vectors))
	}
	row("Git", "%s", app.GitLine(o))
	row("Watcher", "%s", app.WatcherLine(o.Watcher))
	if o.AutoCapture.Enabled {
		row("Capture", "the end of an agent's session (%s)", cmp.Or(strings.Join(o.AutoCapture.Namespaces, ", "), "all kinds"))
	}
	if o.Uncommitted > 0 {
		row("Uncommitted", "%d (git status shows them)", o.Uncommitted)
	}
	if n := o.Waiting - o.Unfinished; n > 0 {
		row("Outbox", "%d waiting; the next command after this is over commits them", n)
	}
	if o.Unfinished > 0 {
		row("Unfinished", "%d interrupted; the next command after this is over finishes them", o.Unfinished)
	}
	for _, l := range o.LeftOver {
		row("Left over", "%s, of %s: %s. Take it out: %s", l.File, l.ID, l.Why, l.Command)
	}
	if o.Problems > 0 {
		row("Problems", "%d (cp doctor shows them): %s", o.Problems, types(o.ProblemTypes))
	}
}

// types lists what kinds of problems there are.
func types(count map[string]int) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		all = append(all, fmt.Sprintf("%s %d", name, count[name]))
	}
	return strings.Join(all, ", ")
}

// Findings lists what the checks of doctor say. No check hides another one's findings: each
// has a list of its own.
func Findings(s Screen, all []doctor.Finding) {
	for _, alike := range byCheck(all) {
		shown, more := some(s, alike)
		for _, f := range shown {
			finds(s, f)
		}
		s.More(styled(spaces(29)), more)
	}
}

// byCheck cuts findings where the check or the severity changes.
func byCheck(all []doctor.Finding) (groups [][]doctor.Finding) {
	from := 0
	for i := range all {
		if next := i + 1; next == len(all) || all[next].Check != all[i].Check || all[next].Severity != all[i].Severity {
			groups, from = append(groups, all[from:next]), next
		}
	}
	return groups
}

func finds(s Screen, f doctor.Finding) {
	place := ""
	switch {
	case f.Path != "" && f.Line > 0:
		place = fmt.Sprintf("%s:%d: ", f.Path, f.Line)
	case f.Path != "":
		place = string(f.Path) + ": "
	}
	evidence := f.Evidence
	if f.Type != "" && f.Type != f.Check && !strings.HasPrefix(evidence, f.Type+": ") {
		evidence = f.Type + ": " + evidence
	}
	s.Printf("%-8s %-19s %s\n", f.Severity, f.Check, place+evidence)
	if f.Fix != "" {
		s.Printf("%-8s %-19s → %s\n", "", "", RenameCommands(s.Name, f.Fix))
	}
}

// Damage tells what is wrong with a repository, and what a repair does.
func Damage(s Screen, d doctor.Damage) {
	for _, line := range d.Found {
		s.Println(line)
	}
	for _, line := range d.Steps {
		s.Println("  → " + line)
	}
}

// ToFix tells what doctor --fix is about to do.
func ToFix(s Screen, f doctor.Fix) {
	fixes(s, f, "remove the lock %s\n", "take the id and the pointers out of %s, which is no memory\n", "make git in this clone merge memories with this program", "build the index again")
	if len(f.Sync.Discrepancies) > 0 {
		Sync(s, f.Sync, true)
	}
}

// writeRepair tells what was done to the repository; nil is nothing, and then
// nothing at all was to be done.
func writeRepair(s Screen, d *doctor.Damage, left bool) {
	switch {
	case d == nil && left:
		s.Println("There is nothing that a program can mend.")
		return
	case d == nil:
		s.Println("There is nothing to mend.")
		return
	}
	Damage(s, *d)
	s.Println("Git's reflog has what the branch named before.")
}

// WriteFixed tells what doctor --fix has done.
func WriteFixed(s Screen, f doctor.Fix) {
	if f.Repository != nil || f.IsEmpty() {
		writeRepair(s, f.Repository, len(f.Sync.Left)+len(f.Remaining) > 0)
	}
	if !f.IsEmpty() {
		fixes(s, f, "Removed the lock %s\n", "Took the id and the pointers out of %s\n", "Git in this clone now merges memories with this program.", "Built the index again.")
		Sync(s, f.Sync, false)
	}
	Left(s, f.Sync.Left)
	Findings(s, f.Remaining)
}

// fixes tells of a plan all but what sync does, in the words given.
func fixes(s Screen, f doctor.Fix, lock, agents, driver, index string) {
	for _, path := range f.Locks {
		s.Printf(lock, path)
	}
	for _, name := range f.Unadopt {
		s.Printf(agents, name)
	}
	if f.Driver {
		s.Println(driver)
	}
	if f.Reindex {
		s.Println(index)
	}
}

// Pass writes what one pass of a watcher saw and did.
func Pass(s Screen, p tree.Pass) {
	at := p.At.Local().Format(time.TimeOnly)
	if line := describePass(p); line != "" {
		s.Printf("%s  %s\n", at, line)
	}
	for _, c := range p.Commits {
		s.Printf("%s  committed %s\n", at, nameCommit(c))
	}
	for _, l := range p.Left {
		s.Printf("%s  left %s: %s\n", at, l.Path, l.Why)
	}
	for _, w := range p.Warnings {
		s.Warn(w)
	}
}

// describePass tells what changed; empty when nothing did.
func describePass(p tree.Pass) string {
	var parts []string
	if p.Changed > 0 {
		parts = append(parts, vault.Plural(p.Changed, "file", "files")+" changed")
	}
	if p.Removed > 0 {
		parts = append(parts, fmt.Sprintf("%d gone", p.Removed))
	}
	if p.Whole && len(parts) == 0 {
		return "up to date"
	}
	return strings.Join(parts, ", ")
}

// nameCommit names a commit by its memory, or by what it is about.
func nameCommit(c tree.Committed) string {
	if c.ID == "" {
		return c.Title
	}
	return fmt.Sprintf("%s %s", c.ID, quoteTitle(c.Title))
}
