package gitstore

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault/converge"

	"github.com/google/go-cmp/cmp"
)

// sides makes two branches that went on from one commit: a line of shell for
// each, in a repository whose x.md has the lines 1 to 5.
func sides(t *testing.T, ours, theirs string) world {
	t.Helper()
	w := newWorld(t).init("")
	w.write("x.md", "1\n2\n3\n4\n5\n")
	w.sh("git add . && git commit -qm base && git branch theirs")
	w.sh(ours + " && git add -A && git commit -q --allow-empty -m ours")
	w.sh("git checkout -q theirs && " + theirs + " && git add -A && git commit -q --allow-empty -m theirs && git checkout -q main")
	return w
}

// marker is that of a conflict, with the name of a side.
var marker = regexp.MustCompile(`(?m)^(<{7}|\|{7}|>{7}) .*$`)

// Two commits are merged once more as git does it by itself, whatever driver and
// style a person has set, and nothing changes by that.
func TestReplay(t *testing.T) {
	testlevel.Check(t)
	const markers = "<<<<<<<\nours\n=======\ntheirs\n>>>>>>>\n2\n3\n4\n5\n"
	for _, row := range []struct {
		name, ours, theirs string
		want               string // x.md in the tree; "-" is none
		open               string // what is left to a person, "path kind", and which versions it has
	}{
		{"apart", "sed -i 's/1/ours/' x.md", "sed -i 's/5/theirs/' x.md", "ours\n2\n3\n4\ntheirs\n", ""},
		{"one side alone", "sed -i 's/1/ours/' x.md", "true", "ours\n2\n3\n4\n5\n", ""},
		{"one line", "sed -i 's/1/ours/' x.md", "sed -i 's/1/theirs/' x.md", markers, "x.md contents base ours theirs"},
		{"deleted here, edited there", "git rm -q x.md", "sed -i 's/1/theirs/' x.md", "theirs\n2\n3\n4\n5\n", "x.md modify/delete base theirs"},
		{"moved here, edited there", "git mv x.md y.md", "sed -i 's/1/theirs/' x.md", "-", ""},
		{"moved to two places", "mkdir e && git mv x.md e/", "mkdir d && git mv x.md d/", "-", "d/x.md rename/rename theirs, e/x.md rename/rename ours, x.md rename/rename base"},
		{"one name for two", "echo ours >new.md", "echo theirs >new.md", "1\n2\n3\n4\n5\n", "new.md contents ours theirs"},
	} {
		for name, config := range map[string]string{
			"":                             "true",
			", with another style":         "git config merge.conflictStyle diff3 && git config merge.renames false && git config merge.directoryRenames true",
			", with a driver that says no": "git config merge.cp-memory.driver false && echo '*.md merge=cp-memory' >.git/info/attributes",
		} {
			t.Run(row.name+name, func(t *testing.T) {
				w := sides(t, row.ours, row.theirs)
				w.sh(config)
				before := w.sh("git for-each-ref; git status --porcelain; ls")
				r, _ := w.open(false)
				ours, theirs := w.commit(r, "main"), w.commit(r, "theirs")
				m, err := r.Replay(context.Background(), ours, theirs, converge.ReplayMerge)
				if err != nil {
					t.Fatal(err)
				}
				got, err := w.try("git cat-file blob " + m.Tree + ":x.md")
				if err != nil {
					got = "-"
				}
				got = marker.ReplaceAllString(got, "$1")
				if diff := cmp.Diff(row.want, got); diff != "" {
					t.Errorf("the text (-want +got):\n%s", diff)
				}
				var open []string
				for _, c := range m.Clashes {
					line := c.Path + " " + c.Kind
					for _, side := range [][2]string{{c.Base, " base"}, {c.Ours, " ours"}, {c.Theirs, " theirs"}} {
						if side[0] != "" {
							line += side[1]
						}
					}
					open = append(open, line)
				}
				if got := strings.Join(open, ", "); got != row.open {
					t.Errorf("open: got %q, want %q", got, row.open)
				}
				if after := w.sh("git for-each-ref; git status --porcelain; ls"); after != before {
					t.Errorf("was:\n%s\nis:\n%s", before, after)
				}
			})
		}
	}
}

// Git writes a conflict in each of its forms, or what it would give to a driver,
// whatever the clone's attributes say.
func TestReplayForms(t *testing.T) {
	w := sides(t, `sed -i 's/1/same\nours/' x.md`, `sed -i 's/1/same\ntheirs/' x.md`)
	w.sh("git config merge.default union && echo '*.md -merge' | tee .gitattributes >../attributes && git config core.attributesFile $PWD/../attributes")
	r, _ := w.open(false)
	ours, theirs := w.commit(r, "main"), w.commit(r, "theirs")
	const rest = "2\n3\n4\n5\n"
	for how, want := range map[converge.Replay]string{
		converge.ReplayMerge:    "same\n<<<<<<<\nours\n=======\ntheirs\n>>>>>>>\n" + rest,
		converge.ReplayDiff3:    "<<<<<<<\nsame\nours\n|||||||\n1\n=======\nsame\ntheirs\n>>>>>>>\n" + rest,
		converge.ReplayZdiff3:   "same\n<<<<<<<\nours\n|||||||\n1\n=======\ntheirs\n>>>>>>>\n" + rest,
		converge.ReplayUnion:    "same\nours\ntheirs\n" + rest,
		converge.ReplayVersions: "10\n18\n20\n1\n" + rest + "same\nours\n" + rest + "same\ntheirs\n" + rest,
	} {
		m, err := r.Replay(context.Background(), ours, theirs, how)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, marker.ReplaceAllString(w.sh("git cat-file blob "+m.Tree+":x.md"), "$1")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", how, diff)
		}
	}
}

// The merges that nobody has put right yet: the trailer Cp-Settles of a later
// commit says of one that somebody has.
func TestMerges(t *testing.T) {
	const merge = "git merge -q --no-ff --no-edit theirs"
	const settle = `git commit -q --allow-empty -m 'memory: merge' -m "Cp-Op: 1
Cp-Settles: $(git rev-parse %)"`
	settles := func(rev string) string { return strings.Replace(settle, "%", rev, 1) }
	again := `git checkout -q theirs && git commit -q --allow-empty -m more && git checkout -q main && ` + merge
	for _, row := range []struct {
		name, do, since string
		want            string // the merges, by names that git knows
	}{
		{"none", "true", "", ""},
		{"one", merge, "", "HEAD"},
		{"two, the oldest first", merge + " && " + again, "", "HEAD~1 HEAD"},
		{"put right", merge + " && " + settles("HEAD"), "", ""},
		{"the later one put right", merge + " && " + again + " && " + settles("HEAD"), "", "HEAD~2"},
		{"the earlier one put right", merge + " && " + again + " && " + settles("HEAD~1"), "", "HEAD~1"},
		{"put right by a commit that others follow", merge + " && " + settles("HEAD") + " && git commit -q --allow-empty -m later", "", ""},
		{"another commit put right", merge + " && " + settles("HEAD~1"), "", "HEAD~1"},
		{"only spoken of", merge + ` && git commit -q --allow-empty -m why -m "Cp-Settles: $(git rev-parse HEAD)" -m 'Not really.'`, "", "HEAD~1"},
		{"put right elsewhere", merge + " && git checkout -qb side && " + settles("HEAD") + " && git checkout -q main", "", "HEAD"},
		{"put right, and then taken up by a merge", merge + " && git checkout -qb side && " + settles("HEAD") + " && git checkout -q main && git merge -q --no-ff --no-edit side", "", "HEAD"},
		{"looked at already", merge + " && " + again, "HEAD~1", "HEAD"},
		{"all looked at", merge, "HEAD", ""},
		{"looked at in a history that is gone", merge, "1234567890123456789012345678901234567890", "HEAD"},
		{"looked at, but what it says is no commit", merge, "HEAD~1 --all", "HEAD"},
		{"of three", "git checkout -qb third theirs~1 && git commit -q --allow-empty -m third && git checkout -q main && git merge -q --no-edit theirs third", "", ""},
		{"fast forward", "git reset -q --hard HEAD~1 && git merge -q theirs", "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := sides(t, "echo o >ours.md", "echo t >theirs.md")
			w.sh(row.do)
			r, _ := w.open(false)
			since := row.since
			if id, err := r.Resolve(context.Background(), since); err == nil {
				since = id
			}
			all, err := r.Merges(context.Background(), since)
			if err != nil {
				t.Fatal(err)
			}
			var got, want []string
			for _, m := range all {
				got = append(got, m.Commit)
				if parents := strings.Fields(w.sh("git rev-list --parents -n 1 " + m.Commit)); m.Sides != [2]string(parents[1:]) {
					t.Errorf("the sides of %s: got %v", m.Commit, m.Sides)
				}
				if base := strings.TrimSpace(w.sh("git merge-base " + m.Sides[0] + " " + m.Sides[1])); base != m.Base {
					t.Errorf("the base of %s: got %s", m.Commit, m.Base)
				}
			}
			for _, name := range strings.Fields(row.want) {
				want = append(want, w.commit(r, name))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, w.sh("git log --graph --format='%h %s'"))
			}
		})
	}
}

// Of several best common ancestors every clone takes the same.
func TestMergeBase(t *testing.T) {
	w := sides(t, "echo o >ours.md", "echo t >theirs.md")
	w.sh("git branch a && git branch b theirs")
	w.sh("git merge -q --no-edit b && git checkout -q theirs && git merge -q --no-edit a && git checkout -q main")
	r, _ := w.open(false)
	ctx := context.Background()
	one, err := r.MergeBase(ctx, "main", "theirs")
	if err != nil {
		t.Fatal(err)
	}
	if want := min(w.commit(r, "a"), w.commit(r, "b")); one != want {
		t.Errorf("got %s, want %s", one, want)
	}
	if other, err := r.MergeBase(ctx, "theirs", "main"); other != one || err != nil {
		t.Errorf("the other way round: %s, %v", other, err)
	}
	w.sh("git checkout -q --orphan alone && git commit -q --allow-empty -m alone")
	if none, err := r.MergeBase(ctx, "alone", "main"); none != "" || err != nil {
		t.Errorf("without one: %q, %v", none, err)
	}
}
