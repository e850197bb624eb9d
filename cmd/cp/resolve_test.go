package main_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// resolution is how a person ends a merge in which two clones changed the same.
type resolution struct {
	name string
	a, b string // shell, on either clone; $CP is the program
	do   string // shell, on the clone that merged, before `git add --all` and `git commit`
	is   string // the files that the commit has, once more after sync: a path for each, with what they hold in the merge
	gone string // files that are not there after sync
	told string // part of what sync says of it
}

// both takes git's markers out of a file, and nothing else.
const both = `sed -i -e '/^<<<<<<< /d' -e '/^||||||| /,/^=======$/d' -e '/^=======$/d' -e '/^>>>>>>> /d' `

// ended asks whether sync ended with 1 where git's markers stay, and with 0 elsewhere.
const ended = `; test $? = $(git grep -q '^<<<<<<< ' && echo 1 || echo 0)`

// resolveBase is what both clones begin with.
const resolveBase = `
$CP memory add 'The one.' --title X; $CP memory add 'The other.' --title Y
printf 'One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n\nSix.\n' | $CP memory update x.md --body-file -`

var resolutions = []resolution{
	{"both lines, appended in one place", "echo mine >>x.md", "echo yours >>x.md", both + "x.md", "x.md", "", ""},
	{"both lines, the other way round", "echo mine >>x.md", "echo yours >>x.md", both + "x.md; sed -i -e '/mine/d' x.md; echo mine >>x.md", "x.md", "", ""},
	{"theirs, which contains ours", "echo mine >>x.md", "echo mine >>x.md; echo yours >>x.md", "git checkout -q --theirs x.md", "x.md", "", ""},
	{"theirs", "sed -i s/Two/Mine/ x.md", "sed -i s/Two/Yours/ x.md", "git checkout -q --theirs x.md", "x.md", "", ""},
	{"ours", "sed -i s/Two/Mine/ x.md", "sed -i s/Two/Yours/ x.md", "git checkout -q --ours x.md", "x.md", "", ""},
	{"own words", "sed -i s/Two/Mine/ x.md", "sed -i s/Two/Yours/ x.md", both + "x.md; sed -i -e /Yours/d -e s/Mine/Agreed/ x.md", "x.md", "", ""},
	{"neither", "sed -i s/Two/Mine/ x.md", "sed -i s/Two/Yours/ x.md", both + "x.md; sed -i -e /Yours/d -e /Mine/d x.md", "x.md", "", ""},
	{"one of two passages, the other left as it is", "sed -i -e s/One/Mine/ -e s/Six/Mine/ x.md", "sed -i -e s/One/Yours/ -e s/Six/Yours/ x.md", "sed -i -e '0,/^>>>>>>> /{/^<<<<<<< /,/^>>>>>>> /c Agreed.\n}' x.md", "x.md", "", ""},
	{"title and text of one side", "$CP memory update x.md --title Mine --append mine", "$CP memory update x.md --title Yours --append yours", "git checkout -q --theirs x.md", "x.md", "", ""},
	{"the lesser of two titles", "sed -i -e 's/title: X/title: A/' -e s/Two/Mine/ x.md", "sed -i -e 's/title: X/title: B/' -e s/Two/Yours/ x.md", both + "x.md; sed -i -e '/title: B/d' x.md", "x.md", "", ""},
	{"both, of a file that moved here", "git mv x.md v.md; echo mine >>v.md", "echo yours >>x.md", both + "v.md", "v.md", "x.md", ""},
	{"own words, of a file that moved there", "echo mine >>x.md", "mkdir y; git mv x.md y/; echo yours >>y/x.md", both + "y/x.md; echo more >>y/x.md", "y/x.md", "x.md", ""},
	{"the earlier of two places, with own words", "mkdir y; git mv x.md y/; echo mine >>y/x.md", "mkdir z; git mv x.md z/; echo yours >>z/x.md", "git rm -q --cached z/x.md; rm z/x.md;" + both + "y/x.md; echo more >>y/x.md", "y/x.md", "z/x.md", ""},
	{"a third place", "mkdir y; git mv x.md y/", "mkdir z; git mv x.md z/", "rm y/x.md z/x.md; mkdir -p w; git show HEAD:y/x.md >w/x.md", "w/x.md", "y/x.md z/x.md", ""},
	{"one of two places is settled, the other left as it is", "mkdir y; git mv x.md y/; echo mine >>y/x.md", "mkdir z; git mv x.md z/; echo yours >>z/x.md", both + "z/x.md; echo more >>z/x.md", "z/x.md", "y/x.md", ""},
	{"it is gone, though one side changed it", "echo mine >>x.md", "git rm -q x.md", "rm -f x.md", "y.md", "x.md", ""},
	{"it stays, though one side deleted it", "echo mine >>x.md", "git rm -q x.md", "true", "x.md", "", ""},
	{"one of two memories at one path", "$CP memory add mine --title New", "$CP memory add yours --title New", "git checkout -q --theirs new.md", "new.md", "new-2.md", "was left out by hand"},
	{"one memory of two at one path", "$CP memory add mine --title New", "$CP memory add yours --title New", "git checkout -q --ours new.md; echo yours >>new.md", "new.md", "new-2.md", "was left out by hand"},
}

// What a person made of a conflict and committed stands, byte for byte, on the
// clone that merged and on one that gets it, with the driver and without it, and
// whatever form git's markers have.
// Faults O3.
func TestResolutionsStand(t *testing.T) {
	testlevel.Check(t)
	p := build(t, "cp")
	for _, r := range resolutions {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			w := p.in(t, nil)
			w.env = append(w.env, "CP="+filepath.Join(p.bin, "cp"), "GIT_EDITOR=true", "GIT_AUTHOR_NAME=p", "GIT_AUTHOR_EMAIL=p@x", "GIT_COMMITTER_NAME=p", "GIT_COMMITTER_EMAIL=p@x")
			w.must("git init -q -b main o; cd o; $CP init --prefix pf; " + resolveBase + "; cd ..; git clone -q o a; git clone -q o b")
			w.must("cd a; " + r.a + "; git add --all; git commit -qm a || true")
			w.must("cd b; sleep 1; " + r.b + "; git add --all; git commit -qm b || true") // the later one, by the clock of git's commits
			for _, style := range []string{"merge", "diff3", "zdiff3", "driver"} {
				w.resolve(t, r, style)
			}
		})
	}
}

// resolve ends one merge of b into a as the person does, and syncs two clones.
func (p *program) resolve(t *testing.T, r resolution, style string) {
	t.Helper()
	dir, set := "m-"+style, "git config merge.conflictStyle "+style
	if style == "driver" {
		set = "git config merge.cp-memory.driver \"'$CP' merge-driver %O %A %B %P\""
	}
	p.must("git clone -q a " + dir + "; cd " + dir + "; " + set + "; $CP memory sync >/dev/null")
	if merged := p.sh("cd " + dir + "; git pull -q --no-rebase --no-edit ../b main"); merged.exit == 0 && style != "driver" {
		t.Errorf("%s: there was nothing to resolve", style)
	} else if merged.exit == 0 {
		return // nothing that the driver leaves to a person
	}
	p.must("cd " + dir + "; " + r.do + "; git add --all; git commit -qm resolved; git tag resolved; cd ..; git clone -q " + dir + " " + dir + "-2")
	for _, clone := range []string{dir, dir + "-2"} {
		said := p.must("cd " + clone + "; $CP memory sync 2>&1" + ended)
		if !strings.Contains(said, r.told) {
			t.Errorf("%s, %s: sync says nothing of %q: %s", style, clone, r.told, said)
		}
		for _, name := range strings.Fields(r.is) {
			if diff := p.sh("cd " + clone + "; git diff resolved HEAD -- " + name); diff.out != "" {
				t.Errorf("%s, %s: what stood is undone, with the words\n%s\n%s", style, clone, said, diff.out)
			}
		}
		for _, name := range strings.Fields(r.gone) {
			if p.sh("test -e "+clone+"/"+name).exit == 0 {
				t.Errorf("%s, %s: %s is back: %s", style, clone, name, said)
			}
		}
		if again, left := p.must("cd "+clone+"; $CP memory sync"+ended), p.must("cd "+clone+"; git status --porcelain"); !strings.Contains(again, "in sync") || strings.Contains(left, ".md") {
			t.Errorf("%s, %s: a second sync finds %s%s", style, clone, again, left)
		}
	}
	if p.must("cd "+dir+"; git rev-parse HEAD^{tree}") != p.must("cd "+dir+"-2; git rev-parse HEAD^{tree}") {
		t.Errorf("%s: the clones come to different trees", style)
	}
}

// What git itself made of a memory, in whatever form, and nobody has touched since,
// sync merges as the driver does; of a union it mends the header that cannot be read,
// and leaves the text.
func TestGitsOwnIsMended(t *testing.T) {
	testlevel.Check(t)
	w := build(t, "cp").in(t, nil)
	w.env = append(w.env, "CP="+filepath.Join(w.bin, "cp"), "GIT_EDITOR=true", "GIT_AUTHOR_NAME=p", "GIT_AUTHOR_EMAIL=p@x", "GIT_COMMITTER_NAME=p", "GIT_COMMITTER_EMAIL=p@x")
	w.must("git init -q -b main o; cd o; $CP init --prefix pf; " + resolveBase + "; $CP memory update x.md --label old; cd ..; git clone -q o a; git clone -q o b")
	w.must("cd a; $CP memory update x.md --label ours --append mine; $CP memory add-sub x.md --title One --body one --summary 'When one'")
	w.must("cd b; sleep 1; $CP memory update x.md --label theirs; $CP memory add-sub x.md --title Two --body two --summary 'When two'")
	want := ""
	for _, form := range []string{"driver", "merge", "diff3", "zdiff3", "union"} {
		set := map[string]string{
			"driver": "git config merge.cp-memory.driver \"'$CP' merge-driver %O %A %B %P\"",
			"union":  "echo '*.md merge=union' >.git/info/attributes",
		}[form]
		if set == "" {
			set = "git config merge.conflictStyle " + form
		}
		w.must("git clone -q a m-" + form + "; cd m-" + form + "; $CP memory sync; " + set + "; git pull -q --no-rebase --no-edit ../b main || { git add --all; git commit -qm 'as it is'; }; rm -f .git/info/attributes")
		said := w.must("cd m-" + form + "; $CP memory sync 2>&1")
		text := w.must("cd m-" + form + "; cat x.md")
		for _, part := range []string{"labels: [old, ours, theirs]\n", "\nmine\n", "When one", "When two"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s: there is no %q after\n%s\n%s", form, part, said, text)
			}
		}
		if tree := w.must("cd m-" + form + "; git rev-parse HEAD^{tree}"); want != "" && tree != want && form != "union" {
			t.Errorf("%s: not what the driver makes of it:\n%s", form, text)
		} else if want == "" {
			want = tree
		}
		if again := w.must("cd m-" + form + "; $CP memory sync 2>&1"); !strings.Contains(again, "in sync") {
			t.Errorf("%s: a second sync finds %s", form, again)
		}
	}
}
