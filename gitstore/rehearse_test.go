package gitstore

import (
	"errors"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// What converts a file may refuse it. A rehearsal says so of each file, in git's words, and
// so does a publication; every other file is published.
func TestAFileThatGitCannotConvert(t *testing.T) {
	const required = "git config filter.x.required true && git config filter.x.smudge cat && "
	for _, row := range []struct {
		name, set, attribute string
		refused, says        string // nothing where git takes the bytes as they are
	}{
		{"a required filter fails", required + "git config filter.x.clean 'echo no key >&2; false'", "filter=x", "old.md new.md ", "no key"},
		{"its program is missing", required + "git config filter.x.clean cp-no-such-program", "filter=x", "old.md new.md ", "cp-no-such-program"},
		{"its smudge fails alone", required + "git config filter.x.clean cat && git config filter.x.smudge 'echo locked >&2; false'", "filter=x", "old.md ", "locked"},
		{"its process dies", required + "git config filter.x.process 'exit 1'", "filter=x", "old.md new.md ", "x"},
		{"a filter that is not required fails", "git config filter.x.clean false && git config filter.x.smudge false", "filter=x", "", ""},
		{"a filter that nobody has set up", "true", "filter=x", "", ""},
		{"an encoding that asks for a mark", "true", "working-tree-encoding=UTF-16", "old.md new.md ", "UTF-16"},
		{"an encoding of no name", "true", "working-tree-encoding=NONE-9", "old.md new.md ", "NONE-9"},
		{"line endings that may not change", "git config core.safecrlf true", "text eol=crlf", "new.md ", "LF"},
	} {
		for _, place := range testlevel.Share(2, []string{".gitattributes", ".git/info/attributes"}) {
			t.Run(row.name+" in "+place, func(t *testing.T) {
				w := newWorld(t).init("")
				w.write("old.md", "Old.\n")
				w.write("plain.txt", "Plain.\n")
				w.sh("git add . && git commit -qm one && mkdir -p .git/info && " + row.set)
				w.write(place, "*.md "+row.attribute+"\n")
				r, state := w.open(false)
				change := vault.Edit{Path: "old.md", Steps: appendStep("More.")}
				create := vault.Edit{Path: "new.md", Create: []byte("New.\n")}
				plain := vault.Edit{Path: "plain.txt", Steps: appendStep("More.")}

				if may, err := r.MayRefuse(t.Context(), []string{"old.md"}); err != nil || !may {
					t.Fatalf("nothing may refuse: %v, %v", may, err)
				}
				err := r.Rehearse(t.Context(), newCommit("op-1", plain, change, create))
				if refused := refusedPaths(err); refused != row.refused {
					t.Fatalf("the rehearsal said %v of %q", err, refused)
				}
				_, err = r.Publish(t.Context(), newCommit("op-2", change, create), state)
				switch {
				case row.refused == "":
					if err != nil {
						t.Errorf("git takes the bytes as they are, and we said %v", err)
					}
				case vault.CodeOf(err) != vault.CodeFilter || !strings.Contains(err.Error(), row.says) || strings.Contains(err.Error(), "\n"):
					t.Errorf("published with %v", err)
				}
				w.publish(r, state, newCommit("op-3", plain))
				w.publish(r, state, newCommit("op-4", vault.Edit{Path: "old.md", To: "moved.md"}))
				w.publish(r, state, newCommit("op-5", vault.Edit{Path: "moved.md", Remove: true}))
				w.sound(r, state)
			})
		}
	}
}

// refusedPaths lists the files of a rehearsal's error.
func refusedPaths(err error) (all string) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			all += refusedPaths(one)
		}
		return all
	}
	if e := new(vault.Error); errors.As(err, &e) && e.Code == vault.CodeFilter {
		return e.Path + " "
	}
	return ""
}

// Where nothing converts, no git is asked.
func TestNothingMayRefuseWithoutAttributes(t *testing.T) {
	w := newWorld(t).init("")
	w.write(".gitattributes", "*.md merge=cp-memory\n")
	w.write("a.md", "A.\n")
	w.sh("git add . && git commit -qm one")
	r, _ := w.open(false)
	if may, err := r.MayRefuse(t.Context(), []string{"a.md", "b/c.md"}); may || err != nil {
		t.Errorf("got %v, %v", may, err)
	}
	w.write(".gitattributes", "*.md text=auto\n")
	if may, err := r.MayRefuse(t.Context(), []string{"a.md"}); may || err != nil {
		t.Errorf("line endings are converted in any text: got %v, %v", may, err)
	}
}
