package transfer

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
)

// Claude Code keeps its auto memory of a project in a folder: MEMORY.md is an index, and each
// topic has a file.
//
//	- [Testing](feedback_testing.md) — no mocks of the database     a line of MEMORY.md
//
//	---
//	name: feedback-testing
//	description: No mocks of the database
//	metadata:
//	  type: feedback
//	---
//	The fact. **Why:** … **How to apply:** … See [[deploy-steps]].
//
// MEMORY.md becomes the memory above the others. A line of it that says no more than the file
// that it names goes to the parent's pointers: its hook is the phrase of a file without a
// description. The type is a label, and [[name]] leads to the file of that name.

const claudeIndex = "MEMORY.md"

// entry is a line of MEMORY.md.
var entry = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*[-*] \[([^\]]+)\]\(<?([^)>]+)>?\)\s*(?:[—–:-]+\s*)?(.*?)\s*$`)
})

// hook is what MEMORY.md says of a file.
type hook struct{ title, text string }

// claude reads the form.
func (r *reader) claude() {
	var index *note
	all := r.notes()
	hooks := make(map[string]hook)
	for _, n := range all {
		if n.Rel == claudeIndex {
			index = n
			hooks = hooksOf(string(n.body))
		}
	}
	if len(all) == 0 {
		return
	}
	const title = "Claude Code memory"
	folder := r.placeForTitle("", title, r.form.Name)
	if index == nil {
		index = &note{File: File{Rel: claudeIndex, Text: []byte("# " + title + "\n")}}
		index.header, index.body = header.Split(index.Text)
		all = append(all, index)
	}
	index.place = folder
	places := make(map[string]string) // by the file's path
	for _, n := range all {
		if n != index {
			n.place = r.freePlace(join(folder, n.topicFileName()))
			places[n.Rel] = n.place
		}
	}
	for _, n := range all {
		if n == index {
			n.setDefault("title", title)
			n.setDefault("description", "When you want what Claude Code has noted of this project and its people")
			n.replaceBody(dropListedLines(string(n.body), all, hooks))
		} else {
			n.topic(hooks[n.Rel])
		}
		n.replaceBody(ledTo(string(n.body), path.Dir(n.Rel), path.Dir(n.place), places))
		r.takeNote(n)
	}
}

// topicFileName returns the name of a topic's file: its name: where that can be one, for [[name]]
// means it.
func (n *note) topicFileName() string {
	if name := n.get("name"); name != "" && name == filename.Slug(name, "") && path.Dir(n.Rel) == "." {
		return name
	}
	return n.stem()
}

// topic completes the header of a topic.
func (n *note) topic(h hook) {
	if h.title != "" && !strings.HasSuffix(h.title, ".md") {
		n.setDefault("title", h.title)
	} else if n.header.Line("title") == 0 && prose.Title(string(n.body)) == "" {
		n.setDefault("title", n.get("name"))
	}
	n.setDefault("description", h.text)
	said := n.get("type")
	if said == "" {
		said = inMetadata(n)
	}
	n.label(said)
}

// inMetadata returns the type that stands in the mapping metadata.
func inMetadata(n *note) string {
	for row := range strings.Lines(n.header.Text()) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(row), "type:"); ok && strings.HasPrefix(row, " ") {
			return strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return ""
}

// hooksOf returns what the lines of MEMORY.md say, by the files they name.
func hooksOf(body string) map[string]hook {
	all := make(map[string]hook)
	for row := range strings.Lines(body) {
		if m := entry().FindStringSubmatch(strings.TrimRight(row, "\r\n")); m != nil {
			all[path.Clean(m[2])] = hook{cleanLine(m[1]), cleanLine(m[3])}
		}
	}
	return all
}

// dropListedLines returns the text of MEMORY.md without the lines that say no more than the pointers
// do. A heading that then has nothing below it goes too.
func dropListedLines(body string, all []*note, hooks map[string]hook) string {
	said := make(map[string]bool)
	for _, n := range all {
		if h, ok := hooks[n.Rel]; ok {
			d := cleanLine(n.get("description"))
			said[n.Rel] = d == "" || d == h.text || h.text == ""
		}
	}
	var out []string
	for row := range strings.Lines(body) {
		m := entry().FindStringSubmatch(strings.TrimRight(row, "\r\n"))
		if m == nil || !said[path.Clean(m[2])] {
			out = append(out, row)
		}
	}
	return strings.Join(headless(out), "")
}

// headless drops the headings of level 2 and below that have nothing below them.
func headless(rows []string) (kept []string) {
	empty := func(i int) bool {
		for _, row := range rows[i+1:] {
			switch text := strings.TrimSpace(row); {
			case text == "":
			case level(text) > 0:
				return level(text) <= level(rows[i])
			default:
				return false
			}
		}
		return true
	}
	for i, row := range rows {
		if level(row) < 2 || !empty(i) {
			kept = append(kept, row)
		}
	}
	return kept
}

// level returns the level of a heading in a line; 0 for none.
func level(row string) int {
	rest := strings.TrimLeft(row, "#")
	if n := len(row) - len(rest); n <= 6 && strings.HasPrefix(rest, " ") {
		return n
	}
	return 0
}

// ledTo gives the Markdown links between the files the places that the files get.
func ledTo(body, dir, to string, places map[string]string) string {
	return prose.Replace(body, func(raw string) (string, bool) {
		target, wiki, ok := prose.Relative(raw)
		place := places[path.Join(dir, target)]
		if !ok || wiki || place == "" {
			return "", false
		}
		return prose.Lead(raw, relative(to, place)+".md")
	})
}
