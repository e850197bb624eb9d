package main_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// advice is a state in which the program gives an advice. The shell words that make it know
// three files of a person: typed FILE has another text in git's index, and another one on disk;
// loose is in no commit and not staged. cp is this program.
type advice struct {
	name, make string
	ask        string   // the command that gives the advice
	advice     []string // patterns; what the group fits is typed, one after the other
	again      string   // has to work then; empty asks nothing
}

var follow = []advice{
	{"a text that is staged and another one on disk, in the way of an update", "typed one.md; loose", "cp memory update pf-one --body Anew.",
		[]string{"`(git commit)`", "(`git add`) and `git commit`"}, ""},
	{"a staged text in the way of an undo of its adoption", "echo Hand. >hand.md; cp memory sync; typed one.md; typed hand.md; loose", "cp memory undo --force", []string{"hint: .*(git commit)$"}, ""},
	{"staged texts in the way of a pull", `git clone -q . ../b; (cd ../b; cp memory update pf-one --body 'From elsewhere.'); git remote add origin ../b; git fetch -q; git branch -q -u origin/main; unwritten one.md; typed two.md; loose`,
		"cp memory pull", []string{"hint: .*(git commit)$"}, ""},
	{"a memory whose file was removed by hand, with a staged text", "typed two.md; staged one.md; rm one.md; loose", "cp memory restore pf-one", []string{"`(git restore -- [^`]*)`"}, "grep INDEXTEXT one.md"},
	{"many files are gone", "for n in $(seq 15); do printf -- \"---\\nid: pf-n$n\\n---\\nText $n.\\n\" >n$n.md; done; cp memory sync; typed two.md; staged one.md; rm one.md n*.md; loose", "cp memory sync",
		[]string{"`(git checkout-index [^`]*)`"}, "grep INDEXTEXT one.md && test $(ls n*.md | wc -l) = 15"},
	{"many files are gone and are to go, one with a staged text", "for n in $(seq 15); do printf -- \"---\\nid: pf-n$n\\n---\\nText $n.\\n\" >n$n.md; done; cp memory sync; typed two.md; staged one.md; rm one.md n*.md; loose", "cp memory sync",
		[]string{"`(cp-memory sync --force)`"}, ""},
	{"a file is gone, and sync records that", "typed two.md; loose; rm one.md", "cp memory sync", []string{"`(cp-memory restore pf-one)`"}, "grep HEADTEXT one.md"},
	{"a merge in conflict, and texts typed and staged since", "git config --remove-section merge.cp-memory; git switch -qc side; sed -i s/HEADTEXT/HEADTEXT-theirs/ one.md; git commit -qam side; git switch -q main; sed -i s/HEADTEXT/HEADTEXT-ours/ one.md; git commit -qam ours; git merge -q side; typed two.md; loose",
		"cp memory sync", []string{"`(git add -- [^`]*)` and", "and `(git commit)` finish"}, "git rev-parse HEAD^2"},
	{"files of a write are staged as they were before it", "cp memory update pf-one --append More.; git checkout -q HEAD~ -- one.md; echo TREETEXT >>one.md; staged two.md; loose", "cp doctor", []string{"(git -C .* stash push -- .*)"}, "git diff --cached --quiet HEAD -- one.md"},
	{"the merge driver fails", "git config merge.cp-memory.driver 'rm %A; mkdir %A; cp-memory merge-driver %O %A %B %P'; git switch -qc side; sed -i s/HEADTEXT/HEADTEXT-theirs/ one.md; git commit -qam side; git switch -q main; sed -i s/HEADTEXT/HEADTEXT-ours/ one.md; git commit -qam ours; echo TREETEXT >>two.md; loose",
		"git merge side", []string{"(git merge --abort)"}, "git diff --quiet HEAD -- one.md"},
	{"a lock of git's holds what was staged", "cp -n .git/index ../index; staged one.md; mv .git/index .git/index.lock; mv ../index .git/index; touch -d '1 hour ago' .git/index.lock; echo TREETEXT >>two.md; loose", "cp doctor", []string{"if no git runs there: (mv -n .*)"}, "git add two.md"},
	{"a lock of a ref", "typed one.md; loose; git rev-parse HEAD >.git/refs/heads/main.lock; touch -d '1 hour ago' .git/refs/heads/main.lock", "cp doctor", []string{"if no git runs there: (mv -n .*)"}, "git commit -qam x && ! cp doctor | grep error"},
	{"the index names a text that is lost, and one that is there", "typed one.md; loose; echo s >s.md; git add s.md; rm -f .git/objects/$(git rev-parse :s.md | sed 's,..,&/,')", "cp doctor", []string{"(cp-memory doctor --fix)"}, "git status"},
	{"no whole commit is left", "typed one.md; loose; rm -f .git/objects/$(git rev-parse HEAD:.cp/vault.yaml | sed 's,..,&/,')", "cp doctor --fix --yes", []string{"(git update-ref -d .* && cp-memory sync)"}, "cp memory show pf-one"},
	{"a vault moves to a branch of its own", "mkdir ../code; cd ../code; git init -q -b main .; echo Code. >c.go; git add c.go; git commit -qm code; cp init --prefix pf; cp memory add --title Draft --summary 'When x' Text.; cp init --branch memories 2>../said; typed a.go; loose; printf 'Notes, LOOSETEXT\\n' >memory/typed.md", "cat ../said", []string{"take it out with: (git rm .* -delete)"}, ""},
	{"a vault moves while a text of it is typed", "mkdir ../code; cd ../code; git init -q -b main .; echo Code. >c.go; git add c.go; git commit -qm code; cp init --prefix pf; cp memory add --title Draft --summary 'When x' Text.; cp init --branch memories 2>../said; git worktree list >/dev/null; typed memory/draft.md; loose", "cat ../said", []string{"take it out with: (git rm .* -delete)"}, ""},
	{"init in a vault with a person's own lines", "printf '# TREETEXT\\ncolour: blue\\n' >>.cp/vault.yaml; printf '*.txt text # INDEXTEXT\\n' >>.gitattributes; git add .gitattributes; sed -i 's/INDEXTEXT/INDEXTEXT-too/' .gitattributes; loose", "cp init .", []string{"Use (--force)"}, ""},
	{"a subtree with texts in no commit", "cp memory add-sub pf-one --title Kid --summary 'When kid' --body Text.; typed one/kid.md; loose", "cp memory delete pf-one", []string{"Use (--recursive)"}, ""},
}

// words are what the scenes are made with.
const followWords = `cp() { case "$1" in -*) command cp "$@";; *) cp-memory "$@";; esac; }
staged() { [ -e "$1" ] || { echo Code. >"$1"; git add "$1"; git commit -qm code -- "$1" || exit 9; }; echo INDEXTEXT >>"$1"; git add "$1"; }
unwritten() { staged "$1"; sed -i /INDEXTEXT/d "$1"; }
typed() { staged "$1"; sed -i s/INDEXTEXT/TREETEXT/ "$1"; }
loose() { echo LOOSETEXT >loose.txt; }
export GIT_EDITOR='f() { echo m >"$1"; }; f'
`

// kept reports which of the words a text holds that is on disk, in an index or in a commit.
const keptWords = `for word in HEADTEXT INDEXTEXT TREETEXT LOOSETEXT; do
  { grep -rh --exclude-dir=.git $word . ../code 2>/dev/null
    for index in $(grep -rl --text '^DIRC' .git 2>/dev/null); do GIT_INDEX_FILE=$index git ls-files -s | awk '{print $2}'; done | sort -u | while read id; do git cat-file blob $id 2>/dev/null; done
    for commit in $(git rev-list --all HEAD 2>/dev/null); do git grep -h $word $commit 2>/dev/null; done
  } | grep -q --text $word && echo $word
done`

// Each advice is followed to the letter, in the state in which it is given, while a person has
// texts on disk, in git's index and in a file that git does not know. All of them are there
// after it: on disk, in an index or in a commit.
func TestAdviceLosesNothing(t *testing.T) {
	bin := build(t, "cp-memory")
	for _, row := range testlevel.Share(8, follow) {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p := bin.in(t, nil)
			p.must(followWords + "git init -q -b main .; git config --global user.name t; git config --global user.email t@example.org; cp init . --prefix pf" +
				`; for n in one two; do printf -- "---\nid: pf-$n\ntitle: $n\nsummary: When $n\n---\nHEADTEXT\n" >$n.md; done; cp memory sync`)
			made := p.sh(followWords + "set -e; cd .\n" + strings.ReplaceAll(row.make, "git merge -q side", "git merge -q side || true"))
			if made.exit != 0 {
				t.Fatalf("made: %+v", made)
			}
			if strings.Contains(row.make, "cd ../code") {
				p.dir = strings.TrimSuffix(p.dir, "dir") + "code"
			}
			before := p.must(keptWords)
			said := p.sh(followWords + row.ask)
			for _, advice := range row.advice {
				fits := regexp.MustCompile("(?m)" + advice)
				m := fits.FindStringSubmatch(said.out + "\n" + said.err)
				if m == nil { // it comes when the one before was followed
					said = p.sh(followWords + row.ask)
					m = fits.FindStringSubmatch(said.out + "\n" + said.err)
				}
				if m == nil {
					t.Fatalf("%s: no %q in\n%s\n%s", row.ask, advice, said.out, said.err)
				}
				line := followedLine(row, m[1])
				done := p.sh(followWords + line)
				t.Logf("%s\n%s%s", line, done.out, done.err)
				if got := p.must(keptWords); got != before {
					t.Errorf("after %q: %q of %q is left", line, got, before)
				}
			}
			if row.again == "" {
				return
			}
			if got := p.sh(followWords + row.again); got.exit != 0 {
				t.Errorf("%s: %+v", row.again, got)
			}
		})
	}
}

// followedLine is what a person types who is told a command, or an option to repeat it with.
func followedLine(row advice, told string) string {
	switch {
	case strings.HasPrefix(told, "--"):
		return row.ask + " " + told + " --no-input </dev/null"
	case told == "`git add`":
		return "git add one.md && git commit"
	case told == "cp-memory doctor --fix":
		return told + " --yes"
	}
	return told
}
