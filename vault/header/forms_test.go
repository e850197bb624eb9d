package header_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/header"
)

// TestForms: a header of another form is read, and edited in its own form; no second one comes
// above it.
func TestForms(t *testing.T) {
	const toml = "+++\ntitle = \"Release notes\" # ours\ntags = [\"ops\", 'b']\ndate = 2024-01-01\n\n[extra]\nid = 3\n+++\nbody\n"
	for name, row := range map[string]struct{ doc, withID, withStatus, titled string }{
		"TOML": {toml, strings.Replace(toml, "title", "id = \"pf-1\"\ntitle", 1),
			strings.Replace(toml, "2024-01-01\n", "2024-01-01\nstatus = \"closed\"\n", 1), strings.Replace(toml, "Release notes", `A \"new\" one`, 1)},
		"JSON": {"{\n  \"title\": \"Release notes\",\n  \"tags\": [\"ops\", \"b\"],\n  \"date\": \"2024-01-01\"\n}\n\nbody\n",
			"{\n  \"id\": \"pf-1\",\n  \"title\": \"Release notes\",\n  \"tags\": [\"ops\", \"b\"],\n  \"date\": \"2024-01-01\"\n}\n\nbody\n",
			"{\n  \"title\": \"Release notes\",\n  \"tags\": [\"ops\", \"b\"],\n  \"date\": \"2024-01-01\",\n  \"status\": \"closed\"\n}\n\nbody\n",
			"{\n  \"title\": \"A \\\"new\\\" one\",\n  \"tags\": [\"ops\", \"b\"],\n  \"date\": \"2024-01-01\"\n}\n\nbody\n"},
		"JSON on one line": {"---json\n{\"title\": \"Release notes\", \"tags\": [\"ops\",\"b\"], \"date\": \"2024-01-01\"}\n---\nbody\n",
			"---json\n{\"id\": \"pf-1\", \"title\": \"Release notes\", \"tags\": [\"ops\",\"b\"], \"date\": \"2024-01-01\"}\n---\nbody\n",
			"---json\n{\"title\": \"Release notes\", \"tags\": [\"ops\",\"b\"], \"date\": \"2024-01-01\", \"status\": \"closed\"}\n---\nbody\n",
			"---json\n{\"title\": \"A \\\"new\\\" one\", \"tags\": [\"ops\",\"b\"], \"date\": \"2024-01-01\"}\n---\nbody\n"},
		"semicolons": {";;;\n{\n\t\"title\": \"Release notes\", \"tags\": [\"ops\", \"b\"], \"date\": \"2024-01-01\"\n}\n;;;\nbody\n",
			";;;\n{\n\t\"id\": \"pf-1\",\n\t\"title\": \"Release notes\", \"tags\": [\"ops\", \"b\"], \"date\": \"2024-01-01\"\n}\n;;;\nbody\n",
			";;;\n{\n\t\"title\": \"Release notes\", \"tags\": [\"ops\", \"b\"], \"date\": \"2024-01-01\",\n\t\"status\": \"closed\"\n}\n;;;\nbody\n",
			";;;\n{\n\t\"title\": \"A \\\"new\\\" one\", \"tags\": [\"ops\", \"b\"], \"date\": \"2024-01-01\"\n}\n;;;\nbody\n"},
		"blank lines above": {"\n  \n---\ntitle: Release notes\ntags: [ops, b]\ndate: 2024-01-01\n---\nbody\n",
			"\n  \n---\nid: pf-1\ntitle: Release notes\ntags: [ops, b]\ndate: 2024-01-01\n---\nbody\n",
			"\n  \n---\ntitle: Release notes\ntags: [ops, b]\ndate: 2024-01-01\nstatus: closed\n---\nbody\n",
			"\n  \n---\ntitle: A \"new\" one\ntags: [ops, b]\ndate: 2024-01-01\n---\nbody\n"},
		"named YAML": {"---yaml\r\ntitle: Release notes\r\ntags: [ops, b]\r\ndate: 2024-01-01\r\n---\r\nbody\r\n",
			"---yaml\r\nid: pf-1\r\ntitle: Release notes\r\ntags: [ops, b]\r\ndate: 2024-01-01\r\n---\r\nbody\r\n",
			"---yaml\r\ntitle: Release notes\r\ntags: [ops, b]\r\ndate: 2024-01-01\r\nstatus: closed\r\n---\r\nbody\r\n",
			"---yaml\r\ntitle: A \"new\" one\r\ntags: [ops, b]\r\ndate: 2024-01-01\r\n---\r\nbody\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			h, body := header.Split([]byte(row.doc))
			title, _ := h.Get("title")
			date, _ := h.Get("date")
			if title != "Release notes" || date != "2024-01-01" || !slices.Equal(h.List("tags"), []string{"ops", "b"}) || strings.TrimSpace(string(body)) != "body" {
				t.Fatalf("got %q, %q, %q, %q, %v", title, date, h.List("tags"), body, h.Err())
			}
			for _, e := range [...]struct{ key, value, want string }{{"id", "pf-1", row.withID}, {"status", "closed", row.withStatus}, {"title", `A "new" one`, row.titled}} {
				got, err := header.Set([]byte(row.doc), e.key, e.value)
				if err != nil || string(got) != e.want {
					t.Errorf("%s: %v\ngot\n%s\nwant\n%s", e.key, err, got, e.want)
					continue
				}
				if h, _ := header.Split(got); h.Err() != nil {
					t.Error(h.Err())
				}
			}
			with, err := header.SetList([]byte(row.doc), "tags", []string{"ops", "b", "new"})
			if after, _ := header.Split(with); err != nil || !slices.Equal(after.List("tags"), []string{"ops", "b", "new"}) {
				t.Errorf("tags: %v\n%s", err, with)
			}
			set, _ := header.Set([]byte(row.doc), "status", "closed")
			if got, err := header.DropLines(set, "status"); err != nil || string(got) != row.doc {
				t.Errorf("dropped: %v\n%s", err, got)
			}
		})
	}
}

// TestFormsLeftAlone: what is no front matter is text, and what cannot be read is told with
// its line and never written to.
func TestFormsLeftAlone(t *testing.T) {
	for name, doc := range map[string]string{
		"an object that is the text": "{\"error\": 500}\n", "one with a title": "{\"title\": \"x\"}\n", "braces": "{ not json }\ntext\n",
		"a break after blank lines": "\n---\n\nwords\n---\n", "plus signs": "+++\nwords\n+++", "an open object": "{\"title\": \"x\"\n",
	} {
		if h, body := header.Split([]byte(doc)); h.HasFrontMatter() || len(body) != len(doc) {
			t.Errorf("%s: found %v, body %q", name, h.HasFrontMatter(), body)
		}
	}
	for name, row := range map[string]struct {
		doc  string
		line int
	}{
		"broken TOML":    {"+++\na = 1\nb = = 2\n+++\nx\n", 3},
		"a script":       {"---js\nmodule.exports = {}\n---\nx\n", 1},
		"no braces":      {";;;\n\"title\": \"x\"\n;;;\nx\n", 1},
		"never closed":   {"+++\na = 1\nx\n", 1},
		"zola's own tag": {"+++\n[taxonomies]\ntags = [\"a\"]\n+++\nx\n", 0},
	} {
		h, _ := header.Split([]byte(row.doc))
		if err := h.Err(); row.line > 0 && (!h.HasFrontMatter() || err == nil) || row.line == 0 && (err != nil || !slices.Equal(h.List("tags"), []string{"a"})) {
			t.Errorf("%s: found %v, %v, %q", name, h.HasFrontMatter(), err, h.List("tags"))
		}
		if got, err := header.Set([]byte(row.doc), "title", "x"); row.line > 0 && err == nil {
			t.Errorf("%s: written to: %q", name, got)
		}
	}
}
