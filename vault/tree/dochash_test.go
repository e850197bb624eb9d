package tree_test

import (
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// The published vectors: files and their names. They never change.
var vectors = []struct{ path, file, hash string }{
	{"deployment.md", "---\ntitle: Deployment\n---\nNomad runs it.\n", "fd90540cee0bc67fb020669560dd1c196bd5e292731dc950f12e40f023aa6381"},
	{"a.md", "---\ntitle: Databases\ndecisions: [Use PostgreSQL 17]\nrationale:\n  - One host is enough\n---\nThe \"primary\" is on db1 \\ 5 < 6 & 7 > 3.\n", "863d3c15970605d72ba44ba9119db0dbda9e30fa5a28d504d30b661194192742"},
	{"a.md", "---\ntitle: Größe \u2028 <&>\n---\nZwei\n\tZeilen \u0007 und 漢字.\n", "8b9ce628cc66085364f8ec5370c0b94c4c642260ae59b47c8e3b7ec736560dd7"},
	{"a.md", "", "7fc52db8591e4a1ea063a8955a4a48d96b96dca4a2f6940b3a53051175d5482f"},
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		if got := tree.HashOf(vault.Parse(vault.Path(v.path), []byte(v.file))); got != v.hash {
			t.Errorf("%q: %s, want %s", v.file, got, v.hash)
		}
	}
}

// What does not belong to what a memory says changes nothing; what does, does.
func TestWhatCounts(t *testing.T) {
	const doc = "---\ntitle: A\ndecisions: [x]\n---\nText.\n"
	base := tree.HashOf(vault.Parse("a.md", []byte(doc)))
	for name, row := range map[string]struct {
		path, doc string
		same      bool
	}{
		"another path":       {"b/c.md", doc, true},
		"labels and phrase":  {"a.md", "---\nid: pf-1\ntitle: A\nlabels: [l]\nsummary: when\nstatus: closed\nmetadata: {k: v}\nsource: s\ndecisions: [x]\n---\nText.\n", true},
		"CRLF":               {"a.md", "---\r\ntitle: A\r\ndecisions: [x]\r\n---\r\nText.\r\n", true},
		"a byte order mark":  {"a.md", "\ufeff" + doc, true},
		"white space around": {"a.md", "---\ntitle: A\ndecisions:\n- x\n---\n\n\nText.  \n\n", true},
		"a pointer block":    {"a.md", doc + "\n<!-- sub-memories -->\n[\n  {\"id\": \"pf-2\", \"title\": \"B\", \"summary\": \"when\"}\n]\n<!-- /sub-memories -->\n", true},
		"another title":      {"a.md", "---\ntitle: B\ndecisions: [x]\n---\nText.\n", false},
		"another text":       {"a.md", "---\ntitle: A\ndecisions: [x]\n---\nTexts.\n", false},
		"another decision":   {"a.md", "---\ntitle: A\ndecisions: [y]\n---\nText.\n", false},
		"one as a rationale": {"a.md", "---\ntitle: A\nrationale: [x]\n---\nText.\n", false},
		"two for one":        {"a.md", "---\ntitle: A\ndecisions: [x, y]\n---\nText.\n", false},
	} {
		if got := tree.HashOf(vault.Parse(vault.Path(row.path), []byte(row.doc))); (got == base) != row.same {
			t.Errorf("%s: same is %v", name, got == base)
		}
	}
}

// A file without a title keeps its name through a rename.
func TestARenameChangesNothing(t *testing.T) {
	a, b := vault.Parse("a.md", []byte("Text.\n")), vault.Parse("x/b.md", []byte("Text.\n"))
	if tree.HashOf(a) != tree.HashOf(b) || a.Title == b.Title {
		t.Errorf("%s %s", tree.HashOf(a), tree.HashOf(b))
	}
	if heading := vault.Parse("a.md", []byte("# T\n\nText.\n")); tree.HashOf(heading) == tree.HashOf(vault.Parse("a.md", []byte("# U\n\nText.\n"))) {
		t.Error("another heading is the same")
	}
}
