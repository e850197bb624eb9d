package transfer

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/prose"
)

// basic-memory keeps notes in Markdown with title, type, tags and permalink in the header:
//
//	- [tech] It runs on Nomad #deploy (since May)     an observation; its tags become labels
//	- depends_on [[Gateway]] (for the token)          a relation; it stays, and is a link
//	[the gateway](memory://services/gateway)          by permalink; it becomes a link to the file
//
// A wikilink names a note by title, or by permalink; the latter gets the file's name.

// basicMemory reads the form.
func (r *reader) basicMemory() {
	all := r.notes()
	links := make(map[string]string) // permalink → place
	titles := make(map[string]bool)
	for _, n := range all {
		n.place = r.freePlace(n.stem())
		titles[filename.Fold(n.get("title"))], titles[filename.Fold(path.Base(n.place))] = true, true
		if p := n.get("permalink"); p != "" && p != n.place {
			links[p] = n.place
		}
	}
	for _, n := range all {
		n.label(observationTags(string(n.body))...)
		n.replaceBody(byPermalink(string(n.body), path.Dir(n.place), links, titles))
		r.takeNote(n)
	}
}

// observation is - [category] text, but no task and no link.
var observation = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*[-*] \[[^\]\[()]{2,}\] .*$`) })

// observationTags returns the tags of the observations in a text.
func observationTags(body string) (all []string) {
	for _, row := range observation().FindAllString(body, -1) {
		_, text, _ := strings.Cut(row, "] ")
		all = append(all, rowTags(text)...)
	}
	return all
}

// wiki is a wikilink with its target.
var wiki = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[\[([^\]\[|#\n]{1,200})`) })

// byPermalink writes the links that name a permalink by the place of their note.
func byPermalink(body, dir string, links map[string]string, titles map[string]bool) string {
	body = prose.Replace(body, func(raw string) (string, bool) {
		place := links[strings.TrimPrefix(strings.Trim(raw, "<>"), "memory://")]
		if !strings.HasPrefix(strings.Trim(raw, "<>"), "memory://") || place == "" {
			return "", false
		}
		return "<" + relative(dir, place) + ".md>", true
	})
	return outsideCode(body, func(text string) string {
		return wiki().ReplaceAllStringFunc(text, func(m string) string {
			target := strings.TrimPrefix(strings.TrimSpace(m[2:]), "memory://")
			if place := links[target]; place != "" && !titles[filename.Fold(target)] {
				return "[[" + place
			}
			return m
		})
	})
}

// relative returns how a place is called in a folder.
func relative(dir, place string) string {
	if dir == "." {
		return place
	}
	from, to := strings.Split(dir, "/"), strings.Split(place, "/")
	for len(from) > 0 && len(to) > 1 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	return strings.Repeat("../", len(from)) + strings.Join(to, "/")
}

// outsideCode calls fn for the parts of a text that are in no fence of code.
func outsideCode(body string, fn func(string) string) string {
	var out, open strings.Builder
	var fence fence
	for row := range strings.Lines(body) {
		if !fence.code(strings.TrimLeft(row, " >")) {
			open.WriteString(row)
			continue
		}
		out.WriteString(fn(open.String()))
		open.Reset()
		out.WriteString(row)
	}
	out.WriteString(fn(open.String()))
	return out.String()
}
