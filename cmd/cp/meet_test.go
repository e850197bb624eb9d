package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// meeting is one way in which two clones exclude each other.
type meeting struct {
	name   string
	a, b   string            // shell, on either clone; $CP is the program
	tree   string            // the memories' files afterwards, a regular expression
	told   string            // part of what sync says of it on one of the clones
	within map[string]string // texts that files then hold
}

// base is what both clones begin with: x with the children kid and lad, y with
// one, and z.
const base = `
$CP memory add x --title X; $CP memory add y --title Y; $CP memory add z --title Z
$CP memory add-sub x.md --title Kid --body kid --summary 'When kid'
$CP memory add-sub x.md --title Lad --body lad --summary 'When lad'
$CP memory add-sub y.md --title Yak --body yak --summary 'When yak'
$CP memory add-sub x/kid.md --title Deep --body deep --summary 'When deep'`

var meetings = []meeting{
	{"moves on both sides: the later one", "$CP memory move x/kid.md y.md", "$CP memory move x/kid.md z.md",
		"x.md x/lad.md y.md y/yak.md z.md z/kid.md z/kid/deep.md", "one side moved it", nil},
	{"both promote it", "$CP memory promote x/kid.md", "$CP memory promote x/kid.md",
		"kid.md kid/deep.md x.md x/lad.md y.md y/yak.md z.md", "", nil},
	{"a move against an edit", "$CP memory move x/kid.md y.md", "$CP memory update x/kid.md --append 'said there'; $CP memory update x/kid.md --title 'Kid the second'",
		"x.md x/lad.md y.md y/kid.md y/kid/deep.md y/yak.md z.md", "", map[string]string{"y/kid.md": "said there", "y.md": "Kid the second"}},
	{"a move against an edit of most of it", "$CP memory move x/lad.md y.md", "seq 60 | $CP memory update x/lad.md --body-file -",
		"x.md x/kid.md x/kid/deep.md y.md y/lad.md y/yak.md z.md", "", map[string]string{"y/lad.md": "\n59\n"}},
	{"a deletion against an edit: the edit wins", "$CP memory delete x/lad.md --force", "$CP memory update x/lad.md --append 'worth keeping'",
		"x.md x/kid.md x/kid/deep.md x/lad.md y.md y/yak.md z.md", "it stays", map[string]string{"x/lad.md": "worth keeping", "x.md": "When lad"}},
	{"a deletion against a new sub-memory: it moves up", "$CP memory delete x/lad.md --force", "$CP memory add-sub x/lad.md --title New --body new --summary 'When new'",
		"x.md x/kid.md x/kid/deep.md x/lad/new.md y.md y/yak.md z.md", "moves up", map[string]string{"x.md": "When new"}},
	{"a deletion with all below against a new sub-memory", "$CP memory delete x.md --recursive --force", "$CP memory add-sub x/kid.md --title New --body new --summary 'When new'",
		"x/kid/new.md y.md y/yak.md z.md", "moves up", nil},
	{"two memories at one path", "$CP memory add 'first text' --title Same; $CP memory add-sub same.md --title One --body one --summary 'When one'", "$CP memory add 'second text' --title Same; $CP memory add-sub same.md --title Two --body two --summary 'When two'",
		"same-2.md same-2/(one|two).md same.md same/(one|two).md x.md x/kid.md x/kid/deep.md x/lad.md y.md y/yak.md z.md", "it is here now", nil},
	{"a folder renamed against a new file in it", "git mv x.md w.md; git mv x w; git commit -qm rename", "$CP memory add-sub x.md --title New --body new --summary 'When new'",
		"w.md w/kid.md w/kid/deep.md w/lad.md w/new.md y.md y/yak.md z.md", "", map[string]string{"w.md": "When new"}},
	{"a folder moved away against a new file deep in it", "$CP memory move x.md z.md", "$CP memory add-sub x/kid/deep.md --title New --body new --summary 'When new'",
		"y.md y/yak.md z.md z/x.md z/x/kid.md z/x/kid/deep.md z/x/kid/deep/new.md z/x/lad.md", "", nil},
	{"a circle: the later move is undone", "$CP memory move x.md y.md", "$CP memory move y.md x.md",
		"y.md y/x.md y/x/kid.md y/x/kid/deep.md y/x/lad.md y/yak.md z.md", "undid its move", map[string]string{"y.md": `"title": "X"`}},
	{"a child added below what the other moved, and moved again", "$CP memory move x/kid.md y/yak.md", "$CP memory move y/yak.md z.md",
		"x.md x/lad.md y.md z.md z/yak.md z/yak/kid.md z/yak/kid/deep.md", "", map[string]string{"z/yak.md": `"title": "Kid"`}},
	{"a copy with one id", "cp x/lad.md copy.md; git add .; git commit -qm copy", "$CP memory update x/lad.md --append more",
		"copy.md x.md x/kid.md x/kid/deep.md x/lad.md y.md y/yak.md z.md", "new id", map[string]string{"x/lad.md": "more"}},
	{"children, labels and status on both sides", "$CP memory add-sub x.md --title One --body one --summary 'When one'; $CP memory update x.md --label a", "$CP memory add-sub x.md --title Two --body two --summary 'When two'; $CP memory update x.md --label b --status closed",
		"x.md x/kid.md x/kid/deep.md x/lad.md x/one.md x/two.md y.md y/yak.md z.md", "", map[string]string{"x.md": "labels: [a, b]\n"}},
}

// Each ends the same on both clones, whichever merges the other, with the
// driver and without it, and is explained.
func TestClonesMeet(t *testing.T) {
	p := build(t, "cp")
	for _, m := range testlevel.Share(8, meetings) {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			w := p.in(t, nil)
			w.env = append(w.env, "CP="+filepath.Join(p.bin, "cp"), "GIT_EDITOR=true", "GIT_AUTHOR_NAME=p", "GIT_AUTHOR_EMAIL=p@x", "GIT_COMMITTER_NAME=p", "GIT_COMMITTER_EMAIL=p@x")
			w.must("git init -q -b main o; cd o; $CP init --prefix pf; " + base + "; cd ..; git clone -q o a; git clone -q o b")
			w.must("cd a; " + m.a)
			w.must("cd b; sleep 1; " + m.b) // the later one, by the clock of git's commits
			want := ""
			for _, driver := range []bool{true, false} {
				for _, order := range [][2]string{{"a", "b"}, {"b", "a"}} {
					got := w.meet(t, m, order[0], order[1], driver)
					if want != "" && got != want {
						t.Errorf("%s merges %s, driver %t: another tree than before", order[0], order[1], driver)
					}
					want = got
				}
			}
		})
	}
}

// meet merges theirs into a copy of ours, and returns the tree that comes out.
func (p *program) meet(t *testing.T, m meeting, ours, theirs string, driver bool) string {
	t.Helper()
	dir := "m-" + ours + map[bool]string{true: "-driver"}[driver]
	p.must("git clone -q o " + dir)
	if driver {
		p.must("cd " + dir + "; git config merge.cp-memory.driver \"'$CP' merge-driver %O %A %B %P\"")
	}
	p.must("cd " + dir + "; $CP memory sync >/dev/null; git pull -q --ff-only ../" + ours + " main")
	said := p.sh("cd " + dir + "; git pull -q --no-rebase --no-edit ../" + theirs + " main")
	if said.exit != 0 {
		mid := p.must("cd " + dir + "; $CP memory sync 2>&1; git add --all; git commit -qm merged")
		said.out += mid
	}
	said.out += p.must("cd " + dir + "; $CP memory sync 2>&1")
	files := strings.Fields(p.must("cd " + dir + "; git ls-files '*.md'"))
	slices.Sort(files)
	if got := strings.Join(files, " "); !regexp.MustCompile("^" + m.tree + "$").MatchString(got) {
		t.Errorf("%s merges %s, driver %t:\n got %s\nwant %s\n%s\n%s", ours, theirs, driver, got, m.tree, said.out, said.err)
	}
	if !strings.Contains(said.out, m.told) {
		t.Errorf("%s merges %s, driver %t: sync says nothing of %q:\n%s", ours, theirs, driver, m.told, said.out)
	}
	for name, text := range m.within {
		b, err := os.ReadFile(filepath.Join(p.dir, dir, name))
		if err != nil || !strings.Contains(string(b), text) {
			t.Errorf("%s merges %s, driver %t: %s does not hold %q (%v):\n%s", ours, theirs, driver, name, text, err, b)
		}
	}
	for _, name := range files {
		b, err := os.ReadFile(filepath.Join(p.dir, dir, name))
		if mem := vault.Parse(vault.Path(name), b); err != nil || mem.ID == "" || len(mem.Problems) > 0 {
			t.Errorf("%s merges %s, driver %t: %s: %v %+v\n%s", ours, theirs, driver, name, err, mem.Problems, b)
		}
	}
	if again := p.must("cd " + dir + "; $CP memory sync; git status --porcelain"); !strings.Contains(again, "in sync") {
		t.Errorf("a second sync finds %s", again)
	}
	return p.must("cd " + dir + "; git rev-parse HEAD^{tree}")
}
