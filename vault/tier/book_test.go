package tier_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tier"
)

// paper is a core file that a test can make fail.
type paper struct {
	name, text string
	err        error
}

func (p *paper) Name() string { return p.name }

func (p *paper) Append(section string) error {
	if p.err == nil {
		p.text += section
	}
	return p.err
}

// bookOf returns a book that holds one item, with the id x, and tells the time by now.
func bookOf(t *testing.T, i tier.Item, at time.Time, to ...tier.Target) *tier.Book {
	t.Helper()
	b := tier.NewBook(tier.Default(), func() time.Time { return at }, to...)
	i.ID, i.Text = "x", "It hangs"
	if err := b.Add(i); err != nil {
		t.Fatal(err)
	}
	return b
}

// Each row is an item, a promotion of it and the reason for which that is refused.
func TestBookPromotions(t *testing.T) {
	midnight := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	long := func(count int, since time.Time) tier.Item {
		return tier.Item{Count: count, LongTerm: since, Approved: since.Add(time.Second)}
	}
	for name, row := range map[string]struct {
		i    tier.Item
		at   time.Time // now unless given
		core bool
		want string
	}{
		"exactly the minimum":           {i: tier.Item{Count: 2, Approved: ago(1)}},
		"one less":                      {i: tier.Item{Count: 1, Approved: ago(1)}, want: "Count too low: 1/2"},
		"sessions count, each once":     {i: tier.Item{Sessions: []string{"a", "a"}, Approved: ago(1)}, want: "Count too low: 1/2"},
		"the larger of both counts":     {i: tier.Item{Count: 1, Sessions: []string{"a", "b"}, Approved: ago(1)}},
		"sessions are part of a count":  {i: tier.Item{Count: 1, Sessions: []string{"a"}, Approved: ago(1)}, want: "Count too low: 1/2"},
		"nobody approved":               {i: tier.Item{Count: 2}, want: "Not approved"},
		"denied":                        {i: tier.Item{Count: 9, Denied: ago(1)}, want: "Denied"},
		"a tie denies":                  {i: tier.Item{Count: 9, Denied: ago(1), Approved: ago(1)}, want: "Denied"},
		"approved after a denial":       {i: tier.Item{Count: 9, Denied: ago(2), Approved: ago(1)}},
		"promoted already":              {i: long(9, ago(1)), want: "Already promoted"},
		"core already":                  {i: tier.Item{Count: 9, LongTerm: ago(9), Core: ago(1)}, want: "Already promoted"},
		"core: exactly both minimums":   {i: long(3, ago(7)), core: true},
		"core: one less":                {i: long(2, ago(7)), core: true, want: "Count too low: 2/3"},
		"core: a second early":          {i: long(3, ago(7).Add(time.Second)), core: true, want: "Not enough time in long-term: 6/7 days"},
		"core: two days":                {i: long(3, ago(2)), core: true, want: "Not enough time in long-term: 2/7 days"},
		"core: since midnight":          {i: long(3, midnight), at: midnight.AddDate(0, 0, 7), core: true},
		"core: before midnight":         {i: long(3, midnight), at: midnight.AddDate(0, 0, 7).Add(-1), core: true, want: "Not enough time in long-term: 6/7 days"},
		"core: since the day's end":     {i: long(3, midnight.Add(-1)), at: midnight.AddDate(0, 0, 7).Add(-1), core: true},
		"core: a day's end too early":   {i: long(3, midnight.Add(-1)), at: midnight.AddDate(0, 0, 6), core: true, want: "Not enough time in long-term: 6/7 days"},
		"core: of another zone":         {i: long(3, ago(7).In(time.FixedZone("", 14*3600))), core: true},
		"core: a date to come":          {i: long(3, ago(-1)), core: true, want: "Not enough time in long-term: 0/7 days"},
		"core: pending":                 {i: tier.Item{Count: 3, Approved: ago(1)}, core: true, want: "Not in long-term memory"},
		"core: denied":                  {i: tier.Item{Count: 3, LongTerm: ago(9), Approved: ago(8), Denied: ago(1)}, core: true, want: "Denied"},
		"core: approved for the tree":   {i: tier.Item{Count: 3, LongTerm: ago(9), Approved: ago(9)}, core: true, want: "Not approved"},
		"core: promoted already":        {i: tier.Item{Count: 3, LongTerm: ago(9), Core: ago(1)}, core: true, want: "Already promoted"},
		"core: very old, and much seen": {i: long(900, ago(9000)), core: true},
	} {
		at := row.at
		if at.IsZero() {
			at = now
		}
		file := &paper{name: "claude_md"}
		b := bookOf(t, row.i, at, file)
		before, _ := b.ByID("x")
		promote := func() error { return b.PromoteToLongTerm("x") }
		level := tier.LongTerm
		if row.core {
			promote, level = func() error { return b.PromoteToCore("x", "claude_md") }, tier.Core
		}
		err := promote()
		after, _ := b.ByID("x")
		switch {
		case row.want == "" && (err != nil || after.Level() != level || row.core == (file.text == "")):
			t.Errorf("%s: got %v, level %s and %q", name, err, after.Level(), file.text)
		case row.want == "":
			if err := promote(); err == nil || err.Error() != tier.AlreadyPromoted || strings.Count(file.text, "## ") > 1 {
				t.Errorf("%s, again: got %v and %q", name, err, file.text)
			}
		case err == nil || err.Error() != row.want || vault.CodeOf(err) != vault.CodeRefused || file.text != "":
			t.Errorf("%s: got %v and %q, want %q", name, err, file.text, row.want)
		default:
			if diff := cmp.Diff(before, after, cmp.AllowUnexported(tier.Item{})); diff != "" {
				t.Errorf("%s: it was refused and changed:\n%s", name, diff)
			}
		}
	}
}

// The way of an item through all levels, with a clock that stands still.
func TestBookDecides(t *testing.T) {
	file := &paper{name: "agents_md"}
	at := ago(8)
	b := tier.NewBook(tier.Default(), func() time.Time { return at }, file)
	if err := b.Add(tier.Item{ID: "x", Text: "It\nhangs", Sessions: []string{"a", "b", "c"}, FirstSeen: ago(9), LastSeen: ago(8)}); err != nil {
		t.Fatal(err)
	}
	step := func(what string, want string, err error) {
		t.Helper()
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	step("approve", "", b.Approve("x"))
	step("deny in the same second", "", b.Deny("x"))
	step("promote", "Denied", b.PromoteToLongTerm("x"))
	if got := b.CountLevels(); got != (tier.Counts{}) {
		t.Errorf("a denied item is counted: %+v", got)
	}
	step("approve again", "", b.Approve("x"))
	step("promote", "", b.PromoteToLongTerm("x"))
	at = now
	step("core", "Not approved", b.PromoteToCore("x", "agents_md"))
	step("approve for core", "", b.Approve("x"))
	step("no target", tier.NoTargets, b.PromoteToCore("x"))
	step("another target", "No core memory target is named claude_md", b.PromoteToCore("x", "agents_md", "claude_md"))
	step("core", "", b.PromoteToCore("x", "agents_md"))
	if want := "## It hangs\n- Count: 3\n- First seen: 2026-11-14\n- Last seen: 2026-11-15\n- Sessions: a, b, c\n"; file.text != want {
		t.Errorf("got %q, want %q", file.text, want)
	}
	step("nobody", "Memory not found: y", b.PromoteToLongTerm("y"))
	step("nobody", "Memory not found: y", b.PromoteToCore("y", "agents_md"))
	step("nobody", "Memory not found: y", cmpOr(b.Approve("y"), b.Deny("y")))
	step("the same id", "another item has the id x", b.Add(tier.Item{ID: "x", Text: "y"}))
	step("no text", "an item needs an id and a text", b.Add(tier.Item{ID: "y", Text: " "}))
	if got := b.CountLevels(); got != (tier.Counts{Core: 1}) {
		t.Errorf("got %+v", got)
	}
}

func cmpOr(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// One of two targets fails: the other one is written, and once.
func TestOneTargetFails(t *testing.T) {
	good, bad := &paper{name: "claude_md"}, &paper{name: "agents_md", err: errors.New("read-only")}
	b := bookOf(t, tier.Item{Count: 3, LongTerm: ago(9), Approved: ago(1)}, now, good, bad)
	err := b.PromoteToCore("x", "agents_md", "claude_md")
	if i, _ := b.ByID("x"); err == nil || err.Error() != "agents_md: read-only" || i.Level() != tier.LongTerm || !slices.Equal(i.Targets, []string{"claude_md"}) {
		t.Errorf("got %v, %+v", err, i)
	}
	bad.err = nil
	err = b.PromoteToCore("x", "agents_md", "claude_md")
	if i, _ := b.ByID("x"); err != nil || i.Level() != tier.Core || strings.Count(good.text+bad.text, "## ") != 2 {
		t.Errorf("again: got %v, %+v, %q, %q", err, i, good.text, bad.text)
	}
}

// What the questions answer, and in which order.
func TestBookAnswers(t *testing.T) {
	b := tier.NewBook(tier.Default(), func() time.Time { return now })
	for _, i := range []tier.Item{
		{ID: "pending", Count: 9},
		{ID: "denied", Count: 9, LongTerm: ago(9), Denied: ago(1)},
		{ID: "core", Count: 9, LongTerm: ago(9), Core: ago(1)},
		{ID: "young", Count: 9, LongTerm: ago(2)},
		{ID: "rare", Count: 2, LongTerm: ago(9)},
		{ID: "b", Count: 3, LongTerm: ago(9)},
		{ID: "a", Count: 3, LongTerm: ago(9)},
		{ID: "often", Count: 4, LongTerm: ago(7), LastSeen: ago(3)},
	} {
		i.Text = i.ID
		if err := b.Add(i); err != nil {
			t.Fatal(err)
		}
	}
	ids := func(all []tier.Item) (s string) {
		for _, i := range all {
			s += i.ID + " "
		}
		return s
	}
	if got := ids(b.PromotableToCore()); got != "often a b " {
		t.Errorf("promotable: got %s", got)
	}
	if got := ids(b.LongTerm()); got != "young often a b rare " {
		t.Errorf("long-term: got %s", got)
	}
	if got := b.CountLevels(); got != (tier.Counts{Pending: 1, LongTerm: 5, Core: 1}) {
		t.Errorf("counts: got %+v", got)
	}
	for id, want := range map[string]int{"young": 2, "a": 9, "pending": 0} {
		if i, ok := b.ByID(id); !ok || b.DaysSinceLongTerm(i) != want {
			t.Errorf("%s: got %v, %d days, want %d", id, ok, b.DaysSinceLongTerm(i), want)
		}
	}
	if _, ok := b.ByID("none"); ok {
		t.Error("nobody is found")
	}
	i, _ := b.ByID("often")
	i.Sessions = append(i.Sessions, "x")
	if j, _ := b.ByID("often"); len(j.Sessions) > 0 {
		t.Error("a copy shares its sessions with the book")
	}
}

const written = `[
  {
    "id": "x",
    "text": "It <hangs> & ü",
    "count": 2,
    "sessionRefs": [
      "a",
      "b"
    ],
    "firstSeen": "2026-01-20T00:00:00Z",
    "lastSeen": "2026-01-26T00:00:00.123Z",
    "level": "long_term",
    "approvedAt": "2026-01-27T00:00:00Z",
    "promotedToLongTermAt": "2026-01-28T00:00:00Z",
    "category": "tool",
    "score": 0.10
  }
]
`

// What is saved is loaded as it was, what nobody knows and what cannot be read included.
func TestLoadAndSave(t *testing.T) {
	broken := strings.Replace(written, "[\n", "[\n  {\n    \"id\": \"y\",\n    \"text\": 7\n  },\n  \"no object\",\n", 1)
	for name, row := range map[string]struct{ text, warnings, want string }{
		"nothing":            {"", "", "[]\n"},
		"white space":        {" \r\n", "", "[]\n"},
		"null":               {"null", "", "[]\n"},
		"as it is written":   {written, "", written},
		"a byte order mark":  {"\ufeff" + written, "", written},
		"line ends":          {strings.ReplaceAll(written, "\n", "\r\n"), "", written},
		"what is broken":     {broken, "item 1 is skipped: text is no text\nitem 2 is skipped: it is no JSON object", broken},
		"in an object":       {`{"version": 1, "observations": []}`, "", "{\n  \"observations\": [],\n  \"version\": 1\n}\n"},
		"null for what is 0": {`[{"id":"x","text":"y","deniedAt":null,"sessionRefs":null,"level":null}]`, "", "[\n  {\n    \"id\": \"x\",\n    \"text\": \"y\",\n    \"count\": 0,\n    \"sessionRefs\": [],\n    \"level\": \"pending\"\n  }\n]\n"},
	} {
		b := tier.NewBook(tier.Default(), func() time.Time { return now })
		warnings, err := b.Load(strings.NewReader(row.text))
		var out bytes.Buffer
		if err = errors.Join(err, b.Save(&out)); err != nil || strings.Join(warnings, "\n") != row.warnings {
			t.Errorf("%s: %v, warnings %q", name, err, warnings)
		}
		if diff := cmp.Diff(row.want, out.String()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
	b := bookOf(t, tier.Item{}, now)
	for _, text := range []string{"[", "7", `{"a": []}`, `{"observations": 7}`} {
		if _, err := b.Load(strings.NewReader(text)); vault.CodeOf(err) != vault.CodeDamaged {
			t.Errorf("%s: got %v", text, err)
		}
	}
	if _, ok := b.ByID("x"); !ok {
		t.Error("a file that cannot be read emptied the book")
	}
}

// What JSON says of one item: its level, a dash, and what is wrong with it.
func TestItemJSON(t *testing.T) {
	const seen = `"lastSeen":"2026-01-26T00:00:00Z"`
	for text, want := range map[string]string{
		``:                            "pending",
		`"status":"approved",` + seen: "pending approved",
		`"status":"denied",` + seen:   "pending denied",
		`"status":"denied","deniedAt":"2026-01-01"`:                                            "pending denied",
		`"status":"approved","deniedAt":"2026-01-30",` + seen:                                  "pending denied",
		`"level":"long_term",` + seen:                                                          "long-term",
		`"level":"long_term","status":"approved",` + seen:                                      "long-term",
		`"level":"core",` + seen:                                                               "core",
		`"level":"pending","promotedToLongTermAt":"2026-01-01"`:                                "pending",
		`"promotedToLongTermAt":"2026-01-01"`:                                                  "long-term",
		`"level":"long_term","promotedToLongTermAt":"2026-01-01","approvedAt":"2026-01-02"`:    "long-term approved",
		`"level":"long_term","promotedToCoreAt":"2026-01-03","promotedToLongTermAt":"2026-01"`: "promotedToLongTermAt is no date",
		`"level":"long_term"`:                                                                  "no date says since when it is long_term",
		`"level":"top"`:                                                                        `level cannot be "top"`,
		`"count":-1`:                                                                           "count cannot be -1",
		`"count":1.5`:                                                                          "count is no number",
		`"count":"2"`:                                                                          "count is no number",
		`"sessionRefs":"a"`:                                                                    "sessionRefs is no list of texts",
		`"sessionRefs":[1]`:                                                                    "sessionRefs is no list of texts",
		`"firstSeen":"yesterday"`:                                                              "firstSeen is no date",
		`"text":" "`:                                                                           "text is missing",
	} {
		rest := text
		if rest != "" {
			rest = "," + rest
		}
		var i tier.Item
		got := ""
		if err := i.UnmarshalJSON([]byte(`{"id":"x","text":"y"` + rest + `}`)); err != nil {
			got = err.Error()
		} else {
			b := bookOf(t, i, now)
			got = string(i.Level())
			switch err := b.PromoteToCore("x"); {
			case err.Error() == tier.WasDenied:
				got += " denied"
			case strings.Contains(tier.View([]tier.Item{i}), tier.ApprovedForCore):
				got += " approved"
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestView(t *testing.T) {
	got := tier.View([]tier.Item{
		{Text: "It\nhangs", Count: 5, Sessions: []string{"session-1", "session-2"}, FirstSeen: time.Date(2026, 1, 20, 23, 0, 0, 0, time.FixedZone("", -7200)), LastSeen: time.Date(2026, 1, 26, 0, 0, 0, 0, time.UTC), LongTerm: ago(2), Approved: ago(1)},
		{Text: "It leaks", LongTerm: ago(1), Approved: ago(1)},
	})
	const want = `# Long-Term Memory

## It hangs
- Count: 5
- First seen: 2026-01-21
- Last seen: 2026-01-26
- Sessions: session-1, session-2
- Status: approved_for_core

## It leaks
- Count: 0
- Status: pending_core_promotion
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Whatever is loaded is saved, and loaded and saved again the same.
func FuzzBook(f *testing.F) {
	f.Add([]byte(written))
	f.Add([]byte(`{"memories":[{"id":"x","text":"y","count":3,"status":"approved","lastSeen":"2026-01-26"},7,{"id":"x","text":"z"}],"v":{"a":1}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		save := func(text []byte) []byte {
			b := tier.NewBook(tier.Default(), func() time.Time { return now })
			if _, err := b.Load(bytes.NewReader(text)); err != nil {
				t.Skip()
			}
			var out bytes.Buffer
			if err := b.Save(&out); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			return out.Bytes()
		}
		once := save(text)
		if twice := save(once); !bytes.Equal(once, twice) {
			t.Errorf("%q is saved as %q, and that as %q", text, once, twice)
		}
	})
}
