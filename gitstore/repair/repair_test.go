package repair

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/gitscene"
	"github.com/cp-memory/cp/vault/doctor"
)

// scene is a repository with three commits: one, two and three, each with a file.
type scene struct{ gitscene.Scene }

func newScene(t testing.TB) scene {
	t.Helper()
	w := scene{gitscene.New(t)}
	w.sh("for n in one two three; do echo $n >$n.md && git add . && git commit -qm $n; done")
	return w
}

// sh is Sh, where "lose x" takes away the object that x names, and "emptied x"
// leaves it no bytes.
func (w scene) sh(lines string) string {
	w.Helper()
	const tools = `at() { o=$(git rev-parse "$1"); echo .git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-); }
lose() { rm -f $(at "$1"); }
emptied() { f=$(at "$1"); chmod +w $f; : >$f; }
`
	return w.Sh(tools + lines)
}

func (w scene) diagnose() doctor.Damage {
	w.Helper()
	d, err := Diagnose(w.Context(), filepath.Join(w.Dir, "."))
	if err != nil {
		w.Fatal(err)
	}
	return d
}

// What is broken is told, and either it is repaired by going back to the newest
// whole commit and making the index anew, or a person is given commands. Then the
// repository is sound, and no file on disk has changed.
func TestRepair(t *testing.T) {
	for _, row := range []struct {
		name, damage string
		found        string // a part of each sentence, in order
		back         string // where the branches go back to: "main two", say
		index        bool
		commands     string // what each command for a person begins with
		staged       string // what git says of the files after it
	}{
		{name: "sound", damage: "true"},
		{name: "no commit yet", damage: "rm -rf .git && git init -q .", staged: "?? one.md|?? three.md|?? two.md"},
		{name: "a ref of no bytes", damage: ": >.git/refs/heads/main", found: "refs/heads/main is empty", commands: "rm -f", back: "main three"},
		{name: "a ref that is gone", damage: "rm .git/refs/heads/main", found: "main names no commit", back: "main three"},
		{name: "another branch that is gone", damage: "git branch -q side HEAD~1 && rm .git/refs/heads/side", found: "side names no commit", back: "side two"},
		{name: "a branch that was deleted", damage: "git branch -q side && git branch -qD side"},
		{name: "the tip lost its commit", damage: "lose HEAD", found: "of which objects are missing", back: "main two", staged: "A  three.md"},
		{name: "the tip lost a text", damage: "lose HEAD:three.md", found: "of which objects are missing|index names 1", back: "main two", index: true, staged: "?? three.md"},
		{name: "an older text is lost, too", damage: "lose HEAD:three.md && lose HEAD:two.md", found: "of which objects are missing|index names 2", back: "main one", index: true, staged: "?? three.md|?? two.md"},
		{name: "no whole commit", damage: "lose HEAD:one.md", found: "of which objects are missing", back: "main -"},
		{name: "HEAD of no bytes", damage: ": >.git/HEAD", found: "HEAD names no branch", commands: "printf"},
		{name: "HEAD of no bytes, on another branch", damage: "git switch -qc side && : >.git/HEAD", found: "HEAD names no branch", commands: "printf 'ref: %s\\n' 'refs/heads/side'"},
		{name: "an object of no bytes", damage: "emptied HEAD:three.md", found: "is empty", commands: "rm -f", back: "main two", index: true, staged: "?? three.md"},
		{name: "an index of rubbish", damage: "head -c 300 /dev/urandom >.git/index", found: "index cannot be read", index: true},
		{name: "a staged text is lost", damage: "echo s >s.md && git add s.md && lose :s.md", found: "index names 1 objects", index: true, staged: "?? s.md"},
		{name: "a pack that is cut off", damage: "git gc -q && chmod u+w .git/objects/pack/*.pack && truncate -s -5 .git/objects/pack/*.pack",
			found: "is cut off or was changed", commands: "mkdir -p|rm -f|git -C"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newScene(t)
			w.sh(row.damage)
			files := w.sh("cat *.md")
			d := w.diagnose()
			alike(t, "found", d.Found, row.found)
			alike(t, "commands", d.Commands, row.commands)
			if len(d.Commands) > 0 {
				w.sh(strings.Join(d.Commands, "\n"))
				d = w.diagnose()
			}
			var back []string
			for _, b := range d.Branches {
				to := "-"
				if b.To != "" {
					to = strings.TrimSpace(w.sh("git log -1 --format=%s " + b.To))
				}
				back = append(back, strings.TrimPrefix(b.Ref, "refs/heads/")+" "+to)
			}
			if got := strings.Join(back, ", "); got != row.back {
				t.Errorf("goes back to: got %q, want %q", got, row.back)
			}
			if d.Index != row.index {
				t.Errorf("makes the index anew: got %v, want %v", d.Index, row.index)
			}
			if err := Repair(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			if row.back == "main -" {
				if again := w.diagnose(); again.LostBranch() != "refs/heads/main" {
					t.Errorf("lost: got %q", again.LostBranch())
				}
				return
			}
			if again := w.diagnose(); !again.Sound() {
				t.Errorf("after it: %q", again.Found)
			}
			status := strings.ReplaceAll(strings.TrimSpace(w.sh("git status --porcelain")), "\n", "|")
			if status != row.staged || w.sh("cat *.md") != files {
				t.Errorf("status: got %q, want %q; files: %q, were %q", status, row.staged, w.sh("cat *.md"), files)
			}
			if branch := row.back; strings.HasPrefix(branch, "main") {
				if got := w.sh("git reflog -1 --format=%gs main"); got != "cp: doctor, the newest whole commit\n" {
					t.Errorf("the reflog says %q", got)
				}
			}
		})
	}
}

// alike compares lines with parts that they have to have, in order.
func alike(t *testing.T, what string, got []string, parts string) {
	t.Helper()
	want := strings.Split(parts, "|")
	if parts == "" {
		want = nil
	}
	if !slices.EqualFunc(got, want, strings.Contains) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// A linked work tree is looked at by its own HEAD and index; a folder in no
// repository has nothing to repair.
func TestDiagnoseFindsTheRepository(t *testing.T) {
	w := newScene(t)
	w.sh("mkdir -p a/b && git worktree add -q linked -b side && head -c 300 /dev/urandom >.git/worktrees/linked/index")
	for dir, want := range map[string]string{"a/b": "[]", "linked": fmt.Sprintf("[%s/.git/worktrees/linked/index cannot be read]", w.Dir)} {
		d, err := Diagnose(t.Context(), filepath.Join(w.Dir, dir))
		if got := fmt.Sprint(d.Found); err != nil || got != want {
			t.Errorf("%s: got %s, %v; want %s", dir, got, err, want)
		}
	}
	if d, err := Diagnose(t.Context(), t.TempDir()); err != nil || !d.Sound() {
		t.Errorf("in no repository: %+v, %v", d, err)
	}
}
