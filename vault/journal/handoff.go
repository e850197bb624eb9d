package journal

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tree"
)

// Checkout says what of the code is checked out, and where.
type Checkout struct {
	Branch   string   `json:"branch,omitempty"` // empty on a detached HEAD, and without a repository
	WorkTree string   `json:"work_tree"`        // a name that no other work tree has, of this clone or another
	Changed  []string `json:"changed,omitempty"`
	More     int      `json:"more_changed,omitempty"` // files for which there is no room in Changed

	header.Anchor // the newest commit of work
}

// isSame reports whether the two are one branch in one work tree. A checkout without a work tree is
// that of no session.
func (c Checkout) isSame(o Checkout) bool {
	return c.WorkTree != "" && c.WorkTree == o.WorkTree && c.Branch == o.Branch
}

// Handoff leaves word for the next session: what is done, and what is next. One is open for each
// branch and work tree: it supersedes those that are open there. Where it was written stands in
// its metadata, and the files in its text.
type Handoff struct {
	Title   string   `json:"title,omitempty"` // empty takes the first line of the text
	Text    string   `json:"text"`
	To      string   `json:"to,omitempty" flag:"to" help:"show it to that <agent> alone: claude-code, codex, gemini-cli …"`
	Spec    string   `json:"spec,omitempty" flag:"spec" help:"the piece of work it belongs to: a <name>"`
	Phase   string   `json:"phase,omitempty" flag:"phase" help:"the <phase> of that work"`
	Labels  []string `json:"labels,omitempty" flag:"tag" commas:"yes" help:"<labels>, separated by commas or repeated"`
	Relates []string `json:"relates_to,omitempty"` // other memories
	Session string   `json:"session,omitempty" flag:"session" help:"the <name> of the session that writes it: it is not shown its own"`

	Checkout Checkout `json:"checkout"`
	Project  string   `json:"project,omitempty"` // as in [Capture]

	AllowSecret bool `json:"-"` // commit it also when it looks like a credential

	ID      vault.ID  `json:"id,omitempty"`     // as in [Capture]
	Created time.Time `json:"created,omitzero"` // likewise
}

// HandedOver is the outcome of Handoff.
type HandedOver struct {
	Captured
	Superseded []vault.ID `json:"superseded,omitempty"` // those that were open there
}

// Do writes the hand-over. While the repository is busy it goes to the outbox, and HandedOver says
// so.
func (o Handoff) Do(ctx context.Context, v *vault.Vault) (HandedOver, error) {
	if err := o.checkHandoff(); err != nil {
		return HandedOver{}, err
	}
	if err := tree.DrawID(ctx, v, &o.ID, &o.Created); err != nil {
		return HandedOver{}, err
	}
	o.Project = cmp.Or(o.Project, v.Part)
	out, r, err := vault.Do(ctx, v, o, vault.Options{Queue: true, AllowSecret: o.AllowSecret})
	out.ID, out.Kind, out.Title, out.Spec, out.Commit, out.Behind = o.ID, header.Handoff, o.title(), o.Spec, o.Checkout.Commit, r.Behind
	out.Warn(r.Notes...)
	if why := tree.WaitReason(r, err); why != "" {
		out.Queued, out.Why, out.Path, out.Superseded, err = true, why, "", nil, nil
	}
	return out, err
}

// Name is the verb's.
func (o Handoff) Name() string { return "handoff" }

// checkHandoff refuses what cannot be written.
func (o *Handoff) checkHandoff() error {
	if strings.TrimSpace(o.Title+o.Text) == "" {
		return vault.Errorf(vault.CodeInvalid, "say what is done and what is next: cp memory handoff \"The parser is done. Next: its tests.\"", "a hand-over needs a text")
	}
	c := o.asCapture()
	return cmp.Or(CheckTitle(c.Title), CheckBody(c.Body), c.checkLines(), vault.CheckLine("agent", o.To),
		vault.CheckLine("branch", o.Checkout.Branch), vault.CheckLine("work tree", o.Checkout.WorkTree))
}

func (o *Handoff) title() string { return cmp.Or(o.Title, firstLine(o.Text)) }

// body is the text, unless the title says all of it, and below it where it was written.
func (o *Handoff) body() string {
	var b strings.Builder
	if text := strings.TrimSpace(o.Text); text != o.title() {
		b.WriteString(text + "\n")
	}
	b.WriteString(gap(&b) + "## Checked out\n\n" + o.Checkout.sentence() + "\n")
	if len(o.Checkout.Changed) > 0 {
		b.WriteString("\n## Changed files\n\n- " + strings.Join(o.Checkout.Changed, "\n- ") + "\n")
	}
	if o.Checkout.More > 0 {
		fmt.Fprintf(&b, "- and %d more\n", o.Checkout.More)
	}
	return b.String()
}

// sentence tells of a checkout without its files.
func (c *Checkout) sentence() string {
	said := "No branch"
	if c.Branch != "" {
		said = "Branch `" + c.Branch + "`"
	}
	said += " in the work tree `" + c.WorkTree + "`, "
	if c.Commit == "" {
		return said + "no commit yet."
	}
	return said + "at commit " + vault.Short(c.Commit) + "."
}

// Plan writes the entry, and closes those that were open there.
func (o Handoff) Plan(ctx context.Context, tx *vault.Tx) (out HandedOver, err error) {
	if err := o.checkHandoff(); err != nil {
		return out, err
	}
	if o.ID, o.Created, err = tree.Stamp(ctx, tx, o.ID, o.Created); err != nil {
		return out, err
	}
	if _, err := tx.CatchUp(ctx, vault.Scope{}); err != nil {
		return out, err
	}
	before, err := openIn(ctx, tx, o.Checkout)
	if err != nil {
		return out, err
	}
	out.Captured = Captured{ID: o.ID, Kind: header.Handoff, Title: o.title(), Spec: o.Spec, Commit: o.Checkout.Commit}
	m := o.newEntry(tx.Agent())
	if m.References, err = relations(ctx, tx, o.Relates); err != nil {
		return out, err
	}
	for _, d := range before {
		m.References = append(m.References, vault.Reference{Kind: "supersedes", Target: string(d.ID)})
		out.Superseded = append(out.Superseded, d.ID)
	}
	if out.Path, err = Enter(ctx, tx, m, o.Project); err != nil {
		return out, err
	}
	err = supersedeAll(ctx, tx, before, o.ID)
	tx.About(o.ID, out.Title)
	return out, err
}

// asCapture is the entry without what is a hand-over's alone.
func (o *Handoff) asCapture() Capture {
	return Capture{Title: o.title(), Body: o.body(), Spec: o.Spec, Phase: o.Phase, Labels: o.Labels, Anchor: o.Checkout.Anchor, Session: o.Session, ID: o.ID, Created: o.Created}
}

// newEntry returns the entry.
func (o *Handoff) newEntry(creator string) *vault.Memory {
	c := o.asCapture()
	m := c.newMemory(header.Handoff, creator)
	keys := map[string]json.RawMessage{}
	for key, value := range map[string]string{"branch": o.Checkout.Branch, "work_tree": o.Checkout.WorkTree, "to": o.To} {
		if value != "" {
			keys[key], _ = json.Marshal(value) // of a text it does not fail
		}
	}
	m.Metadata = header.MapOf(keys)
	return m
}

// supersedeAll closes hand-overs in whose place another one has come.
func supersedeAll(ctx context.Context, tx *vault.Tx, all []*vault.Doc, by vault.ID) error {
	for _, d := range all {
		steps := append(closing(tx, "Superseded by "+string(by)), vault.Step{Op: vault.OpAddToList, Key: "superseded_by", List: []string{string(by)}})
		if err := amend(ctx, tx, d, steps...); err != nil {
			return err
		}
	}
	return nil
}

// closing returns the steps that close an entry.
func closing(tx *vault.Tx, resolution string) []vault.Step {
	return []vault.Step{
		{Op: vault.OpSetKey, Key: "status", Value: vault.StatusClosed},
		{Op: vault.OpSetKey, Key: "resolution", Value: resolution},
		{Op: vault.OpSetKey, Key: "resolved_at", Value: header.FormatDate(tx.Now())},
	}
}

// QueuedHandoff is a Handoff that waited in the outbox.
type QueuedHandoff struct{ Handoff }

// Plan plans the Handoff as it was queued.
func (o *QueuedHandoff) Plan(ctx context.Context, tx *vault.Tx) (vault.Delivered, error) {
	out, err := o.Handoff.Plan(ctx, tx)
	return vault.Delivered{ID: out.ID, Title: out.Title, Path: out.Path, Warned: out.Warned}, err
}
