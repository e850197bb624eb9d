package sync

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// Every type of discrepancy and every kind of problem is in the one list, once.
func TestKindsHoldsEveryKind(t *testing.T) {
	var listed, defined []string
	for _, k := range Kinds() {
		listed = append(listed, k.Name)
	}
	for file, name := range map[string]string{"sync.go": `\t[A-Z]\w+ += "([a-z_0-9]+)"`, "../converge/discrepancy.go": `\t[A-Z]\w+ += "([a-z_0-9]+)"`, "../memory.go": `\tProblem\w+ += "([a-z_0-9]+)"`} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(name).FindAllStringSubmatch(string(source), -1) {
			defined = append(defined, found[1])
		}
	}
	slices.Sort(listed)
	slices.Sort(defined)
	if got := slices.Compact(slices.Clone(listed)); len(got) != len(listed) || len(got) < 30 {
		t.Errorf("got %v, want each once", listed)
	}
	if want := slices.Compact(defined); !slices.Equal(listed, want) {
		t.Errorf("got  %v\nwant %v", listed, want)
	}
}

// What is left to be mended is what was not fixed, and the problems that no discrepancy
// settles and that are not left by design.
func TestLeave(t *testing.T) {
	markers := vault.Problem{Path: "a.md", Kind: vault.ProblemMarkers, Line: 3, Msg: "markers"}
	left := Left{Type: ConflictMarkers, Path: "a.md", Line: 3, Message: "markers"}
	for name, row := range map[string]struct {
		out  Synced
		want []Left
	}{
		"nothing":                {Synced{}, []Left{}},
		"what was fixed":         {Synced{Discrepancies: []Discrepancy{{Type: StalePointer, Fixed: "removed"}}}, []Left{}},
		"what was not":           {Synced{Discrepancies: []Discrepancy{{Type: DeletedFile, Path: "a.md", Child: "pf-a"}}}, []Left{{Type: DeletedFile, Path: "a.md", Child: "pf-a", Message: "not fixed"}}},
		"markers":                {Synced{Problems: []vault.Problem{markers}}, []Left{left}},
		"that a dry run settles": {Synced{Problems: []vault.Problem{markers}, Discrepancies: []Discrepancy{{Type: ConflictMarkers, Path: "a.md", Fixed: "settled"}}}, []Left{}},
		"that are left after it": {Synced{Problems: []vault.Problem{markers}, Discrepancies: []Discrepancy{{Type: ConflictMarkers, Path: "a.md", Fixed: "settled"}}, Fixed: true}, []Left{left}},
		"by design":              {Synced{Problems: []vault.Problem{{Path: "b.md", Kind: vault.ProblemEmpty}}}, []Left{}},
		"of another family":      {Synced{Problems: []vault.Problem{markers}, concerns: func(p vault.Path) bool { return p != "a.md" }}, []Left{}},
		"of no known kind":       {Synced{Problems: []vault.Problem{{Path: "b.md", Kind: "other", Msg: "odd"}}}, []Left{{Type: "other", Path: "b.md", Message: "odd"}}},
	} {
		if row.out.markLeft(); !reflect.DeepEqual(row.out.Left, row.want) {
			t.Errorf("%s: got %v, want %v", name, row.out.Left, row.want)
		}
	}
}

// The words that programs know discrepancies by are in the list, and count.
func TestTheWordsOfDiscrepancies(t *testing.T) {
	words := []string{"missing_pointer", "stale_pointer", "edge_mismatch", "title_mismatch", "orphaned_memory",
		"duplicate_pointer", "duplicate_id", "invalid_block", "cycle", "conflict_markers"}
	for i, k := range Kinds()[:len(words)] {
		if k.Name != words[i] || !k.Mend {
			t.Errorf("got %v, want %s, which counts", k, words[i])
		}
	}
}
