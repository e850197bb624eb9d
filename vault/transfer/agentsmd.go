package transfer

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/header"
)

// The file of an agent, CLAUDE.md or AGENTS.md, is cut at its headings of the levels 1 and 2:
//
//	# Project            the memory above; what stands before the first ## is its text
//	## Testing           a memory below it, named by its heading
//	### In CI            stays in the text of Testing
//
// Regions that a program keeps there are left out: what stands between a comment that opens
// and one that closes it, <!-- BEGIN X … --> and <!-- END X -->, <!-- x:y --> and <!-- /x:y -->,
// <!-- x:start --> and <!-- x:end -->. So are imports, @path, which name another file.

// part is a piece of the file.
type part struct {
	level   int
	heading string
	body    strings.Builder
	line    int
}

// agentsMD reads the form.
func (r *reader) agentsMD() {
	for _, f := range r.files {
		_, body := header.Split(f.Text)
		name := path.Base(f.Rel)
		r.takeParts(name, cutAtHeadings(r.withoutManaged(name, string(body))))
	}
}

// takeParts takes the pieces of a file in.
func (r *reader) takeParts(name string, all []*part) {
	title := strings.TrimSuffix(name, path.Ext(name))
	top := all[0]
	if len(all) > 1 && all[1].level == 1 && strings.TrimSpace(top.body.String()) == "" {
		top, all = all[1], all[1:]
		title = top.heading
	}
	place := r.placeForTitle("", title, "agent")
	r.takeComposed(name, Item{Source: r.source(name), Place: place},
		vault.Header{Title: titleOf(title), Summary: "When you work in this project and want its rules, from " + name}, top.body.String())
	folder, seen := place, make(map[string]int)
	for _, p := range all[1:] {
		key := filename.Slug(p.heading, fmt.Sprint(p.line))
		if seen[key]++; seen[key] > 1 {
			key = fmt.Sprintf("%s-%d", key, seen[key])
		}
		at := folder
		if p.level == 1 {
			at = place
		}
		i := Item{Source: r.source(name + "#" + key), Place: r.placeForTitle(at, p.heading, "part")}
		if p.level == 1 {
			folder = i.Place
		}
		if strings.TrimSpace(p.body.String()) == "" && p.level > 1 {
			r.noteLeftOut(fmt.Sprintf("%s:%d", name, p.line), "nothing stands below the heading '%s'", vault.Clip(p.heading, 80))
			continue
		}
		r.takeComposed(fmt.Sprintf("%s:%d", name, p.line), i, vault.Header{Title: titleOf(p.heading)}, p.body.String())
	}
}

func titleOf(heading string) string {
	title, _ := titleFromText(heading)
	return title
}

// cutAtHeadings cuts a text at its headings. The first part is what stands before the first one.
func cutAtHeadings(body string) []*part {
	all := []*part{{line: 1}}
	var fence fence
	n := 0
	for row := range strings.Lines(body) {
		if n++; row == blank {
			continue
		}
		code := fence.code(strings.TrimLeft(row, " "))
		if l := level(strings.TrimRight(row, "\r\n")); !code && (l == 1 || l == 2) {
			heading := strings.TrimSpace(strings.Trim(strings.TrimSpace(row), "#"))
			if heading = header.OneLine(heading); heading != "" {
				all = append(all, &part{level: l, heading: heading, line: n})
				continue
			}
		}
		all[len(all)-1].body.WriteString(row)
	}
	return all
}

var (
	commentRow = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*<!--\s*(.*?)\s*-->\s*$`) })
	imported   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*@[~./\w][^\s@]*\s*$`) })
)

// closes reports whether a comment closes the region of that name.
func closes(text, name string) bool {
	text, name = strings.ToLower(text), strings.ToLower(name)
	for _, form := range []string{"end " + name, "end: " + name, "end:" + name, "/" + name, name + ":end", name + " end", name + "-end"} {
		if text == form || strings.HasPrefix(text, form+" ") {
			return true
		}
	}
	return false
}

// blank stands for a line that is left out. No text that comes in holds it.
const blank = "\x00\n"

// withoutManaged returns a text without the regions that programs keep in it, and without imports.
// A region that nothing closes is left where it is. Lines keep their numbers.
func (r *reader) withoutManaged(file, body string) string {
	var rows []string
	for row := range strings.Lines(body) {
		rows = append(rows, row)
	}
	const most = 200 // regions that are looked for
	var fence fence
	looked := 0
	for i := 0; i < len(rows); i++ {
		text := strings.TrimRight(rows[i], "\r\n")
		if fence.code(strings.TrimLeft(text, " ")) {
			continue
		}
		if imported().MatchString(text) {
			r.noteLeftOut(fmt.Sprintf("%s:%d", file, i+1), "it imports %s, a file of its own", strings.TrimSpace(text)[1:])
			rows[i] = blank
		}
		name := regionOf(text)
		if name == "" {
			continue
		}
		if looked++; looked > most {
			continue
		}
		if end := closedAt(rows, i, name); end > i {
			r.noteLeftOut(fmt.Sprintf("%s:%d", file, i+1), "lines %d to %d are kept by a program (%s)", i+1, end+1, vault.Clip(name, 60))
			for ; i <= end; i++ {
				rows[i] = blank
			}
			i--
		}
	}
	return strings.Join(rows, "")
}

// regionOf returns the name of the region that a line opens; empty for none.
func regionOf(row string) string {
	m := commentRow().FindStringSubmatch(row)
	if m == nil || m[1] == "" || strings.HasPrefix(m[1], "/") {
		return ""
	}
	words := strings.Fields(m[1])
	switch first := strings.ToLower(strings.TrimRight(words[0], ":")); {
	case first == "begin" || first == "start":
		words = words[1:]
		for i, w := range words {
			if i > 0 && strings.ContainsAny(w, ":=") { // profile:minimal
				words = words[:i]
				break
			}
		}
		return strings.Join(words, " ")
	default:
		for _, end := range []string{":start", ":begin", "-start", "-begin"} {
			if strings.HasSuffix(first, end) {
				return strings.TrimSuffix(first, end)
			}
		}
		if len(words) > 1 && (strings.EqualFold(words[1], "start") || strings.EqualFold(words[1], "begin")) || strings.Contains(words[0], ":") {
			return words[0]
		}
	}
	return ""
}

// closedAt returns the line that closes the region that line at opens; -1 for none.
func closedAt(rows []string, at int, name string) int {
	const most = 5000
	for i := at + 1; i < len(rows) && i < at+most; i++ {
		if m := commentRow().FindStringSubmatch(strings.TrimRight(rows[i], "\r\n")); m != nil && closes(m[1], name) {
			return i
		}
	}
	return -1
}
