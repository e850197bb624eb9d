package main_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	reconcile "github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/exchange"
)

// exchange takes over what others have pushed, settles what a person has to, and
// pushes: by plain git and a sync, or by the commands for it.
func (c *clone) exchange() {
	c.t.Helper()
	switch c.r.Intn(5) {
	case 0:
		if c.pull() {
			c.decide()
			c.push(exchange.Push{})
			return
		}
	case 1:
		if c.push(exchange.Push{Sync: true}) {
			c.decide()
			c.push(exchange.Push{Sync: true})
			return
		}
	}
	c.merge()
	c.sync()
	c.decide()
	c.write("hub.git/refs/heads/main", c.head()+"\n")
	c.pushed = maps.Clone(c.knows)
}

// decide is a person who looks after the conflicts in prose.
func (c *clone) decide() {
	if c.person() && c.byHand("decided") {
		c.single()
		c.sync()
	}
}

// merge is git pull, without the way over the wire.
func (c *clone) merge() {
	if out, err := c.tryGit(c.root, "merge", "-q", "--no-edit", c.tip()); err != nil {
		if !strings.Contains(out, "CONFLICT") && !strings.Contains(out, "fix conflicts") {
			c.t.Fatalf("%s: merge: %v\n%s", c.name, err, out)
		}
		maps.Copy(c.knows, c.pushed)
		c.finish()
	}
	maps.Copy(c.knows, c.pushed)
}

// pull reports whether it took over what was there. What it leaves to a person
// it leaves alone.
func (c *clone) pull() bool {
	before := c.head()
	_, err := c.x.Pull(c.t.Context(), exchange.Pull{AllowShrink: true})
	return c.came(err, before)
}

func (c *clone) push(o exchange.Push) bool {
	before := c.head()
	o.AllowShrink = true
	_, err := c.x.Push(c.t.Context(), o)
	if !c.came(err, before) {
		return false
	}
	c.pushed = maps.Clone(c.knows)
	return true
}

func (c *clone) came(err error, before string) bool {
	c.t.Helper()
	if vault.CodeOf(err) == vault.CodeConflict && strings.Contains(err.Error(), "nothing has changed") {
		return false
	}
	if err != nil {
		c.t.Fatalf("%s: %v\n%s", c.name, err, c.git(c.root, "status"))
	}
	maps.Copy(c.knows, c.pushed)
	return true
}

// finish ends a merge with conflicts: after a sync in the middle of it, by hand, or
// with the markers left in the files.
func (c *clone) finish() {
	synced := c.r.Intn(2) == 0
	if synced {
		_, err := c.Sync(c.t.Context(), reconcile.Options{})
		if vault.CodeOf(err) != vault.CodeBusy { // as it is where only files are in conflict that are no memories
			c.check(err)
		}
	}
	switch {
	case c.hand != nil && c.hand.Intn(2) == 0:
		c.resolve()
	case synced:
		c.person()
	}
	c.files()
	c.git(c.root, "add", "--all")
	c.git(c.root, "commit", "-qm", "merged by hand")
	c.single()
}

// files is a person who keeps both versions of files that are no memories.
func (c *clone) files() {
	both := map[string][]string{}
	for line := range strings.Lines(c.git(c.root, "ls-files", "--unmerged")) {
		fields, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if words := strings.Fields(fields); !strings.HasSuffix(name, ".md") && words[2] != "1" {
			both[name] = append(both[name], c.git(c.root, "cat-file", "blob", words[1]))
		}
	}
	for name, texts := range both {
		slices.Sort(texts)
		c.write(c.name+"/"+name, strings.Join(texts, "\n")+"\n")
	}
}

func (c *clone) sync() {
	c.t.Helper()
	if _, err := c.Sync(c.t.Context(), reconcile.Options{}); err != nil {
		c.t.Fatalf("%s: sync: %v\n%s", c.name, err, c.git(c.root, "status"))
	}
	c.stands()
}

// markers are git's in prose.
var markers = regexp.MustCompile(`(?m)^(<<<<<<<|>>>>>>>) .*\n|^=======\n|^<!-- /?cp-conflict.*-->\n`)

// person decides conflicts in prose by keeping both texts, and reports whether
// there was one.
func (c *clone) person() (decided bool) {
	c.check(filepath.WalkDir(c.root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".md") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(text, []byte("<<<<<<<")) && !bytes.Contains(text, []byte("cp-conflict")) {
			return err
		}
		m := vault.Parse("x.md", text)
		if !slices.ContainsFunc(m.Problems, func(p vault.Problem) bool { return p.Msg == "git conflict markers in the text" }) && !bytes.Contains(text, []byte("cp-conflict")) {
			return nil
		}
		decided = true
		c.check(os.WriteFile(name, markers.ReplaceAll(text, nil), 0o666))
		rel, err := filepath.Rel(c.root, name)
		c.verdict(rel, "")
		return err
	}))
	return decided
}
