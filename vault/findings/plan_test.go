package findings_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/findings"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
)

const root = vaultmap.Journal

// known is a vault with a review and two of its findings, one of them resolved.
func known() vaultmap.Files {
	finding := func(id, title, status, more string) string {
		return "---\nid: " + id + "\ntitle: '" + title + "'\ntype: finding\nstatus: " + status + "\nsummary: When\n" + more + "---\n"
	}
	leak := "severity: high\ncategory: security\nfile: a.go\nline: 40\n"
	return vaultmap.Family().With(vaultmap.Files{"journal.md": root,
		"journal/2026/01/review-old.md":   "---\nid: pf-r1\ntitle: Old\ntype: review\nstatus: open\n---\n",
		"journal/2026/01/review-old/a.md": finding("pf-f1", "[HIGH] It leaks", "open", leak),
		"journal/2026/01/review-old/b.md": finding("pf-f2", "[LOW] Typo", "closed", "resolved_at: 2026-01-02T00:00:00Z\nresolution: Spelled.\nseverity: low\ncategory: documentation\n")})
}

var (
	leak = findings.Finding{Severity: "high", Category: "security", File: "a.go", Line: 42, Summary: "It leaks"}
	typo = findings.Finding{Severity: "low", Category: "docs", Summary: "Typo", Details: "# Where\nIn it.", Remediation: "Spell."}
)

// worse is leak as a later review has found it.
var worse = findings.Finding{Severity: "critical", Category: "security", File: "a.go", Line: 41, Summary: "it leaks", Details: "Through the log.", Remediation: "Close it.", Tags: []string{"cwe-532"}}

// oneTypo is the commit of a review that found typo.
const oneTypo = `
				new journal/2026/02/review-1-finding-1-low.md
				+---
				+id: pf-y2qj241j
				+title: "1 finding: 1 low"
				+type: review
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+spec: s
				+commit: 0123456789abcdef0123456789abcdef01234567
				+sessions: [x]
				+---
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-56ty2eq9", "title": "[LOW] Typo", "summary": "When you work on the documentation of this code"}
				+]
				+<!-- /sub-memories -->
				new journal/2026/02/review-1-finding-1-low/low-typo.md
				+---
				+id: pf-56ty2eq9
				+title: "[LOW] Typo"
				+type: finding
				+status: open
				+summary: When you work on the documentation of this code
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+spec: s
				+commit: 0123456789abcdef0123456789abcdef01234567
				+severity: low
				+category: documentation
				+---
				+### Where
				+In it.
				+
				+## Remediation
				+
				+Spell.`

func TestPlanAdd(t *testing.T) {
	add := func(all ...findings.Finding) findings.Add {
		return findings.Add{Findings: all, Spec: "s", Anchor: header.Anchor{Commit: "0123456789abcdef0123456789abcdef01234567"}, Session: "x"}
	}
	vaultmap.Run(t, []vaultmap.Row[findings.Added]{
		{Name: "a review is a batch with its findings", Start: vaultmap.Family().With(vaultmap.Files{"journal.md": root}), Verb: add(typo), Says: `"new":1,"seen_again":0`, Want: oneTypo},
		{Name: "an open finding is seen again", Start: known(), Verb: add(leak), Says: `"new":0,"seen_again":1`, Want: `
				journal/2026/01/review-old/a.md
				+relates_to: [pf-15k74v5x]
				new journal/2026/02/review-1-finding-1-high.md
				+---
				+id: pf-15k74v5x
				+title: "1 finding: 1 high"
				+type: review
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+spec: s
				+commit: 0123456789abcdef0123456789abcdef01234567
				+relates_to: [pf-f1]
				+sessions: [x]
				+---
				+Found again, and open before: 1.`},
		{Name: "a resolved finding is a new one", Start: known(), Verb: add(typo), Says: `"new":1,"seen_again":0`, Want: oneTypo},
		{Name: "what is found again keeps the worse, and both texts", Start: known(), Verb: add(worse), Says: `"title":"[CRITICAL] It leaks","severity":"critical","category":"security","file":"a.go","line":40`, Want: `
				journal/2026/01/review-old.md
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-f1", "title": "[CRITICAL] It leaks", "summary": "When"}
				+]
				+<!-- /sub-memories -->
				journal/2026/01/review-old/a.md
				-title: '[HIGH] It leaks'
				+title: '[CRITICAL] It leaks'
				-severity: high
				+severity: critical
				+relates_to: [pf-eb7x1cyh]
				+labels: [cwe-532]
				+Through the log.
				+
				+## Remediation
				+
				+Close it.
				new journal/2026/02/review-1-finding-1-critical.md
				+---
				+id: pf-eb7x1cyh
				+title: "1 finding: 1 critical"
				+type: review
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+spec: s
				+commit: 0123456789abcdef0123456789abcdef01234567
				+relates_to: [pf-f1]
				+sessions: [x]
				+---
				+Found again, and open before: 1.`},
		{Name: "nothing found", Start: known(), Verb: add(), Says: `"unchanged":true`},
		{Name: "what cannot be written", Start: known(), Verb: add(leak, findings.Finding{Severity: "bad"}), Err: "finding 2: 'bad' is no severity | severities are critical, high, medium, low"},
	})
}

// The same review writes nothing; one of whose findings was resolved meanwhile is another.
func TestTheSameReviewAgain(t *testing.T) {
	w := vaultmap.New(known())
	add := findings.Add{Findings: []findings.Finding{leak, typo}}
	first, err := add.Do(t.Context(), w.Vault)
	if err != nil || first.New != 1 || first.SeenAgain != 1 {
		t.Fatalf("got %+v, %v", first, err)
	}
	if text := w.Head()["journal/2026/01/review-old/a.md"]; !strings.Contains(text, "relates_to: ["+string(first.ID)+"]") {
		t.Errorf("the open one does not relate to the review:\n%s", text)
	}
	before := len(w.Plans)
	again, err := findings.Add{Findings: []findings.Finding{typo, leak}}.Do(t.Context(), w.Vault)
	if err != nil || !again.Unchanged || again.ID != first.ID || again.SeenAgain != 2 || len(w.Plans) != before {
		t.Errorf("again: got %+v, %v, %d commits", again, err, len(w.Plans)-before)
	}
	fixed := first.Findings[1].ID
	if _, err := (findings.Resolve{Resolve: journal.Resolve{Ref: string(fixed), Resolution: "Spelled."}}).Do(t.Context(), w.Vault); err != nil {
		t.Fatal(err)
	}
	third, err := add.Do(t.Context(), w.Vault)
	if err != nil || third.ID == first.ID || third.New != 1 || third.SeenAgain != 1 || third.Findings[1].ID == fixed {
		t.Errorf("after a resolution: got %+v, %v", third, err)
	}
}

// What two reviews say of one finding stands in it once, whichever came first, and stays when
// they say it again; what a person wrote into it stays, too.
func TestFoundAgain(t *testing.T) {
	mild := findings.Finding{Severity: "low", Category: "security", File: "a.go", Line: 12, Summary: "The key is in the log", Details: "# Where\nAt start.", Tags: []string{"log"}}
	bad := findings.Finding{Severity: "critical", Category: "security", File: "a.go", Line: 13, Summary: "the key is in the log", Details: "On errors, too.", Remediation: "Mask it.", Tags: []string{"log", "key"}}
	for _, order := range [][]findings.Finding{{mild, bad}, {bad, mild}} {
		w := vaultmap.New(vaultmap.Family().With(vaultmap.Files{"journal.md": root}))
		var first findings.Added
		for i, f := range append(order, order...) {
			out, err := findings.Add{Findings: []findings.Finding{f}, Anchor: header.Anchor{Commit: "0123456789abcdef0123456789abcdef01234567"}}.Do(t.Context(), w.Vault)
			if err != nil || out.New != min(1, max(0, 1-i)) {
				t.Fatalf("%s: got %+v, %v", f.Severity, out, err)
			}
			if i == 0 {
				first = out
			}
		}
		text := w.Head()[first.Findings[0].Path]
		for _, want := range []string{"ey is in the log\"", "[CRITICAL]", "severity: critical", "### Where\nAt start.", "On errors, too.", "## Remediation\n\nMask it.", "log", "key"} {
			if strings.Count(text, want) < 1 {
				t.Errorf("%s first: %q is not in\n%s", order[0].Severity, want, text)
			}
		}
		if strings.Count(text, "At start.") != 1 || strings.Count(text, "On errors") != 1 || strings.Count(text, "Mask it.") != 1 || strings.Index(text, "On errors") > strings.Index(text, "## Remediation") {
			t.Errorf("%s first: a text stands twice, or in the wrong place:\n%s", order[0].Severity, text)
		}
		if got := vault.ParseText("a.md", []byte(text)).Refers("relates_to"); len(got) != 1 {
			t.Errorf("%s first: it relates to %v, and one more review has found it", order[0].Severity, got)
		}
	}
}

// A finding whose lines have moved with the code is the same one, and says where it is now. Of
// two that are alike each is found again as itself.
func TestFoundAgainWhereTheCodeHasMoved(t *testing.T) {
	at := func(line int) findings.Finding {
		return findings.Finding{Severity: "low", Category: "security", File: "a.go", Line: line, Summary: "It leaks"}
	}
	for _, row := range []struct {
		name      string
		moved     int
		was, now  []int
		new, seen int
	}{
		{"far", 30, []int{10}, []int{40}, 0, 1},
		{"two of them, into each other's place", 6, []int{10, 16}, []int{16, 22}, 0, 2},
		{"not moved", 0, []int{10}, []int{40}, 1, 0},
		{"moved, and one more in the old place", 30, []int{10}, []int{40, 10}, 1, 1},
	} {
		w := vaultmap.New(vaultmap.Family().With(vaultmap.Files{"journal.md": root}))
		add := func(commit string, all []int) findings.Added {
			o := findings.Add{Anchor: header.Anchor{Commit: commit}, Moved: func(_, _ string, line int) []int { return []int{line + row.moved} }}
			for _, line := range all {
				o.Findings = append(o.Findings, at(line))
			}
			out, err := o.Do(t.Context(), w.Vault)
			if err != nil {
				t.Fatalf("%s: %v", row.name, err)
			}
			return out
		}
		first := add(strings.Repeat("a", 40), row.was)
		if out := add(strings.Repeat("d", 40), row.now); out.New != row.new || out.SeenAgain != row.seen {
			t.Errorf("%s: got %+v", row.name, out)
		}
		if text := w.Head()[first.Findings[0].Path]; row.seen > 0 && !strings.Contains(text, "commit: "+strings.Repeat("d", 40)+"\nseverity: low\ncategory: security\nfile: a.go\nline: "+strconv.Itoa(row.was[0]+row.moved)) {
			t.Errorf("%s: it does not say where it is:\n%s", row.name, text)
		}
	}
}

// What is no finding is not resolved as one.
func TestResolve(t *testing.T) {
	w := vaultmap.New(known())
	for ref, want := range map[string]vault.Code{"pf-r1": vault.CodeType, "pf-none": vault.CodeNotFound, "pf-f1": ""} {
		if _, err := (findings.Resolve{Resolve: journal.Resolve{Ref: ref, Resolution: "Done."}}).Do(t.Context(), w.Vault); vault.CodeOf(err) != want {
			t.Errorf("%s: got %v, want %s", ref, err, want)
		}
	}
}

// Learnings are captured once for each category, with the texts of a person beside them.
func TestLearn(t *testing.T) {
	w := vaultmap.New(known())
	learn := findings.Learn{Findings: []vault.ID{"pf-f1", "pf-f2"}, Texts: []string{"Spell twice"}}
	out, err := learn.Do(t.Context(), w.Vault)
	if err != nil || len(out.Learnings) != 2 || out.Learnings[0].Title != "Fixed 1 documentation finding: Typo" || out.Learnings[1].Title != "Spell twice" {
		t.Fatalf("got %+v, %v", out, err)
	}
	if text := w.Head()[out.Learnings[0].Path]; !strings.Contains(text, "relates_to: [pf-f2]") || !strings.Contains(text, "Spelled.") {
		t.Errorf("the learning:\n%s", text)
	}
	before := len(w.Plans)
	if out, err := learn.Do(t.Context(), w.Vault); err != nil || len(out.Learnings) != 0 || len(w.Plans) != before {
		t.Errorf("again: got %+v, %v", out, err)
	}
}

// A review that waited in the outbox is kept as it was queued.
func TestQueuedAdd(t *testing.T) {
	w := vaultmap.New(vaultmap.Family().With(vaultmap.Files{"journal.md": root}))
	w.Deliverable = tree.Deliverable(findings.Verbs(func() recall.Analyse { return nil })...)
	err := w.Store.Queue(t.Context(), vault.Queued{Verb: "findings add", Options: []byte(`{"findings":[{"severity":"low","category":"documentation","summary":"Typo"}],"spec":"s"}`)})
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.Deliver(t.Context())
	if err != nil || len(got) != 1 || got[0].ID != "pf-va59gq2a" || got[0].Path != "journal/2026/02/review-1-finding-1-low.md" {
		t.Fatalf("delivered %+v, %v", got, err)
	}
	vaultmap.Equal(t, "what is in no commit", vaultmap.Diff(w.Head(), w.Disk), "")
}
