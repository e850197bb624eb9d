package mcp

import (
	"reflect"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/guide"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/options"
	"github.com/cp-memory/cp/vault/tree"
)

// The bounds in the tags are those of the rooms.
func TestBounds(t *testing.T) {
	for _, o := range options.Of(tree.Show{}) {
		if o.Tool == "depth" && o.Most != tree.MaxShowDepth {
			t.Errorf("depth has %d levels, and can have %d", o.Most, tree.MaxShowDepth)
		}
	}
}

// The essence of the instructions comes first, and none of it is cut by a client.
func TestInstructions(t *testing.T) {
	if n := len(guide.Instructions()); n >= 4000 {
		t.Errorf("they have %d characters", n)
	}
	for _, tool := range []string{"memory_recall", "memory_show", "memory_add"} {
		if at := strings.Index(guide.Instructions(), tool); at < 0 || at > 600 {
			t.Errorf("%s comes first at %d", tool, at)
		}
	}
}

// What a tool takes for a memory that is left out, or blank, is listed here: either the tool
// needs it, or nothing is moved, ended or narrowed by its absence.
func TestEachReferenceOfATool(t *testing.T) {
	known := map[string]string{
		"addArgs.parent":     "without one the memory is a new root; the word of memory_move says that, too",
		"addArgs.references": "a list, and none refers to nothing",
		"addArgs.to":         "it names an agent, and without one all are told",
		"Amend.id":           "needed", "Move.id": "needed", "Move.parent": "needed: the root has a word of its own",
		"retireArgs.id": "needed", "retireArgs.by": "refused where it is missing", "Show.id": "needed",
		"historyArgs.id": "without one it tells of all", "treeArgs.root": "without one it shows all", "recallArgs.under": "without one it looks everywhere",
	}
	refers := map[string]bool{"id": true, "parent": true, "by": true, "under": true, "root": true, "references": true, "into": true, "to": true}
	for _, in := range []any{addArgs{}, tree.Amend{}, tree.Move{}, retireArgs{}, tree.Show{}, historyArgs{}, treeArgs{}, recallArgs{}} {
		for _, o := range options.Of(in) {
			of := reflect.TypeOf(in).Name()
			why := known[of+"."+o.Tool]
			if refers[o.Tool] && (why == "" || strings.HasPrefix(why, "needed") != o.ToolNeeds) {
				t.Errorf("%s.%s may be left out: %q", of, o.Tool, why)
			}
		}
	}
	if _, err := (&Server{}).retire(t.Context(), caller{}, retireArgs{ID: "pf-a", How: "superseded"}); err == nil || vault.CodeOf(err) != vault.CodeInvalid {
		t.Errorf("superseded by nothing: %v", err)
	}
}
