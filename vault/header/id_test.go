package header_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/header"
)

// What a person writes is the id if it can serve as one.
func TestParseID(t *testing.T) {
	for _, row := range []struct{ in, want string }{
		{"pf-7k2m9qx4", "pf-7k2m9qx4"},
		{"intro", "intro"},
		{"ADR-0007", "ADR-0007"},
		{"202301011200", "202301011200"},
		{"3f2504e0-4f89-11d3-9a0c-0305e82c3301", "3f2504e0-4f89-11d3-9a0c-0305e82c3301"},
		{"a.b_c:d@e+f-", "a.b_c:d@e+f-"},
		{"Überblick", "überblick"},
		{"u\u0308ber", "über"},
		{"ที่", "ที่"},
		{strings.Repeat("é", 100), strings.Repeat("é", 100)},
		{strings.Repeat("a", 101), ""},
		{"", ""},
		{"new-7k2m9qx4", ""},
		{"NEW-1", ""},
		{"newer", "newer"},
		{"docs/intro", ""},
		{"two words", ""},
		{".hidden", ""},
		{"-x", ""},
		{"a\x00b", ""},
		{"a\xffb", ""},
	} {
		if got, ok := header.ParseID(row.in); ok != (row.want != "") || ok && got != row.want {
			t.Errorf("%q: got %q, %v, want %q", row.in, got, ok, row.want)
		}
	}
	if pointer.FoldID("ADR-Über") != pointer.FoldID("adr-ÜBER") {
		t.Error("ids are told apart by case")
	}
}

// A person's line stays, and ours stands below it.
func TestSetID(t *testing.T) {
	for _, row := range []struct{ name, header, instead, want, is string }{
		{"no line", "title: T\n", "", "id: pf-1\ntitle: T\n", "pf-1"},
		{"a list", "id:\n  - a\ntitle: T\n", "", "id:\n  - a\ncp_id: pf-1\ntitle: T\n", "pf-1"},
		{"a mapping", "id: {a: b}\n", "", "id: {a: b}\ncp_id: pf-1\n", "pf-1"},
		{"nothing", "id:\n", "", "id:\ncp_id: pf-1\n", "pf-1"},
		{"a slash", "id: a/b # mine\n", "", "id: a/b # mine\ncp_id: pf-1\n", "pf-1"},
		{"another file has it", "id: 'intro'\n", "", "id: 'intro'\ncp_id: pf-1\n", "pf-1"},
		{"the one it has", "id: \"pf-1\"\n", "", "id: \"pf-1\"\n", "pf-1"},
		{"a copy of ours", "id: pf-0\n", "pf-0", "id: pf-1\n", "pf-1"},
		{"not the one that gives way", "id: pf-x\n", "pf-0", "id: pf-x\ncp_id: pf-1\n", "pf-1"},
		{"a copy of a file with both", "id: intro\ncp_id: pf-0\n", "pf-0", "id: intro\ncp_id: pf-1\n", "pf-1"},
	} {
		doc, err := header.SetID([]byte("---\n"+row.header+"---\ntext\n"), "pf-1", row.instead)
		if got := string(doc); err != nil || got != "---\n"+row.want+"---\ntext\n" {
			t.Errorf("%s: got %q, %v", row.name, got, err)
			continue
		}
		if h, _ := header.Split(doc); header.IdentityOf(h) != row.is {
			t.Errorf("%s: it is %q", row.name, header.IdentityOf(h))
		}
	}
}

// Obsidian's tags are labels, under whichever key they stand.
func TestTagsAreLabels(t *testing.T) {
	for _, row := range []struct{ name, header, add, remove, want, labels string }{
		{"read", "tags: [a, '#b']\n", "", "", "tags: [a, '#b']\n", "a b"},
		{"both are", "labels: [x]\ntags: [a]\n", "", "", "labels: [x]\ntags: [a]\n", "x a"},
		{"added to those that are there", "tags:\n  - a\n", "b", "", "tags:\n  - a\n  - b\n", "a b"},
		{"ours before theirs", "tags: [a]\nlabels: [x]\n", "b", "", "tags: [a]\nlabels: [x, b]\n", "x b a"},
		{"none there", "title: T\n", "b", "", "title: T\nlabels: [b]\n", "b"},
		{"what is there is not said again", "tags: ['#a']\n", "a", "", "tags: ['#a']\n", "a"},
		{"taken out of both", "labels: [a, x]\ntags: ['#a', b]\n", "", "a", "labels: [x]\ntags: [b]\n", "x b"},
	} {
		doc := []byte("---\n" + row.header + "---\n")
		var err error
		if row.add != "" {
			doc, err = header.AddItems(doc, "labels", []string{row.add})
		}
		if row.remove != "" {
			doc, err = header.RemoveItems(doc, "labels", []string{row.remove})
		}
		v, _ := read(strings.TrimSuffix(strings.TrimPrefix(string(doc), "---\n"), "---\n"))
		if got := strings.Join(v.Labels, " "); err != nil || string(doc) != "---\n"+row.want+"---\n" || got != row.labels {
			t.Errorf("%s: got %q, which says %s, %v", row.name, doc, got, err)
		}
	}
}
