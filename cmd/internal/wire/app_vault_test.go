package wire

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/testdata/generatetest"
	"github.com/cp-memory/cp/vault/phrase"
)

// What a vault is like, what it lacks and how that is mended, one after the other.
func TestVaultAsAWhole(t *testing.T) {
	m := newMachine(t)
	m.write("v/.gitignore", "drafts/\n")
	m.vault("v")
	m.note("v", "nomad", "Nomad", "When the scheduler misbehaves", "How Nomad does it.")
	m.note("v", "plans/year", "Year", "When you plan a year", "A year.")
	m.note("v", "Éclair/kitchen", "Kitchen", "When it is sweet", "An oven.")
	m.note("v", "drafts/draft", "Draft", "When drafting", "A draft.")
	m.note("v", "journal/use", "Use it", "", "We decided so.", "type: decision", "status: open")
	m.write("v/broken.md", "---\ntitle: [Grown\n---\n")
	m.try("v", "", "memory", "sync")
	config := "v/.git/config"
	m.checkRows("v", []row{
		{rule: "an index is built from the files, and what cannot be read is named", line: "memory reindex", want: `^Built the index again: 5 files, 4 memories of the tree$.*^broken\.md:\d+: `},
		{rule: "it agrees with them", line: "memory verify --repair", want: "^CONSISTENT: 5 files, 5 in the index", never: "Built"},
		{rule: "a file with a fault is told", line: "status", want: "INCONSISTENT"},
		{rule: "a folder gets a memory", given: func(m *machine) { m.remove("v/broken.md") }, line: "memory add-parent plans --summary 'When you plan'", want: `"plans" for plans/ .1 sub-memory`},
		{rule: "once", line: "memory add-parent plans --summary 'When you plan'", want: "!plans/ has its memory already: pf-[0-9a-z]+, plans.md.*gives it a phrase"},
		{rule: "one that is not there does not", line: "memory add-parent nosuch --summary x", want: "!no memory lies in a folder nosuch.*`cp memory tree` shows the folders"},
		{rule: "one that git ignores does not", line: "memory add-parent drafts --summary x", want: "!git ignores what lies in drafts/, so no memory lies in it.*`git check-ignore -v` tells by which rule"},
		{rule: "its name is found in any case and form", line: "memory tree 'E\u0301CLAIR'", want: "Kitchen", never: "Nomad"},
		{rule: "the vault's own folder is all of it", line: "memory list --under .", want: "plans$.*Nomad$.*Year$.*Kitchen .in .clair/.$"},
		{rule: "a level is one of three", line: "memory list --level nope", want: "!'nope' is no level.*the levels are pending, long-term, core"},
		{rule: "an entry has no place to move up from", line: "memory promote pf-use", want: "!pf-use is an entry of the journal, and has no place in the tree.*`cp memory promote pf-use --to long-term` gives it a place"},
		{rule: "a walk may begin with what recall finds", line: "memory guide 'the scheduler misbehaves' --recall", want: "Nomad"},
		{rule: "a recall gives no more than the settings say, and says so", given: func(m *machine) { m.write("home/.cp/config.yaml", "recall: {max_limit: 1}\n") }, line: "memory recall 'plan a year' --limit 5 --min-similarity 0", want: "no more than 1 rows .recall.max_limit.; the next ones: --offset 1"},
		{rule: "an edit of what is ignored counts once it is committed", given: func(m *machine) {
			m.remove("home/.cp/config.yaml")
			m.edit("v/.cp/vault.yaml", "prefix: pf\n", "prefix: pf\nignore: [plans/]\n")
		}, line: "memory sync", want: "is not committed as it stands, so sync goes by the committed one, as other clones do: git add .cp/vault.yaml && git commit"},
		{rule: "and until then nobody watches", line: "memory watch --commit", want: "!is not committed as it stands: a watcher that commits would not agree with other clones"},
		{rule: "on no branch knowledge waits", given: func(m *machine) { m.git("v", "checkout", "-q", "--", ".cp"); m.git("v", "switch", "-q", "--detach") }, line: "memory capture decision Wait --body x", want: "!saved; will be committed when a branch is checked out"},
		{rule: "which status tells", line: "status", want: "detached HEAD: writes wait.*1 waiting"},
		{rule: "until there is one", given: func(m *machine) { m.git("v", "switch", "-q", "main") }, line: "memory sync", want: `committed what was waiting: pf-.* "Wait"`},
		{rule: "doctor mends nothing unasked", given: func(m *machine) {
			m.edit(config, "driver = '", "driver = '/gone")
			m.write("v/.git/index.lock", "")
			old := time.Now().Add(-48 * time.Hour)
			if err := os.Chtimes(m.at("v/.git/index.lock"), old, old); err != nil {
				m.Fatal(err)
			}
		}, line: "doctor --fix", want: "!index.lock.*nothing was changed"},
		{rule: "and then the lock of a program that is gone and the merge driver", line: "doctor --fix --yes", want: "^Removed the lock .*/index.lock$.*now merges memories with this program", files: map[string]string{"v/.git/index.lock": gone}},
		{rule: "which is this program again", given: func(m *machine) {
			if strings.Contains(m.read(config), "/gone") {
				m.Error(m.read(config))
			}
		}},
		{rule: "what git cannot read takes a person's hand", given: func(m *machine) { m.write("v/.git/refs/heads/main", "") }, line: "doctor --fix --yes", want: "!git cannot read its own files: .*refs/heads/main is empty; nothing was changed.*run these, then `cp doctor --fix` again:.*rm -f"},
		{rule: "a branch goes back to its newest whole commit", given: func(m *machine) { m.remove("v/.git/refs/heads/main") }, line: "doctor --fix --yes", want: "reflog has what the branch named before"},
	})
}

// reader is a person who reads what a model proposes.
type reader struct {
	absent   bool
	verdicts map[string]phrase.Verdict // by title
	read     []string
}

func (p *reader) IsAttended() bool                     { return !p.absent }
func (p *reader) Deep(context.Context, int) error      { return nil }
func (p *reader) Phrase(context.Context, error) string { return "" }
func (p *reader) Approve(_ context.Context, o app.Proposal) (string, phrase.Verdict) {
	p.read = append(p.read, o.Title+": "+o.Now+" -> "+o.Summary)
	return o.Summary, p.verdicts[o.Title]
}

// A model writes phrases and makes vectors where one is configured; a phrase is written once a person
// agrees, or has said that they need not.
func TestModels(t *testing.T) {
	m := newMachine(t)
	server := generatetest.Start()
	t.Cleanup(server.Stop)
	m.vault("v")
	m.note("v", "nomad", "Nomad", "When it fails", "How Nomad does it.")
	m.note("v", "nomad/logs", "Logs", "", "Look at the log.")
	m.note("v", "nomad/disk", "Disk", "", "Look at the disk.")
	m.note("v", "plans/year", "Year", "When you plan a year", "A year.")
	m.cp("v", "memory", "sync")
	m.checkRows("v", []row{
		{rule: "without a model there are no phrases", line: "memory summarize --missing --auto-approve", want: "!requires generation config"},
		{rule: "and no vectors", line: "admin embed-backfill", want: "!no embedding model is configured.*set embedding.provider in ~/.cp/config.yaml: cp help vectors"},
		{rule: "a plan needs no model", line: "memory summarize --folders --dry-run", want: "plans/.*Would ask for 1 summar"},
	})
	for name, value := range map[string]string{"PROVIDER": "openai", "MODEL": "good", "BASE_URL": server.URL + "/v1", "KEY_ENV": "MODEL_KEY"} {
		t.Setenv("CP_GENERATION_"+name, value)
		t.Setenv("CP_EMBEDDING_"+name, value)
	}
	t.Setenv("MODEL_KEY", "AIzaCanary-7f3e")
	t.Setenv("CP_EMBEDDING_AUTO", "false")
	for _, row := range []struct {
		rule, model string
		o           app.Summarize
		who         reader
		outcomes    string // of the memories, in their order
		read, err   string
	}{
		{rule: "nobody there is nobody asked", o: app.Summarize{Folders: true}, who: reader{absent: true}, err: "nobody there to approve a summary; nothing was asked"},
		{rule: "who stops leaves the rest", o: app.Summarize{Unsummarized: phrase.Unsummarized{Missing: true}}, who: reader{verdicts: map[string]phrase.Verdict{"Disk": phrase.Skip, "Logs": phrase.Quit}}, outcomes: "Disk skipped, Logs left", read: "Disk:  -> When one needs Disk, Logs:  -> When one needs Logs"},
		{rule: "a phrase that is accepted is written", o: app.Summarize{Unsummarized: phrase.Unsummarized{Refs: []string{"pf-logs"}}}, outcomes: "Logs written", read: "Logs:  -> When one needs Logs"},
		{rule: "a folder that is passed over has none", o: app.Summarize{Folders: true}, who: reader{verdicts: map[string]phrase.Verdict{"plans/": phrase.Skip}}, outcomes: "plans/ skipped", read: "plans/:  -> When one needs plans/"},
		{rule: "a reply of no use fails that one", model: "garbage", o: app.Summarize{Folders: true, AutoApprove: true}, outcomes: "plans/ failed", err: "1 of 1 summaries failed; hint: the others are written; run the command again for these"},
		{rule: "a folder gets a memory with its phrase", o: app.Summarize{Folders: true, AutoApprove: true}, outcomes: "plans/ written"},
		{rule: "unseen where one said so", o: app.Summarize{Unsummarized: phrase.Unsummarized{Missing: true}, AutoApprove: true, AtOnce: 2}, outcomes: "Disk written"},
	} {
		t.Run(row.rule, func(t *testing.T) {
			if row.model != "" {
				t.Setenv("CP_GENERATION_MODEL", row.model)
			}
			s := m.within(t).session("v")
			r, err := s.Summarize(t.Context(), row.o, &row.who)
			wantError(t, app.ErrUnsummarized(r, err), row.err)
			got := strings.Join(collect(r.Rows, func(r phrase.Row) string { return r.Title + " " + string(r.Outcome) }), ", ")
			if read := strings.Join(row.who.read, ", "); got != row.outcomes || read != row.read {
				t.Errorf("got %s, read %s; want %s, %s", got, read, row.outcomes, row.read)
			}
		})
	}
	m.checkRows("v", []row{
		{rule: "the folder's memory has its phrase", given: func(m *machine) {
			if text := m.read("v/plans.md"); !strings.Contains(text, "summary: When one needs plans/\n") {
				m.Error(text)
			}
		}},
		{rule: "vectors are counted before they are made", line: "admin embed-backfill --dry-run", want: "^5 texts would be embedded by openai/good"},
		{rule: "status tells that there are none", line: "status", want: "Vectors: +none yet by openai/good.*; 5 missing: cp admin embed-backfill"},
		{rule: "then they are made", line: "admin embed-backfill", want: "^5 embedded, 0 failed"},
		{rule: "and doctor finds them whole", line: "doctor", want: "by openai/good of 5 memories"},
		{rule: "few questions measure nothing", line: "admin embed-calibrate", want: "too few phrases, titles and headings to measure by .50 are needed.; nothing changes"},
		{rule: "who makes them beside a write does it alone", line: "admin embed-backfill --background", want: "^$"},
	})
}
