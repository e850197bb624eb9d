package journal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// ripe is an observation that may go to core: three sessions, a week, a place in the tree.
const ripe = "sessions: [a, b, c]\nfirst_seen: 2026-01-20T00:00:00Z\nlast_seen: 2026-01-28T00:00:00Z\n" +
	"long_term_at: 2026-01-29\napproved_at: 2026-01-30\n"

// claude is CLAUDE.md with a text; written is the same with the section of the observation.
func claude(text string) tier.CoreFile {
	return tier.CoreFile{Name: "claude_md", File: "/code/CLAUDE.md", Text: []byte(text)}
}

func written(t *testing.T, text, section string) tier.CoreFile {
	t.Helper()
	b, err := tier.InsertSection([]byte(text), tier.Section{Key: "test/pf-obs", Text: section}, tier.FileOrigin{})
	if err != nil {
		t.Fatal(err)
	}
	return claude(string(b))
}

func TestPlanPromoteCore(t *testing.T) {
	broken := tier.CoreFile{Name: "agents_md", File: "/code/AGENTS.md", Err: errors.New("read-only")}
	with := func(p journal.PromoteCore) journal.PromoteCore {
		p.Ref, p.Project, p.Thresholds = "pf-obs", "test", tier.Default()
		return p
	}
	in := seen(ripe + "core_at: 2026-02-01T00:00:00Z\ncore_targets: [claude_md]\n")
	vaultmap.Run(t, []vaultmap.Row[journal.CoreDone]{
		{Name: "into a file", Start: seen(ripe), Verb: with(journal.PromoteCore{Targets: []tier.CoreFile{claude("# Mine\n")}}), Says: `"level":"core","files":["/code/CLAUDE.md"]`, Want: `
				journal/2026/02/observation-it-hangs.md
				+core_targets: [claude_md]
				+core_at: 2026-02-07T15:30:00Z`},
		{Name: "approved with it", Start: seen(strings.Replace(ripe, "approved_at: 2026-01-30\n", "", 1)), Verb: with(journal.PromoteCore{Approve: true, Targets: []tier.CoreFile{claude("")}}), Says: `"level":"core"`, Want: `
				journal/2026/02/observation-it-hangs.md
				+approved_at: 2026-02-07T15:30:00Z
				+approved_by: tester
				+core_targets: [claude_md]
				+core_at: 2026-02-07T15:30:00Z`},
		{Name: "one of two files fails and is remembered", Start: seen(ripe), Verb: with(journal.PromoteCore{Targets: []tier.CoreFile{claude(""), broken}}), Says: `"level":"long-term","files":["/code/CLAUDE.md"],"failed":["agents_md"]`, Want: `
				journal/2026/02/observation-it-hangs.md
				+core_targets: [claude_md, agents_md]`},
		{Name: "all files fail", Start: seen(ripe), Verb: with(journal.PromoteCore{Targets: []tier.CoreFile{broken}}), Err: `agents_md: /code/AGENTS.md: read-only | put the file right, then run the command again`},
		{Name: "the same again", Start: in, Verb: with(journal.PromoteCore{Targets: []tier.CoreFile{written(t, "", "## It hangs\n")}}), Says: `"files":[],"unchanged":true`},
		{Name: "the copy is gone", Start: in, Verb: with(journal.PromoteCore{Targets: []tier.CoreFile{claude("# Mine\n")}}), Says: `"files":["/code/CLAUDE.md"]`, Want: `
				journal/2026/02/observation-it-hangs.md
				-core_at: 2026-02-01T00:00:00Z
				+core_at: 2026-02-07T15:30:00Z`},
		{Name: "the copy was edited", Start: in, Verb: with(journal.PromoteCore{Targets: []tier.CoreFile{claude(strings.Replace(string(written(t, "", "## It hangs\n").Text), "## It hangs", "## It hung", 1))}}),
			Err: `claude_md: the section in /code/CLAUDE.md was edited since it was written | take the section test/pf-obs out of the file in an editor, with its markers, then run the command again`},
		{Name: "not approved", Start: seen(strings.Replace(ripe, "approved_at: 2026-01-30\n", "", 1)), Verb: with(journal.PromoteCore{Targets: []tier.CoreFile{claude("")}}), Err: "Not approved | `cp memory approve <id>`, or --approve for both"},
		{Name: "too few sessions", Start: seen(strings.Replace(ripe, "[a, b, c]", "[a, b]", 1)), Verb: with(journal.PromoteCore{Targets: []tier.CoreFile{claude("")}}), Err: `Count too low: 2/3`},
		{Name: "no such memory", Verb: with(journal.PromoteCore{}), Err: "Memory not found: pf-obs | `cp memory review` shows what waits"},
	})
}

// What is planned is the section of each file, with what stood there before.
func TestPlanPromoteCoreSections(t *testing.T) {
	w := vaultmap.New(seen(ripe))
	verb := journal.PromoteCore{Ref: "pf-obs", Project: "test", Thresholds: tier.Default(),
		Targets: []tier.CoreFile{claude("# Mine\n"), {Name: "agents_md", File: "/code/AGENTS.md", Head: "# Agents\n", Folders: 1}}}
	if _, err := verb.Do(t.Context(), w.Vault); err != nil {
		t.Fatal(err)
	}
	planned := w.Plans[len(w.Plans)-1].Sections
	if len(planned) != 2 || planned[0].Key != "test/pf-obs" || planned[0].Was != "" || !strings.HasPrefix(planned[0].Text, "## It hangs\n") {
		t.Fatalf("the sections are %+v", planned)
	}
	if planned[1].Head != "# Agents\n" || planned[1].Folders != 1 {
		t.Errorf("a file that has to be made: %+v", planned[1])
	}
}

func TestPlanDemoteCore(t *testing.T) {
	in := seen(ripe + "core_at: 2026-02-01T00:00:00Z\ncore_targets: [claude_md]\n")
	out := func(targets ...tier.CoreFile) journal.DemoteCore {
		return journal.DemoteCore{Ref: "pf-obs", Project: "test", Targets: targets}
	}
	vaultmap.Run(t, []vaultmap.Row[journal.CoreDone]{
		{Name: "out of a file", Start: in, Verb: out(written(t, "# Mine\n", "## It hangs\n")), Says: `"level":"long-term","files":["/code/CLAUDE.md"]`, Want: `
				journal/2026/02/observation-it-hangs.md
				-core_at: 2026-02-01T00:00:00Z
				-core_targets: [claude_md]`},
		{Name: "a file that has it no more", Start: in, Verb: out(claude("# Mine\n")), Says: `"files":[]`, Want: `
				journal/2026/02/observation-it-hangs.md
				-core_at: 2026-02-01T00:00:00Z
				-core_targets: [claude_md]`},
		{Name: "an edited section", Start: in, Verb: out(claude(strings.Replace(string(written(t, "", "## It hangs\n").Text), "## It hangs", "## It hung", 1))),
			Err: `claude_md: the section in /code/CLAUDE.md was edited since it was written | take the section test/pf-obs out of the file in an editor, with its markers, then run the command again`},
		{Name: "a region with a stray text", Start: in, Verb: out(claude("<!-- cp:core gap=0 -->\n## x\n")), Err: `claude_md: /code/CLAUDE.md: line 2: text stands in the managed region, outside of its sections | put the managed region right in an editor, or take it out`},
	})
}
