package transfer

import (
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tier"
)

// Kind says what the items of an import are, and so where they go.
type Kind int

// The kinds of items.
const (
	Files        Kind = iota // of Markdown: into the tree, at their relative places
	Memories                 // of another program: into the tree, known again by their source
	GitNotes                 // into the journal
	Observations             // into the journal, or below Learned
)

// FormatCount writes a number of items.
func (k Kind) FormatCount(n int) string {
	switch k {
	case Memories:
		return vault.Plural(n, "memory", "memories")
	case GitNotes:
		return vault.Plural(n, "git note", "git notes")
	case Observations:
		return vault.Plural(n, "observation", "observations")
	}
	return vault.Plural(n, "file", "files")
}

// InTree reports whether the items go into the tree, and not into the journal.
func (k Kind) InTree() bool { return k != GitNotes && k != Observations }

// Form is one way to keep memories: what it is, and how it is read.
type Form struct {
	Name   string
	About  string // what it is, in a few words
	Takes  string // what PATH names
	Kind   Kind
	Tree   bool     // it is a folder of Markdown; else one file
	Inside []string // the names that the file may have in a folder, or the folder in one above

	read func(*reader)
}

// Forms lists the forms of other programs, by name.
func Forms() []Form {
	return []Form{
		{"agents-md", "CLAUDE.md, AGENTS.md and the like, cut at headings", "the file", Memories, false, []string{"AGENTS.md", "CLAUDE.md"}, (*reader).agentsMD},
		{"basic-memory", "notes of basic-memory", "the project's folder", Memories, true, nil, (*reader).basicMemory},
		{"beads", "issues and memories of beads (bd export)", "the JSON Lines", Memories, false, []string{".beads/issues.jsonl", "issues.jsonl", "beads.jsonl"}, (*reader).beads},
		{"claude", "Claude Code's auto memory", "the folder memory", Memories, true, []string{"memory"}, (*reader).claude},
		{"claude-rules", "Claude Code's rules", "the folder .claude/rules, or a file of it", Memories, true, []string{".claude/rules"}, (*reader).claudeRules},
		{"codex", "Codex's own memory", "the folder memories in ~/.codex", Memories, true, []string{"memories"}, (*reader).codex},
		{"copilot-instructions", "GitHub Copilot's instructions", "the folder .github/instructions, or a file of it", Memories, true, []string{".github/instructions"}, (*reader).copilotRules},
		{"cs-memory", "notes of git below refs/notes/cs/ and refs/notes/mem/", "a pattern of refs", GitNotes, false, nil, (*reader).gitNotes},
		{"cursor-rules", "Cursor's rules", "the folder .cursor/rules, or a file of it", Memories, true, []string{".cursor/rules"}, (*reader).cursorRules},
		{"letta", "memory files of Letta", "the repository's folder", Memories, true, nil, (*reader).letta},
		{"mem0", "memories that mem0's plugin exported", "the file", Memories, false, nil, (*reader).mem0},
		{"obsidian", "an Obsidian vault", "its folder", Memories, true, nil, (*reader).obsidian},
		{"server-memory", "the memory server of MCP's reference servers", "memory.jsonl", Memories, false, []string{"memory.jsonl", "memory.json"}, (*reader).serverMemory},
	}
}

// Markdown is a tree of Markdown, or one file.
func Markdown() Form { return Form{Kind: Files, Tree: true, read: (*reader).markdown} }

// Sanj is what the program sanj has observed.
func Sanj() Form {
	return Form{Name: "sanj", Kind: Observations, Inside: []string{"observations.json", "long-term-memory.md"}, read: (*reader).sanj}
}

// FormOf returns the form of a name.
func FormOf(name string) (Form, bool) {
	all := Forms()
	i := slices.IndexFunc(all, func(f Form) bool { return f.Name == name })
	if i < 0 {
		return Form{}, false
	}
	return all[i], true
}

// FormNames lists the names of the forms.
func FormNames() (names []string) {
	for _, f := range Forms() {
		names = append(names, f.Name)
	}
	return names
}

// File is one file to import, as it was read.
type File struct {
	Rel  string // slash-separated, relative to what is imported; of git notes their ref and commit, as in refs/notes/x:SHA
	Text []byte
	At   time.Time // for what has no date of its own

	CommitKey string // of git notes: that of their commit, where it is known

	Err error // why it could not be read; nil if it could
}

// Item is one thing to bring in. It is a memory of the tree unless it has an Entry, or is
// Observed.
type Item struct {
	Source string // names it, the same at each reading
	Err    error  // why it cannot come in; nil if it can

	// Of a memory of the tree.
	Place string // where its file goes: slash-separated; without .md, unless it is a file of Markdown
	Own   string // its own id; empty if it has none
	Text  []byte // its file, without id and source
	Links []Link
	Found bool // a file of this text may be here already, brought in by a plain import

	patterns string // of a rule: the key with the patterns of the code that it is about

	Entry    *vault.Memory // of the journal, without its id
	Observed *tier.Item
}

// Link is what an item says of another one: a line below its text.
type Link struct {
	Says string // "blocks"
	To   string // the other one's source
	Name string // what the other one is called; used where it is not there
}

// Bundle is what was read.
type Bundle struct {
	Kind  Kind
	Items []Item
	Left  []Row    // what does not come in: where it stands, and why
	Notes []string // what a person should know of the whole
	Facts []File   // facts files of memories among the items, of a vault that was exported
}

// maxItems bounds the items that are read of another program.
const maxItems = 50_000

// Read reads files of the form. Those in the journal come in the order of the files.
func (f Form) Read(files []File) Bundle {
	r := &reader{Bundle: Bundle{Kind: f.Kind}, form: f, places: make(map[string]int), sources: make(map[string]bool)}
	var unread []Row
	for _, file := range files {
		if file.Err != nil && f.Kind.InTree() {
			unread = append(unread, newSkippedRow(file.Rel, file.Err))
			continue
		}
		r.files = append(r.files, file)
	}
	if f.Kind.InTree() {
		slices.SortStableFunc(r.files, func(a, b File) int { return strings.Compare(a.Rel, b.Rel) })
	}
	f.read(r)
	if r.beyond > 0 {
		r.note("%d items beyond the first %d were left out: import them from a file of their own", r.beyond, maxItems)
	}
	r.Left = append(r.Left, unread...)
	return r.Bundle
}

// markdown reads a tree of Markdown: each file is an item, as it stands.
func (r *reader) markdown() {
	for _, f := range r.files {
		r.Items = append(r.Items, Item{Source: f.Rel, Place: f.Rel, Text: f.Text, Found: true})
	}
}
