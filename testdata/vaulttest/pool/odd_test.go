package pool_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// broken is a mirror that cannot be brought up to date.
type broken struct{ vault.Refresher }

func (broken) CatchUp(context.Context, vault.Source, vault.Scope) (vault.Report, error) {
	return vault.Report{}, errors.New("permission denied")
}

// asks asks members both ways, and returns "path project" of what was found, and who failed.
func asks(t *testing.T, members []recall.Member, query string) (searched, recalled []string, failed []int) {
	t.Helper()
	var plain []recall.VaultMember
	for i := range members {
		members[i].Options = vault.ListOptions{Limit: 10}
		plain = append(plain, members[i].VaultMember)
	}
	page, silent, err := recall.SearchPool(t.Context(), plain, query)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range page.Rows {
		searched = append(searched, string(r.Path)+" "+r.Project)
	}
	if page.Total != len(page.Rows) {
		t.Errorf("%d rows of %d", len(page.Rows), page.Total)
	}
	a, err := (&recall.Finder{Vault: members[0].Vault, Family: members}).Recall(t.Context(), recall.Query{Text: query})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range a.Rows {
		recalled = append(recalled, string(r.Path)+" "+r.Project)
	}
	for _, f := range silent {
		failed = append(failed, f.Member)
	}
	if len(silent) != len(a.Failed) {
		t.Errorf("search failed for %v, recall for %v", silent, a.Failed)
	}
	return searched, recalled, failed
}

func memory(id, title, more string) string {
	return "---\nid: " + id + "\ntitle: " + title + "\n" + more + "---\nthe text of " + title + "\n"
}

func TestTheOthersAnswer(t *testing.T) {
	a := open(t, "a", map[string]string{"nomad.md": memory("pf-aaaaaaaa", "nomad", "")})
	b := open(t, "b", map[string]string{"nomad-b.md": memory("pf-bbbbbbbb", "nomad", "")})
	empty := open(t, "empty", nil)
	c := open(t, "c", map[string]string{"nomad-c.md": memory("pf-cccccccc", "nomad", "")})
	v := *b.Vault
	v.Mirror.Refresher = broken{v.Mirror.Refresher}
	b.Vault = &v
	want := []string{"nomad.md a", "nomad-c.md c"}
	searched, recalled, failed := asks(t, []recall.Member{a, b, empty, c}, "nomad")
	if slices.Sort(recalled); !slices.Equal(searched, want) || len(recalled) != 2 || !slices.Equal(failed, []int{1}) {
		t.Errorf("searched %q, recalled %q, failed %v", searched, recalled, failed)
	}
	if _, _, err := recall.SearchPool(t.Context(), []recall.VaultMember{b.VaultMember, b.VaultMember}, "nomad"); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("nobody answers: %v", err)
	}
}

// A clone of a vault shows nothing twice, but what was changed in it.
func TestClonesOfOneVault(t *testing.T) {
	files := map[string]string{"nomad.md": memory("pf-aaaaaaaa", "nomad", ""), "other.md": memory("pf-bbbbbbbb", "nomad other", "")}
	a := open(t, "a", files)
	files["other.md"] = memory("pf-bbbbbbbb", "nomad another", "")
	clone := open(t, "clone", files)
	searched, recalled, _ := asks(t, []recall.Member{a, clone}, "nomad")
	want := []string{"nomad.md a", "other.md a", "other.md clone"}
	slices.Sort(searched)
	slices.Sort(recalled)
	if !slices.Equal(searched, want) || !slices.Equal(recalled, want) {
		t.Errorf("searched %q, recalled %q", searched, recalled)
	}
}

// Memories of one id in two vaults are no relatives, and neither's successor is the other's.
func TestIDsAreThoseOfTheirVaults(t *testing.T) {
	a := open(t, "a", map[string]string{"old.md": memory("pf-oldoldol", "penguin", ""), "new.md": memory("pf-newnewne", "penguin penguin", "supersedes: [pf-oldoldol]\n")})
	b := open(t, "b", map[string]string{"old.md": memory("pf-oldoldol", "penguin b", ""), "x.md": memory("pf-newnewne", "zeppelin", ""), "x/y.md": memory("pf-yyyyyyyy", "zeppelin y", "")})
	_, recalled, _ := asks(t, []recall.Member{a, b}, "penguin")
	if len(recalled) != 3 || recalled[2] != "old.md a" {
		t.Errorf("got %q; only the one in a was superseded", recalled)
	}
}

// silent is a mirror and a lexicon that must not be asked for memories.
type silent struct {
	vault.Ranking
	recall.Lexicon
}

func (silent) Search(context.Context, string, vault.ListOptions) ([]vault.Hit, int, error) {
	return nil, 0, errors.New("asked")
}

func (silent) Candidates(context.Context, string, vault.ListOptions) (recall.Candidates, error) {
	return recall.Candidates{}, errors.New("asked")
}

// Who holds none of a question's words is not asked, and a failure beside it changes nothing.
func TestWhoHoldsNoneOfTheWordsIsNotAsked(t *testing.T) {
	a := open(t, "a", map[string]string{"x.md": memory("pf-aaaaaaaa", "zeppelin", "")})
	b := open(t, "b", map[string]string{"nomad.md": memory("pf-bbbbbbbb", "nomad", "")})
	v := *a.Vault
	v.Mirror.Ranking = silent{Ranking: v.Mirror.Ranking}
	a.Vault, a.Lexicon = &v, silent{Lexicon: a.Lexicon}
	searched, recalled, failed := asks(t, []recall.Member{a, b}, "nomad")
	if want := "nomad.md b"; !slices.Equal(searched, []string{want}) || recalled[0] != want || failed != nil { // the vectors find the other, too
		t.Errorf("searched %q, recalled %q, failed %v", searched, recalled, failed)
	}
	if _, _, failed := asks(t, []recall.Member{a, b}, "zeppelin"); !slices.Equal(failed, []int{0}) {
		t.Errorf("failed %v; this one is asked for its own word", failed)
	}
}
