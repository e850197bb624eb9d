package past_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/tree"
)

// texts are the answers of git that a map has not.
type texts struct{ past.Texts }

func (texts) Diff(_ context.Context, commit string, was, now vault.Path) (string, error) {
	return fmt.Sprintf("%s from %s to %s", commit[38:], was, now), nil
}

func (texts) Blame(_ context.Context, p vault.Path) ([]past.BlameRow, error) {
	return []past.BlameRow{{Line: 1, Text: "of " + string(p)}}, nil
}

// asked is one state of a vault's past, and the answer to a question about it.
type asked struct {
	name  string
	start files
	given func(*world)
	ask   func(context.Context, *past.History) (string, error)
	want  string
	err   string
}

func answers(t *testing.T, rows []asked) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Helper()
			start := row.start
			if start == nil {
				start = vaultmap.Family()
			}
			w := vaultmap.New(start)
			if row.given != nil {
				row.given(w)
			}
			h := w.History()
			h.Archive.Texts = texts{h.Archive.Texts}
			got, err := row.ask(t.Context(), h)
			vaultmap.Equal(t, "the error", vaultmap.Told(err), row.err)
			if err == nil {
				vaultmap.Equal(t, "the answer", strings.TrimSpace(got), strings.TrimSpace(strings.ReplaceAll(row.want, "\t", "")))
			}
		})
	}
}

// commit is the id of the nth commit.
func commit(n int) string { return fmt.Sprintf("%040x", n) }

// seen is what a vault's mirror knows of what happened.
func seen(t *testing.T, verbs ...any) func(*world) { return vaultmap.Seen(did(t, verbs...)) }

func named(id string) string { return "---\nid: " + id + "\n---\nA\n" }

// byHand commits files as a person does, one after the other.
func byHand(commits ...files) func(*world) {
	return vaultmap.Seen(func(w *world) {
		for _, c := range commits {
			vaultmap.Set(c)(w)
			w.Commit("by hand")
		}
	})
}

func TestReadChanges(t *testing.T) {
	since := func(rev string) func(context.Context, *past.History) (string, error) {
		return func(ctx context.Context, h *past.History) (string, error) {
			c, err := h.Changes(ctx, past.Changes{Since: rev})
			var out strings.Builder
			for _, r := range c.Rows {
				fmt.Fprintf(&out, "%s %s %s", r.Change, r.ID, r.Path)
				if r.From != "" {
					fmt.Fprintf(&out, " from %s", r.From)
				}
				if r.Uncommitted {
					out.WriteString(" uncommitted")
				}
				out.WriteString("\n")
			}
			return out.String(), err
		}
	}
	const rollback = vault.Path("deploy/rollback.md")
	answers(t, []asked{
		{name: "nothing has changed", ask: since(commit(1))},
		{name: "a text, and the pointers that a new child brings", given: seen(t, tree.Amend{Ref: "pf-aa2", Append: ptr("More.")}, tree.AddSub{Parent: "pf-aa1", Title: "New"}), ask: since(commit(1)), want: `
			text pf-aa2 deploy/rollback.md
			added pf-00000001 deploy/new.md
			pointers pf-aa1 deploy.md`},
		{name: "only what came after", given: seen(t, tree.Amend{Ref: "pf-aa2", Append: ptr("More.")}, tree.Amend{Ref: "pf-aa3", AddLabels: []string{"x"}}), ask: since(commit(2)), want: `
			header pf-aa3 deploy/secrets.md`},
		{name: "moved, and deleted", given: seen(t, tree.Move{Ref: "pf-aa2", Root: true}, tree.Delete{Ref: "pf-aa3"}), ask: since(commit(1)), want: `
			deleted pf-aa3 deploy/secrets.md
			moved pf-aa2 rollback.md from deploy/rollback.md
			pointers pf-aa1 deploy.md`},
		{name: "what is in no commit", given: seen(t, typed(rollback, "Roll back.", "Typed."), typed("deploy/secrets.md", "summary: when a key leaks", "summary: new"), set(files{"new.md": "# New\n"})), ask: since(commit(1)), want: `
			text pf-aa2 deploy/rollback.md uncommitted
			added ` + string(vault.ProvisionalID("new.md", func(vault.ID) bool { return false })) + ` new.md uncommitted
			header pf-aa3 deploy/secrets.md uncommitted`},
		{name: "committed, and typed in since: once", given: seen(t, tree.Amend{Ref: "pf-aa2", Append: ptr("More.")}, typed(rollback, "More.", "Typed.")), ask: since(commit(1)), want: `
			text pf-aa2 deploy/rollback.md uncommitted`},
		{name: "deleted by hand", given: seen(t, set(files{rollback: ""})), ask: since(commit(1)), want: `
			deleted pf-aa2 deploy/rollback.md`},
		{name: "moved by hand is not gone", given: seen(t, set(files{rollback: "", "back.md": vaultmap.Family()[rollback]})), ask: since(commit(1)), want: `
			added pf-aa2 back.md uncommitted`},
		{name: "a task is no memory", given: seen(t, set(files{"t.md": "---\nid: pf-tt1\ntype: task\n---\n"}), person, set(files{"t.md": ""}), person), ask: since(commit(2))},
		{name: "since a time before the first commit, all is new", ask: since("2020-01-01"), want: `
			added pf-aa1 deploy.md
			added pf-aa2 deploy/rollback.md
			added pf-aa3 deploy/secrets.md`},
		{name: "no commit yet", given: (*world).Unborn, ask: since("7d")},
		{name: "neither a commit nor a time", ask: since("soon"),
			err: "there is no commit \"soon\", and a time it is not | `cp memory log` lists the commits; a time is 24h, 7d, yesterday or 2026-01-31"},
	})
}

func TestReadLog(t *testing.T) {
	log := func(o past.Log) func(context.Context, *past.History) (string, error) {
		return func(ctx context.Context, h *past.History) (string, error) {
			rows, err := h.Log(ctx, o)
			var out strings.Builder
			for _, r := range rows {
				fmt.Fprintf(&out, "%s %s\n", r.Commit[38:], r.Subject)
			}
			return out.String(), err
		}
	}
	more := func(ref string) tree.Amend { return tree.Amend{Ref: ref, Append: ptr("More.")} }
	overwritten := byHand(files{"a.md": named("pf-zz9")}, files{"a.md": named("pf-aa2")}, files{"a.md": ""}, files{"a.md": named("pf-zz9")})
	moved := seen(t, more("pf-aa2"), tree.Move{Ref: "pf-aa2", Root: true}, more("pf-aa3"), more("pf-aa2"))
	answers(t, []asked{
		{name: "the whole vault, the newest first", given: moved, ask: log(past.Log{}), want: `
			05 memory: update pf-aa2 "Rollback"
			04 memory: update pf-aa3 "Secrets"
			03 memory: move pf-aa2 "Rollback"
			02 memory: update pf-aa2 "Rollback"
			01 start`},
		{name: "so many", given: moved, ask: log(past.Log{Limit: 2}), want: `
			05 memory: update pf-aa2 "Rollback"
			04 memory: update pf-aa3 "Secrets"`},
		{name: "since a time to come there is none", given: moved, ask: log(past.Log{Since: vaultmap.Now.Add(time.Hour)})},
		{name: "one memory, through its move", given: moved, ask: log(past.Log{Ref: "pf-aa2"}), want: `
			05 memory: update pf-aa2 "Rollback"
			03 memory: move pf-aa2 "Rollback"
			02 memory: update pf-aa2 "Rollback"
			01 start`},
		{name: "so many of it, through its move", given: moved, ask: log(past.Log{Ref: "pf-aa2", Limit: 3}), want: `
			05 memory: update pf-aa2 "Rollback"
			03 memory: move pf-aa2 "Rollback"
			02 memory: update pf-aa2 "Rollback"`},
		{name: "one that is gone", given: seen(t, more("pf-aa2"), tree.Delete{Ref: "pf-aa2"}), ask: log(past.Log{Ref: "pf-aa2"}), want: `
			03 memory: delete pf-aa2 "Rollback"
			02 memory: update pf-aa2 "Rollback"
			01 start`},
		{name: "by the path that it had", given: seen(t, more("pf-aa2"), tree.Delete{Ref: "pf-aa2"}), ask: log(past.Log{Ref: "deploy/rollback.md", Limit: 1}), want: `
			03 memory: delete pf-aa2 "Rollback"`},
		{name: "one that was brought back, on to before it went", given: func(w *world) {
			seen(t, more("pf-aa2"), tree.Delete{Ref: "pf-aa2"})(w)
			if _, err := w.History().Restore(t.Context(), past.Restore{Ref: "pf-aa2"}); err != nil {
				t.Fatal(err)
			}
		}, ask: log(past.Log{Ref: "pf-aa2"}), want: `
			04 memory: restore pf-aa2 "Rollback"
			03 memory: delete pf-aa2 "Rollback"
			02 memory: update pf-aa2 "Rollback"
			01 start`},
		{name: "a new memory at the place of an old one begins its own history", given: seen(t, tree.Delete{Ref: "pf-aa2"}, tree.AddSub{Parent: "pf-aa1", Title: "Rollback"}), ask: log(past.Log{Ref: "pf-00000001"}), want: `
			03 memory: add-sub pf-00000001 "Rollback"`},
		{name: "so does one that somebody wrote over another", start: files{"a.md": named("pf-aa2")}, given: overwritten, ask: log(past.Log{Ref: "pf-zz9"}), want: `
			05 by hand
			02 by hand`},
		{name: "and the one that came back there has all of its own", start: files{"a.md": named("pf-aa2")}, given: overwritten, ask: log(past.Log{Ref: "pf-aa2"}), want: `
			04 by hand
			03 by hand
			01 start`},
		{name: "a file is the memory before it had an id", start: files{"a.md": "A\n"}, given: byHand(files{"a.md": "A, and more\n"}, files{"a.md": named("pf-aa9")}), ask: log(past.Log{Ref: "pf-aa9"}), want: `
			03 by hand
			02 by hand
			01 start`},
		{name: "but not where a file without an id went before", start: files{"a.md": "A\n"}, given: byHand(files{"a.md": ""}, files{"a.md": named("pf-aa9")}), ask: log(past.Log{Ref: "pf-aa9"}), want: `
			03 by hand`},
		{name: "nobody", ask: log(past.Log{Ref: "pf-none"}), err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
	})
}

func TestReadVersions(t *testing.T) {
	diff := func(o past.Diff) func(context.Context, *past.History) (string, error) {
		return func(ctx context.Context, h *past.History) (string, error) {
			d, err := h.Diff(ctx, o)
			return d.Text, err
		}
	}
	blame := func(ref string) func(context.Context, *past.History) (string, error) {
		return func(ctx context.Context, h *past.History) (string, error) {
			_, rows, err := h.Blame(ctx, ref)
			return fmt.Sprint(len(rows), " ", append(rows, past.BlameRow{})[0].Text), err
		}
	}
	none := func(ask func(context.Context, *past.History) error) func(context.Context, *past.History) (string, error) {
		return func(ctx context.Context, h *past.History) (string, error) {
			h.Archive = nil
			return "", ask(ctx, h)
		}
	}
	const noGit = "the vault is in no git repository, which would keep its history | run `git init` and `cp init` in the vault's folder"
	moved := seen(t, tree.Move{Ref: "pf-aa2", Root: true})
	answers(t, []asked{
		{name: "HEAD's version", ask: diff(past.Diff{Ref: "pf-aa2"}), want: "01 from deploy/rollback.md to deploy/rollback.md"},
		{name: "an earlier one, from where it was", given: moved, ask: diff(past.Diff{Ref: "pf-aa2", Rev: commit(1)}), want: "01 from deploy/rollback.md to rollback.md"},
		{name: "the one of a time", given: moved, ask: diff(past.Diff{Ref: "pf-aa2", Rev: "2026-02-08"}), want: "02 from rollback.md to rollback.md"},
		{name: "before it was there", given: seen(t, tree.Add{Title: "New"}), ask: diff(past.Diff{Ref: "pf-00000001", Rev: commit(1)}),
			err: "pf-00000001 was not there in 0000000000 | `cp memory log pf-00000001` lists its versions"},
		{name: "before the first commit", ask: diff(past.Diff{Ref: "pf-aa2", Rev: "2020-01-01"}),
			err: "there is no commit as old as 2020-01-01 | `cp memory log pf-aa2` lists its versions"},
		{name: "no such commit", ask: diff(past.Diff{Ref: "pf-aa2", Rev: "soon"}),
			err: "there is no commit \"soon\", and a time it is not | `cp memory log` lists the commits; a time is 24h, 7d, yesterday or 2026-01-31"},
		{name: "nobody", ask: diff(past.Diff{Ref: "pf-none"}), err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
		{name: "who wrote a file", ask: blame("pf-aa2"), want: "1 of deploy/rollback.md"},
		{name: "one that is in no commit", given: vaultmap.Seen(set(files{"new.md": "# New\n"})), ask: blame("new.md"),
			err: "new.md: the file is in no commit yet | `cp memory sync` commits files made by hand"},
		{name: "no commit yet", given: (*world).Unborn, ask: blame("pf-aa2"),
			err: "deploy/rollback.md: the file is in no commit yet | `cp memory sync` commits files made by hand"},
		{name: "who wrote nothing", ask: blame("pf-none"), err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
		{name: "without git: log", ask: none(func(ctx context.Context, h *past.History) error { _, err := h.Log(ctx, past.Log{}); return err }), err: noGit},
		{name: "without git: diff", ask: none(func(ctx context.Context, h *past.History) error { _, err := h.Diff(ctx, past.Diff{}); return err }), err: noGit},
		{name: "without git: blame", ask: none(func(ctx context.Context, h *past.History) error { _, _, err := h.Blame(ctx, "pf-aa2"); return err }), err: noGit},
		{name: "without git: changes", ask: none(func(ctx context.Context, h *past.History) error { _, err := h.Changes(ctx, past.Changes{}); return err }), err: noGit},
	})
}
