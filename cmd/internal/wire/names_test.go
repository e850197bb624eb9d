package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// typedNames are ways in which models and people name the memory in f/Deep Note.md.
var typedNames = []string{"Deep Note", "deep note", "Deep Note.md", "f/Deep Note", "[[Deep Note]]", "![[f/Deep Note#part|words]]", "f/Deep%20Note.md", "memory://f/Deep%20Note.md",
	"[words](f/Deep%20Note.md)", "`f/Deep Note.md`", "/f/Deep Note.md", "A heading of its own", "[[A heading of its own]]", "memory://ID", `"ID"`}

// namedVault puts the memory in f/Deep Note.md into the vault v, and returns its id.
func namedVault(m *machine) (id string) {
	m.write("v/f/Deep Note.md", "# A heading of its own\n\nThe pager is in the drawer.\n")
	m.git("v", "add", "-A")
	m.git("v", "commit", "-qm", "a note made by hand")
	return anID.FindString(m.cp("v", "memory", "update", "f/Deep Note.md", "--append", "It is red."))
}

// Every tool and every command takes a memory by each name that a person or a model would write.
func TestEveryFaceTakesEachName(t *testing.T) {
	c := converse(t, false)
	m, id := c.m, namedVault(c.m)
	other := m.add("v", "Other", "When it is another", "Text.")
	for i, name := range testlevel.Share(4, typedNames) {
		name = strings.ReplaceAll(name, "ID", id)
		c.does("memory_show", object{"id": name}, "pager")
		c.does("memory_history", object{"id": name}, "A heading of its own")
		c.does("memory_tree", object{"root": name}, id)
		c.does("memory_recall", object{"query": "pager", "under": name}, "")
		c.does("memory_update", object{"id": name, "append": "By " + strings.ReplaceAll(name, id, "id")}, "commit")
		below := c.add(object{"title": fmt.Sprint("Below ", i), "body": "x", "summary": "When it is below", "parent": name})
		c.does("memory_move", object{"id": below, "parent": "root"}, "commit")
		c.does("memory_move", object{"id": below, "parent": name}, "commit")
		c.does("memory_retire", object{"id": below, "how": "superseded", "by": name}, "commit")
		m.cp("v", "memory", "update", name, "--append", "on the command line")
		m.cp("v", "memory", "move", other, name)
		m.cp("v", "memory", "move", other, "--root")
		quoted := strings.ReplaceAll(name, `"`, `\"`)
		if _, stderr, exit := m.try("v", `{"verb":"update","id":"`+quoted+`","append":"in a batch"}`+"\n"+`{"verb":"add-sub","parent":"`+quoted+`","title":"B`+fmt.Sprint(i)+`","summary":"When","body":"x"}`, "memory", "batch"); exit != 0 {
			t.Errorf("batch, %s: %s", name, stderr)
		}
	}
}

// A name that nothing has is told with those that may be meant, the nearest first.
func TestEveryFaceOffersTheNearest(t *testing.T) {
	c := converse(t, false)
	m, id := c.m, namedVault(c.m)
	m.add("v", "Pager rota", "When the pager has to change hands", "Ada, then Bob.")
	for _, near := range []string{"f/Dep Note.md", "where is the pager", "x" + id} {
		want := near + " not found\nhint: near to it: "
		for tool, of := range map[string]string{"memory_show": "id", "memory_history": "id", "memory_tree": "root", "memory_update": "id"} {
			args := object{of: near}
			if tool == "memory_update" {
				args["append"] = "x"
			}
			got, failed := c.call(tool, args)
			if !failed || !strings.Contains(got, want) || !strings.Contains(got, id+" (A heading of its own)") {
				t.Errorf("%s %s: %s", tool, near, got)
			}
		}
		for _, line := range [][]string{{"show", near}, {"update", near, "--append", "x"}, {"log", near}, {"delete", near, "--force"}, {"add-sub", near, "--title", "x", "--summary", "When", "--body", "x"}} {
			if _, stderr, exit := m.try("v", "", append([]string{"memory"}, line...)...); exit != 1 || !strings.Contains(stderr, want) || !strings.Contains(stderr, id) {
				t.Errorf("%q: exit %d, %s", line, exit, stderr)
			}
		}
		if _, stderr, exit := m.try("v", `{"verb":"update","id":"`+near+`","append":"x"}`, "memory", "batch"); exit != 1 || !strings.Contains(stderr, "near to it: ") {
			t.Errorf("batch, %s: exit %d, %s", near, exit, stderr)
		}
	}
	if _, stderr, _ := m.try("v", "", "memory", "show", "zzz"); strings.Contains(stderr, "near to it") {
		t.Errorf("nothing is near to zzz: %s", stderr)
	}
}

// A file that is deleted twice takes no other one of its name along.
func TestDeletionTakesNoFileElsewhere(t *testing.T) {
	c := converse(t, false)
	m := c.m
	namedVault(m)
	m.write("v/Deep Note.md", "At the top.\n")
	m.git("v", "add", "-A")
	m.git("v", "commit", "-qm", "another one")
	m.cp("v", "memory", "update", "Deep Note.md", "--append", "It has an id.")
	m.cp("v", "memory", "delete", "Deep Note.md", "--force")
	if _, stderr, exit := m.try("v", "", "memory", "delete", "Deep Note.md", "--force"); exit != 1 || !strings.Contains(stderr, "there is no file Deep Note.md") {
		t.Errorf("exit %d, %s", exit, stderr)
	}
	c.fails("memory_retire", object{"id": "Deep Note.md", "how": "deleted"}, "there is no file Deep Note.md")
	if said := m.cp("v", "memory", "log", "Deep Note.md"); !strings.Contains(said, "another one") {
		t.Errorf("the history of the one that is gone: %s", said)
	}
	m.cp("v/f", "memory", "delete", "Deep Note.md", "--force")
}
