package main_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// reader is a command that only reads, as the first one after a kill. What it says
// is compared without what keep takes out, line by line in any order.
type reader struct {
	name string
	args []string
	keep *regexp.Regexp // the lines that are compared; nil is all
}

var readers = []reader{
	{"list", []string{"memory", "list", "--status", "*", "--limit", "1000", "-o", "json"}, nil},
	{"tree", []string{"memory", "tree", "-o", "json"}, nil},
	{"show", []string{"memory", "show", "pf-aaa", "--depth", "5", "-o", "json"}, nil},
	{"search", []string{"memory", "search", "text", "overview", "a", "b", "c", "--limit", "1000", "-o", "json"}, nil},
	{"status", []string{"status", "-o", "json"}, regexp.MustCompile(`"(memories|roots|max_depth|waiting|unfinished|uncommitted|total)"`)},
	{"doctor", []string{"doctor", "-o", "json"}, regexp.MustCompile(`"(unfinished|outbox|pointers|contents)`)},
}

// hushed are lines that may differ between two vaults with the same memories.
var hushed = regexp.MustCompile(`"(score|snippet|access_count|last_accessed|hash|project_path)": .*`)

// dangling is a pointer to what is no memory, which is shown with a mark: between the two
// commits of a pull, the merge and the order that sync makes, there may be one. nothing is
// the list that it leaves.
var (
	dangling = regexp.MustCompile(`\{[^{}]*"unknown": true[^{}]*\},?`)
	nothing  = regexp.MustCompile(`\[\s*\]`)
)

// told is what readers may say after a kill: what they say where the command was
// not run, and where it was.
type told struct {
	states []*scene
	said   map[string][]string // by reader
	any    bool                // only what no reader may ever say is looked for
}

func newTold(states []*scene) *told {
	return &told{states: states, said: make(map[string][]string)}
}

// check lets a reader be the first command after a kill.
func (d *told) check(s *scene, when string, r reader) {
	s.t.Helper()
	out := s.read(r)
	if twice := repeated(out); len(twice) > 0 {
		s.t.Errorf("%s: %s tells of %v twice:\n%s", when, r.name, twice, out)
	}
	if d.said[r.name] == nil {
		for _, state := range d.states {
			d.said[r.name] = append(d.said[r.name], r.normal(state.read(r)))
		}
	}
	got := r.normal(out)
	if strings.Contains(got, `"new-`) && !strings.Contains(strings.Join(d.said[r.name], ""), `"new-`) {
		s.t.Errorf("%s: %s invents an id:\n%s", when, r.name, out)
	}
	if !d.any && !slices.Contains(d.said[r.name], got) {
		s.t.Errorf("%s: %s says\n%s\nwant one of\n%s", when, r.name, got, strings.Join(d.said[r.name], "\n--\n"))
	}
}

func (s *scene) read(r reader) string {
	s.t.Helper()
	return s.must(s.cp, r.args...)
}

// normal is an answer without what was drawn and what may differ, in sorted lines.
func (r reader) normal(out string) string {
	out = dangling.ReplaceAllString(out, "")
	out = nothing.ReplaceAllString(out, "[]")
	var lines []string
	for line := range strings.Lines(drawn.ReplaceAllString(hushed.ReplaceAllString(out, ""), "…")) {
		line = strings.Trim(line, " ,\n")
		if line != "" && (r.keep == nil || r.keep.MatchString(line)) {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// repeated returns the ids and paths that an answer gives to more than one memory.
func repeated(out string) (twice []string) {
	seen := make(map[string]bool)
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, key := range []string{"id", "path"} {
				if s, ok := v[key].(string); ok && v["check"] == nil {
					if name := key + " " + s; s != "" && seen[name] {
						twice = append(twice, name)
					} else {
						seen[name] = true
					}
				}
			}
			walk(v["children"])
		}
	}
	var v any
	if json.Unmarshal([]byte(out), &v) == nil {
		walk(v)
	}
	return twice
}
