package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// Each row starts from what the setup makes and says where the vault has to be
// and what the repository then holds.
func TestInitMakesAVaultEverywhere(t *testing.T) {
	testlevel.Check(t)
	const inside = ".cp/.gitignore .cp/vault.yaml .gitattributes"
	under := func(dir string) string {
		return dir + "/.cp/.gitignore " + dir + "/.cp/vault.yaml " + dir + "/.gitattributes"
	}
	code := "git init -q; echo 'package x' >x.go; git add .; git -c user.name=a -c user.email=a@b commit -qm code; "
	rows := []struct{ name, setup, line, vault, files, marker string }{
		{"an empty folder", "", "cp init", "", inside, "project: dir\nprefix: dr\n"},
		{"an empty repository without a commit", "git init -q", "cp init", "", inside, "project: dir\n"},
		{"a folder of notes", "echo '# a' >a.md", "cp init", "", inside, "project: dir\n"},
		{"a repository of notes", "git init -q; echo '# a' >a.md; echo >p.png; mkdir .obsidian; echo {} >.obsidian/app.json; git add .; git -c user.name=a -c user.email=a@b commit -qm notes", "cp init", "", inside, "project: dir\n"},
		{"a repository of code", code, "cp init", "memory", ".cp.yaml " + under("memory"), "project: dir\n"},
		{"code that is not committed yet", "git init -q; echo >x.c", "cp init", "memory", ".cp.yaml " + under("memory"), "project: dir\n"},
		{"below the top of a repository of code", code + "mkdir src", "cd src; cp init", "memory", ".cp.yaml " + under("memory"), "project: dir\n"},
		{"ignored files are no code", "git init -q; echo '*.o' >.gitignore; echo >x.o", "cp init", "", inside, ""},
		{"where DIR says", code, "cp init docs/notes --project Doc --prefix dc", "docs/notes", ".cp.yaml " + under("docs/notes"), "project: Doc\nprefix: dc\n"},
		{"the top of a repository of code, when named", code, "cp init .", "", inside, ""},
		{"a folder that is not there yet, with spaces", "", "cp init 'my notes/deep down'", "my notes/deep down", inside, "project: deep down\nprefix: dd\n"},
		{"a folder named by --vault", "", "cp init --vault there", "there", inside, "project: there\n"},
		{"named after the remote", "git init -q; git remote add origin https://u:secret@example.com/org/penfold.git", "cp init", "", inside, "project: penfold\nprefix: pn\n"},
		{"with an agent", "", "cp init --agent agent-mycroft", "", ".cp.yaml " + inside, ""},
		{"a linked work tree", code + "git worktree add -q ../wt; cd ../wt", "cd ../wt && cp init", "../wt/memory", "", ""},
		{"in a language of its own", "", "cp init 移行", "移行", inside, "project: 移行\nprefix: mem\n"},
		{"a project that YAML would misread", "", "cp init --project 'yes: #1'", "", inside, "project: 'yes: #1'\n"},
	}
	p := build(t, "cp")
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p := p.in(t, nil)
			p.must(row.setup)
			p.must(row.line)
			at := strings.TrimSuffix(row.vault+"/", "/")
			if at == "" {
				at = "."
			}
			if got := p.must("cd '" + at + "' && cp status -o json | grep '\"vault\"'; pwd"); got != `  "vault": "`+got[strings.LastIndex(got, "\n")+1:]+"\",\n"+got[strings.LastIndex(got, "\n")+1:] {
				t.Errorf("the vault is elsewhere: %s", got)
			}
			if marker := p.read(at + "/.cp/vault.yaml"); !strings.Contains(marker, "format: 1\n") || !strings.Contains(marker, row.marker) {
				t.Errorf("the marker is\n%s\nwant\n%s", marker, row.marker)
			}
			if row.files != "" {
				top := p.must("cd '" + at + "' && git rev-parse --show-toplevel")
				if got := p.must("git -C '" + top + "' -c core.quotePath=false show --name-only --format= HEAD | sort | tr '\\n' ' '"); strings.TrimSpace(got) != row.files {
					t.Errorf("committed %q, want %q", got, row.files)
				}
			}
			if got := p.must("cd '" + at + "' && git status --short | grep -v '^??' || true"); got != "" {
				t.Errorf("git status: %s", got)
			}
			p.must("cd '" + at + "' && git fsck --strict && cp memory add 'the first' && test $(cp memory list -o jsonl | grep -c 'the first') = 1")
			if r := p.sh("cd '" + at + "' && cp init"); r.exit != 1 || !strings.Contains(r.err, "Config already exists. Use --force to overwrite.") {
				t.Errorf("again: %+v", r)
			}
		})
	}
}

func TestInitRefusesWhereAVaultDoesHarm(t *testing.T) {
	rows := []struct{ name, setup, line, says string }{
		{"inside a vault", "cp init; mkdir sub", "cd sub && cp init", "belongs to the vault"},
		{"inside a vault in the code", "git init -q; echo >m.go; cp init; mkdir -p pkg/a", "cd pkg/a && cp init", "`cp init .` gives this folder a vault of its own"},
		{"a vault, named", "cp init; mkdir sub", "cd sub && cp init ..", "Config already exists. Use --force to overwrite."},
		{"inside a vault's own folder", "cp init", "cp init .cp/sub", "lies in a .cp folder"},
		{"a bare repository", "git init -q --bare", "cp init", "bare repository"},
		{"inside .git", "git init -q", "cd .git && cp init", ".git folder"},
		{"the home folder", "", "cd && cp init", "is no place for a vault"},
		{"the root", "", "cp init /", "is no place for a vault"},
		{"a file", "echo >f", "cp init f", "is not a folder"},
		{"below a file", "echo >f", "cp init f/x", "is not a folder"},
		{"memory/ full of code", "git init -q; mkdir memory; echo >memory/m.go", "cp init", "holds other things than notes"},
		{"a bad prefix", "", "cp init --prefix 9", "is not 2 to 8"},
		{"a bad project", "", "cp init --project $'a\\nb'", "control character"},
		{"two folders", "", "cp init a b", "takes one folder"},
		{"a merge under way", "git init -q; git config user.name a; git config user.email a@b; echo 1 >a.md; git add .; git commit -qm 1; git checkout -qb x; echo 2 >a.md; git commit -qam 2; git checkout -q -; echo 3 >a.md; git commit -qam 3; git merge x >/dev/null || true", "cp init", "merge"},
		{"a marker of a newer format", "git init -q; mkdir .cp; echo 'format: 9' >.cp/vault.yaml", "cp init --force", "format 9"},
		{"a broken marker", "mkdir .cp; echo 'a: [' >.cp/vault.yaml", "cp init --force", "cannot parse"},
		{"a link to nowhere", "ln -s nowhere l", "cp init l", "cannot open"},
	}
	p := build(t, "cp")
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p := p.in(t, nil)
			p.must(row.setup)
			before := p.must("find . -path ./.git -prune -o -print | sort")
			r := p.sh(row.line)
			if r.exit != 1 || !strings.Contains(r.err, row.says) {
				t.Errorf("got %+v, want %q", r, row.says)
			}
			if after := p.must("find . -path ./.git -prune -o -print | sort"); after != before {
				t.Errorf("left behind:\n%s\nwas:\n%s", after, before)
			}
		})
	}
}

func TestInitInAFolderThatCannotBeWritten(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere")
	}
	p := build(t, "cp").in(t, nil)
	p.must("mkdir ro; chmod 500 ro")
	if r := p.sh("cp init ro"); r.exit != 1 || !strings.Contains(r.err, "denied") {
		t.Errorf("got %+v", r)
	}
}

// What a person has typed stays theirs.
func TestInitKeepsWhatIsThere(t *testing.T) {
	p := build(t, "cp").in(t, nil)
	p.must("git init -q; git config user.name a; git config user.email a@b")
	p.write(".gitattributes", "*.bin binary\n")
	p.write("a.md", "# a\n")
	p.must("git add .; git commit -qm notes")
	p.write(".gitattributes", "*.bin binary\n*.mine text\n")
	p.write("a.md", "# a, edited\n")
	p.must("cp init")
	if got := p.must("git show HEAD:.gitattributes"); strings.Contains(got, "mine") || !strings.Contains(got, "*.md merge=cp-memory") {
		t.Errorf("committed:\n%s", got)
	}
	if got := p.read(".gitattributes"); !strings.Contains(got, "*.mine text\n") || !strings.Contains(got, "*.md merge=cp-memory\n") {
		t.Errorf("on disk:\n%s", got)
	}
	if got := p.must("git status --short -uno"); got != "M .gitattributes\n M a.md" && got != " M .gitattributes\n M a.md" {
		t.Errorf("status:\n%s", got)
	}
	if got := p.must("git check-attr merge x.md"); got != "x.md: merge: cp-memory" {
		t.Error(got)
	}
}

// --force sets what is given, adds what is missing and touches nothing else.
func TestInitForce(t *testing.T) {
	p := build(t, "cp").in(t, nil)
	p.must("cp init --project one --prefix ox")
	p.write(".cp/vault.yaml", p.read(".cp/vault.yaml")+"# kept\nthresholds: {hot: 3}\n")
	p.must("git -c user.name=a -c user.email=a@b commit -qam mine; rm .gitattributes")
	if out := p.must("cp init --force --project two"); !strings.Contains(out, "project two, ids ox-…") {
		t.Error(out)
	}
	if got, want := p.read(".cp/vault.yaml"), "# The marker of a memory vault. See: cp help files\nformat: 1\nproject: two\nprefix: ox\n# kept\nthresholds: {hot: 3}\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := p.must("git status --short; git show HEAD:.cp/vault.yaml | grep project; cat .gitattributes"); got != "project: two\n*.md merge=cp-memory\n.cp/facts/** merge=cp-memory" {
		t.Error(got)
	}
	before := p.must("git rev-parse HEAD")
	if out := p.must("cp init --force"); !strings.Contains(out, "Nothing to change.") || p.must("git rev-parse HEAD") != before {
		t.Errorf("a second time:\n%s", out)
	}
	// A lost marker comes back.
	p.must("rm -r .cp && cp init --prefix ox --project two && git status --short && git diff --exit-code HEAD~1 -- .gitattributes")
	// A vault taken away in a commit comes back too.
	p.must("git rm -rq --cached .cp && git -c user.name=a -c user.email=a@b commit -qm gone && rm -r .cp && cp init && test -z \"$(git status --short)\" && cp status")
}

// Two vaults in one repository: the first keeps the .cp.yaml.
func TestASecondVaultLeavesTheFirstAlone(t *testing.T) {
	p := build(t, "cp").in(t, nil)
	p.must("git init -q; echo >x.go; cp init; cp init docs/notes")
	if got := p.read(".cp.yaml"); got != "vault: memory\n" {
		t.Errorf("got %s", got)
	}
	p.must("cd docs/notes && cp memory add there")
	p.must("cp memory add here && ls memory/here.md docs/notes/there.md")
}

func TestInitTellsOfAnIgnoredVault(t *testing.T) {
	p := build(t, "cp").in(t, nil)
	p.must("git init -q; echo memory >.gitignore; echo >x.go")
	if r := p.sh("cp init"); r.exit != 0 || !strings.Contains(r.err, "git ignores") {
		t.Errorf("got %+v", r)
	}
	if out := p.must("cp doctor -o json"); !strings.Contains(out, "check-ignore -v") {
		t.Error(out)
	}
}

// What is written down about a vault beside its files is its owner's: other
// users can neither hold its lock nor read its unfinished writes and the
// versions kept. Faults S15.
func TestOtherUsersSeeNoState(t *testing.T) {
	p := build(t, "cp").in(t, nil)
	p.must("umask 022; cp init && cp memory add one && cp memory update one.md --append more")
	for _, name := range []string{"lock", "tx", "mark", "displaced", "outbox"} {
		info, err := os.Stat(filepath.Join(p.dir, ".git/cp/root", name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", name, info.Mode())
		}
	}
}
