package kind_test

import (
	"testing"

	"github.com/cp-memory/cp/vault/kind"
)

// A word names a kind in the singular and in the plural, and in no other case.
func TestOf(t *testing.T) {
	for word, want := range map[string]kind.Kind{
		"decision": kind.Decision, "decisions": kind.Decision, "reviews": kind.Review, "finding": kind.Finding,
		"progress": kind.Progress, "observations": kind.Observation, "Decision": "", "memory": "", "task": "", "": "", "decisionss": "",
	} {
		if got, ok := kind.ParseKind(word); got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v", word, got, ok)
		}
	}
}

// Every kind is found by its name, has a namespace, and stands where All lists it.
func TestAll(t *testing.T) {
	for i, k := range kind.Kinds() {
		if got, ok := kind.ParseKind(string(k)); !ok || got != k || k.Namespace() == "" || k.Rank() != i {
			t.Errorf("%s: got %s, %v, %q, rank %d", k, got, ok, k.Namespace(), k.Rank())
		}
	}
	if none := kind.Kind("x"); none.Namespace() != "" || none.Rank() != len(kind.Kinds()) {
		t.Errorf("no kind: %q, %d", none.Namespace(), none.Rank())
	}
	if kind.Finding.Namespace() != "reviews" {
		t.Error("a finding is no review")
	}
}
