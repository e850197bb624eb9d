package journal

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/tree"
)

// Observe notes that a session has seen something. An observation is one memory, however
// many sessions and clones make it: its id follows from its text.
type Observe struct {
	Text    string   `json:"text,omitempty" oneof:"yes"` // what was seen, or
	Ref     string   `json:"id,omitempty" oneof:"yes"`   // the memory that was found to be true again, at whatever level
	Kind    string   `json:"kind,omitempty" flag:"kind" help:"what it may become: a <kind> like learning or pattern"`
	Session string   `json:"session" need:"yes" flag:"session" help:"the <name> of the session that has seen it"`
	Relates []string `json:"relates_to,omitempty"` // memories that say nearly the same

	Project string `json:"project,omitempty"` // as in [tree.Add]

	AllowSecret bool           `json:"-"` // commit it also when it looks like a credential
	Analyse     recall.Analyse `json:"-"` // takes the words out of a text; without it only the same text is counted

	At time.Time `json:"at,omitzero" batch:"-"` // set when a queued write is delivered; else now
}

// Observed is the outcome of Observe.
type Observed struct {
	ID        vault.ID   `json:"id"`
	Title     string     `json:"title"`
	Path      vault.Path `json:"path,omitempty"`
	Level     tier.Level `json:"level,omitempty"`
	Count     int        `json:"count"` // of the sessions that have made it
	Shown     string     `json:"-"`     // the same as people see it
	New       bool       `json:"new,omitempty"`
	With      vault.ID   `json:"counted_with,omitempty"` // the memory that says nearly the same, and for which it was counted
	Denied    bool       `json:"denied,omitempty"`       // a person has denied it; that stays
	Unchanged bool       `json:"unchanged,omitempty"`    // the session is counted already
	Queued    bool       `json:"queued,omitempty"`       // waits in the outbox; exit code 75
	Why       string     `json:"why,omitempty"`          // what it waits for
	vault.Warned
	counted bool // in the telemetry alone
}

// Do counts the session. While the repository is busy that goes to the outbox, and Observed
// says so. A memory that names [tier.MostSessions] sessions is counted in the telemetry alone.
func (o Observe) Do(ctx context.Context, v *vault.Vault) (Observed, error) {
	if err := o.checkObservation(); err != nil {
		return Observed{}, err
	}
	if o.At.IsZero() {
		o.At = v.Now().UTC().Truncate(time.Second)
	}
	o.Project = cmp.Or(o.Project, v.Part)
	out, r, err := vault.Do(ctx, v, o, vault.Options{Queue: true, AllowSecret: o.AllowSecret})
	out.Warn(r.Notes...)
	if err == nil && out.counted && v.Usage != nil {
		err = v.Usage.Touch(ctx, []vault.Access{{ID: out.ID, At: o.At, By: v.Agent}})
	}
	if why := tree.WaitReason(r, err); why != "" {
		out.Queued, out.Why, out.Title, err = true, why, cmp.Or(out.Title, o.title()), nil
	}
	return out, err
}

// Name is the verb's.
func (o Observe) Name() string { return "observe" }

// checkObservation refuses what cannot be written.
func (o *Observe) checkObservation() error {
	switch {
	case (o.Text == "") == (o.Ref == ""):
		return vault.Errorf(vault.CodeInvalid, "`cp memory observe \"what was seen\"`", "an observation needs a text, or the id of a memory")
	case strings.TrimSpace(o.Session) == "":
		return vault.Errorf(vault.CodeInvalid, "name it with --session", "an observation needs the name of a session")
	}
	if o.Kind != "" {
		if k, ok := header.ParseKind(o.Kind); !ok || k == header.Observation || k == header.Handoff {
			return UnknownKind(o.Kind)
		}
	}
	return cmp.Or(vault.CheckLine("session", o.Session), CheckBody(o.Text))
}

// title is the first line of what was seen.
func (o *Observe) title() string { return firstLine(o.Text) }

// Plan adds the session to the memory, or makes the observation.
func (o Observe) Plan(ctx context.Context, tx *vault.Tx) (out Observed, err error) {
	if err := o.checkObservation(); err != nil {
		return out, err
	}
	if o.At.IsZero() {
		o.At = tx.Now().UTC().Truncate(time.Second)
	}
	ref := o.Ref
	if ref == "" {
		id, err := tier.Key(tx.Prefix(), o.Text)
		if err != nil {
			return out, err
		}
		ref = string(id)
	}
	d, err := tx.OpenMemory(ctx, ref)
	switch {
	case o.Text != "" && vault.CodeOf(err) == vault.CodeNotFound:
		return o.alike(ctx, tx, vault.ID(ref))
	case err != nil:
		return out, err
	}
	return o.addSession(ctx, tx, followSuccessor(ctx, tx, d))
}

// alike counts a text that no observation has for the memory that says the same, or makes the
// observation.
func (o *Observe) alike(ctx context.Context, tx *vault.Tx, id vault.ID) (out Observed, err error) {
	if _, err := tx.CatchUp(ctx, vault.Scope{}); err != nil {
		return out, err
	}
	d, err := o.counterpart(ctx, tx)
	if err != nil {
		return out, err
	}
	if d == nil {
		return o.makeObservation(ctx, tx, id)
	}
	out, err = o.addSession(ctx, tx, d)
	out.With = d.ID
	if err != nil || out.Unchanged || out.counted {
		return out, err
	}
	return out, o.reword(tx, d)
}

// makeObservation makes the observation.
func (o *Observe) makeObservation(ctx context.Context, tx *vault.Tx, id vault.ID) (out Observed, err error) {
	m := Observation(id, o.Text)
	h := &m.Header
	h.Created, h.Creator = o.At, tx.Agent()
	h.Sessions, h.FirstSeen, h.LastSeen = []string{o.Session}, o.At, o.At
	if k, ok := header.ParseKind(o.Kind); ok {
		h.Category = string(k)
	}
	if m.References, err = relations(ctx, tx, o.Relates); err != nil {
		return out, err
	}
	out = newObserved(id, h)
	out.New = true
	tx.About(id, h.Title)
	out.Path, err = Enter(ctx, tx, m, o.Project)
	return out, err
}

// Observation returns the entry of a text that was observed. The text is its title, and its
// body as well where it has more than fits there.
func Observation(id vault.ID, text string) *vault.Memory {
	m := &vault.Memory{ID: id, Header: vault.Header{Title: firstLine(text), Type: string(header.Observation)}}
	if text = strings.TrimSpace(text); text != m.Title {
		m.Prose = text
	}
	return m
}

// newObserved tells of a memory as it is.
func newObserved(id vault.ID, h *vault.Header) Observed {
	return Observed{ID: id, Title: h.Title, Level: tier.LevelOf(h), Count: tier.CountSessions(h), Shown: tier.FormatSessions(h), Denied: tier.IsDenied(h)}
}

// addSession adds the session to a memory that is there. Of a session that is counted already
// nothing changes.
func (o *Observe) addSession(ctx context.Context, tx *vault.Tx, d *vault.Doc) (Observed, error) {
	h := &d.Mem.Header
	out := newObserved(d.ID, h)
	out.Path = d.Path
	if slices.Contains(h.Sessions, o.Session) {
		out.Unchanged = true
		return out, nil
	}
	if len(header.UniqueItems(h.Sessions)) >= tier.MostSessions {
		out.counted = true
		return out, nil
	}
	steps := []vault.Step{{Op: vault.OpAddToList, Key: "sessions", List: []string{o.Session}}}
	if h.FirstSeen.IsZero() {
		steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: "first_seen", Value: header.FormatDate(o.At)})
	}
	if o.At.After(h.LastSeen) {
		steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: "last_seen", Value: header.FormatDate(o.At)})
	}
	if err := amend(ctx, tx, d, steps...); err != nil {
		return out, err
	}
	after := newObserved(d.ID, &d.Mem.Header)
	after.Path = d.Path
	return after, nil
}

// amend plans steps on the header of a memory, which gets an id where it has none.
func amend(ctx context.Context, tx *vault.Tx, d *vault.Doc, steps ...vault.Step) error {
	if err := d.Editable(); err != nil {
		return err
	}
	if err := tx.AdoptAndEdit(ctx, d, steps...); err != nil {
		return err
	}
	tx.About(d.ID, d.Mem.Title)
	return nil
}
