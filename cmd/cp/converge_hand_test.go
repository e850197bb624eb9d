package main_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// verdict is what a person made of a memory in conflict, by hand.
type verdict struct {
	id    vault.ID
	path  string
	prose string
	own   string // words that neither side had
}

// resolve is a person who ends a merge with conflicts by hand: keeps both texts of
// one, or takes a side's, or writes own words, deletes what one side has deleted,
// and leaves a memory in one of two places. Some conflicts stay as they are.
func (c *clone) resolve() {
	all := c.unmerged()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		v, full := all[name], filepath.Join(c.root, name)
		doc, err := os.ReadFile(full)
		if err != nil {
			continue
		}
		switch {
		case v[0] != "" && (v[1] == "") != (v[2] == "") && c.hand.Intn(2) == 0:
			c.check(os.Remove(full))
		case v[0] == "" && c.twice(name, all) && c.hand.Intn(2) == 0:
			c.check(os.Remove(full))
		case strings.Contains(string(doc), "<<<<<<<"):
			text, own := c.judge(string(doc))
			c.check(os.WriteFile(full, []byte(text), 0o666))
			c.judged[vault.Parse("x.md", doc).ID] = true
			c.verdict(name, own)
		}
	}
	c.leftOut(all)
}

// unmerged returns the texts of base, ours and theirs of the memories in conflict.
func (c *clone) unmerged() map[string]*[3]string {
	all := map[string]*[3]string{}
	for line := range strings.Lines(c.git(c.root, "ls-files", "--unmerged", "--", "*.md")) {
		fields, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		words := strings.Fields(fields)
		if all[name] == nil {
			all[name] = &[3]string{}
		}
		all[name][words[2][0]-'1'] = c.git(c.root, "cat-file", "blob", words[1])
	}
	return all
}

// twice reports whether a file in conflict is the one of two of a memory that moved
// to two places; of the two the second.
func (c *clone) twice(name string, all map[string]*[3]string) bool {
	id := c.idAt(name)
	return slices.ContainsFunc(slices.Collect(maps.Keys(all)), func(other string) bool { return other < name && id != "" && c.idAt(other) == id })
}

func (c *clone) idAt(name string) vault.ID {
	text, err := os.ReadFile(filepath.Join(c.root, name))
	if err != nil {
		return ""
	}
	return vault.Parse("x.md", text).ID
}

var (
	hunk   = regexp.MustCompile(`(?ms)^<{7,} [^\n]*\n(.*?)^={7,}\n(.*?)^>{7,} [^\n]*\n`)
	formal = regexp.MustCompile(`(?m)^---$|^\w+:|^ *[{<\]]`) // of a header or a block
)

// judge decides a text's conflicts in one of the ways, in one that leaves a memory.
func (c *clone) judge(doc string) (text, own string) {
	way := c.hand.Intn(5)
	for _, way := range []int{way, 1, 2} {
		own = ""
		n := 0
		text = hunk.ReplaceAllStringFunc(doc, func(h string) string {
			sides := hunk.FindStringSubmatch(h)
			n++
			switch {
			case way == 1 || way == 4 && n == 1:
				return sides[1]
			case way == 2:
				return sides[2]
			case way == 3 && !formal.MatchString(sides[1]+sides[2]):
				if own == "" {
					own = "Own " + c.word() + "."
				}
				return own + "\n"
			case way == 4:
				return h
			}
			return sides[1] + sides[2]
		})
		m := vault.Parse("x.md", []byte(text))
		if m.ID != "" && !slices.ContainsFunc(m.Problems, func(p vault.Problem) bool { return p.Kind == vault.ProblemFrontMatter }) {
			return text, own
		}
	}
	return doc, ""
}

// verdict takes down what a person has made of a file.
func (c *clone) verdict(name, own string) {
	text, err := os.ReadFile(filepath.Join(c.root, name))
	c.check(err)
	if strings.Contains(string(text), "<<<<<<<") {
		return
	}
	id := vault.Parse("x.md", text).ID
	c.verdicts = append(c.verdicts, verdict{id, name, prose(text), own})
	if own != "" {
		c.did(deed{id: id, word: own})
	}
}

// block are the lines that sync writes anew. A person who keeps both sides of a conflict may leave
// words of their own between them.
var block = regexp.MustCompile(`(?m)^(<!-- /?sub-memories -->|\[|\]|  \{"id": .*)$`)

// blank are empty lines: some go with a block that goes.
var blank = regexp.MustCompile(`\n{2,}`)

// prose returns a text without header and block.
func prose(text []byte) string {
	_, body := header.Split(text)
	return strings.Trim(blank.ReplaceAllString(block.ReplaceAllString(string(body), ""), "\n"), "\n")
}

// leftOut takes down the words and the memories that are in no file any more, since
// the person wanted it so.
func (c *clone) leftOut(all map[string]*[3]string) {
	kept, ids, own := "", map[vault.ID]bool{}, map[vault.ID]string{}
	for name := range strings.Lines(c.git(c.root, "ls-files", "--", "*.md")) {
		name = strings.TrimSpace(name)
		if text, err := os.ReadFile(filepath.Join(c.root, name)); err == nil {
			id := vault.Parse("x.md", text).ID
			kept += string(text)
			ids[id], own[id] = true, own[id]+string(text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, text := range all[name] {
			id := vault.Parse("x.md", []byte(text)).ID
			if id != "" && !ids[id] {
				ids[id] = true
				c.did(deed{id: id, deletes: map[int]bool{}})
			}
			for _, d := range c.deeds {
				if d.word != "" && strings.Contains(text, d.word) && !strings.Contains(kept, d.word) {
					c.unsaid[d.word] = true
				}
				// The name of a session may stand in other files, too.
				if d.word != "" && strings.Contains(text, d.word) && d.id == id && !strings.Contains(own[id], d.word) {
					c.unsaid[string(id)+" "+d.word] = true
				}
			}
		}
	}
}

// single leaves the verdicts on memories that are in one file: of two sync makes one.
func (c *clone) single() {
	files := map[vault.ID]int{}
	for name := range strings.Lines(c.git(c.root, "ls-files", "--", "*.md")) {
		files[c.idAt(strings.TrimSpace(name))]++
	}
	c.verdicts = slices.DeleteFunc(c.verdicts, func(v verdict) bool { return files[v.id] != 1 })
}

// stands checks that after a sync the texts are what a person made of them.
func (c *clone) stands() {
	c.t.Helper()
	for _, v := range c.verdicts {
		texts := map[string]string{}
		at := map[vault.Path]vault.ID{}
		for _, n := range c.nodes() {
			at[n.Path] = n.ID
		}
		for _, e := range c.entries() {
			at[e.Path] = e.ID
		}
		for p, id := range at {
			if id == v.id {
				b, err := os.ReadFile(c.file(p))
				c.check(err)
				texts[string(p)] = prose(b)
			}
		}
		found := slices.Collect(maps.Values(texts))
		if len(found) != 1 || found[0] != v.prose {
			c.t.Errorf("%s: %s was decided by hand in %s as\n%s\nand sync made of it\n%q", c.name, v.id, v.path, v.prose, texts)
		}
	}
	c.verdicts = nil
}
