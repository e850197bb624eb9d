package phrase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
)

// teller answers a question by the title of its memory. It may be asked by several at once.
type teller func(title string) (string, error)

func (f teller) Generate(_ context.Context, prompt string) (string, error) {
	_, title, _ := strings.Cut(prompt, "MEMORY (title: ")
	title, _, _ = strings.Cut(title, "):")
	return f(title)
}

// phrases is a model that has a phrase for each memory.
var phrases teller = func(title string) (string, error) { return `{"summary": "when ` + title + `"}`, nil }

// many is a vault of so many roots.
func many(n int) vaultmap.Files {
	all := vaultmap.Files{}
	for i := range n {
		name := fmt.Sprintf("m%02d", i)
		all[vault.Path(name+".md")] = vaultmap.File("pf-"+name, name, "", "Text.\n")
	}
	return all
}

// told is a result as text: the sums, then a line for each memory.
func told(r Result) string {
	var out strings.Builder
	fmt.Fprintf(&out, "written %d, unchanged %d, skipped %d, failed %d, left %d, commits %d\n", r.Written, r.Unchanged, r.Skipped, r.Failed, r.Left, r.Commits)
	for _, row := range r.Rows {
		fmt.Fprintf(&out, "%s %s %s", row.ID, row.Outcome, row.Summary)
		if row.Reason != "" {
			fmt.Fprintf(&out, "(%s)", row.Reason)
		}
		out.WriteString("\n")
	}
	for _, w := range r.Warnings {
		out.WriteString("warning: " + w + "\n")
	}
	return out.String()
}

func TestBulk(t *testing.T) {
	down := vault.Errorf(vault.CodeGeneration, "look at the server", "the model is down")
	fails := func(titles ...string) teller {
		return func(title string) (string, error) {
			if slices.Contains(titles, title) {
				return "", down
			}
			return phrases(title)
		}
	}
	// verdicts are those of a person, one after the other.
	verdicts := func(all ...Verdict) func(context.Context, Draft) (string, Verdict) {
		return func(_ context.Context, d Draft) (string, Verdict) {
			v := all[0]
			all = all[1:]
			return d.Reply.Summary + ", I say", v
		}
	}
	var ended context.CancelFunc
	for _, row := range []struct {
		name  string
		start vaultmap.Files // nil is the family
		given func(*vaultmap.World)
		bulk  Bulk
		first int    // only so many of the memories are written out below; 0 is all
		want  string // the result, and behind it which memories have a phrase
		err   string
	}{
		{name: "each memory gets its phrase, all in one commit", bulk: Bulk{Generator: phrases, AtOnce: 2}, want: `
			written 3, unchanged 0, skipped 0, failed 0, left 0, commits 1
			pf-aa1 written when Deployment
			pf-aa2 written when Rollback
			pf-aa3 written when Secrets`},
		{name: "what the files say already makes no commit", start: vaultmap.Files{"m.md": "---\nid: pf-m\ntitle: M\nsummary: when M\nsummary_of: " + vault.Parse("m.md", []byte("---\ntitle: M\n---\nText.\n")).ContentHash()[:12] + "\n---\nText.\n"}, bulk: Bulk{Generator: phrases}, want: `
			written 0, unchanged 1, skipped 0, failed 0, left 0, commits 0
			pf-m unchanged when M`},
		{name: "a commit for so many", start: many(BatchSize + 1), bulk: Bulk{Generator: phrases}, first: 1, want: `
			written 26, unchanged 0, skipped 0, failed 0, left 0, commits 2
			pf-m00 written when m00`},
		{name: "a person says yes, in other words, and no", bulk: Bulk{Generator: phrases, Approve: verdicts(Accept, Skip, Accept)}, want: `
			written 2, unchanged 0, skipped 1, failed 0, left 0, commits 1
			pf-aa1 written when Deployment, I say
			pf-aa2 skipped 
			pf-aa3 written when Secrets, I say`},
		{name: "a person ends it; what was approved is committed", bulk: Bulk{Generator: phrases, Approve: verdicts(Accept, Quit)}, want: `
			written 1, unchanged 0, skipped 0, failed 0, left 2, commits 1
			pf-aa1 written when Deployment, I say
			pf-aa2 left 
			pf-aa3 left `},
		{name: "a question without an answer is one memory's", bulk: Bulk{Generator: fails("Rollback")}, want: `
			written 2, unchanged 0, skipped 0, failed 1, left 0, commits 1
			pf-aa1 written when Deployment
			pf-aa2 failed (the model is down)
			pf-aa3 written when Secrets`},
		{name: "a model that is down is asked five times", start: many(8), bulk: Bulk{Generator: fails("m01", "m02", "m03", "m04", "m05")}, want: `
			written 1, unchanged 0, skipped 0, failed 5, left 2, commits 1
			pf-m00 written when m00
			pf-m01 failed (the model is down)
			pf-m02 failed (the model is down)
			pf-m03 failed (the model is down)
			pf-m04 failed (the model is down)
			pf-m05 failed (the model is down)
			pf-m06 left 
			pf-m07 left `, err: "stopped after 5 failures in a row: the model is down | look at the server"},
		{name: "one that says nonsense is asked on", start: many(6), bulk: Bulk{Generator: teller(func(string) (string, error) { return "well", nil })}, first: 1, want: `
			written 0, unchanged 0, skipped 0, failed 6, left 0, commits 0
			pf-m00 failed (the model's reply is not the JSON that was asked for: "well")`},
		{name: "a long phrase is written and told", start: many(1), bulk: Bulk{Generator: teller(func(string) (string, error) {
			return `{"summary": "` + strings.Repeat("x", 121) + `"}`, nil
		})}, want: `
			written 1, unchanged 0, skipped 0, failed 0, left 0, commits 1
			pf-m00 written ` + strings.Repeat("x", 121) + `
			warning: pf-m00: the trigger phrase has 121 characters; up to 120 stay cheap to read`},
		{name: "a damaged parent keeps back what it says, and no other", start: vaultmap.Damaged().With(many(1)), bulk: Bulk{Generator: phrases}, want: `
			written 3, unchanged 0, skipped 0, failed 1, left 0, commits 1
			pf-aa1 failed (deploy.md:10: invalid sub-memories JSON: expected comma after array element)
			pf-aa2 written when Rollback
			pf-aa3 written when Secrets
			pf-m00 written when m00`},
		{name: "a file that is typed in where the phrase goes is found one by one", given: vaultmap.Type("deploy/rollback.md", "summary: when to go back", "summary: typed"), bulk: Bulk{Generator: phrases}, want: `
			written 2, unchanged 0, skipped 0, failed 1, left 0, commits 2
			pf-aa1 written when Deployment
			pf-aa2 failed (deploy/rollback.md: its summary has uncommitted edits, which git's history would not keep)
			pf-aa3 written when Secrets`},
		{name: "a file that is gone since the list was made", given: func(w *vaultmap.World) { delete(w.Disk, "deploy/secrets.md") }, bulk: Bulk{Generator: phrases}, want: `
			written 2, unchanged 0, skipped 0, failed 1, left 0, commits 1
			pf-aa1 written when Deployment
			pf-aa2 written when Rollback
			pf-aa3 failed (Shard pf-aa3 not found)`},
		{name: "a repository that is busy from the beginning", given: func(w *vaultmap.World) { w.Busy = "rebase" }, bulk: Bulk{Generator: phrases}, want: "none",
			err: "a rebase is under way; nothing was asked | finish or abort it, then run the command again"},
		{name: "one that becomes busy at the end", given: func(w *vaultmap.World) {
			w.Meanwhile = func() func() { w.Busy = "merge"; return func() {} }
		}, bulk: Bulk{Generator: phrases}, want: `
			written 0, unchanged 0, skipped 0, failed 3, left 0, commits 0
			pf-aa1 failed (a merge is under way)
			pf-aa2 failed (a merge is under way)
			pf-aa3 failed (a merge is under way)`, err: "a merge is under way | finish or abort it, then run the command again"},
		{name: "interrupted: what was approved is committed, and the rest is left", bulk: Bulk{Generator: phrases, Approve: func(_ context.Context, d Draft) (string, Verdict) {
			ended()
			return d.Reply.Summary, Accept
		}}, want: `
			written 1, unchanged 0, skipped 0, failed 0, left 2, commits 1
			pf-aa1 written when Deployment
			pf-aa2 left 
			pf-aa3 left `, err: "context canceled"},
	} {
		t.Run(row.name, func(t *testing.T) {
			start := row.start
			if start == nil {
				start = vaultmap.Family()
			}
			w := vaultmap.New(start)
			nodes, err := Unsummarized{}.Find(t.Context(), w.Vault)
			if err != nil {
				t.Fatal(err)
			}
			if row.given != nil {
				row.given(w)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended = cancel
			done := 0
			b := row.bulk
			b.Vault, b.Progress = w.Vault, func(n int) { done = n }
			commits := len(w.Verbs())
			r, err := b.Run(ctx, nodes)
			vaultmap.Equal(t, "the error", vaultmap.Told(err), row.err)
			if row.want == "none" {
				if r.Rows != nil || done != 0 {
					t.Errorf("got %+v, and %d done", r, done)
				}
				return
			}
			if made := len(w.Verbs()) - commits; made != r.Commits {
				t.Errorf("%d commits were made, and %d told", made, r.Commits)
			}
			for _, one := range r.Rows { // a phrase that is told is in the commit
				text := w.Head()[one.Path]
				has := one.Summary != "" && strings.Contains(text, "\nsummary: "+one.Summary+"\n")
				if said := one.Outcome == Written || one.Outcome == Unchanged; has != said {
					t.Errorf("%s is %s, and HEAD has\n%s", one.Path, one.Outcome, text)
				}
			}
			if row.first > 0 {
				r.Rows = r.Rows[:row.first]
			}
			vaultmap.Equal(t, "the result", strings.TrimSuffix(told(r), "\n"), strings.ReplaceAll(strings.TrimPrefix(row.want, "\n"), "\t", ""))
		})
	}
}

func TestUnsummarized(t *testing.T) {
	start := vaultmap.Family().With(vaultmap.Files{
		"deploy/new.md": vaultmap.File("pf-nn1", "New", "", ""),
		"deploy/old.md": "---\nid: pf-oo1\ntitle: Old\nstatus: closed\n---\n",
		"late.md":       "---\nid: pf-ll1\ntitle: Late\nsummary: when late\nsummary_of: 0123456789ab\n---\nOther.\n",
		"t.md":          "---\nid: pf-tt1\ntype: task\n---\n",
	})
	for _, row := range []struct {
		name string
		ask  Unsummarized
		want string
		err  string
	}{
		{name: "all open memories, in the order of the tree", want: "pf-aa1 pf-aa2 pf-aa3 pf-nn1 pf-ll1"},
		{name: "those without a phrase", ask: Unsummarized{Missing: true}, want: "pf-aa1 pf-nn1"},
		{name: "those whose text has changed since", ask: Unsummarized{Stale: true}, want: "pf-ll1"},
		{name: "either", ask: Unsummarized{Missing: true, Stale: true}, want: "pf-aa1 pf-nn1 pf-ll1"},
		{name: "so many of them", ask: Unsummarized{Missing: true, Limit: 1}, want: "pf-aa1"},
		{name: "the open ones below one", ask: Unsummarized{ChildrenOf: "deploy"}, want: "pf-aa2 pf-aa3 pf-nn1"},
		{name: "these, each once", ask: Unsummarized{Refs: []string{"pf-ll1", "deploy.md", "pf-aa1"}}, want: "pf-ll1 pf-aa1"},
		{name: "one that nobody has", ask: Unsummarized{Refs: []string{"pf-none"}}, err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
		{name: "below a task", ask: Unsummarized{ChildrenOf: "pf-tt1"}, err: "Shard pf-tt1 is type 'task', expected 'memory' | `cp shard show pf-tt1` shows files of any type"},
	} {
		t.Run(row.name, func(t *testing.T) {
			nodes, err := row.ask.Find(t.Context(), vaultmap.New(start).Vault)
			var ids []string
			for _, n := range nodes {
				ids = append(ids, string(n.ID))
			}
			vaultmap.Equal(t, "the error", vaultmap.Told(err), row.err)
			vaultmap.Equal(t, "the memories", strings.Join(ids, " "), row.want)
		})
	}
}

func TestPlanOfADryRun(t *testing.T) {
	nodes, err := Unsummarized{}.Find(t.Context(), vaultmap.New(vaultmap.Family()).Vault)
	if err != nil {
		t.Fatal(err)
	}
	vaultmap.Equal(t, "what would be asked", told(Plan(nodes)), "written 0, unchanged 0, skipped 0, failed 0, left 0, commits 0\npf-aa1 chosen \npf-aa2 chosen when to go back\npf-aa3 chosen when a key leaks\n")
}

// What a model is asked about a memory whose parent is gone, or whose file is.
func TestAbout(t *testing.T) {
	w := vaultmap.New(vaultmap.Family())
	n, err := w.Mirror.Find(t.Context(), "pf-aa2")
	if err != nil {
		t.Fatal(err)
	}
	if q, _, err := About(t.Context(), w.Vault, n); err != nil || q.ParentID != "pf-aa1" || q.Parent != "How we deploy.\n" || q.Text != "Roll back.\n" {
		t.Errorf("got %+v, %v", q, err)
	}
	delete(w.Disk, "deploy.md")
	if _, _, err := About(t.Context(), w.Vault, n); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("without its parent: %v", err)
	}
	delete(w.Disk, n.Path)
	if _, _, err := About(t.Context(), w.Vault, n); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("without its file: %v", err)
	}
	if errors.Is(err, ErrReply) {
		t.Error("a file that is gone is no fault of the model's")
	}
}
