package transcript_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/transcript"
)

// scripted gives one answer after the other, the last one for good.
type scripted struct {
	answers []string
	asked   int
}

func (s *scripted) Generate(context.Context, string) (string, error) {
	i := min(s.asked, len(s.answers)-1)
	s.asked++
	return s.answers[i], nil
}

func turns(texts ...string) (all []transcript.Turn) {
	for i, text := range texts {
		all = append(all, transcript.Turn{ID: "m" + string(rune('1'+i)), At: time.Date(2026, 2, 1, 0, 0, i, 0, time.UTC), Text: text})
	}
	return all
}

func one(text, kind, quote, turn string) string {
	return `{"text":"` + text + `","kind":"` + kind + `","quote":"` + quote + `","turn":"` + turn + `"}`
}

// Each row is an answer, and what is taken of it.
func TestAsk(t *testing.T) {
	part, _ := transcript.SessionParts(turns("We use\n  tabs, always.", "The token is AKIAIOSFODNN7EXAMPLQ."))
	answer := func(all ...string) string { return `{"observations":[` + strings.Join(all, ",") + `]}` }
	for _, row := range []struct {
		name    string
		answers []string
		want    string // text/kind/message of each
		skipped string
		asked   int
		err     bool
	}{
		{"as it should be", []string{answer(one("Tabs.", "pattern", "We use tabs", "1"))}, "Tabs./pattern/m1", "", 1, false},
		{"another kind, a bracket", []string{answer(one("Tabs.", "task", "tabs, always.", "[1]"))}, "Tabs.//m1", "", 1, false},
		{"in a fence", []string{"```json\n" + answer(one("Tabs.", "", "tabs", "1")) + "\n```"}, "Tabs.//m1", "", 1, false},
		{"no JSON, then nothing", []string{"I think", answer()}, "", "", 2, false},
		{"no JSON, twice", []string{"I think"}, "", "", 2, true},
		{"a quote of another turn", []string{answer(one("Tabs.", "", "tabs", "2"))}, "", "its quote does not stand", 1, false},
		{"no turn", []string{answer(one("Tabs.", "", "tabs", "x"), one("Tabs.", "", "tabs", "0"))}, "", "its quote does not stand", 1, false},
		{"a quote that is none", []string{answer(one("Tabs.", "", "", "1"))}, "", "it has no quote", 1, false},
		{"no words", []string{answer(one("?!", "", "tabs", "1"))}, "", "it has no words", 1, false},
		{"too long", []string{answer(one(strings.Repeat("x", 241), "", "tabs", "1"))}, "", "longer than 240", 1, false},
		{"a credential that was taken out", []string{answer(one("The token", "", "The token is [secret]", "2"))}, "", "looks like it holds a credential", 1, false},
		{"twice", []string{answer(one("Tabs.", "", "tabs", "1"), one("tabs!", "", "tabs", "1"))}, "Tabs.//m1", "proposed twice", 1, false},
		{"too many", []string{answer(one("a", "", "tabs", "1"), one("b", "", "tabs", "1"), one("c", "", "tabs", "1"), one("d", "", "tabs", "1"), one("e", "", "tabs", "1"), one("f", "", "tabs", "1"),
			one("g", "", "tabs", "1"), one("h", "", "tabs", "1"), one("i", "", "tabs", "1"), one("j", "", "tabs", "1"), one("k", "", "tabs", "1"))},
			"a//m1 b//m1 c//m1 d//m1 e//m1 f//m1 g//m1 h//m1 i//m1 j//m1", "1 beyond the first 10", 1, false},
	} {
		g := &scripted{answers: row.answers}
		found, skipped, err := transcript.AskProposals(t.Context(), g, part[0])
		var got []string
		for _, f := range found {
			got = append(got, f.Text+"/"+f.Kind+"/"+f.Turn.ID)
		}
		if strings.Join(got, " ") != row.want || !strings.Contains(strings.Join(skipped, ";"), row.skipped) || (row.skipped == "") != (len(skipped) == 0) || g.asked != row.asked || (err != nil) != row.err {
			t.Errorf("%s: got %q, left out %q, asked %d times, %v", row.name, got, skipped, g.asked, err)
		}
	}
}

// A long session is cut, its latest turns count, and no credential is in a question.
func TestParts(t *testing.T) {
	var all []transcript.Turn
	for range 60 {
		all = append(all, turns(strings.Repeat("word ", 1600))...)
	}
	parts, older := transcript.SessionParts(all)
	n := older
	for _, p := range parts {
		n += len(p.Turns)
		if len(p.Prompt) > 30_000 || p.Tokens == 0 {
			t.Errorf("a question of %d bytes, %d tokens", len(p.Prompt), p.Tokens)
		}
	}
	if len(parts) != transcript.MaxParts || older == 0 || n != len(all) {
		t.Errorf("%d questions, %d older turns, %d in all", len(parts), older, n)
	}
	parts, _ = transcript.SessionParts(turns("It is AKIAIOSFODNN7EXAMPLQ."))
	if strings.Contains(parts[0].Prompt, "AKIA") {
		t.Error("a credential is asked about")
	}
}

// What is kept is an observation with its quote and source; another session counts for it, and
// the message is not asked about again.
func TestKeep(t *testing.T) {
	w := vaultmap.New(vaultmap.Family())
	all := turns("We use tabs.", "Other.")
	p := transcript.Proposal{Text: "Tabs, always", Kind: "pattern", Quote: "We use tabs. <!-- /sub-memories -->", Turn: all[0]}
	for _, session := range []string{"s1", "s2", "s2"} {
		if _, _, err := vault.Do(t.Context(), w.Vault, transcript.Keep{Agent: "claude", Session: session, Proposals: []transcript.Proposal{p}}, vault.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	text := w.Disk["journal/2026/02/observation-tabs-always.md"]
	for _, holds := range []string{"sessions: [s1, s2]", "source: session:claude:s1#m1", "category: pattern", "> We use tabs. <! -- /sub-memories -->", "first_seen: 2026-02-01T00:00:00Z"} {
		if !strings.Contains(text, holds) {
			t.Errorf("%q is not in\n%s", holds, text)
		}
	}
	fresh, done, err := transcript.FreshTurns(t.Context(), w.Vault, transcript.Session{Agent: "claude", ID: "s1", Turns: all})
	if err != nil || done != 1 || len(fresh) != 1 || fresh[0].ID != "m2" {
		t.Errorf("got %+v, %d, %v", fresh, done, err)
	}
}
