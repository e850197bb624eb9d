package main_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// deed is one thing that was done to a memory; where it lies is no deed. What nobody has deleted who knew
// of it is there in the end.
type deed struct {
	id      vault.ID
	word    string       // that it put into the memory's text, or into a file below it
	key     string       // that it set: of two who set one, one has the last word
	file    bool         // a file that is no memory
	deletes map[int]bool // for a deletion: the deeds that it knew of
}

// did takes down a deed.
func (c *clone) did(d deed) {
	if d.deletes != nil {
		d.deletes = maps.Clone(c.knows)
	}
	c.knows[len(c.deeds)] = true
	c.deeds = append(c.deeds, d)
}

// act does one thing that a person or an agent does.
func (c *clone) act() {
	if c.journal != nil && c.journal.Intn(2) == 0 {
		c.record()
		return
	}
	acts := []func(){
		c.grow, c.grow, c.grow, c.say, c.say, c.retitle, c.relabel, c.rephrase, c.move, c.move, c.promote, c.remove,
		c.renameByHand, c.moveByHand, c.typeByHand, c.typeByHand, c.copyByHand, c.twin, c.attach, c.scribble,
	}
	acts[c.r.Intn(len(acts))]()
}

func (m *team) word() string { m.n++; return fmt.Sprintf("word%d", m.n) }

// nodes lists what the clone has.
func (c *clone) nodes() (all []vault.Node) {
	c.check(c.View(c.t.Context(), vault.Scope{}, func(t vault.Tree) (err error) {
		all, err = t.Walk(c.t.Context(), vault.WalkOptions{Closed: true})
		return err
	}))
	return slices.DeleteFunc(all, func(n vault.Node) bool { return n.ID.Provisional() })
}

// pick chooses one; ok is false in an empty vault.
func (c *clone) pick() (n vault.Node, ok bool) {
	all := c.nodes()
	if len(all) == 0 {
		return n, false
	}
	return all[c.r.Intn(len(all))], true
}

// allow passes errors over that are refusals.
func (c *clone) allow(err error) bool {
	var e *vault.Error
	if err != nil && (!errors.As(err, &e) || e.Code == vault.CodeInternal) {
		c.t.Fatal(err)
	}
	return err == nil
}

// body is a text of several passages, so that there are other lines to edit.
func body(word string) string {
	return "About " + word + ".\n\nThe middle.\n\nFurther down.\n\nThe end."
}

func (c *clone) grow() {
	word := c.word()
	n, ok := c.pick()
	var added tree.Added
	var err error
	if ok && c.r.Intn(4) > 0 {
		added, err = tree.AddSub{Parent: string(n.ID), Title: word, Body: body(word), Summary: "When " + word}.Do(c.t.Context(), c.Vault)
	} else {
		added, err = tree.Add{Title: word, Text: body(word)}.Do(c.t.Context(), c.Vault)
	}
	if c.allow(err) {
		c.did(deed{id: added.ID, word: "About " + word + "."})
	}
}

// twin makes a memory that other clones make under the same name too.
func (c *clone) twin() {
	word := c.word()
	added, err := tree.Add{Title: fmt.Sprint("Twin ", c.r.Intn(3)), Text: "Twin " + word + "."}.Do(c.t.Context(), c.Vault)
	if c.allow(err) {
		c.did(deed{id: added.ID, word: "Twin " + word + "."})
	}
}

func (c *clone) amend(o tree.Amend, word, key string) {
	n, ok := c.pick()
	if !ok {
		return
	}
	o.Ref = string(n.ID)
	if _, err := o.Do(c.t.Context(), c.Vault); c.allow(err) {
		c.did(deed{id: n.ID, word: word, key: key})
	}
}

func (c *clone) say()      { s := "Said " + c.word() + "."; c.amend(tree.Amend{Append: &s}, s, "") }
func (c *clone) retitle()  { s := "Title " + c.word(); c.amend(tree.Amend{Title: &s}, "", "title") }
func (c *clone) rephrase() { s := "If " + c.word(); c.amend(tree.Amend{Summary: &s}, "", "summary") }
func (c *clone) relabel() {
	s := c.word() + "-label"
	c.amend(tree.Amend{AddLabels: []string{s}, RemoveLabels: []string{"old"}}, s, "")
}

func (c *clone) move() {
	a, ok := c.pick()
	b, ok2 := c.pick()
	if ok && ok2 {
		_, err := tree.Move{Ref: string(a.ID), To: string(b.ID)}.Do(c.t.Context(), c.Vault)
		c.allow(err)
	}
}

func (c *clone) promote() {
	if n, ok := c.pick(); ok {
		_, err := tree.Promote{Ref: string(n.ID)}.Do(c.t.Context(), c.Vault)
		c.allow(err)
	}
}

func (c *clone) remove() {
	n, ok := c.pick()
	if !ok || c.r.Intn(2) == 0 {
		return
	}
	done, err := tree.Delete{Ref: string(n.ID), Recursive: c.r.Intn(2) == 0}.Do(c.t.Context(), c.Vault)
	if c.allow(err) {
		for _, id := range done.IDs {
			c.did(deed{id: id, deletes: map[int]bool{}})
		}
	}
}

// byHand commits what a person did to the files, and reports whether there was something.
func (c *clone) byHand(what string) bool {
	c.git(c.root, "add", "--all")
	out, err := c.tryGit(c.root, "commit", "-qm", what)
	if err != nil && !strings.Contains(out, "nothing to commit") {
		c.t.Fatalf("%s: commit: %v\n%s", c.name, err, out)
	}
	return err == nil
}

// shift is a person's git mv of a memory's file and folder.
func (c *clone) shift(from, to vault.Path) {
	c.check(os.MkdirAll(filepath.Dir(c.file(to)), 0o777))
	c.git(c.root, "mv", string(from), string(to))
	if c.filled(from.Stem()) {
		c.git(c.root, "mv", string(from.Stem()), string(to.Stem()))
	}
	c.byHand("mv " + string(from))
}

// filled reports whether a folder has a file anywhere below it. One that an
// earlier git mv took the last file out of is left behind, and git mv refuses it.
func (c *clone) filled(folder vault.Path) (found bool) {
	_ = filepath.WalkDir(c.file(folder), func(_ string, d os.DirEntry, err error) error {
		found = found || err == nil && !d.IsDir()
		return nil
	})
	return found
}

func (c *clone) renameByHand() {
	if n, ok := c.pick(); ok {
		c.shift(n.Path, n.Path.Dir().Join(c.word()+".md"))
	}
}

// moveByHand puts a memory into another one's folder.
func (c *clone) moveByHand() {
	n, ok := c.pick()
	up, ok2 := c.pick()
	if ok && ok2 && n.ID != up.ID && !up.Path.Within(n.Folder()) && n.Path.Dir() != up.Folder() {
		c.shift(n.Path, up.Folder().Join(c.word()+".md"))
	}
}

// typeByHand adds to one of the first passages of a text.
func (c *clone) typeByHand() {
	n, ok := c.pick()
	if !ok {
		return
	}
	text, err := os.ReadFile(c.file(n.Path))
	c.check(err)
	word := "Typed " + c.word() + "."
	head, rest, _ := strings.Cut(string(text), "\n---\n")
	prose, block, _ := strings.Cut(rest, "<!-- sub-memories -->")
	lines := strings.SplitAfter(prose, "\n")
	at := c.r.Intn(min(4, len(lines)))
	switch line := strings.TrimSuffix(lines[at], "\n"); {
	case line == "" || c.r.Intn(3) == 0:
		lines[at] = word + "\n\n" + lines[at]
	default:
		lines[at] = line + " " + word + "\n"
	}
	text = []byte(head + "\n---\n" + strings.Join(lines, ""))
	if block != "" {
		text = append(text, "<!-- sub-memories -->"+block...)
	}
	c.check(os.WriteFile(c.file(n.Path), text, 0o666))
	c.byHand("type")
	c.did(deed{id: n.ID, word: word})
}

func (c *clone) copyByHand() {
	n, ok := c.pick()
	if !ok || c.r.Intn(3) > 0 {
		return
	}
	text, err := os.ReadFile(c.file(n.Path))
	c.check(err)
	c.check(os.WriteFile(c.file(n.Path.Dir().Join(c.word()+".md")), text, 0o666))
	c.byHand("copy")
	c.copied[n.ID] = true
}

// attach puts a file that is no memory into a memory's folder.
func (c *clone) attach() {
	n, ok := c.pick()
	if !ok {
		return
	}
	word := c.word()
	name := []string{word + ".txt", word + ".bin", "same.txt", "below/" + word + ".txt"}[c.r.Intn(4)]
	c.scrawl(n, filepath.Join(c.file(n.Folder()), name), word)
}

// scribble changes one that is there.
func (c *clone) scribble() {
	n, ok := c.pick()
	if !ok {
		return
	}
	names, err := filepath.Glob(filepath.Join(c.file(n.Folder()), "*.[tb]*"))
	c.check(err)
	if len(names) > 0 {
		c.scrawl(n, names[c.r.Intn(len(names))], c.word())
	}
}

// scrawl adds a word to a file below a memory.
func (c *clone) scrawl(n vault.Node, name, word string) {
	b, err := os.ReadFile(name)
	if err != nil {
		c.check(os.MkdirAll(filepath.Dir(name), 0o777))
	}
	if strings.HasSuffix(name, ".bin") {
		b = append(b, 0)
	}
	c.check(os.WriteFile(name, append(b, "File "+word+".\n"...), 0o666))
	c.byHand("attach")
	c.did(deed{id: n.ID, word: "File " + word + ".", file: true})
}

func (c *clone) file(p vault.Path) string { return filepath.Join(c.root, string(p)) }
