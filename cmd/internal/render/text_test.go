package render

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

var now = time.Date(2026, 2, 7, 17, 30, 0, 0, time.UTC)

// drawn returns what draw writes on a screen of the given width; 0 is a pipe.
func drawn(width int, draw func(Screen)) string {
	var b strings.Builder
	draw(Screen{Writer: &b, Width: width, Now: now})
	return b.String()
}

// expect compares a drawing with what it should be, given with a leading line feed.
func expect(t *testing.T, name, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func before(d time.Duration) *time.Time {
	t := now.Add(-d)
	return &t
}

func TestTimesArePlainWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "just now", 30 * time.Second: "just now", 5 * time.Minute: "5m ago", 2 * time.Hour: "2h ago",
		24 * time.Hour: "1d ago", 5 * 24 * time.Hour: "5d ago", 30 * 24 * time.Hour: "4w ago", 800 * 24 * time.Hour: "2y ago",
	} {
		if got := ago(now.Add(-d), now); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func deployment() tree.Shown {
	return tree.Shown{
		ID: "pf-aa1", Title: "Deployment", Type: "memory", Status: "open",
		ShownText: tree.ShownText{
			Content: "Overview of how we deploy.\nNomad-based.\n", Labels: []string{"infrastructure", "deployment"},
			AccessCount: 14, LastAccessed: before(2 * time.Hour), Tokens: 120,
			Children: []tree.ShownChild{
				{ID: "pf-aa2", Title: "Troubleshooting", Summary: "If deploy succeeds but service unchanged"},
				{ID: "pf-aa5", Title: "Rollback", Summary: "Steps to revert a bad deploy"},
				{ID: "pf-aa6", Title: "Version History", Summary: "What version is running where"},
			},
		},
	}
}

func TestShow(t *testing.T) {
	expect(t, "the seed's example", drawn(0, func(s Screen) { Show(s, deployment()) }), `
Deployment
──────────
ID:       pf-aa1
Type:     memory
Status:   open
Labels:   infrastructure, deployment
Children: 3
Accessed: 14 times (last: 2h ago)
Tokens:   about 120

Overview of how we deploy.
Nomad-based.

Sub-memories:
  pf-aa2  Troubleshooting     If deploy succeeds but service unchanged
  pf-aa5  Rollback            Steps to revert a bad deploy
  pf-aa6  Version History     What version is running where
`)
	expect(t, "phrases fold on a narrow screen", lastLines(drawn(60, func(s Screen) { Show(s, deployment()) }), 4), `
  pf-aa2  Troubleshooting     If deploy succeeds but service
                              unchanged
  pf-aa5  Rollback            Steps to revert a bad deploy
  pf-aa6  Version History     What version is running where
`)
	bare := tree.Shown{ID: "pf-x", Title: "記憶", Type: "memory", Status: "closed"}
	expect(t, "an empty memory with a wide title", drawn(0, func(s Screen) { Show(s, bare) }), `
記憶
────
ID:       pf-x
Type:     memory
Status:   closed
Children: 0
Accessed: 0 times
Tokens:   about 0
`)
}

func lastLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[len(lines)-1-n:], "")
}

func TestShowExpanded(t *testing.T) {
	m := deployment()
	m.Labels = nil
	m.Children[0].ShownText = &tree.ShownText{
		Content: "If the gateway reports a new version\n  nomad job status\n\nthen wait.", Labels: []string{"deployment", "nomad"},
		Children: []tree.ShownChild{
			{ID: "pf-aa3", Title: "Nomad Stuck", Summary: "When allocation shows \"running\" but binary is old"},
			{ID: "pf-aa4", Title: "Gateway vs Worker", Summary: "When to deploy which component"},
		},
	}
	m.Children[1].ShownText = &tree.ShownText{Content: "nomad job revert"}
	m.Children[2].ShownText = &tree.ShownText{Children: []tree.ShownChild{
		{ID: "pf-aa9", Title: "Deep", ShownText: &tree.ShownText{Content: "one\ntwo"}},
		{ID: "pf-ab0", Title: "Left out", Summary: "Did not fit the budget"},
	}}
	expect(t, "frames", drawn(0, func(s Screen) { Show(s, m) }), `
Deployment
──────────
ID:       pf-aa1
Type:     memory
Status:   open
Children: 3
Accessed: 14 times (last: 2h ago)
Tokens:   about 120

Overview of how we deploy.
Nomad-based.

Sub-memories (expanded):

  ┌─ pf-aa2: Troubleshooting
  │  Labels: deployment, nomad
  │  Children: 2
  │
  │  If the gateway reports a new version
  │    nomad job status
  │
  │  then wait.
  │
  │  Sub-memories:
  │    pf-aa3  Nomad Stuck         When allocation shows "running" but binary is old
  │    pf-aa4  Gateway vs Worker   When to deploy which component
  │
  ├─ pf-aa5: Rollback
  │  nomad job revert
  │
  └─ pf-aa6: Version History
     Children: 2

     Sub-memories (expanded):

       └─ pf-aa9: Deep
          one
          two

     Sub-memories:
       pf-ab0  Left out            Did not fit the budget
`)
	narrow := drawn(24, func(s Screen) { Show(s, m) })
	if !strings.Contains(narrow, "  │  If the gateway\n  │  reports a new\n  │  version") && !strings.Contains(narrow, "  │  If the gateway reports a new version\n") {
		t.Errorf("a narrow screen:\n%s", narrow)
	}
}

func forest() tree.Outlined {
	phrase := "If deploy succeeds"
	return tree.Outlined{Roots: []*tree.OutlineNode{
		{ID: "pf-aa1", Title: "deployment", Tokens: 300, AccessCount: 14, LastAccessed: before(2 * time.Hour), ChildCount: 3, Children: []*tree.OutlineNode{
			{ID: "pf-aa2", Title: "troubleshooting", Depth: 1, AccessCount: 28, LastAccessed: before(time.Hour), Hot: true, Summary: &phrase, ChildCount: 2, Children: []*tree.OutlineNode{
				{ID: "pf-aa3", Title: "nomad-allocation-stuck", Depth: 2, AccessCount: 12, LastAccessed: before(3 * time.Hour)},
				{ID: "pf-aa4", Title: "gateway-vs-worker", Depth: 2},
			}},
			{ID: "pf-aa6", Title: "version-history", Depth: 1, AccessCount: 7, LastAccessed: before(5 * 24 * time.Hour), ChildCount: 4},
		}},
		{ID: "pf-bb1", Title: "entities", Status: "closed", Children: []*tree.OutlineNode{{ID: "new-1", Title: "by hand", Depth: 1, Provisional: true}}},
		{ID: "pf-cc1", Title: "lost", Orphan: true},
	}}
}

func TestTree(t *testing.T) {
	expect(t, "strokes, stubs, orphans and what was left out", drawn(0, func(s Screen) { Tree(s, forest(), false) }), `
deployment (pf-aa1)
├── troubleshooting (pf-aa2)
│   ├── nomad-allocation-stuck (pf-aa3)
│   └── gateway-vs-worker (pf-aa4)
├── version-history (pf-aa6)
│   └── (+4 more; cp memory tree pf-aa6)
└── (+1 more; cp memory tree pf-aa1)
entities (pf-bb1) [closed]
└── by hand (new-1) [new: run cp memory sync]
lost (pf-cc1) ⚠ orphan: run cp memory sync
`)
	expect(t, "nothing", drawn(0, func(s Screen) { Tree(s, tree.Outlined{}, true) }), "")
}

func TestTreeWithStats(t *testing.T) {
	v := forest()
	v.Roots = v.Roots[:1]
	v.Roots[0].ChildCount, v.Roots[0].Children[1].ChildCount = 2, 0
	expect(t, "aligned columns", drawn(0, func(s Screen) { Tree(s, v, true) }), `
deployment (pf-aa1)                      14 reads  last: 2h ago
├── troubleshooting (pf-aa2)             28 reads  last: 1h ago  ★
│   ├── nomad-allocation-stuck (pf-aa3)  12 reads  last: 3h ago
│   └── gateway-vs-worker (pf-aa4)        0 reads
└── version-history (pf-aa6)              7 reads  last: 5d ago

5 memories, about 300 tokens to read
`)
	v.Roots[0].Children[0].Children[0].Title = "記憶の木がノマドで動かなくなったとき"
	expect(t, "wide titles give way on a screen, ids stay", drawn(60, func(s Screen) { Tree(s, v, true) }), `
deployment (pf-aa1)                14 reads  last: 2h ago
├── troubleshooting (pf-aa2)       28 reads  last: 1h ago  ★
│   ├── 記憶の木がノマ… (pf-aa3)   12 reads  last: 3h ago
│   └── gateway-vs-work… (pf-aa4)   0 reads
└── version-history (pf-aa6)        7 reads  last: 5d ago

5 memories, about 300 tokens to read
`)
	v.Roots[0].Children[0].Children[0].Title = strings.Repeat("記憶", 100)
	expect(t, "a long wide title in a pipe", drawn(0, func(s Screen) { Tree(s, v, true) }), `
deployment (pf-aa1)`+spaces(417-19)+`  14 reads  last: 2h ago
├── troubleshooting (pf-aa2)`+spaces(417-28)+`  28 reads  last: 1h ago  ★
│   ├── `+strings.Repeat("記憶", 100)+` (pf-aa3)`+`  12 reads  last: 3h ago
│   └── gateway-vs-worker (pf-aa4)`+spaces(417-34)+`   0 reads
└── version-history (pf-aa6)`+spaces(417-28)+`   7 reads  last: 5d ago

5 memories, about 300 tokens to read
`)
	v.Roots[0].Children[0].Children[0].Provisional = true
	expect(t, "a row with more marks than fit moves no other", drawn(60, func(s Screen) { Tree(s, v, true) }), `
deployment (pf-aa1)                14 reads  last: 2h ago
├── troubleshooting (pf-aa2)       28 reads  last: 1h ago  ★
│   ├── 記憶記… (pf-aa3) [new: run cp memory sync]  12 reads  last: 3h ago
│   └── gateway-vs-work… (pf-aa4)   0 reads
└── version-history (pf-aa6)        7 reads  last: 5d ago

5 memories, about 300 tokens to read
`)
}

func TestHot(t *testing.T) {
	rows := []tree.HotRow{
		{ID: "pf-aa2", Depth: 1, AccessCount: 28, ParentAccessCount: 14, Title: "Troubleshooting", ParentTitle: "Deployment"},
		{ID: "pf-bb2", Depth: 1, AccessCount: 19, ParentAccessCount: 8, Title: "Dedup Strategy", ParentTitle: "Entities"},
	}
	expect(t, "the seed's example", drawn(0, func(s Screen) { Hot(s, rows) }), `
PROMOTION CANDIDATES (children accessed more than parent)
─────────────────────────────────────────────────────────
ID         DEPTH  READS  PARENT READS  TITLE                    PARENT
pf-aa2     1      28     14            Troubleshooting          Deployment
pf-bb2     1      19     8             Dedup Strategy           Entities

Suggestion: pf-aa2 has 2x parent reads — consider promoting to root.
`)
	expect(t, "none", drawn(0, func(s Screen) { Hot(s, nil) }), "No promotion candidates found.\n")
	for want, r := range map[string]tree.HotRow{
		"pf-a has 1.4x parent reads — consider promoting to depth 1.":             {ID: "pf-a", Depth: 2, AccessCount: 10, ParentAccessCount: 7},
		"pf-a was read 3 times, its parent never — consider promoting to root.":   {ID: "pf-a", Depth: 1, AccessCount: 3},
		"pf-a was read 1 time, its parent never — consider promoting to depth 2.": {ID: "pf-a", Depth: 3, AccessCount: 1},
		"pf-a has 1x parent reads — consider promoting to root.":                  {ID: "pf-a", Depth: 1, AccessCount: 101, ParentAccessCount: 100},
	} {
		if got := suggestion(r); got != want {
			t.Errorf("%+v: %q, want %q", r, got, want)
		}
	}
}

func TestLists(t *testing.T) {
	created := time.Date(2026, 2, 7, 23, 59, 0, 0, time.FixedZone("", -3600))
	rows := []tree.ListRow{
		{ID: "pf-7k2m9qx4", Created: created, Title: "Troubleshooting the nomad allocations that do not restart", Snippet: "… allocation **stuck**\nin pending …"},
		{ID: "pf-aa1", Title: "記憶"},
	}
	expect(t, "a list in a pipe, days in UTC", drawn(0, func(s Screen) { List(s, rows) }), `
ID           CREATED     CONTENT
pf-7k2m9qx4  2026-02-08  Troubleshooting the nomad allocations that do not restart
pf-aa1       -           記憶
`)
	expect(t, "on 50 columns", drawn(50, func(s Screen) { List(s, rows) }), `
ID           CREATED     CONTENT
pf-7k2m9qx4  2026-02-08  Troubleshooting the noma…
pf-aa1       -           記憶
`)
	expect(t, "hits with their passages", drawn(0, func(s Screen) { Hits(s, rows) }), `
ID           CREATED     CONTENT
pf-7k2m9qx4  2026-02-08  Troubleshooting the nomad allocations that do not restart
                         … allocation **stuck** in pending …
pf-aa1       -           記憶
`)
	expect(t, "a screen too narrow for anything", drawn(10, func(s Screen) { List(s, rows[:1]) }), `
ID           CREATED     CONTENT
pf-7k2m9qx4  2026-02-08  Troubleshoo…
`)
}

func TestEdges(t *testing.T) {
	edges := []vault.Edge{
		{From: "pf-aa2", To: "pf-aa1", Kind: "child-of", Outgoing: true, Summary: "If", Other: vault.Node{ID: "pf-aa1", Header: vault.Header{Type: "memory", Status: "open", Title: "Deployment"}}},
		{From: "pf-aa2", Kind: "link", Outgoing: true, Target: "gone.md"},
	}
	expect(t, "a table", drawn(0, func(s Screen) { Edges(s, EdgeRows(edges)) }), `
DIRECTION  EDGE TYPE  SHARD   TYPE    STATUS  TITLE
outgoing   child-of   pf-aa1  memory  open    Deployment
outgoing   link       -                       gone.md (not found)
`)
}
