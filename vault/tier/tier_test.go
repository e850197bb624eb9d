package tier_test

import (
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tier"
)

var now = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func ago(days float64) time.Time { return now.Add(-time.Duration(days * 24 * float64(time.Hour))) }

// entry returns the header of an observation that the sessions made.
func entry(sessions []string, more func(*vault.Header)) *vault.Header {
	h := &vault.Header{Type: "observation", Entry: header.Entry{Sessions: sessions}}
	if more != nil {
		more(h)
	}
	return h
}

var two, three = []string{"a", "b", "a"}, []string{"a", "b", "c"}

// The level is worked out from the dates and the type.
func TestLevelOf(t *testing.T) {
	for name, row := range map[string]struct {
		h    *vault.Header
		want tier.Level
	}{
		"an observation":         {entry(two, nil), tier.Pending},
		"a decision":             {&vault.Header{Type: "decision"}, tier.None},
		"one that wants a place": {&vault.Header{Type: "decision", Entry: header.Entry{WantsPlace: "true"}}, tier.Pending},
		"a memory":               {&vault.Header{Type: "memory"}, tier.LongTerm},
		"with a place":           {entry(two, func(h *vault.Header) { h.LongTerm = ago(1) }), tier.LongTerm},
		"core":                   {entry(two, func(h *vault.Header) { h.LongTerm, h.Core = ago(9), ago(1) }), tier.Core},
		"a memory that is core":  {&vault.Header{Type: "memory", Entry: header.Entry{Core: ago(1)}}, tier.Core},
	} {
		if got := tier.LevelOf(row.h); got != row.want {
			t.Errorf("%s: got %q, want %q", name, got, row.want)
		}
	}
}

// Each reason has its own words, and exactly the minimum passes.
func TestPromotions(t *testing.T) {
	yes := func(h *vault.Header) { h.Approved = ago(1) }
	long := func(days float64, approved float64) func(*vault.Header) {
		return func(h *vault.Header) { h.LongTerm, h.Approved = ago(days), ago(approved) }
	}
	d := tier.Default()
	free := tier.Thresholds{ToLongTerm: tier.Threshold{MinCount: 2, Unapproved: true}, ToCore: tier.Threshold{Unapproved: true}}
	for name, row := range map[string]struct {
		t    tier.Thresholds
		h    *vault.Header
		core bool
		want string
	}{
		"enough":                      {d, entry(two, yes), false, ""},
		"one session":                 {d, entry([]string{"a", "a"}, yes), false, "Count too low: 1/2"},
		"none":                        {d, entry(nil, yes), false, "Count too low: 0/2"},
		"imported counts":             {d, entry([]string{"a"}, func(h *vault.Header) { yes(h); h.SeenBefore = "1" }), false, ""},
		"no number":                   {d, entry([]string{"a"}, func(h *vault.Header) { yes(h); h.SeenBefore = "-3" }), false, "Count too low: 1/2"},
		"nobody approved":             {d, entry(two, nil), false, "Not approved"},
		"nobody needs to":             {free, entry(two, nil), false, ""},
		"denied":                      {free, entry(two, func(h *vault.Header) { h.Denied = ago(1) }), false, "Denied"},
		"approved after that":         {d, entry(two, func(h *vault.Header) { h.Denied, h.Approved = ago(2), ago(1) }), false, ""},
		"denied after that":           {d, entry(two, func(h *vault.Header) { h.Denied, h.Approved = ago(1), ago(2) }), false, "Denied"},
		"a tie":                       {d, entry(two, func(h *vault.Header) { h.Denied, h.Approved = ago(1), ago(1) }), false, "Denied"},
		"twice":                       {d, entry(two, long(1, 2)), false, "Already promoted"},
		"a decision is not counted":   {d, &vault.Header{Type: "decision", Entry: header.Entry{Approved: ago(1)}}, false, ""},
		"core":                        {d, entry(three, long(7, 1)), true, ""},
		"core, a moment early":        {d, entry(three, long(6.999, 1)), true, "Not enough time in long-term: 6/7 days"},
		"core, a count early":         {d, entry(two, long(9, 1)), true, "Count too low: 2/3"},
		"core, approved for the tree": {d, entry(three, long(8, 9)), true, "Not approved"},
		"core, without an approval":   {free, entry(two, long(0, 9)), true, ""},
		"core, denied":                {free, entry(three, func(h *vault.Header) { h.LongTerm, h.Denied = ago(9), ago(1) }), true, "Denied"},
		"core, pending":               {d, entry(three, yes), true, "Not in long-term memory"},
		"core, twice":                 {d, entry(three, func(h *vault.Header) { h.LongTerm, h.Core = ago(9), ago(1) }), true, "Already promoted"},
		"core, a memory of the tree":  {d, &vault.Header{Type: "memory", Created: ago(30), Entry: header.Entry{Approved: ago(1)}}, true, ""},
		"core, a date to come":        {d, entry(three, long(-3, 1)), true, "Not enough time in long-term: 0/7 days"},
	} {
		err := row.t.LongTerm(row.h)
		if row.core {
			err = row.t.Core(row.h, now)
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != row.want || err != nil && vault.CodeOf(err) != vault.CodeRefused {
			t.Errorf("%s: got %q (%s), want %q", name, got, vault.CodeOf(err), row.want)
		}
	}
}

// Of a team's and a user's thresholds the stricter one holds; the user alone waives approval.
func TestStricter(t *testing.T) {
	team := tier.Thresholds{ToLongTerm: tier.Threshold{MinCount: 5, Unapproved: true}, ToCore: tier.Threshold{MinCount: 1, MinDays: 30}}
	user := tier.Thresholds{ToLongTerm: tier.Threshold{MinCount: 2}, ToCore: tier.Threshold{MinCount: 3, MinDays: 7, Unapproved: true}}
	want := tier.Thresholds{ToLongTerm: tier.Threshold{MinCount: 5}, ToCore: tier.Threshold{MinCount: 3, MinDays: 30, Unapproved: true}}
	if got := tier.Stricter(team, user); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Case, space, width and punctuation make no other observation; a word does.
func TestKey(t *testing.T) {
	first, err := tier.Key("pf", "The worker's queue hangs!")
	if err != nil || first.Suffix() == "" {
		t.Fatalf("got %q, %v", first, err)
	}
	for text, same := range map[string]bool{
		"the WORKER s\n queue — hangs": true, "ｔｈｅ worker's queue hangs": true, "The worker's queue hang": false, "": false,
		"Der Worker hängt": false,
	} {
		got, err := tier.Key("pf", text)
		if (got == first) != same || (err == nil) != (text != "") {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
	nfc, _ := tier.Key("pf", "Caf\u00e9")
	if nfd, _ := tier.Key("pf", "Cafe\u0301"); nfc != nfd {
		t.Errorf("the Unicode form makes another: %s, %s", nfc, nfd)
	}
	if _, err := tier.Key("pf", "?!"); vault.CodeOf(err) != vault.CodeInvalid {
		t.Errorf("no words: %v", err)
	}
}

// What a count lacks, and how it is shown from twenty named sessions on.
func TestShown(t *testing.T) {
	if got := tier.Default().ToCore.Needs(2); got != "2/3, needs 1 more" {
		t.Errorf("got %q", got)
	}
	if got := tier.Default().ToCore.Needs(3); got != "" {
		t.Errorf("got %q", got)
	}
	var many []string
	for i := range tier.MostSessions {
		many = append(many, string(rune('a'+i)))
	}
	if got := tier.FormatSessions(entry(many, nil)); got != "20+" {
		t.Errorf("got %q", got)
	}
	if got := tier.FormatSessions(entry(many[:19], nil)); got != "19" {
		t.Errorf("got %q", got)
	}
}

func FuzzNormal(f *testing.F) {
	f.Add("The worker's queue hangs!")
	f.Add("\xff ﬁ İ ß \u200d 移行")
	f.Fuzz(func(t *testing.T, text string) {
		once := tier.Normal(text)
		if twice := tier.Normal(once); twice != once {
			t.Errorf("%q becomes %q, and that %q", text, once, twice)
		}
	})
}
