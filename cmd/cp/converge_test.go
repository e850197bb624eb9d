package main_test

import (
	"context"
	"errors"
	"fmt"
	mrand "math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/worktree"
)

// team is three clones of one vault that exchange their commits through a bare
// repository and plain git.
type team struct {
	t      *testing.T
	r      *mrand.Rand
	dir    string
	cp     string
	clones []*clone
	n      int
	clock  time.Time

	born  map[vault.ID]string // every memory, by the word in its text
	dead  map[vault.ID]bool   // deleted on some clone
	typed map[string]vault.ID // words, by the memory they were typed into
}

// clone is one of them, with the vault opened in this process.
type clone struct {
	*team
	*vault.Vault
	name, root string
}

// sequences is how many random sequences are tried: CP_SEQUENCES, or 30.
func sequences() int {
	if n, err := strconv.Atoi(os.Getenv("CP_SEQUENCES")); err == nil {
		return n
	}
	return 30
}

// TestClonesConverge makes random sequences of writes, moves and deletions on
// three clones, merged in random order by plain git, half of them without the
// merge driver. Once everybody has synced, all have the same tree, no memory is
// lost that nobody deleted, no word is gone, and every child has one pointer.
//
//	CP_SEQUENCES=1000 go test -tags sqlite_fts5 ./cmd/cp -run TestClonesConverge -timeout 3h
//	CP_SEED=77 CP_SEQUENCES=1 …   the one sequence that failed
func TestClonesConverge(t *testing.T) {
	cp, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	first, _ := strconv.ParseInt(os.Getenv("CP_SEED"), 10, 64)
	n := sequences()
	if testing.Short() {
		n = min(n, 6)
	}
	for seed := first; seed < first+int64(n); seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			newTeam(t, cp, seed).play()
		})
	}
}

func newTeam(t *testing.T, cp string, seed int64) *team {
	m := &team{t: t, r: mrand.New(mrand.NewSource(seed)), dir: t.TempDir(), cp: cp, born: map[vault.ID]string{}, dead: map[vault.ID]bool{}, typed: map[string]vault.ID{}, clock: time.Now().Add(-24 * time.Hour).Truncate(time.Second)}
	m.git(m.dir, "init", "-q", "--bare", "-b", "main", "hub.git")
	m.git(m.dir, "clone", "-q", "hub.git", "a")
	m.write("a/.cp/vault.yaml", "format: 1\nproject: team\nprefix: pf\n")
	m.write("a/.cp/.gitignore", "*\n!.gitignore\n!vault.yaml\n")
	m.write("a/.gitattributes", "*.md merge=cp-memory\n")
	m.git(m.dir+"/a", "add", "--all")
	m.git(m.dir+"/a", "commit", "-qm", "vault")
	m.git(m.dir+"/a", "push", "-q", "origin", "HEAD:main")
	for _, name := range []string{"a", "b", "c"} {
		if name != "a" {
			m.git(m.dir, "clone", "-q", "hub.git", name)
		}
		m.clones = append(m.clones, m.open(name))
	}
	return m
}

// open opens a clone's vault. Every second sequence has the driver everywhere,
// the others on some clones.
func (m *team) open(name string) *clone {
	c := &clone{team: m, name: name, root: filepath.Join(m.dir, name)}
	if m.r.Intn(2) == 0 {
		m.git(c.root, "config", "merge.cp-memory.driver", "'"+m.cp+"' merge-driver %O %A %B %P")
	}
	repo, err := gitstore.Find(c.root)
	m.check(err)
	store, err := worktree.Open(c.root, repo, worktree.Options{Now: m.now, Random: m.r})
	m.check(err)
	usage, err := index.OpenUsage(filepath.Join(store.CommonStateDir(), "usage.db"))
	m.check(err)
	mirror, err := index.Open(filepath.Join(c.root, ".cp", "index.db"), index.Options{Source: store, Usage: usage})
	m.check(err)
	m.t.Cleanup(func() { mirror.Close(); usage.Close() })
	merges := store.Merges(repo)
	c.Vault = &vault.Vault{Store: store, Mirror: mirror, Usage: usage, Merges: merges, Conflicts: merges, Prefix: "pf", Agent: name, Now: m.now, Random: m.r}
	return c
}

// now is a clock that moves a second whenever it is asked, so that a seed gives
// the same commits each time.
func (m *team) now() time.Time {
	m.clock = m.clock.Add(time.Second)
	return m.clock
}

func (m *team) check(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *team) write(name, text string) {
	m.check(os.MkdirAll(filepath.Dir(filepath.Join(m.dir, name)), 0o777))
	m.check(os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o666))
}

// git runs git, which has to work.
func (m *team) git(dir string, args ...string) string {
	m.t.Helper()
	out, err := m.tryGit(dir, args...)
	if err != nil {
		m.t.Fatalf("%s: git %s: %v\n%s", filepath.Base(dir), strings.Join(args, " "), err, out)
	}
	return out
}

func (m *team) tryGit(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "HOME="+m.dir, "LC_ALL=C", "GIT_EDITOR=true",
		"GIT_AUTHOR_NAME=p", "GIT_AUTHOR_EMAIL=p@x", "GIT_COMMITTER_NAME=p", "GIT_COMMITTER_EMAIL=p@x",
		fmt.Sprint("GIT_AUTHOR_DATE=", m.now().Unix(), " +0000"), fmt.Sprint("GIT_COMMITTER_DATE=", m.clock.Unix(), " +0000"))
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// play runs one sequence.
func (m *team) play() {
	a := m.clones[0]
	for range 4 {
		a.grow()
	}
	a.exchange()
	for _, c := range m.clones[1:] {
		c.exchange()
	}
	for range 3 {
		for _, i := range m.r.Perm(3) {
			for range 1 + m.r.Intn(4) {
				m.clones[i].act()
			}
		}
		for _, i := range m.r.Perm(3)[:1+m.r.Intn(3)] {
			m.clones[i].exchange()
		}
	}
	m.settle()
	m.verify()
}

// settle exchanges until nothing moves any more.
func (m *team) settle() {
	for range 8 {
		before := m.git(m.dir+"/hub.git", "rev-parse", "main")
		for _, i := range m.r.Perm(3) {
			m.clones[i].exchange()
		}
		heads := map[string]bool{before: true, m.git(m.dir+"/hub.git", "rev-parse", "main"): true}
		for _, c := range m.clones {
			heads[m.git(c.root, "rev-parse", "HEAD")] = true
		}
		if len(heads) == 1 {
			return
		}
	}
	m.t.Errorf("after 8 rounds there is still something to exchange:\n%s", m.git(m.clones[0].root, "log", "--oneline", "-12", "--stat"))
}

// act does one thing that a person or an agent does.
func (c *clone) act() {
	acts := []func(){c.grow, c.grow, c.grow, c.say, c.say, c.retitle, c.relabel, c.rephrase, c.move, c.move, c.promote, c.remove, c.renameByHand, c.typeByHand, c.copyByHand, c.twin}
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

func (c *clone) grow() {
	word := c.word()
	n, ok := c.pick()
	var added vault.Added
	var err error
	if ok && c.r.Intn(4) > 0 {
		added, err = c.AddSub(c.t.Context(), vault.AddSub{Parent: string(n.ID), Title: word, Body: "About " + word + ".", Summary: "When " + word})
	} else {
		added, err = c.Add(c.t.Context(), vault.Add{Title: word, Text: "About " + word + "."})
	}
	if c.allow(err) {
		c.born[added.ID] = word
		c.typed["About "+word+"."] = added.ID
	}
}

// twin makes a memory that other clones make under the same name too.
func (c *clone) twin() {
	word := c.word()
	added, err := c.Add(c.t.Context(), vault.Add{Title: fmt.Sprint("Twin ", c.r.Intn(3)), Text: "Twin " + word + "."})
	if c.allow(err) {
		c.born[added.ID] = word
		c.typed["Twin "+word+"."] = added.ID
	}
}

func (c *clone) amend(o vault.Amend) bool {
	n, ok := c.pick()
	if !ok {
		return false
	}
	o.Ref = string(n.ID)
	_, err := c.Amend(c.t.Context(), o)
	if err == nil && o.Append != nil {
		c.typed[*o.Append] = n.ID
	}
	return c.allow(err)
}

func (c *clone) say()      { s := "Said " + c.word() + "."; c.amend(vault.Amend{Append: &s}) }
func (c *clone) retitle()  { s := "Title " + c.word(); c.amend(vault.Amend{Title: &s}) }
func (c *clone) rephrase() { s := "If " + c.word(); c.amend(vault.Amend{Summary: &s}) }
func (c *clone) relabel()  { c.amend(vault.Amend{AddLabels: []string{c.word()}}) }

func (c *clone) move() {
	a, ok := c.pick()
	b, ok2 := c.pick()
	if ok && ok2 {
		_, err := c.Move(c.t.Context(), vault.Move{Ref: string(a.ID), To: string(b.ID)})
		c.allow(err)
	}
}

func (c *clone) promote() {
	if n, ok := c.pick(); ok {
		_, err := c.Promote(c.t.Context(), vault.Promote{Ref: string(n.ID)})
		c.allow(err)
	}
}

func (c *clone) remove() {
	n, ok := c.pick()
	if !ok || c.r.Intn(2) == 0 {
		return
	}
	done, err := c.Delete(c.t.Context(), vault.Delete{Ref: string(n.ID), Recursive: c.r.Intn(2) == 0})
	if c.allow(err) {
		for _, id := range done.IDs {
			c.dead[id] = true
		}
	}
}

// byHand commits what a person did to the files.
func (c *clone) byHand(what string) {
	c.git(c.root, "add", "--all")
	if c.git(c.root, "status", "--porcelain") != "" {
		c.git(c.root, "commit", "-qm", what)
	}
}

func (c *clone) renameByHand() {
	n, ok := c.pick()
	if !ok {
		return
	}
	to := n.Path.Dir().Join(c.word() + ".md")
	c.check(os.Rename(c.file(n.Path), c.file(to)))
	if _, err := os.Stat(c.file(n.Path.Stem())); err == nil {
		c.check(os.Rename(c.file(n.Path.Stem()), c.file(to.Stem())))
	}
	c.byHand("rename " + string(n.Path))
}

func (c *clone) typeByHand() {
	n, ok := c.pick()
	if !ok {
		return
	}
	text, err := os.ReadFile(c.file(n.Path))
	c.check(err)
	word := "Typed " + c.word() + "."
	c.typed[word] = n.ID
	head, rest, _ := strings.Cut(string(text), "\n---\n")
	c.check(os.WriteFile(c.file(n.Path), []byte(head+"\n---\n"+word+"\n\n"+rest), 0o666))
	c.byHand("type")
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
}

func (c *clone) file(p vault.Path) string { return filepath.Join(c.root, string(p)) }

// exchange pulls, merges by plain git, settles, syncs and pushes.
func (c *clone) exchange() {
	c.t.Helper()
	for range 5 {
		if out, err := c.tryGit(c.root, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main"); err != nil {
			if !strings.Contains(out, "CONFLICT") && !strings.Contains(out, "fix conflicts") {
				c.t.Fatalf("%s: pull: %v\n%s", c.name, err, out)
			}
			c.finish()
		}
		c.sync()
		if c.person(); c.git(c.root, "status", "--porcelain") != "" {
			c.byHand("decided")
			c.sync()
		}
		if _, err := c.tryGit(c.root, "push", "-q", "origin", "HEAD:main"); err == nil {
			return
		}
	}
}

// finish ends a merge with conflicts: after a sync in the middle of it, or with
// the markers left in the files.
func (c *clone) finish() {
	if c.r.Intn(2) == 0 {
		c.sync()
		c.person()
	}
	c.git(c.root, "add", "--all")
	c.git(c.root, "commit", "-qm", "merged by hand")
}

func (c *clone) sync() {
	c.t.Helper()
	if _, err := c.Sync(c.t.Context(), vault.Sync{}); err != nil {
		c.t.Fatalf("%s: sync: %v\n%s", c.name, err, c.git(c.root, "status"))
	}
}

// markers are git's in prose.
var markers = regexp.MustCompile(`(?m)^(<<<<<<<|>>>>>>>) .*\n|^=======\n|^<!-- /?cp-conflict.*-->\n`)

// person decides conflicts in prose by keeping both texts.
func (c *clone) person() {
	c.check(filepath.WalkDir(c.root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".md") {
			return nil
		}
		text, err := os.ReadFile(name)
		if m := vault.Parse("x.md", text); err != nil || !slices.ContainsFunc(m.Problems, func(p vault.Problem) bool { return p.Msg == "git conflict markers in the text" }) && !strings.Contains(string(text), "cp-conflict") {
			return err
		}
		return os.WriteFile(name, markers.ReplaceAll(text, nil), 0o666)
	}))
}

// verify checks what was promised.
func (m *team) verify() {
	ctx := context.Background()
	trees := map[string]bool{}
	for _, c := range m.clones {
		trees[m.git(c.root, "rev-parse", "HEAD^{tree}")] = true
		left, err := c.Sync(ctx, vault.Sync{DryRun: true})
		m.check(err)
		if len(left.Discrepancies) > 0 {
			m.t.Errorf("%s: sync still finds %+v", c.name, left.Discrepancies)
		}
		for _, p := range left.Problems {
			m.t.Errorf("%s: %s:%d: %s", c.name, p.Path, p.Line, p.Msg)
		}
	}
	if out, err := m.tryGit(m.clones[m.r.Intn(3)].root, "fsck", "--strict", "--no-dangling"); err != nil {
		m.t.Errorf("fsck: %s", out)
	}
	if len(trees) != 1 {
		m.t.Errorf("the trees differ: %v", trees)
	}
	m.complete(m.clones[0])
	if m.t.Failed() {
		m.t.Log(m.git(m.clones[0].root, "log", "--graph", "--oneline", "-60", "--name-status"))
	}
}

// complete checks that nothing is lost and that every child has one pointer.
func (m *team) complete(c *clone) {
	there, all := map[vault.ID]bool{}, ""
	for _, n := range c.nodes() {
		there[n.ID] = true
		text, err := os.ReadFile(c.file(n.Path))
		m.check(err)
		all += string(text)
	}
	for id, word := range m.born {
		if !there[id] && !m.dead[id] {
			m.t.Errorf("%s (%s) is lost", id, word)
		}
	}
	for word, id := range m.typed {
		if !m.dead[id] && !strings.Contains(all, word) {
			m.t.Errorf("%q, typed into %s, is lost", word, id)
		}
	}
	m.check(c.View(m.t.Context(), vault.Scope{}, func(t vault.Tree) error {
		return t.Parents(m.t.Context(), "", func(f vault.Family) error {
			var points, children []string
			for _, e := range f.Entries {
				points = append(points, e.ID)
			}
			for _, n := range f.Children {
				children = append(children, string(n.ID))
			}
			slices.Sort(points)
			slices.Sort(children)
			if !slices.Equal(points, children) {
				m.t.Errorf("%s points to %q and has %q", f.Parent.Path, points, children)
			}
			return nil
		})
	}))
}
