package journal_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

type files = vaultmap.Files

// root is the journal's root as every clone writes it.
const root = vaultmap.Journal

// kept is a vault that has a journal.
func kept(more files) files { return vaultmap.Family().With(files{"journal.md": root}).With(more) }

// seen is an observation that the sessions made, with more keys.
func seen(keys string) files {
	return kept(files{"journal/2026/02/observation-it-hangs.md": "---\nid: pf-obs\ntitle: It hangs\ntype: observation\n" +
		"created: 2026-02-03T00:00:00Z\n" + keys + "---\n"})
}

func TestPlanCapture(t *testing.T) {
	taken := func(name vault.Path, text string) files { return vaultmap.Family().With(files{name: text}) }
	vaultmap.Run(t, []vaultmap.Row[journal.Captured]{
		{Name: "the first makes the journal", Verb: journal.Capture{Kind: "learnings", Title: "It leaks"}, Want: `
				new journal.md
				+---
				+id: pf-journal
				+title: Journal
				+type: memory
				+status: open
				+summary: When you want to know what was decided, tried or found out, and when
				+journal: true
				+pointers: none
				+---
				new journal/2026/02/learning-it-leaks.md
				+---
				+id: pf-00000001
				+title: It leaks
				+type: learning
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---`},
		{Name: "a decision with its sections", Start: kept(nil), Verb: journal.Capture{Kind: "decision", Title: "Use it", Body: "First.", Spec: "storage", Phase: "design", Labels: []string{"a,b"}, Anchor: header.Anchor{Commit: "0123456789abcdef0123456789abcdef01234567"}, Session: "s", WantsPlace: true,
			Relates: []string{"deploy/rollback.md"}, Parts: journal.Parts{Context: "# Why\nx", Decision: "Yes.", Alternatives: []string{"one\nand more", " ", "two"}}}, Want: `
				new journal/2026/02/decision-use-it.md
				+---
				+id: pf-00000001
				+title: Use it
				+type: decision
				+status: open
				+labels: [a, b]
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+spec: storage
				+phase: design
				+commit: 0123456789abcdef0123456789abcdef01234567
				+relates_to: [pf-aa2]
				+wants_place: true
				+sessions: [s]
				+---
				+First.
				+
				+## Context
				+
				+### Why
				+x
				+
				+## Decision
				+
				+Yes.
				+
				+## Alternatives Considered
				+
				+- one
				+  and more
				+- two`},
		{Name: "the name is taken by a memory", Start: taken("journal.md", "# Mine\n"), Verb: journal.Capture{Kind: "learning", Title: "It leaks"}, Want: `
				new cp-journal.md
				+---
				+id: pf-cp-journal
				+title: Journal
				+type: memory
				+status: open
				+summary: When you want to know what was decided, tried or found out, and when
				+journal: true
				+pointers: none
				+---
				new cp-journal/2026/02/learning-it-leaks.md
				+---
				+id: pf-00000001
				+title: It leaks
				+type: learning
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---`},
		{Name: "a folder of that name", Start: taken("Journal/a.md", "# A\n"), Verb: journal.Capture{Kind: "learning", Title: "It leaks"}, Want: `
				new cp-journal.md
				+---
				+id: pf-cp-journal
				+title: Journal
				+type: memory
				+status: open
				+summary: When you want to know what was decided, tried or found out, and when
				+journal: true
				+pointers: none
				+---
				new cp-journal/2026/02/learning-it-leaks.md
				+---
				+id: pf-00000001
				+title: It leaks
				+type: learning
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---`},
		{Name: "a root of that title", Start: taken("notes.md", "# JOURNAL\n"), Verb: journal.Capture{Kind: "learning", Title: "It leaks"}, Want: `
				new cp-journal.md
				+---
				+id: pf-cp-journal
				+title: Journal
				+type: memory
				+status: open
				+summary: When you want to know what was decided, tried or found out, and when
				+journal: true
				+pointers: none
				+---
				new cp-journal/2026/02/learning-it-leaks.md
				+---
				+id: pf-00000001
				+title: It leaks
				+type: learning
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---`},
		{Name: "the other name has it already", Start: taken("journal.md", "# Mine\n").With(files{"cp-journal.md": root}), Verb: journal.Capture{Kind: "learning", Title: "It leaks"}, Want: `
				new cp-journal/2026/02/learning-it-leaks.md
				+---
				+id: pf-00000001
				+title: It leaks
				+type: learning
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---`},
		{Name: "a journal that was moved", Start: taken("old/j.md", root), Verb: journal.Capture{Kind: "learning", Title: "It leaks"}, Want: `
				new old/j/2026/02/learning-it-leaks.md
				+---
				+id: pf-00000001
				+title: It leaks
				+type: learning
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---`},
		{Name: "the same title in a month", Start: kept(files{"journal/2026/02/learning-it-leaks.md": vaultmap.File("pf-l1", "It leaks", "", "")}), Verb: journal.Capture{Kind: "learning", Title: "It leaks"}, Want: `
				new journal/2026/02/learning-it-leaks-2.md
				+---
				+id: pf-00000001
				+title: It leaks
				+type: learning
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---`},
		{Name: "below a memory", Start: kept(nil), Verb: journal.Capture{Kind: "pattern", Title: "Retry", Parent: "pf-aa1", Summary: "when many come"}, Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000001", "title": "Retry", "summary": "when many come"}
				new deploy/retry.md
				+---
				+id: pf-00000001
				+title: Retry
				+type: pattern
				+status: open
				+summary: when many come
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+long_term_at: 2026-02-07T15:30:00Z
				+---`},
		{Name: "below one that keeps no pointers", Start: kept(nil), Verb: journal.Capture{Kind: "pattern", Title: "Retry", Parent: "pf-journal"}, Want: `
				new journal/retry.md
				+---
				+id: pf-00000001
				+title: Retry
				+type: pattern
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---`},
		{Name: "no kind", Verb: journal.Capture{Kind: "Decision", Title: "x"}, Err: `'Decision' is no kind of entry | the kinds are inception, elicitation, research, decision, progress, blocker, review, learning, retrospective, pattern`},
		{Name: "an observation", Verb: journal.Capture{Kind: "observation", Title: "x"}, Err: "an observation is not captured | `cp memory observe` counts the sessions that made it"},
		{Name: "a finding", Verb: journal.Capture{Kind: "finding", Title: "x"}, Err: "a finding is not captured by itself | `cp memory findings add` keeps the findings of a review"},
		{Name: "no title", Verb: journal.Capture{Kind: "decision", Title: " "}, Err: `the title is empty | give the memory a title or some text`},
		{Name: "a title too long", Verb: journal.Capture{Kind: "decision", Title: strings.Repeat("é", 101)}, Err: `the title has 101 characters; an entry's has at most 100 | say it shorter, and put the rest into the body`},
		{Name: "as long as may be", Start: kept(nil), Verb: journal.Capture{Kind: "decision", Title: strings.Repeat("é", 100)}, Want: `
				new journal/2026/02/decision-eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee.md
				+---
				+id: pf-00000001
				+title: éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé
				+type: decision
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---`},
		{Name: "a text too long", Verb: journal.Capture{Kind: "decision", Title: "x", Body: strings.Repeat("x", 100*1024+1)}, Err: `the text has 102401 bytes; an entry's has at most 102400 | keep the long text in a memory of the tree`},
		{Name: "a phrase without a place", Verb: journal.Capture{Kind: "decision", Title: "x", Summary: "when"}, Err: `a trigger phrase is for an entry with a place in the tree | give the place with --under`},
		{Name: "a revision in the place of a commit", Verb: journal.Capture{Kind: "decision", Title: "x", Anchor: header.Anchor{Commit: "--output=/x"}}, Err: "'--output=/x' is not the full id of a commit | `git rev-parse` says a commit's full id"},
		{Name: "a commit with a mark of git's", Verb: journal.Capture{Kind: "decision", Title: "x", Anchor: header.Anchor{Commit: "^0123456789abcdef0123456789abcdef01234567"}}, Err: "'^0123456789abcdef0123456789abcdef01234567' is not the full id of a commit | `git rev-parse` says a commit's full id"},
		{Name: "sections of another kind", Verb: journal.Capture{Kind: "learning", Title: "x", Parts: journal.Parts{Context: "y"}}, Err: "sections are for a decision or a blocker | say it in the body"},
		{Name: "a blocker's section in a decision", Verb: journal.Capture{Kind: "decision", Title: "x", Parts: journal.Parts{Problem: "y"}}, Err: "the section Problem is for a blocker | say it in the context"},
		{Name: "a decision's section in a blocker", Verb: journal.Capture{Kind: "blocker", Title: "x", Parts: journal.Parts{Problem: "y", Decision: "z"}}, Err: "a blocker has the section Problem alone; the others are a decision's | say it in the body"},
		{Name: "relates to nothing", Verb: journal.Capture{Kind: "decision", Title: "x", Relates: []string{"pf-none"}}, Err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
	})
}

func TestPlanResolve(t *testing.T) {
	blocker := kept(files{"journal/2026/02/blocker-oom.md": "---\nid: pf-b1\ntitle: OOM\ntype: blocker\nspec: s\ncommit: 0123456789abcdef0123456789abcdef01234567\n---\n## Problem\n\n9 GB.\n"})
	done := kept(files{"journal/2026/02/blocker-oom.md": "---\nid: pf-b1\ntitle: OOM\ntype: blocker\nstatus: closed\nresolved_at: 2026-02-05T00:00:00Z\nresolution: It was.\nrelates_to: [pf-l1, pf-gone]\n---\n## Resolution\n\nIt was.\n",
		"journal/2026/02/learning-x.md": "---\nid: pf-l1\ntitle: Be careful\ntype: learning\n---\n"})
	vaultmap.Run(t, []vaultmap.Row[journal.Resolved]{
		{Name: "with a text and a learning", Start: blocker, Verb: journal.Resolve{Ref: "pf-b1", Resolution: "Linked in two.\n## And more", Learning: "Be careful\nwith 9 GB"}, Want: `
				journal/2026/02/blocker-oom.md
				+status: closed
				+resolved_at: 2026-02-07T15:30:00Z
				+resolution: Linked in two.
				+relates_to: [pf-00000001]
				+
				+## Resolution
				+
				+Linked in two.
				+### And more
				new journal/2026/02/learning-be-careful-with-9-gb.md
				+---
				+id: pf-00000001
				+title: Be careful with 9 GB
				+type: learning
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+spec: s
				+commit: 0123456789abcdef0123456789abcdef01234567
				+relates_to: [pf-b1]
				+---
				+Be careful
				+with 9 GB`},
		{Name: "without a text", Start: blocker, Verb: journal.Resolve{Ref: "pf-b1"}, Want: `
				journal/2026/02/blocker-oom.md
				+status: closed
				+resolved_at: 2026-02-07T15:30:00Z`},
		{Name: "again with the same", Start: done, Verb: journal.Resolve{Ref: "pf-b1", Resolution: "It was.", Learning: "Be careful"}, Want: "", Says: `"unchanged":true`},
		{Name: "opened by hand, then another text", Start: kept(files{"journal/2026/02/blocker-oom.md": "---\nid: pf-b1\ntitle: OOM\ntype: blocker\nstatus: open\nresolution: It was.\n---\n## Resolution\n\nIt was.\n"}),
			Verb: journal.Resolve{Ref: "pf-b1", Resolution: "No, the cable."}, Want: `
				journal/2026/02/blocker-oom.md
				-status: open
				-resolution: It was.
				+status: closed
				+resolution: No, the cable.
				+resolved_at: 2026-02-07T15:30:00Z
				+
				+No, the cable.`},
		{Name: "a commit that a person typed is not that of what was learned", Start: kept(files{"journal/2026/02/blocker-oom.md": "---\nid: pf-b1\ntitle: OOM\ntype: blocker\nstatus: closed\ncommit: the fix\n---\n"}),
			Verb: journal.Resolve{Ref: "pf-b1", Learning: "Be careful"}, Want: `
				journal/2026/02/blocker-oom.md
				+relates_to: [pf-00000001]
				new journal/2026/02/learning-be-careful.md
				+---
				+id: pf-00000001
				+title: Be careful
				+type: learning
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+relates_to: [pf-b1]
				+---`},
		{Name: "again with another text", Start: done, Verb: journal.Resolve{Ref: "pf-b1", Resolution: "No, the cable."}, Want: `
				journal/2026/02/blocker-oom.md
				+
				+No, the cable.`},
		{Name: "a memory of the tree", Verb: journal.Resolve{Ref: "pf-aa2"}, Want: `
				deploy/rollback.md
				+status: closed
				+resolved_at: 2026-02-07T15:30:00Z`},
		{Name: "the journal itself", Start: kept(nil), Verb: journal.Resolve{Ref: "pf-journal"}, Err: `pf-journal is the root of the journal, which stays open | name one of its entries`},
	})
}

// words are the words of a text as they are compared.
func words(text string, emit func(string)) {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		emit(w)
	}
}

// merged is an observation that was merged into another one.
func merged() files {
	return seen("status: closed\nsuperseded_by: pf-too\nsessions: [a]\n").With(files{"journal/2026/02/observation-too.md": "---\nid: pf-too\ntitle: It hangs, too\ntype: observation\nsessions: [c]\n---\n"})
}

func TestPlanObserve(t *testing.T) {
	many := "sessions: [a1, a2, a3, a4, a5, a6, a7, a8, a9, b1, b2, b3, b4, b5, b6, b7, b8, b9, c1, c2]\n"
	vaultmap.Run(t, []vaultmap.Row[journal.Observed]{
		{Name: "the first", Start: kept(nil), Verb: journal.Observe{Text: "It hangs.\nAt night.", Session: "a", Kind: "patterns", Relates: []string{"pf-aa2"}}, Want: `
				new journal/2026/02/observation-it-hangs.md
				+---
				+id: pf-c380n80q
				+title: It hangs.
				+type: observation
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+relates_to: [pf-aa2]
				+category: pattern
				+sessions: [a]
				+first_seen: 2026-02-07T15:30:00Z
				+last_seen: 2026-02-07T15:30:00Z
				+---
				+It hangs.
				+At night.`},
		{Name: "a second session", Start: seen("sessions: [a]\nlast_seen: 2026-02-03T00:00:00Z\n"), Verb: journal.Observe{Ref: "pf-obs", Session: "b"}, Want: `
				journal/2026/02/observation-it-hangs.md
				-sessions: [a]
				-last_seen: 2026-02-03T00:00:00Z
				+sessions: [a, b]
				+last_seen: 2026-02-07T15:30:00Z
				+first_seen: 2026-02-07T15:30:00Z`},
		{Name: "the same session", Start: seen("sessions: [a]\n"), Verb: journal.Observe{Ref: "pf-obs", Session: "a"}, Want: "", Says: `"unchanged":true`},
		{Name: "a clock that is behind", Start: seen("sessions: [a]\nfirst_seen: 2026-01-01\nlast_seen: 2030-01-01\n"), Verb: journal.Observe{Ref: "pf-obs", Session: "b"}, Want: `
				journal/2026/02/observation-it-hangs.md
				-sessions: [a]
				+sessions: [a, b]`},
		{Name: "the twenty-first session", Start: seen(many), Verb: journal.Observe{Ref: "pf-obs", Session: "z"}, Want: "", Says: `"count":20`},
		{Name: "a denied one", Start: seen("sessions: [a]\ndenied_at: 2026-02-03\n"), Verb: journal.Observe{Ref: "pf-obs", Session: "b"}, Want: `
				journal/2026/02/observation-it-hangs.md
				-sessions: [a]
				+sessions: [a, b]
				+first_seen: 2026-02-07T15:30:00Z
				+last_seen: 2026-02-07T15:30:00Z`, Says: `"denied":true`},
		{Name: "what is known is seen again", Verb: journal.Observe{Ref: "pf-aa2", Session: "b"}, Want: `
				deploy/rollback.md
				+sessions: [b]
				+first_seen: 2026-02-07T15:30:00Z
				+last_seen: 2026-02-07T15:30:00Z`},
		{Name: "nearly the same words count for what waits, and are kept", Start: seen("sessions: [a]\n"), Verb: journal.Observe{Text: "It hangs up", Session: "b", Analyse: words}, Says: `"count":2,"counted_with":"pf-obs"`, Want: `
				journal/2026/02/observation-it-hangs.md
				-sessions: [a]
				+sessions: [a, b]
				+first_seen: 2026-02-07T15:30:00Z
				+last_seen: 2026-02-07T15:30:00Z
				+## In other words
				+
				+- It hangs up`},
		{Name: "of what was denied they do not", Start: seen("sessions: [a]\ndenied_at: 2026-02-03\n"), Verb: journal.Observe{Text: "It hangs up", Session: "b", Analyse: words}, Says: `"new":true`, Want: `
				new journal/2026/02/observation-it-hangs-up.md
				+---
				+id: pf-75dmq3j9
				+title: It hangs up
				+type: observation
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+sessions: [b]
				+first_seen: 2026-02-07T15:30:00Z
				+last_seen: 2026-02-07T15:30:00Z
				+---`},
		{Name: "what has a place in the tree is another matter", Start: seen("sessions: [a]\nlong_term_at: 2026-02-03\n"), Verb: journal.Observe{Text: "It hangs up", Session: "b", Analyse: words}, Says: `"new":true`, Want: `
				new journal/2026/02/observation-it-hangs-up.md
				+---
				+id: pf-75dmq3j9
				+title: It hangs up
				+type: observation
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+sessions: [b]
				+first_seen: 2026-02-07T15:30:00Z
				+last_seen: 2026-02-07T15:30:00Z
				+---`},
		{Name: "the words of a memory of the tree count there", Verb: journal.Observe{Text: "ROLLBACK!", Session: "b", Relates: []string{"pf-aa2"}, Analyse: words}, Says: `"id":"pf-aa2"`, Want: `
				deploy/rollback.md
				+sessions: [b]
				+first_seen: 2026-02-07T15:30:00Z
				+last_seen: 2026-02-07T15:30:00Z`},
		{Name: "other words are another observation", Start: seen("sessions: [a]\n"), Verb: journal.Observe{Text: "It crashes at night", Session: "b", Analyse: words}, Says: `"new":true`, Want: `
				new journal/2026/02/observation-it-crashes-at-night.md
				+---
				+id: pf-0g8c3d4m
				+title: It crashes at night
				+type: observation
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+sessions: [b]
				+first_seen: 2026-02-07T15:30:00Z
				+last_seen: 2026-02-07T15:30:00Z
				+---`},
		{Name: "what was merged counts where it went", Start: merged(), Verb: journal.Observe{Ref: "pf-obs", Session: "b"}, Says: `"id":"pf-too"`, Want: `
				journal/2026/02/observation-too.md
				-sessions: [c]
				+sessions: [c, b]
				+first_seen: 2026-02-07T15:30:00Z
				+last_seen: 2026-02-07T15:30:00Z`},
		{Name: "no words", Verb: journal.Observe{Text: "?!", Session: "b"}, Err: `the observation has no words | say what was observed, in words`},
		{Name: "neither text nor id", Verb: journal.Observe{Session: "b"}, Err: "an observation needs a text, or the id of a memory | `cp memory observe \"what was seen\"`"},
		{Name: "no session", Verb: journal.Observe{Text: "x"}, Err: `an observation needs the name of a session | name it with --session`},
		{Name: "a kind that is none", Verb: journal.Observe{Text: "x", Session: "b", Kind: "y"}, Err: `'y' is no kind of entry | the kinds are inception, elicitation, research, decision, progress, blocker, review, learning, retrospective, pattern`},
		{Name: "no such memory", Verb: journal.Observe{Ref: "pf-none", Session: "b"}, Err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
	})
}

func TestPlanDecisions(t *testing.T) {
	vaultmap.Run(t, []vaultmap.Row[journal.Decided]{
		{Name: "yes", Start: seen(""), Verb: journal.Approve{Ref: "pf-obs"}, Want: `
				journal/2026/02/observation-it-hangs.md
				+approved_at: 2026-02-07T15:30:00Z
				+approved_by: tester`},
		{Name: "yes twice", Start: seen("approved_at: 2026-02-05\n"), Verb: journal.Approve{Ref: "pf-obs"}, Want: "", Says: `"unchanged":true`},
		{Name: "yes after a no of this second", Start: seen("denied_at: 2026-02-07T15:30:00Z\n"), Verb: journal.Approve{Ref: "pf-obs"}, Want: `
				journal/2026/02/observation-it-hangs.md
				+approved_at: 2026-02-07T15:30:01Z
				+approved_by: tester`},
		{Name: "yes for core", Start: seen("approved_at: 2026-02-01\nlong_term_at: 2026-02-02\n"), Verb: journal.Approve{Ref: "pf-obs"}, Want: `
				journal/2026/02/observation-it-hangs.md
				-approved_at: 2026-02-01
				+approved_at: 2026-02-07T15:30:00Z
				+approved_by: tester`},
		{Name: "yes to another text", Start: seen(""), Verb: journal.Approve{Ref: "pf-obs", IfMatch: "0123456"}, Err: "pf-obs has changed since it was read: its hash is 136fc0fbbe4072975b1eeee51e2b4915eba54202 | read it again with `cp memory show pf-obs -o json` and repeat the change"},
		{Name: "yes to nothing", Verb: journal.Approve{Ref: "pf-none"}, Err: "Memory not found: pf-none | `cp memory review` shows what waits"},
		{Name: "no", Start: seen("approved_at: 2026-02-05\n"), Verb: journal.Deny{Ref: "pf-obs", Reason: "The clock."}, Want: `
				journal/2026/02/observation-it-hangs.md
				+denied_at: 2026-02-07T15:30:00Z
				+denied_by: tester
				+denied_reason: The clock.`},
		{Name: "no twice", Start: seen("denied_at: 2026-02-05\ndenied_reason: x\n"), Verb: journal.Deny{Ref: "pf-obs"}, Want: "", Says: `"unchanged":true`},
		{Name: "no for another reason", Start: seen("denied_at: 2026-02-05\ndenied_reason: x\n"), Verb: journal.Deny{Ref: "pf-obs", Reason: "y"}, Want: `
				journal/2026/02/observation-it-hangs.md
				-denied_at: 2026-02-05
				-denied_reason: x
				+denied_at: 2026-02-07T15:30:00Z
				+denied_reason: "y"
				+denied_by: tester`},
		{Name: "no after a yes to come", Start: seen("approved_at: 2030-01-01T00:00:00Z\n"), Verb: journal.Deny{Ref: "pf-obs"}, Want: `
				journal/2026/02/observation-it-hangs.md
				+denied_at: 2030-01-01T00:00:01Z
				+denied_by: tester`},
		{Name: "no to the journal", Start: kept(nil), Verb: journal.Deny{Ref: "pf-journal"}, Err: `pf-journal is a root that the program makes | name one of its entries`},
	})
}

func TestPlanPromote(t *testing.T) {
	yes := "sessions: [a, b]\napproved_at: 2026-02-05\n"
	with := func(p journal.Promote) journal.Promote { p.Thresholds = tier.Default(); return p }
	vaultmap.Run(t, []vaultmap.Row[journal.Promoted]{
		{Name: "into the tree", Start: seen(yes), Verb: with(journal.Promote{Ref: "pf-obs", Parent: "pf-aa1", Summary: "when it hangs"}), Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-obs", "title": "It hangs", "summary": "when it hangs"}
				journal/2026/02/observation-it-hangs.md > deploy/it-hangs.md
				+summary: when it hangs
				+long_term_at: 2026-02-07T15:30:00Z`},
		{Name: "below Learned", Start: seen(yes), Verb: with(journal.Promote{Ref: "pf-obs"}), Want: `
				new learned.md
				+---
				+id: pf-learned
				+title: Learned
				+type: memory
				+status: open
				+summary: When you want to know what has proved to be so in this project
				+journal: learned
				+---
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-obs", "title": "It hangs", "summary": "When this matters: It hangs"}
				+]
				+<!-- /sub-memories -->
				journal/2026/02/observation-it-hangs.md > learned/it-hangs.md
				+summary: "When this matters: It hangs"
				+summary_of: bf544b281190
				+long_term_at: 2026-02-07T15:30:00Z`},
		{Name: "approved with it", Start: seen("sessions: [a, b]\nwants_place: true\n"), Verb: with(journal.Promote{Ref: "pf-obs", Parent: "pf-aa1", Approve: true}), Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-obs", "title": "It hangs", "summary": "When this matters: It hangs"}
				journal/2026/02/observation-it-hangs.md > deploy/it-hangs.md
				-wants_place: true
				+approved_at: 2026-02-07T15:30:00Z
				+approved_by: tester
				+summary: "When this matters: It hangs"
				+summary_of: bf544b281190
				+long_term_at: 2026-02-07T15:30:00Z`},
		{Name: "twice", Start: seen(yes + "long_term_at: 2026-02-06\n"), Verb: with(journal.Promote{Ref: "pf-obs"}), Want: "", Says: `"unchanged":true`},
		{Name: "not approved", Start: seen("sessions: [a, b]\n"), Verb: with(journal.Promote{Ref: "pf-obs"}), Err: "Not approved | `cp memory approve <id>`, or --approve for both"},
		{Name: "too few", Start: seen("sessions: [a]\n"), Verb: with(journal.Promote{Ref: "pf-obs", Approve: true}), Err: `Count too low: 1/2`},
		{Name: "denied", Start: seen(yes + "denied_at: 2026-02-06\n"), Verb: with(journal.Promote{Ref: "pf-obs", Approve: true}), Err: "Denied | `cp memory approve <id>` lifts the denial"},
		{Name: "no such parent", Start: seen(yes), Verb: with(journal.Promote{Ref: "pf-obs", Parent: "pf-none"}), Err: "target pf-none not found | `cp memory list` shows the ids"},
		{Name: "a memory of the tree has its place", Verb: with(journal.Promote{Ref: "pf-aa2"}), Want: "", Says: `"unchanged":true`},
		{Name: "back to the journal", Start: seen("").With(files{"journal/2026/02/observation-it-hangs.md": "", "deploy/it.md": "---\nid: pf-obs\ntitle: It hangs\ntype: observation\ncreated: 2026-02-03\nlong_term_at: 2026-02-06\n---\n"}), Verb: journal.Demote{Ref: "pf-obs"}, Want: `
				deploy/it.md > journal/2026/02/observation-it-hangs.md
				-long_term_at: 2026-02-06`},
		{Name: "it is there already", Start: seen(""), Verb: journal.Demote{Ref: "pf-obs"}, Want: "", Says: `"unchanged":true`},
		{Name: "never there", Verb: journal.Demote{Ref: "pf-aa2"}, Err: "pf-aa2 was never in the journal | `cp memory delete` or `cp memory resolve` ends a memory of the tree"},
		{Name: "with sub-memories", Start: kept(files{"x.md": "---\nid: pf-obs\ntitle: It\ntype: learning\nlong_term_at: 2026-02-06\n---\n", "x/y.md": "---\nid: pf-y1\ntitle: Y\n---\n"}), Verb: journal.Demote{Ref: "pf-obs"}, Err: `pf-obs has 1 sub-memory | move its sub-memories first`},
	})
}
