package recall_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

func memory(title, prose string) *vault.Memory {
	return &vault.Memory{Header: vault.Header{Type: vault.TypeMemory, Title: title}, Prose: prose}
}

// words returns a paragraph of n words.
func words(n int, seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 1))
	var all []string
	for range n {
		all = append(all, []string{"cart", "lamp", "river", "stone", "bread"}[rng.IntN(5)])
	}
	return strings.Join(all, " ") + "\n"
}

func texts(m *vault.Memory) (all []string) {
	found, _ := recall.PassagesOf(m)
	for _, p := range found {
		all = append(all, p.Text)
	}
	return all
}

func TestAShortMemoryIsItsContent(t *testing.T) {
	m := memory("Rollback", "# Rollback\n\nStop.\n\n## Then\n\nGo.\n")
	all, whole := recall.PassagesOf(m)
	want := []recall.TextPassage{{Hash: m.ContentHash(), Text: m.Content(), Own: m.Prose}}
	if diff := cmp.Diff(want, all); diff != "" || !whole {
		t.Error(diff, whole)
	}
	if all, _ := recall.PassagesOf(memory("Empty", "")); len(all) != 1 {
		t.Errorf("an empty one has %d", len(all))
	}
}

// Sections that fit are whole, with what lies below them; their text says where they stand.
func TestSections(t *testing.T) {
	long := words(230, 1)
	m := memory("Release", "Lead.\n\n# Release\n\n## After\n\n### Database\n\n"+long+"\n### Cache\n\nFlush.\n\n#### How\n\nBy hand.\n\n## Before\n\n```\n# no heading\n```\n")
	want := []string{
		"memory: Release\n\nLead.\n\n",
		"memory: Release\n\nAfter\n\n### Database\n\n" + long + "\n",
		"memory: Release\n\nAfter\n\n### Cache\n\nFlush.\n\n#### How\n\nBy hand.\n\n",
		"memory: Release\n\n## Before\n\n```\n# no heading\n```\n",
	}
	if diff := cmp.Diff(want, texts(m)); diff != "" {
		t.Error(diff)
	}
	if got := recall.NthPassage(m, 4); got != "```\n# no heading\n```\n" {
		t.Errorf("the fourth is %q", got)
	}
	if got := recall.NthPassage(m, 5) + recall.NthPassage(m, 0); got != "" {
		t.Errorf("there is %q", got)
	}
}

// An edit touches the passages of its own section alone.
func TestAnEditTouchesItsSection(t *testing.T) {
	doc := func(second string) *vault.Memory {
		var b strings.Builder
		for i := range 9 {
			text := words(200, uint64(i))
			if i == 2 {
				text = second
			}
			fmt.Fprintf(&b, "## Section %d\n\n%s\n", i, text)
		}
		return memory("Book", b.String())
	}
	was, is := texts(doc(words(200, 2))), texts(doc(words(700, 77)))
	fresh := slices.DeleteFunc(slices.Clone(is), func(s string) bool { return slices.Contains(was, s) })
	if len(was) != 9 || len(fresh) != len(is)-8 {
		t.Errorf("of %d passages %d are new, once they were %d", len(is), len(fresh), len(was))
	}
}

// Whatever the text is: no passage is too long, and together they are the text but for blank
// lines and headings that have nothing below them but others.
func TestNothingIsLostAndNothingIsTooLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for round := range 200 {
		m := memory(strings.Repeat("A title ", rng.IntN(40)), scramble(rng))
		all, whole := recall.PassagesOf(m)
		var own strings.Builder
		for _, p := range all {
			if vault.Tokens(p.Text) > recall.PassageTokens || len(p.Text) > 32*recall.PassageTokens {
				t.Fatalf("round %d: a passage of %d tokens, %d bytes", round, vault.Tokens(p.Text), len(p.Text))
			}
			own.WriteString(p.Own)
		}
		if left := strings.Fields(own.String()); whole && !cmp.Equal(bare(m.Prose), bare(strings.Join(left, " "))) {
			t.Fatalf("round %d: a text was lost", round)
		}
		if len(all) == 0 || len(all) > recall.MostPassages {
			t.Fatalf("round %d: %d passages", round, len(all))
		}
	}
}

// bare is a text without headings' words and without blanks.
func bare(text string) string {
	var all []string
	for _, w := range strings.Fields(text) {
		if w != "Heading" && strings.Trim(w, "#") != "" {
			all = append(all, w)
		}
	}
	return strings.Join(all, "")
}

// scramble returns a text of everything that may be hard to cut.
func scramble(rng *rand.Rand) string {
	var b strings.Builder
	for range rng.IntN(60) {
		switch rng.IntN(8) {
		case 0, 1:
			b.WriteString(strings.Repeat("#", 1+rng.IntN(7)) + " Heading\n")
		case 2:
			b.WriteString(words(rng.IntN(900), rng.Uint64()))
		case 3:
			b.WriteString(strings.Repeat("漢字", rng.IntN(900)) + "\n")
		case 4:
			b.WriteString(strings.Repeat("=", rng.IntN(20_000)) + "\n")
		case 5:
			b.WriteString(strings.Repeat("- a row\n", rng.IntN(90)))
		case 6:
			b.WriteString("\r\n \n\n")
		case 7:
			b.WriteString(strings.Repeat("\xff😀", rng.IntN(90)))
		}
	}
	return b.String()
}

// A memory of a megabyte has so many passages and no more, and that is told.
func TestAVeryLongMemory(t *testing.T) {
	all, whole := recall.PassagesOf(memory("Log", strings.Repeat(words(20, 1), 10_000)))
	if len(all) != recall.MostPassages || whole {
		t.Errorf("%d passages, whole %v", len(all), whole)
	}
}
