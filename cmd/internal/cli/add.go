package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/bindings"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// add creates a root memory.
func (f face) add() *cobra.Command {
	var o tree.Add
	var body console.BodyFlags
	var record recordFlags
	cmd := &cobra.Command{
		Use:   "add [text]",
		Short: "Create a root memory",
		Long: `The text is the argument, --body, --body-file, or what comes through a pipe (or - for
stdin). A text from stdin that could not be written is kept in a file, which is named. The
summary is a phrase that tells an agent when it needs the memory: prime and tree
show it beside the title.

If an open memory of this project or one below it says the same already (title, text,
decisions and rationale), nothing is written, and its id is printed.`,
		Example: `  cp memory add --title Deployment --summary "When you release or roll back" \
      "Nomad runs a gateway and two workers." --label deployment,nomad
  cp memory add --title Deployment --summary "When you release or roll back" --body-file deployment.md
  git log -1 --format=%B | cp memory add --summary "When the last change breaks something"`,
		Args: console.Takes(0, 1, "one text in quotes"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := record.fillAdd(f, cmd, &o, &body, args); err != nil {
				return err
			}
			return body.KeepPiped(f.Console, f.Write(cmd.Context(), func(s *app.Session) error {
				a, err := ask.Create(cmd.Context(), f.targetIn(s), o)
				body.Done = err == nil
				return f.answerAdd(a, err, render.WriteAdded)
			}))
		},
	}
	console.Bind(cmd, &o)
	body.Bind(cmd)
	record.bind(cmd)
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

// addSub creates a memory below another one.
func (f face) addSub() *cobra.Command {
	var o app.AddSub
	var body console.BodyFlags
	var record recordFlags
	var noAI bool
	cmd := &cobra.Command{
		Use:   "add-sub <parent-id>",
		Short: "Create a memory below another",
		Long: `The parent's file gets a pointer to the new memory: its title and the summary, a
phrase that tells an agent when it needs to read on.

Without --summary a language model writes the phrase, if one is configured (cp
help generation), and you approve, edit or cancel it. Its suggestion for the
parent's text is shown and never applied.`,
		Example: `  cp memory add-sub pf-7k2m9qx4 --title Troubleshooting --body-file troubleshoot.md \
      --summary "If deploy succeeds but service unchanged"
  cp memory add-sub pf-7k2m9qx4 --title Rollback --body "nomad job revert …" \
      --label deployment,nomad --summary "Steps to revert a bad deploy" --no-ai`,
		Args: console.Takes(1, 1, "a parent's id"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o.Parent = args[0]
			if err := record.fillAddSub(f, cmd, &o.AddSub, &body, func() error { return checkAddSub(cmd, o, noAI) }); err != nil {
				return err
			}
			return body.KeepPiped(f.Console, f.Write(cmd.Context(), func(s *app.Session) error {
				a, err := ask.CreateSub(cmd.Context(), f.targetIn(s), o, f.Person(s))
				body.Done = err == nil
				return f.answerAdd(a, err, render.WriteAddedSub)
			}))
		},
	}
	console.Refs(cmd, 1)
	console.Bind(cmd, &o)
	body.Bind(cmd)
	record.bind(cmd)
	cmd.Flags().BoolVar(&noAI, "no-ai", false, "do not generate a summary; needs --summary")
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

// checkAddSub checks the command line, before anything is opened.
func checkAddSub(cmd *cobra.Command, o app.AddSub, noAI bool) error {
	switch {
	case strings.TrimSpace(o.Title) == "":
		return console.Invalid(cmd, "--title is required")
	case noAI && strings.TrimSpace(o.Summary) == "":
		return console.Invalid(cmd, "--summary required when using --no-ai.")
	}
	return nil
}

// answerAdd answers for add and add-sub. A write that waits in the outbox has its own exit
// code.
func (f face) answerAdd(a app.Added, err error, text func(render.Screen, tree.Added)) error {
	switch {
	case err != nil:
		return err
	case !a.Queued:
		render.Similar(f.Errs(), a.Added)
		return console.AnswerWith(f.Console, a, func(s render.Screen, a app.Added) { text(s, a.Added) })
	}
	if err := console.AnswerWith(f.Console, a, func(s render.Screen, a app.Added) { render.WriteQueued(s, a.Busy, a.Why) }); err != nil {
		return err
	}
	if f.AsText() {
		f.Errs().Printf("until then %s is found with a mark\n", a.ID)
	}
	return errQueued
}

// batch makes many writes in one commit.
func (f face) batch() *cobra.Command {
	var o tree.Batch
	cmd := &cobra.Command{
		Use:   "batch [file]",
		Short: "Make many writes in one commit: JSON lines from a file or stdin",
		Long: `Each line is one write: "verb" is its command, and the other fields are its flags.
All lines are written, or none. If one cannot be written, the error names it by its
number. A line sees what the lines before it do, and asks nothing: look at --dry-run.

  {"verb": "add", "body": …, "title": …, "labels": […], "summary": …, "type": …, "references": […],
   "decisions": […], "rationale": […], "source": …, "metadata": {…}, "about": […], "allow_duplicate": true}
  {"verb": "add-sub", "parent": …, "title": …, "body": …, "labels": […], "summary": …, "references": […],
   "decisions": […], "rationale": […], "source": …, "metadata": {…}, "about": […], "allow_duplicate": true}
  {"verb": "add-parent", "folder": …, "title": …, "summary": …}
  {"verb": "update", "id": …, "title": …, "body": …, "section": …, "new_section": true,
   "append": …, "clear": ["body"], "labels": […], "remove_labels": […], "summary": …,
   "status": …, "if_match": …,
   "decisions": […], "remove_decisions": [1], "rationale": […], "remove_rationale": [1],
   "source": …, "metadata": {"key": value, "gone": null},
   "about": […], "remove_about": […], "confirm": true}
  {"verb": "bind", "id": …, "about": […]}, {"verb": "unbind", "id": …, "about": […]}
  {"verb": "confirm", "id": …, "about": […]}
  {"verb": "move", "id": …, "parent": …, "summary": …}, or with "root": true
  {"verb": "promote", "id": …}
  {"verb": "delete", "id": …, "recursive": true}
  {"verb": "supersede", "id": …, "by": …}
  {"verb": "resolve", "id": …, "resolution": …, "learning": …}
  {"verb": "reanchor", "old": a full id, "commit": a revision}
  {"verb": "capture", "kind": …, "title": …, "body": …, "parts": {"context": …}, "spec": …,
   "phase": …, "labels": […], "commit": …, "relates_to": […], "about": […], "under": …, "summary": …}
  {"verb": "observe", "text": …, "session": …}, or with the "id" of a memory
  {"verb": "approve", "id": …}, {"verb": "deny", "id": …, "reason": …}
  {"verb": "promote", "id": …, "to": "long-term", "under": …, "summary": …}
  {"verb": "demote", "id": …}
  {"verb": "defer", "id": …, "until": …}
  {"verb": "fact add", "id": …, "entity": …, "type": …, "description": …, "relations": ["A|verb|B"]}
  {"verb": "fact remove", "id": …, "entity": …, "type": …, "relations": […]}

A line may have a "key". In a later line "$key" names the memory of that line, and
"$3" that of line 3. The answer is one JSON line for each line. What moves along with
its parent cannot be moved elsewhere or deleted by another line of the same batch.`,
		Example: `  cp memory batch lines.jsonl --dry-run
  cp memory batch <<'EOF'
  {"verb": "add", "key": "ops", "title": "Operations", "body": "How it is run."}
  {"verb": "add-sub", "parent": "$ops", "title": "Restart", "body": "…", "summary": "If it hangs"}
  {"verb": "move", "id": "pf-7k2m9qx4", "parent": "$ops"}
  EOF`,
		Args: console.Takes(0, 1, "one file of JSON lines; without it, or with -, stdin"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			return f.ReadIfDry(o.DryRun, f.Write)(cmd.Context(), func(s *app.Session) error {
				if o.Lines, err = f.batchLines(cmd, s, firstArgument(args)); err != nil {
					return err
				}
				t := f.targetIn(s)
				if err := t.Within(cmd.Context(), o.Names()); err != nil {
					return err
				}
				done, err := o.Do(cmd.Context(), s.Vault)
				if vault.CodeOf(err) == vault.CodeNotFound {
					return t.ExplainBatch(cmd.Context(), o.Names(), err)
				}
				if err != nil && vault.CodeOf(err) != vault.CodeQueued { // queued: it is as good as done
					return err
				}
				return errors.Join(f.answerBatch(done, o.DryRun), err)
			})
		},
	}
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "report, change nothing")
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

// batchLines reads the file, or stdin.
func (f face) batchLines(cmd *cobra.Command, s *app.Session, name string) ([]tree.BatchLine, error) {
	if name == "" && f.InTTY {
		return nil, console.Invalid(cmd, "nothing to read: pipe JSON lines into it, or name a file")
	}
	if name == "" || name == "-" {
		return bindings.Room{Session: s}.ReadBatch(cmd.Context(), f.Stdin(cmd.Context()))
	}
	file, err := os.Open(f.Abs(name))
	if err != nil {
		return nil, console.Unreadable(name, err)
	}
	defer file.Close()
	return bindings.Room{Session: s}.ReadBatch(cmd.Context(), file)
}

// answerBatch answers with JSON lines, unless another form is asked for.
func (f face) answerBatch(done tree.Batched, dry bool) error {
	var warnings []string
	for _, r := range done.Rows {
		for _, w := range r.Warnings {
			warnings = append(warnings, fmt.Sprintf("line %d: %s", r.Line, w))
		}
	}
	f.Warn(warnings...)
	to := f.Console
	if f.Form.Output == "" {
		to = f.As(render.JSONL)
	}
	return to.WarnAndAnswer(done.Notes, done.Rows, func(s render.Screen) { render.WriteBatched(s, done.Rows, dry) })
}
