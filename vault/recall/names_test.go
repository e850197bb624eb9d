package recall

import (
	"slices"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

func TestWithinIsBelowTheTopmostProject(t *testing.T) {
	at := func(path string) Member {
		return Member{VaultMember: VaultMember{Origin: func(vault.Path) family.Origin { return family.Origin{ProjectPath: path} }}}
	}
	for _, row := range []struct {
		name    string
		members []Member
		want    []string
	}{
		{"one vault alone", []Member{at("/w/app")}, []string{""}},
		{"one of no project", []Member{{}}, []string{""}},
		{"what lies below", []Member{at("/w"), at("/w/app"), at("/w/app/parser")}, []string{"", "app/", "app/parser/"}},
		{"the one that asks comes first", []Member{at("/w/app"), at("/w")}, []string{"app/", ""}},
		{"elsewhere, and beginning alike", []Member{at("/w"), at("/word"), at("/home")}, []string{"", "", ""}},
	} {
		if got := projectFolders(row.members); !slices.Equal(got, row.want) {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
}

func TestWordsOfAPath(t *testing.T) {
	if got, want := pathWords("app/restart-the_worker.v2"), "app restart the worker v2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A word in the name of a folder says more than one in the name of a file.
func TestFoldersCount(t *testing.T) {
	s := newScorer([]Term{{Text: "worker", Rarity: 3}}, plainly)
	score := func(path vault.Path) float64 {
		return s.score(&vault.Memory{Prose: "x"}, about{path: path}).Path
	}
	if above, itself, none := score("worker/gateway"), score("gateway/worker"), score("a/gateway"); above <= itself || itself <= none || none != 0 {
		t.Errorf("got %v, %v and %v, want them to fall to zero", above, itself, none)
	}
}
