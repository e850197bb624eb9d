package main

// task is one thing that the agent is asked for. It is solved if the shell's line, or else the answer,
// says what is wanted, and nothing that must not be said.
type task struct {
	name, prompt string
	steps        []step
	says         string // what of the conversation is the answer; a regular expression
	check        string // a line of the shell, in the project; empty judges the answer
	want, not    string // regular expressions
	memoryAlone  bool   // a file of rules and no tool of ours has no part in it
}

// step is a call of a tool. Of a value "id of X" is the id that the conversation has for X, "prompt" what
// was asked; all others have to stand in the conversation.
type step struct {
	tool string
	args map[string]any
}

// asked is a search for what was asked.
var asked = step{"memory_recall", map[string]any{"query": "prompt"}}

// read reads the memory of a title, by the id that was found.
func read(title string) step { return step{"memory_show", map[string]any{"id": "id of " + title}} }

var tasks = []task{
	{name: "find", prompt: "How is the gateway deployed?", steps: []step{asked}, says: `nomad job run \S+`, want: `nomad job run gateway\.hcl`},
	{name: "find below", prompt: "The deploy went wrong. What takes it back?", steps: []step{asked, read("Rollback")}, says: `nomad job revert.*`, want: `revert gateway 41`},
	{name: "follow a pointer", prompt: "How long does the canary wait?", steps: []step{asked, read("Deployment"), read("Canary")}, says: `waits \w+ minutes`, want: `twelve`},
	{name: "answer with a number", prompt: "On which port is the database?", steps: []step{asked}, says: `port \d+ of`, want: `5432`},
	{name: "answer with a rule", prompt: "By which rule are errors written in code of this project?", steps: []step{asked}, says: `Errors are wrapped[^.]*`, want: `during`},
	{name: "answer with a cause", prompt: "The login test fails now and then. Why?", steps: []step{asked}, says: `when the clock[^;]*`, want: `drifts`},
	{name: "answer with a reason", prompt: "Why was NATS chosen?", steps: []step{asked}, says: `since one person[^.]*`, want: `one person`},
	{name: "no answer", prompt: "Who is the mayor of Wesel?", steps: []step{asked}, says: `mayor of Wesel is \w+`, want: `(?i)do not know|don't know|no (memory|note)`},
	{name: "the outline", prompt: "Which subjects does the memory have below Database?", steps: []step{{"memory_tree", nil}}, says: `Backups`, want: `Backups`},
	{name: "go on", prompt: "Go on where the last session stopped. What is next?", says: `Next: [\w ]+\.`, want: `flags of the exporter`, memoryAlone: true},
	{name: "correct", prompt: "Correct the memory: PostgreSQL listens on port 6543 of the machine heron.", memoryAlone: true,
		steps: []step{asked, read("Database"), {"memory_update", map[string]any{"id": "id of Database", "body": "PostgreSQL listens on port 6543 of the machine heron."}}}, check: "cp memory show Database", want: `6543`, not: `5432`},
	{name: "extend", prompt: "Add to what is kept about the canary: It is watched on the board Tides.", memoryAlone: true,
		steps: []step{asked, {"memory_update", map[string]any{"id": "id of Canary", "append": "It is watched on the board Tides."}}}, check: "cp memory show Canary", want: `(?s)twelve.*Tides`},
	{name: "another phrase", prompt: "Style is needed before a review, too. Its phrase: When you write or review code.", memoryAlone: true,
		steps: []step{asked, {"memory_update", map[string]any{"id": "id of Style", "summary": "When you write or review code"}}}, check: "cp memory show Style -o json", want: `When you write or review code`},
	{name: "add below", prompt: "Remember below Deployment, as Secrets, for when a key has to be changed: Keys lie in the vault Osprey.", memoryAlone: true,
		steps: []step{asked, {"memory_add", map[string]any{"title": "Secrets", "parent": "id of Deployment", "summary": "when a key has to be changed", "body": "Keys lie in the vault Osprey."}}}, check: "cp memory show Secrets; cp memory show Deployment", want: `(?s)Osprey.*when a key has to be changed`},
	{name: "add a root", prompt: "Remember, as Licences, for when a package is added: GPL is not allowed.", memoryAlone: true,
		steps: []step{asked, {"memory_add", map[string]any{"title": "Licences", "parent": "root", "summary": "when a package is added", "body": "GPL is not allowed."}}}, check: "cp memory tree --max-depth 1", want: `Licences`},
	{name: "keep a decision", prompt: "Keep this decision, Use Go: Go was chosen over Rust, since builds are quick.", memoryAlone: true,
		steps: []step{asked, {"memory_add", map[string]any{"title": "Use Go", "type": "decision", "body": "Go was chosen over Rust, since builds are quick."}}}, check: "cp memory list --type decision", want: `Use Go`},
	{name: "retire", prompt: "The Flaky login test is mended: the runner has NTP. Close what is kept on it.", memoryAlone: true,
		steps: []step{asked, {"memory_retire", map[string]any{"id": "id of Flaky login test", "how": "resolved", "note": "the runner has NTP"}}}, check: "cp memory show 'Flaky login test'", want: `(?s)closed.*NTP|NTP.*closed`},
	{name: "supersede", prompt: "Old queue is replaced by New queue.", memoryAlone: true,
		steps: []step{asked, {"memory_retire", map[string]any{"id": "id of Old queue", "how": "superseded", "by": "id of New queue"}}}, check: "cp memory show 'Old queue'", want: `(?i)superseded`},
	{name: "move", prompt: "Release notes belongs below Deployment. Move it there.", memoryAlone: true,
		steps: []step{asked, {"memory_move", map[string]any{"id": "id of Release notes", "parent": "id of Deployment"}}}, check: "find . -path '*deployment/release-notes.md'", want: `release-notes`},
	{name: "hand over", prompt: "Hand over to the next session, as Parser: The parser is done. Next: its tests.", memoryAlone: true,
		steps: []step{{"memory_add", map[string]any{"title": "Parser", "type": "handoff", "body": "The parser is done. Next: its tests."}}}, check: "cp memory list --type handoff", want: `Parser`},
}
