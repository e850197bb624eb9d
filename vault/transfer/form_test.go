package transfer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/transfer"
)

// told returns the items of a bundle, one a line: source, place, title, labels, then the rest.
func told(b transfer.Bundle) string {
	var out strings.Builder
	for _, i := range b.Items {
		m := vault.ParseText(vault.Path(i.Place+".md"), i.Text)
		fmt.Fprintf(&out, "%s > %s | %s | %s", i.Source, i.Place, m.Title, strings.Join(m.Labels, ","))
		if m.Summary != "" {
			fmt.Fprintf(&out, " | when %s", m.Summary)
		}
		for _, l := range i.Links {
			fmt.Fprintf(&out, " | %s %s", l.Says, l.To)
		}
		out.WriteString("\n")
	}
	for _, l := range b.Left {
		fmt.Fprintf(&out, "left %s: %s\n", l.Source, l.Reason)
	}
	return out.String()
}

// read reads files in the form of a name.
func read(name string, files []transfer.File) transfer.Bundle {
	form, _ := transfer.FormOf(name)
	return form.Read(files)
}

// Each row is what a program has, and what is made of it.
func TestRead(t *testing.T) {
	for _, row := range []struct {
		name, form string
		files      []transfer.File
		want       string
	}{
		{"an entity twice, and a relation to nowhere", "server-memory", from("m.jsonl", `
{"type":"entity","name":"A","entityType":"some, sort","observations":["x","x"]}
{"type":"entity","name":"A","entityType":"other","observations":["y"]}
{"type":"relation","from":"A","to":"Gone","relationType":"needs"}
{"type":"entity","name":"a","entityType":"","observations":[]}
{"type":"odd"}
[1]
{"type":`), `
server-memory: > knowledge-graph | Knowledge graph |  | when When you look for what the memory server knew of a thing
server-memory:A > knowledge-graph/a | A | some-sort | needs server-memory:Gone
server-memory:a > knowledge-graph/a-2 | a | 
left m.jsonl:6: it is neither an entity with a name nor a relation with two ends
left m.jsonl:7: it is no object of JSON
left m.jsonl:8: it cannot be read: no valid JSON at byte 8
`},
		{"nothing", "server-memory", from("m.jsonl", ""), ""},
		{"parents that go in a circle", "beads", from("b.jsonl", `
{"id":"bd-1","title":"One","dependencies":[{"depends_on_id":"bd-2","type":"parent-child"}]}
{"id":"bd-2","title":"Two","dependencies":[{"depends_on_id":"bd-1","type":"parent-child"}]}
{"id":"bd-2.1","title":"Two","status":"deferred","defer_until":"2026-02-01","labels":["x"]}
{"id":"bd-2","title":"Again"}
{"id":"","title":"x"}
{"id":"bd-3","title":7}
{"_schema":"beads-jsonl/1"}
{"_type":"memory","key":"","value":"x"}`), `
beads: > beads | Beads |  | when When you want to know what is to be done or was done, from beads
beads:bd-1 > beads/one | One | 
beads:bd-2 > beads/one/two | Two | 
beads:bd-2.1 > beads/one/two/two | Two | x
left b.jsonl:6: an issue without an id or a title
left b.jsonl:7: it cannot be read: title is a number
left b.jsonl:9: a memory without a key or a text
left b.jsonl:5: another one has the same name (beads:bd-2)
`},
		{"a title that is a text", "beads", from("b.jsonl", `{"id":"bd-1","title":"`+strings.Repeat("word ", 40)+`\u0000"}`), `
beads: > beads | Beads |  | when When you want to know what is to be done or was done, from beads
beads:bd-1 > beads/` + strings.TrimSuffix(strings.Repeat("word-", 12), "-") + ` | ` + strings.TrimSpace(strings.Repeat("word ", 19)) + `… | 
`},
		{"an index without topics, and a topic that it does not name", "claude", from("x.md", "Text.\n", "MEMORY.md", "- [Gone](gone.md) — hook\n"), `
claude:MEMORY.md > claude-code-memory | Claude Code memory |  | when When you want what Claude Code has noted of this project and its people
claude:x.md > claude-code-memory/x | x | 
`},
		{"no index", "claude", from("sub/x.md", "---\nname: A name\ntype: user\n---\nText.\n"), `
claude:sub/x.md > claude-code-memory/sub/x | A name | user
claude:MEMORY.md > claude-code-memory | Claude Code memory |  | when When you want what Claude Code has noted of this project and its people
`},
		{"a note of another type, and one with a pointer block", "basic-memory", from("a.md", "---\ntitle: A\ntype: task\n---\n- [ ] not #this\n- [idea] but #that (since)\n", "b.md", "x\n\n<!-- sub-memories -->\n[]\n<!-- /sub-memories -->\n"), `
basic-memory:a.md > a | A | task,that
left b.md: it holds the markers of a pointer block, which are written by this program alone
`},
		{"tags", "obsidian", from("n.md", "#one #2 a#no [x](#no) #två/drei-\n```\n#no\n```\n`#no` #one\n# Head\n"), `
obsidian:n.md > n | Head | one,två/drei
`},
		{"a broken header", "obsidian", from("n.md", "---\ntags: [x\n---\nText #t\n"), `
obsidian:n.md > n | n | 
`},
		{"headings", "agents-md", from("AGENTS.md", "Before.\n\n## Same\n1\n## Same\n2\n## Empty\n\n# Top\n```\n## no\n```\n## In *it*\n3\n"), `
agents-md:AGENTS.md > agents | AGENTS |  | when When you work in this project and want its rules, from AGENTS.md
agents-md:AGENTS.md#same > agents/same | Same | 
agents-md:AGENTS.md#same-2 > agents/same-2 | Same | 
agents-md:AGENTS.md#top > agents/top | Top | 
agents-md:AGENTS.md#in-it > agents/top/in-it | In *it* | 
left AGENTS.md:7: nothing stands below the heading 'Empty'
`},
		{"regions", "agents-md", from("C.md", "a\n<!-- cp:core gap=1 -->\n## Ours\nx\n<!-- /cp:core -->\n<!-- x:start -->\n## X\n<!-- x:end -->\n<!-- BEGIN OPEN -->\n## Kept\ny\n<!-- a comment -->\n"), `
agents-md:C.md > c | C |  | when When you work in this project and want its rules, from C.md
agents-md:C.md#kept > c/kept | Kept | 
left C.md:2: lines 2 to 5 are kept by a program (cp:core)
left C.md:6: lines 6 to 8 are kept by a program (x)
`},
		{"the answer of an API", "mem0", from("m.json", `{"results":[{"id":"1","memory":"One","categories":["c"],"metadata":{"type":"t","branch":"main"}},{"memory":""}]}`), `
mem0: > mem0 | mem0 |  | when When you look for what mem0 has remembered
mem0:1 > mem0/one | One | t,c
left m.json, memory 2: it has no text
`},
		{"blocks", "mem0", from("m.md", "no header\n---\nid: a\n---\nText with\n---\na rule\n"), `
mem0: > mem0 | mem0 |  | when When you look for what mem0 has remembered
mem0:a > mem0/text-with | Text with | 
left m.md, block 1: its header cannot be read
`},
	} {
		if got := told(read(row.form, row.files)); got != strings.TrimPrefix(row.want, "\n") {
			t.Errorf("%s: got\n%s\nwant%s", row.name, got, row.want)
		}
	}
}

// What a note says stays byte for byte, but for the keys that are added.
func TestNotesStayAsTheyAre(t *testing.T) {
	text := "---\r\ntitle: 'A'  # why\r\nodd: {a: 1}\r\n---\r\nText.  \r\n\r\n"
	b := read("obsidian", from("a.md", text))
	if got := string(b.Items[0].Text); got != text {
		t.Errorf("got %q", got)
	}
}

// The limits hold, and are told.
func TestLimits(t *testing.T) {
	long := `{"type":"entity","name":"A","entityType":"` + strings.Repeat("x", 5<<20) + `"}`
	b := read("server-memory", from("m.jsonl", long+"\n"+strings.Repeat("\n", 100_001)+`{"type":"entity","name":"B"}`))
	if got := told(b); got != "left m.jsonl:1: the line is longer than 4 MiB\nleft m.jsonl:100001: a file has at most 100000 lines; what follows was not read\n" {
		t.Errorf("got %q", got)
	}
	var many strings.Builder
	for range 2000 {
		many.WriteString("x\n")
	}
	if got := read("beads", from("b", many.String())); len(got.Left) != 1001 {
		t.Errorf("%d rows tell of what was left", len(got.Left))
	}
	deep := `{"type":"entity","name":"A","observations":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}"
	if b := read("server-memory", from("m", deep)); len(b.Items) != 0 || len(b.Left) != 1 {
		t.Errorf("got %+v", b)
	}
}

// No text makes a reader fail. Sources and places are given once, and every text is a memory
// that can be read, without a pointer block.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"", "---\nid: a\n---\nx", `{"type":"entity","name":"\u0000","observations":["<!-- sub-memories -->"]}`, `{"id":"b","title":"t","dependencies":[{"depends_on_id":"b"}]}`,
		"- [a](b.md) — c\n[[d]]", "<!-- BEGIN X -->\n<!-- END X -->\n# a\n## b", "\xff\xfe", "#t `#u"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range transfer.Forms() {
			if !form.Kind.InTree() {
				continue
			}
			b := read(form.Name, from("a.md", text, "MEMORY.md", text, "x/b.md", text))
			sources, places := make(map[string]bool), make(map[string]bool)
			for _, i := range b.Items {
				if sources[i.Source] || places[i.Place] || i.Place == "" || strings.ContainsAny(i.Source, "\n\x00") {
					t.Errorf("%s: %q and %q", form.Name, i.Source, i.Place)
				}
				sources[i.Source], places[i.Place] = true, true
				if m := vault.Parse("a.md", i.Text); m.HasBlock {
					t.Errorf("%s: a block in %q", form.Name, i.Text)
				}
			}
		}
	})
}
