package transfer

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

func TestDressAddsTheIdAndNothingElse(t *testing.T) {
	const head = "---\nid: pf-7k2m9qx4\n---\n"
	for _, row := range []struct{ name, in, want string }{
		{"plain text", "# Title\n\ntext", head + "# Title\n\ntext"},
		{"an empty file", "", head},
		{"a header", "---\ntitle: T\n---\ntext\n", "---\nid: pf-7k2m9qx4\ntitle: T\n---\ntext\n"},
		{"line ends of Windows", "---\r\ntitle: T\r\n---\r\ntext\r\n", "---\r\nid: pf-7k2m9qx4\r\ntitle: T\r\n---\r\ntext\r\n"},
		{"a byte order mark", "\uFEFF# T\n", "\uFEFF" + head + "# T\n"},
		{"an id that is not ours", "---\nid: 42\ntitle: T\n---\n", "---\nid: 42\ncp_id: pf-7k2m9qx4\ntitle: T\n---\n"},
		{"a thematic break first", "---\n\ntext\n\n---\n", head + "---\n\ntext\n\n---\n"},
		{"TOML", "+++\ntitle = \"T\"\n+++\n# H\n", "+++\nid = \"pf-7k2m9qx4\"\ntitle = \"T\"\n+++\n# H\n"},
		{"TOML with the only title", "+++\ntitle = \"T\"\n+++\ntext\n", "+++\nid = \"pf-7k2m9qx4\"\ntitle = \"T\"\n+++\ntext\n"},
		{"JSON with the only title", "{\"title\": \"T\"}\n\ntext\n", "{\"id\": \"pf-7k2m9qx4\", \"title\": \"T\"}\n\ntext\n"},
		{"an agent's file without a heading", "---\nname: postmortem\n---\ntext\n", "---\nid: pf-7k2m9qx4\nname: postmortem\ntitle: postmortem\n---\ntext\n"},
		{"an agent's file with a heading", "---\nname: postmortem\n---\n# Write it\n", "---\nid: pf-7k2m9qx4\nname: postmortem\n---\n# Write it\n"},
		{"a header that is never closed", "---\ntitle: T\ntext\n", head + "---\ntitle: T\ntext\n"},
		{"a header that is no YAML", "---\ntitle: [\n---\ntext\n", head + "---\ntitle: [\n---\ntext\n"},
		{"a repeated key", "---\na: 1\na: 2\n---\ntext\n", head + "---\na: 1\na: 2\n---\ntext\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, ok := newSource([]byte(row.in)).dress("pf-7k2m9qx4", nil)
			if !ok || string(got) != row.want {
				t.Errorf("got %v\n%s\nwant\n%s", ok, got, row.want)
			}
			if id := vault.Parse("notes/x.md", got).ID; id != "pf-7k2m9qx4" {
				t.Errorf("the memory's id is %q", id)
			}
		})
	}
}

func TestAlikeTellsVersionsFromStrangers(t *testing.T) {
	text := strings.Repeat("The gateway answers with an error when the pool of connections is empty. ", 5)
	for _, row := range []struct {
		name, a, b string
		want       bool
	}{
		{"the same", text, text, true},
		{"a paragraph more", text, text + "Restart it then, after looking at the log of the pool.", true},
		{"a word more", "hello", "hello world", true},
		{"another text", text, "# Readme\n\nInstall with make install; run the tests with make test.", false},
		{"empty and not", "", text, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := alike([]byte(row.a), []byte(row.b)); got != row.want {
				t.Errorf("got %v, want %v", got, row.want)
			}
		})
	}
}

func TestPhraseComesFromWhateverSaysWhen(t *testing.T) {
	for _, row := range []struct{ name, in, want string }{
		{"summary", "---\nsummary: when it burns\ndescription: other\n---\n", "when it burns"},
		{"description", "---\ndescription: Use when  it burns\n---\n", "Use when  it burns"},
		{"when_to_use", "---\nwhen_to_use: it burns\n---\n", "it burns"},
		{"TOML", "+++\ndescription = \"it burns\"\n+++\n", "it burns"},
		{"JSON", "{\"description\": \"it burns\"}\n\ntext\n", "it burns"},
		{"none", "# T\n", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := newSource([]byte(row.in)).phraseOf(vault.Parse("x.md", []byte(row.in))); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}
