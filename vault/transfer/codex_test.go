package transfer_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/transfer"
)

const gateway = `# Task Group: Gateway / releases

scope: Releasing the gateway; use when a rollback hangs.
applies_to: cwd=/src/gateway; reuse_rule=safe here

## Task 1: Roll back 2.3, done

### rollout_summary_files

- <rollout_summaries/a.md> (cwd=/src/gateway)

### keywords

- nomad, ` + "`roll-back`" + `, connection refused, collect.sh

- Related skill: skills/x/SKILL.md

## Reusable knowledge

- See [the log](rollout_summaries/b.md), [rollout_summaries/b.md](./rollout_summaries/b.md) and [[raw_memories.md|raw]].
`

// Each row is a folder of Codex, in whatever state, and what is made of it.
func TestReadCodex(t *testing.T) {
	const top = "codex: > codex-memory | Codex memory |  | when When you want what Codex has noted of its tasks and its people\n"
	for _, row := range []struct {
		name  string
		files []transfer.File
		want  string
	}{
		{"a folder", from("MEMORY.md", gateway, "memory_summary.md", "v1\n", "raw_memories.md", "x", "rollout_summaries/a.md", "x", "rollout_summaries/b.md", "x", "skills/x/SKILL.md", "x", "notes.md", "x"), top +
			"codex:Gateway / releases > codex-memory/gateway-releases | Gateway / releases | nomad,roll-back | when When a rollback hangs.\n" +
			"left memory_summary.md: 1 file: Codex's overview of MEMORY.md\nleft notes.md: 1 file: no part of MEMORY.md\nleft raw_memories.md: 1 file: what Codex makes MEMORY.md of\n" +
			"left rollout_summaries/: 2 files: logs of sessions\nleft skills/: 1 file: skills, which `cp memory import` takes as they stand\n"},
		{"a mark and other line ends", from("MEMORY.md", "\ufeff"+strings.ReplaceAll("# Task Group: A\nscope: If it burns\n\ntext\n", "\n", "\r\n")), top +
			"codex:A > codex-memory/a | A |  | when If it burns\n"},
		{"nothing", nil, ""},
		{"no handbook", from("memory_summary.md", "v1\n", "raw_memories.md", "x"), "left MEMORY.md: it is not there, and Codex keeps its memory in it\n" +
			"left memory_summary.md: 1 file: Codex's overview of MEMORY.md\nleft raw_memories.md: 1 file: what Codex makes MEMORY.md of\n"},
		{"sessions alone", from("rollout_summaries/a.md", gateway), "left MEMORY.md: it is not there, and Codex keeps its memory in it\nleft rollout_summaries/: 1 file: logs of sessions\n"},
		{"an empty handbook", from("MEMORY.md", ""), "left MEMORY.md: no line of it begins with '# Task Group: ', as those of Codex do\n"},
		{"a handbook by hand", from("MEMORY.md", "# Notes\n\n## Task Group: no\n# Task Groups\n"), "left MEMORY.md: no line of it begins with '# Task Group: ', as those of Codex do\n"},
		{"a copy of the handbook", from("copy.md", "# task group : B\nx\n"), top + "codex:B > codex-memory/b | B | \n"},
		{"an empty block, one without a name, one with a scope alone", from("MEMORY.md", "# Task Group: A\n\n# Task Group:\nx\n# Task Group: C\nscope: C things\n# Task Group: D\nscope:\nd\n"), top +
			"codex:C > codex-memory/c | C |  | when When the task is: C things\ncodex:D > codex-memory/d | D | \ncodex:Task group > codex-memory/task-group | Task group | \n" +
			"left MEMORY.md:1: nothing stands below the task group 'A'\n"},
		{"two of one name, in any order", from("MEMORY.md", "# Task Group: A-2\nx\n# Task Group: A\napplies_to: cwd=/y\n# Task Group: A\nscope: X\napplies_to: cwd=/x\n"), top +
			"codex:A > codex-memory/a | A |  | when When the task is: X\ncodex:A-2 > codex-memory/a-2 | A | \ncodex:A-2-2 > codex-memory/a-2-2 | A-2 | \n"},
		{"groups in code", from("MEMORY.md", "# Task Group: A\n```\n# Task Group: no\n```\n~~~\n# Task Group: B\nb\n# Task Group: C\n```\n# Task Group: no\n```\n"), top +
			"codex:A > codex-memory/a | A | \ncodex:B > codex-memory/b | B | \ncodex:C > codex-memory/c | C | \n"},
		{"a block of pointers", from("MEMORY.md", "# Task Group: A\n<!-- sub-memories -->\n[]\n<!-- /sub-memories -->\n"), top +
			"left MEMORY.md:1: it holds the markers of a pointer block, which are written by this program alone\n"},
	} {
		if got := told(read("codex", row.files)); got != row.want {
			t.Errorf("%s: got\n%s\nwant\n%s", row.name, got, row.want)
		}
	}
}

// The text of a group stays but for its first line, a scope that the phrase says, and links to
// what stays behind. What is of no group stands above.
func TestCodexTexts(t *testing.T) {
	long := strings.Repeat("word ", 40)
	b := read("codex", from("MEMORY.md", "\ufeff# Mine\r\nKept.\r\n"+gateway+"# More\nof mine\n# Task Group: "+long+"\nscope: "+long+"\nx\n# Task Group: Z\napplies_to: z\nscope: When in Z\nx\n"))
	want := []string{
		"# Mine\nKept.\n# More\nof mine\n",
		strings.NewReplacer("# Task Group: Gateway / releases\n\n", "", "<rollout_summaries/a.md>", "rollout_summaries/a.md",
			"[the log](rollout_summaries/b.md)", "the log (rollout_summaries/b.md)", "[rollout_summaries/b.md](./rollout_summaries/b.md)", "rollout_summaries/b.md", "[[raw_memories.md|raw]]", "raw_memories.md").Replace(gateway),
		"applies_to: z\nx\n",
		strings.TrimSpace(long) + "\n\nscope: " + long + "\nx\n",
	}
	for i, item := range b.Items {
		m := vault.ParseText("x.md", item.Text)
		if m.Prose != want[i] {
			t.Errorf("got %q, want %q", m.Prose, want[i])
		}
		if utf8.RuneCountInString(m.Summary) > vault.TriggerLimit {
			t.Errorf("the phrase is long: %s", m.Summary)
		}
	}
}

// A scope becomes a phrase that says when.
func TestCodexPhrases(t *testing.T) {
	for scope, want := range map[string]string{
		"when it rains":                      "When it rains",
		"Use this block only if it rains":    "If it rains",
		"Rain; do not use when it snows":     "When the task is: Rain; do not use when it snows",
		"Building X, especially when asked":  "When the task is: Building X, especially when asked",
		"Covers the rain.":                   "When the task is: the rain.",
		"use for rain, reuse when it snows":  "When the task is: rain, reuse when it snows",
		"If-like words are no if, nor iffy ": "When the task is: If-like words are no if, nor iffy",
	} {
		b := read("codex", from("MEMORY.md", "# Task Group: A\nscope: "+scope+"\nx\n"))
		if got := vault.ParseText("x.md", b.Items[1].Text).Summary; got != want {
			t.Errorf("%s: got %q, want %q", scope, got, want)
		}
	}
}

// Codex reorders its groups and rewrites them: each is known again, and what was edited here stays.
func TestCodexAgain(t *testing.T) {
	const a, b, c = "# Task Group: A\napplies_to: cwd=/x\none\n", "# Task Group: A\napplies_to: cwd=/y\ntwo\n", "# Task Group: C\nthree\n"
	w := vaultmap.New(vaultmap.Family())
	book := func(texts ...string) transfer.Import {
		return transfer.Import{Bundle: read("codex", from("MEMORY.md", strings.Join(texts, ""))), Update: true}
	}
	if out, _ := run(t, w, book(a, b, c)); out.Created != 4 {
		t.Fatalf("got %+v", out)
	}
	w.Commit("by hand")
	if out, _ := run(t, w, book(c, b, strings.ReplaceAll(a, "\n", "\r\n"))); out.Unchanged != 4 {
		t.Errorf("reordered: got %+v", out)
	}
	w.Disk["codex-memory/c.md"] += "Ours.\n"
	w.Commit("by hand")
	out, rows := run(t, w, book(c+"more\n", b+"more\n", a))
	if out.Updated != 1 || rows["codex:A-2"].Action != transfer.Updated || rows["codex:C"].Action != transfer.Differs {
		t.Errorf("rewritten: got %+v", out)
	}
}
