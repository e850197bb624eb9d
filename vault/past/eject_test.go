package past

import (
	"strings"
	"testing"
)

// What eject takes out of a text, by itself.
func TestFindOurs(t *testing.T) {
	const block = "\n<!-- sub-memories -->\n[\n  {\"id\": \"pf-7k2m9qx4\", \"title\": \"A\", \"summary\": \"s\"}\n]\n<!-- /sub-memories -->\n"
	for _, row := range []struct{ name, text, want, parts, why string }{
		{name: "nothing of the program's", text: "---\ntitle: A\n---\nText\n", want: "---\ntitle: A\n---\nText\n"},
		{name: "an id alone", text: "---\nid: pf-7k2m9qx4\n---\nText", want: "Text", parts: "id, front matter"},
		{name: "an id among others", text: "---\nid: pf-7k2m9qx4\ntitle: A # mine\n---\n", want: "---\ntitle: A # mine\n---\n", parts: "id"},
		{name: "a comment stays, and the front matter with it", text: "---\nid: pf-7k2m9qx4\n# mine\n---\n", want: "---\n# mine\n---\n", parts: "id"},
		{name: "a person's id", text: "---\nid: intro\ncp_id: pf-7k2m9qx4\n---\n", want: "---\nid: intro\n---\n", parts: "cp_id"},
		{name: "an id with another prefix", text: "---\nid: adr-20240211\n---\n", want: "---\nid: adr-20240211\n---\n"},
		{name: "the root of the journal", text: "---\nid: pf-journal\njournal: true\n---\n", want: "---\njournal: true\n---\n", parts: "id"},
		{name: "an entry", text: "---\nid: pf-7k2m9qx4\ntype: decision\ncommit: abc\ncommit_key: k\n---\nText\n", want: "---\ntype: decision\ncommit: abc\n---\nText\n", parts: "id, commit_key"},
		{name: "line ends", text: "---\r\nid: pf-7k2m9qx4\r\n---\r\nText\r\n" + strings.ReplaceAll(block, "\n", "\r\n"), want: "Text\r\n", parts: "id, front matter, pointers"},
		{name: "a mark in front", text: "\ufeff---\nid: pf-7k2m9qx4\n---\nText\n", want: "\ufeffText\n", parts: "id, front matter"},
		{name: "text below the block", text: "Text\n" + block + "\nMore\n", want: "Text\n\nMore\n", parts: "pointers"},
		{name: "TOML", text: "+++\nid = \"pf-7k2m9qx4\"\n+++\n", want: "+++\n+++\n", parts: "id"},
		{name: "JSON on one line", text: "{\"id\": \"pf-7k2m9qx4\", \"title\": \"A\"}\nText\n", want: "{\"title\": \"A\"}\nText\n", parts: "id"},
		{name: "a front matter that cannot be read", text: "---\nid: pf-7k2m9qx4\n- {\n---\n", why: "front matter cannot be read"},
		{name: "a block that cannot be read", text: "Text\n\n<!-- sub-memories -->\n[\n<!-- /sub-memories -->\n", why: "pointer block cannot be read"},
	} {
		t.Run(row.name, func(t *testing.T) {
			f, why := findOurs("pf", []byte(row.text))
			if !strings.Contains(why, row.why) || (why == "") != (row.why == "") {
				t.Fatalf("got %q, want %q", why, row.why)
			}
			if row.why != "" {
				return
			}
			if got, parts := string(f.docs[0]), strings.Join(f.parts, ", "); got != row.want || parts != row.parts {
				t.Errorf("got %q without %s\nwant %q without %s", got, parts, row.want, row.parts)
			}
			if again, _ := findOurs("pf", f.docs[0]); len(again.steps) > 0 {
				t.Errorf("a second time it takes %v", again.parts)
			}
		})
	}
}

// An id that was typed stands on disk alone, so nothing is taken out of either version.
func TestFindOursOfTwoVersions(t *testing.T) {
	committed, typed := []byte("---\nid: pf-7k2m9qx4\n---\nText\n"), []byte("---\nid: mine\n---\nText\n")
	if _, why := findOurs("pf", typed, committed); why == "" {
		t.Error("the typed id is taken for the program's")
	}
	f, why := findOurs("pf", []byte("---\nid: pf-7k2m9qx4\nmine: x\n---\nText\n"), committed)
	if why != "" || string(f.docs[0]) != "---\nmine: x\n---\nText\n" || string(f.docs[1]) != "Text\n" {
		t.Errorf("got %q, %s", f.docs, why)
	}
}
