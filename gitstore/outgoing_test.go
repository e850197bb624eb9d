package gitstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// What would leave with a push: passage by passage, with the line each begins at.
func TestOutgoing(t *testing.T) {
	ours := `git commit -qm 'memory: add' -m 'Cp-Op: 1'`
	for _, row := range []struct {
		name, do string
		tip      string // what upstream has
		want     []string
	}{
		{"nothing new", "true", "HEAD", nil},
		{"a line in the middle", "printf 'a\nnew\nb\n' >x && git commit -qam 1", "HEAD~1", []string{"+x:2 new"}},
		{"two places", "printf 'new\na\nb\nlast\n' >x && git commit -qam 1", "HEAD~1", []string{"+x:1 new", "+x:4 last"}},
		{"a line changed", "printf 'a\nB' >x && git commit -qam 1", "HEAD~1", []string{"-x:2 b", "+x:2 B"}},
		{"moved", "git mv x y && git commit -qm 1", "HEAD~1", []string{"-x:1 a|b", "+y:1 a|b"}},
		{"names that git quotes", `echo 1 >'s p' && echo 2 >'ü"	' && git add . && git commit -qm 1`, "HEAD~1", []string{"+s p:1 1", "+ü\"\t:1 2"}},
		{"lines like a patch's own", `printf '++ b/y\n-- a/y\n@@ -1 +1 @@\n' >z && git add . && git commit -qm 1`, "HEAD~1", []string{"+z:1 ++ b/y|-- a/y|@@ -1 +1 @@"}},
		{"no file of ours", `printf '\000\001' >z && git add . && git commit -qm 1`, "HEAD~1", nil},
		{"the first commit", "true", "", []string{"+x:1 a|b"}},
		{"ours", "echo 1 >y && git add . && " + ours, "HEAD~1", nil},
		{"ours, rewritten", "echo 1 >y && git add . && GIT_COMMITTER_DATE=2040-01-01T00:00:00Z " + ours, "HEAD~1", []string{"+y:1 1"}},
		{"what another branch there has", "echo 1 >y && git add . && git commit -qm 1 && git update-ref refs/remotes/origin/other HEAD", "HEAD~1", nil},
		{"a merge", "git checkout -qb side && echo 1 >y && git add . && git commit -qm 1 && git checkout -q main && git commit -q --allow-empty -m 2 && git merge -q --no-edit side",
			"HEAD~1", []string{"+y:1 1"}},
		{"what a merge adds", "git checkout -qb side && printf 'A\nb\n' >x && git commit -qam 1 && git checkout -q main && printf 'a\nB\n' >x && git commit -qam 2 && " +
			"(git merge -q side >/dev/null || true) && printf 'A\nB\nnew\n' >x && git commit -qam 3",
			"side", []string{"-x:2 b", "+x:2 B", "-x:1 a", "-x:2 b", "+x:3 new"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t).init("")
			w.write("x", "a\nb\n")
			w.sh("git add . && git commit -qm 0")
			w.sh(row.do)
			r, _ := w.open(false)
			ctx := context.Background()
			head, tip := w.commit(r, "HEAD"), ""
			if row.tip != "" {
				tip = w.commit(r, row.tip)
			}
			var got []string
			err := r.Outgoing(ctx, head, vault.Upstream{Remote: "origin", Ref: "refs/heads/main"}, tip, func(p vault.Passage) error {
				got = append(got, told(p))
				return nil
			})
			if err != nil || !slices.Equal(got, row.want) {
				t.Errorf("got %q, %v; want %q", got, err, row.want)
			}
		})
	}
}

// Which paths the commits touch that a push would bring.
func TestAhead(t *testing.T) {
	const idLike = "1111111111111111111111111111111111111111" // sorts before a colon, whatever the ids of the day are
	for _, row := range []struct {
		name, do string
		tip      string // what upstream has
		want     []string
	}{
		{"nothing new", "true", "HEAD", nil},
		{"the first commit", "true", "", []string{"0: x"}},
		{"nothing in it", "git commit -q --allow-empty -m 1 && echo >y && git add . && git commit -qm 2", "HEAD~2", []string{"2: y"}},
		{"moved, deleted, of another mode", "git mv x y && git commit -qm 1 && chmod +x y && git commit -qam 2 && git rm -q y && git commit -qm 3", "HEAD~3", []string{"1: x", "1: y", "2: y", "3: y"}},
		{"odd names", "echo 1 >" + idLike + ` && echo 2 >':100644 x' && printf 3 >"$(printf '\na b')" && git add . && git commit -qm ':odd'`, "HEAD~1",
			[]string{":odd: \na b", ":odd: " + idLike, ":odd: :100644 x"}},
		{"a submodule that is to be ignored", "git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub && git commit -qm 1 && git config diff.ignoreSubmodules all", "HEAD~1", []string{"1: sub"}},
		{"a first commit that is not to be shown", "git config log.showRoot false", "", []string{"0: x"}},
		{"what another branch there has", "echo 1 >y && git add . && git commit -qm 1 && git update-ref refs/remotes/origin/other HEAD", "HEAD~1", []string{"1: y"}},
		{"what another branch there has, for a new one", "git update-ref refs/remotes/origin/other HEAD && echo 1 >y && git add . && git commit -qm 1", "", []string{"1: y"}},
		{"one of ours, and one that was amended", "echo 1 >y && git add . && git commit -qm 1 -m 'Cp-Op: op-1' && echo 2 >z && git add . && git commit -qm '2 Cp-Op: none' && echo 3 >u && git add . && GIT_AUTHOR_DATE=2001-01-01T00:00:00Z git commit -qm 3 -m 'Cp-Op: op-3'", "HEAD~3", []string{"1: y by op-1", "2 Cp-Op: none: z", "3: u"}},
		{"a merge", "git checkout -qb side && echo 1 >y && git add . && git commit -qm 1 && git checkout -q main && git commit -q --allow-empty -m 2 && git merge -q --no-edit side",
			"HEAD~1", []string{"1: y"}},
		{"what a merge adds", "git checkout -qb side && git commit -q --allow-empty -m 1 && git checkout -q main && git commit -q --allow-empty -m 2 && " +
			"git merge -q --no-commit side && echo >y && git add . && git commit -qm 3",
			"side", []string{"3: y"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t).init("")
			w.write("x", "a\nb\n")
			w.sh("git add . && git commit -qm 0")
			w.sh(row.do)
			r, _ := w.open(false)
			head, tip := w.commit(r, "HEAD"), ""
			if row.tip != "" {
				tip = w.commit(r, row.tip)
			}
			var got []string
			err := r.EachPushedPath(t.Context(), head, vault.Upstream{Remote: "origin", Ref: "refs/heads/main"}, tip, func(rev vault.Revision, path string) error {
				if rev.Op != "" {
					path += " by " + rev.Op
				}
				got = append(got, rev.Subject+": "+path)
				return nil
			})
			if err != nil || !slices.Equal(got, row.want) {
				t.Errorf("got %q, %v; want %q", got, err, row.want)
			}
		})
	}
}

// commit returns the id of what rev names.
func (w world) commit(r *Repo, rev string) string {
	w.Helper()
	id, err := r.Resolve(context.Background(), rev)
	if err != nil {
		w.Fatal(err)
	}
	return id
}

func told(p vault.Passage) string {
	sign := "+"
	if p.Gone {
		sign = "-"
	}
	text := strings.ReplaceAll(strings.TrimSuffix(string(p.Text), "\n"), "\n", "|")
	return fmt.Sprintf("%s%s:%d %s", sign, p.Path, p.Line, text)
}
