package transfer_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/transfer"
)

// id is the one that follows from a text.
func id(text string) string {
	id, err := tier.Key("pf", text)
	if err != nil {
		panic(err)
	}
	return string(id)
}

var hangs = id("It hangs")

// seen imports files of sanj: a text that begins with a heading is its view.
func seen(texts ...string) transfer.Import {
	var files []transfer.File
	for _, text := range texts {
		name := "observations.json"
		if strings.HasPrefix(text, "#") {
			name = "long-term-memory.md"
		}
		files = append(files, transfer.File{Rel: name, Text: []byte(text), At: vaultmap.Now})
	}
	return transfer.Import{Bundle: transfer.Sanj().Read(files)}
}

func TestPlanObservations(t *testing.T) {
	kept := vaultmap.Family().With(vaultmap.Files{"journal.md": "---\nid: pf-journal\ntitle: Journal\ntype: memory\nstatus: open\nsummary: When\njournal: true\npointers: none\n---\n"})
	here := func(keys string) vaultmap.Files {
		return kept.With(vaultmap.Files{"journal/2026/01/observation-it-hangs.md": "---\nid: " + hangs + "\ntitle: It hangs\ntype: observation\n" + keys + "---\n"})
	}
	const item = `{"id":"obs-1","text":"It hangs","count":5,"sessionRefs":["a","b"],"firstSeen":"2026-01-20T10:00:00.5Z","lastSeen":"2026-01-26T10:00:00Z"`
	entry := "+---\n\t\t\t\t+id: " + hangs + `
				+title: It hangs
				+type: observation
				+status: open
				+created: 2026-01-20T10:00:00Z
				+source: sanj:obs-1`
	const dates = "\n\t\t\t\t+first_seen: 2026-01-20T10:00:00Z\n\t\t\t\t+last_seen: 2026-01-26T10:00:00Z"
	vaultmap.Run(t, []vaultmap.Row[transfer.Imported]{
		{Name: "a pending one, counted beyond its sessions", Start: kept, Verb: seen("[" + item + "}]"), Want: `
				new journal/2026/01/observation-it-hangs.md
				` + entry + `
				+sessions: [a, b]
				+seen_before: 3` + dates + `
				+---`, Says: `"created":1,"updated":0,"unchanged":0,"differs":0,"skipped":0`},
		{Name: "a denied one", Start: kept, Verb: seen("[" + item + `,"deniedAt":"2026-01-27","approvedAt":"2026-01-26"}]`), Want: `
				new journal/2026/01/observation-it-hangs.md
				` + entry + `
				+sessions: [a, b]
				+seen_before: 3` + dates + `
				+approved_at: 2026-01-26T00:00:00Z
				+denied_at: 2026-01-27T00:00:00Z
				+---`},
		{Name: "a long-term one, and what the view says of it", Start: kept, Verb: seen("["+item+`,"level":"long_term","promotedToLongTermAt":"2026-01-22"}]`,
			"# Long-Term Memory\n\n## it hangs!\n- Count: 2\n- Last seen: 2026-01-30\n- Sessions: b, c\n- Status: approved_for_core\n"), Want: `
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
				+  {"id": "` + hangs + `", "title": "It hangs", "summary": "` + vault.Placeholder + `"}
				+]
				+<!-- /sub-memories -->
				new learned/it-hangs.md
				` + entry + `
				+sessions: [a, b, c]
				+seen_before: 2
				+first_seen: 2026-01-20T10:00:00Z
				+last_seen: 2026-01-30T00:00:00Z
				+approved_at: 2026-01-30T00:00:01Z
				+long_term_at: 2026-01-22T00:00:00Z
				+---`, Says: `"level":"long-term","count":5`},
		{Name: "a core one is long-term here", Start: kept.With(vaultmap.Files{"learned.md": "---\nid: pf-learned\ntitle: Learned\njournal: learned\n---\n"}),
			Verb: seen("[" + item + `,"level":"core","promotedToCoreAt":"2026-01-28","coreMemoryTargets":["claude_md"]}]`), Want: `
				learned.md
				+<!-- sub-memories -->
				+[
				+  {"id": "` + hangs + `", "title": "It hangs", "summary": "` + vault.Placeholder + `"}
				+]
				+<!-- /sub-memories -->
				new learned/it-hangs.md
				` + entry + `
				+sessions: [a, b]
				+seen_before: 3` + dates + `
				+long_term_at: 2026-01-26T10:00:00Z
				+---`},
		{Name: "more than a title holds", Start: kept, Verb: seen(`[{"text":"` + strings.Repeat("so ", 40) + `\nand more","lastSeen":"2026-01-26"}]`), Want: `
				new journal/2026/01/observation-` + strings.TrimSuffix(strings.Repeat("so-", 21), "-") + `.md
				+---
				+id: ` + id(strings.Repeat("so ", 40)+"and more") + `
				+title: ` + strings.TrimSpace(strings.Repeat("so ", 33)) + `…
				+type: observation
				+status: open
				+created: 2026-01-26T00:00:00Z
				+source: sanj:observations.json
				+last_seen: 2026-01-26T00:00:00Z
				+---
				+` + strings.Repeat("so ", 40) + `
				+and more`},
		{Name: "observed here as well", Start: here("sessions: [b, z]\nseen_before: 1\nfirst_seen: 2026-01-22T00:00:00Z\nlast_seen: 2026-02-01T00:00:00Z\ndenied_at: 2026-02-01T00:00:00Z\n"),
			Verb: seen("[" + item + `,"level":"long_term","approvedAt":"2026-02-02"}]`), Want: `
				journal/2026/01/observation-it-hangs.md
				-sessions: [b, z]
				-seen_before: 1
				-first_seen: 2026-01-22T00:00:00Z
				+sessions: [b, z, a]
				+seen_before: 3
				+first_seen: 2026-01-20T10:00:00Z`, Says: `"action":"updated"`},
		{Name: "a count of sessions that another file has named", Start: here("source: sanj:obs-1\nsessions: [a, c]\nseen_before: 2\n" + strings.ReplaceAll(dates, "\t\t\t\t+", "")[1:] + "\n"), Verb: seen("[" + item + "}]"), Want: `
				journal/2026/01/observation-it-hangs.md
				-sessions: [a, c]
				+sessions: [a, c, b]`, Says: `"count":5`},
		{Name: "there already", Start: here("sessions: [a, b]\nseen_before: 3\n" + strings.ReplaceAll(dates, "\t\t\t\t+", "")[1:] + "\n"), Verb: seen("[" + item + "}]"), Says: `"unchanged":1`},
		{Name: "more sessions than a memory names", Start: here("sessions: [" + many(18) + "]\n" + strings.ReplaceAll(dates, "\t\t\t\t+", "")[1:] + "\n"),
			Verb: seen(`[{"text":"It hangs","sessionRefs":["s0","x","y","z"]}]`), Want: `
				journal/2026/01/observation-it-hangs.md
				-sessions: [` + many(18) + `]
				+sessions: [` + many(18) + `, x, "y"]
				+seen_before: 1`},
		{Name: "what is broken is named, and the rest comes in", Start: kept, Verb: seen(`[7,{"id":"o2","text":"?!"},{"id":"o3","text":"a\u0000"},{"id":"o4","text":"a","sessionRefs":["\t"]},`+item+`}]`, "[", "# x\nprose\n"), Want: `
				new journal/2026/01/observation-it-hangs.md
				` + entry + `
				+sessions: [a, b]
				+seen_before: 3` + dates + `
				+---`, Says: `"created":1,"updated":0,"unchanged":0,"differs":0,"skipped":6`},
		{Name: "nothing", Start: kept, Verb: seen("", "[]", "# Long-Term Memory\n"), Says: `"files":[]`},
	})
}

// The view of what a vault holds: an order, texts and states.
func TestLongTerm(t *testing.T) {
	file := func(id, more string) string { return "---\nid: " + id + "\ntype: observation\n" + more + "---\n" }
	long := "It hangs, and this is more than fits into a title, which has a hundred characters at most, as everybody knows by now."
	key := id(long)
	w := vaultmap.New(vaultmap.Family().With(vaultmap.Files{
		"a.md": file("pf-a", "title: Oldest\nlong_term_at: 2026-01-01T00:00:00Z\nsessions: [a, b]\nfirst_seen: 2025-12-01T00:00:00Z\nlast_seen: 2025-12-02T00:00:00Z\napproved_at: 2026-01-02T00:00:00Z\n"),
		"b.md": file(key, "title: It hangs, and…\nlong_term_at: 2026-01-03T00:00:00Z\ncreated: 2025-12-05T00:00:00Z\n") + long + "\n",
		"c.md": file("pf-c", "title: Core\nlong_term_at: 2026-01-01T00:00:00Z\ncore_at: 2026-01-03T00:00:00Z\n"),
		"d.md": file("pf-d", "title: Denied\nlong_term_at: 2026-01-01T00:00:00Z\ndenied_at: 2026-01-03T00:00:00Z\n"),
		"e.md": file("pf-e", "title: Pending\n"),
		"f.md": file("pf-f", "title: Closed\nstatus: closed\nlong_term_at: 2026-01-01T00:00:00Z\n"),
		"g.md": "---\nid: pf-g\ntype: decision\ntitle: Decided\nlong_term_at: 2026-01-02T12:00:00Z\ncreated: 2025-12-06T00:00:00Z\n---\n",
	}))
	items, err := transfer.LongTerm(t.Context(), w.Vault)
	want := "# Long-Term Memory\n\n## " + long + "\n- Count: 0\n- First seen: 2025-12-05\n- Last seen: 2025-12-05\n- Status: pending_core_promotion\n" +
		"\n## Decided\n- Count: 0\n- First seen: 2025-12-06\n- Last seen: 2025-12-06\n- Status: pending_core_promotion\n" +
		"\n## Oldest\n- Count: 2\n- First seen: 2025-12-01\n- Last seen: 2025-12-02\n- Sessions: a, b\n- Status: approved_for_core\n"
	if diff := cmp.Diff(want, tier.View(items)); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	vaultmap.Broken("g.md")(w)
	if _, err := transfer.LongTerm(t.Context(), w.Vault); err == nil {
		t.Error("a file that cannot be read is passed over in silence")
	}
}

// many are the names of sessions in a list.
func many(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = "s" + strconv.Itoa(i)
	}
	return strings.Join(all, ", ")
}
