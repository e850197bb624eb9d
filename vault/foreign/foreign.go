package foreign

import (
	"slices"
	"strings"
)

// Form is one program's way to keep memories.
type Form struct {
	Name  string
	About string // what it is, in a few words
	Takes string // what PATH names
	Tree  bool   // it is a folder of Markdown; else one file

	read func(*reader)
}

// Forms lists the forms that can be read, by name.
func Forms() []Form {
	return []Form{
		{"agents-md", "CLAUDE.md, AGENTS.md and the like, cut at headings", "the file", false, (*reader).agentsMD},
		{"basic-memory", "notes of basic-memory", "the project's folder", true, (*reader).basicMemory},
		{"beads", "issues and memories of beads (bd export)", "the JSON Lines", false, (*reader).beads},
		{"claude", "Claude Code's auto memory", "the folder memory", true, (*reader).claude},
		{"letta", "memory files of Letta", "the repository's folder", true, (*reader).letta},
		{"mem0", "memories that mem0's plugin exported", "the file", false, (*reader).mem0},
		{"obsidian", "an Obsidian vault", "its folder", true, (*reader).obsidian},
		{"server-memory", "the memory server of MCP's reference servers", "memory.jsonl", false, (*reader).serverMemory},
	}
}

// Of returns the form of a name.
func Of(name string) (Form, bool) {
	all := Forms()
	i := slices.IndexFunc(all, func(f Form) bool { return f.Name == name })
	if i < 0 {
		return Form{}, false
	}
	return all[i], true
}

// Names lists the names of the forms.
func Names() (names []string) {
	for _, f := range Forms() {
		names = append(names, f.Name)
	}
	return names
}

// File is one file of another program.
type File struct {
	Rel  string // slash-separated, relative to what is imported
	Text []byte
}

// Item becomes one memory.
type Item struct {
	Source string // names it, the same at each reading
	Place  string // where its file goes: slash-separated, without .md
	Own    string // its own id; empty if it has none
	Text   []byte // its file, without id and source
	Links  []Link
	Found  bool // a file of this text may be here already, brought in by a plain import
}

// Link is what an item says of another one: a line below its text.
type Link struct {
	Says string // "blocks"
	To   string // the other one's source
	Name string // what the other one is called; used where it is not there
}

// Left is something that does not come in.
type Left struct {
	What string // where it stands: a file, or a file and a line
	Why  string
}

// Bundle is what was read.
type Bundle struct {
	Items []Item
	Left  []Left
	Notes []string // what a person should know of the whole
}

// MaxItems bounds the items of a bundle.
const MaxItems = 50_000

// Read reads the files in the form of that name, which must be one of [Forms].
func Read(name string, files []File) Bundle {
	form, _ := Of(name)
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b File) int { return strings.Compare(a.Rel, b.Rel) })
	r := &reader{form: form, files: files, places: make(map[string]bool), sources: make(map[string]bool)}
	form.read(r)
	if r.beyond > 0 {
		r.note("%d items beyond the first %d were left out: import them from a file of their own", r.beyond, MaxItems)
	}
	return r.Bundle
}
