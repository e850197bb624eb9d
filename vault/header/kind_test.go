package header_test

import (
	"testing"

	"github.com/cp-memory/cp/vault/header"
)

// A word names a kind in the singular and in the plural, and in no other case.
func TestOf(t *testing.T) {
	for word, want := range map[string]header.Kind{
		"decision": header.Decision, "decisions": header.Decision, "reviews": header.Review, "finding": header.Finding,
		"progress": header.Progress, "observations": header.Observation, "Decision": "", "memory": "", "task": "", "": "", "decisionss": "",
	} {
		if got, ok := header.ParseKind(word); got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v", word, got, ok)
		}
	}
}

// Every kind is found by its name, has a namespace, and stands where All lists it.
func TestAll(t *testing.T) {
	for i, k := range header.Kinds() {
		if got, ok := header.ParseKind(string(k)); !ok || got != k || k.Namespace() == "" || k.Rank() != i {
			t.Errorf("%s: got %s, %v, %q, rank %d", k, got, ok, k.Namespace(), k.Rank())
		}
	}
	if none := header.Kind("x"); none.Namespace() != "" || none.Rank() != len(header.Kinds()) {
		t.Errorf("no kind: %q, %d", none.Namespace(), none.Rank())
	}
	if header.Finding.Namespace() != "reviews" {
		t.Error("a finding is no review")
	}
}
