package transcript

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tier"
)

// Keep writes proposals down as observations of a session, in one commit.
type Keep struct {
	Agent     string // whose session it is
	Session   string
	Proposals []Proposal
	Refused   []Proposal // by a person: they are written down as denied, so that nobody is asked again
	Relates   [][]string // for each proposal, the memories that say nearly the same; may be shorter

	Analyse recall.Analyse // as that of [journal.Observe]
}

// Kept is the outcome for one proposal.
type Kept struct {
	journal.Observed
	Quote   string `json:"quote"`
	Message string `json:"message"` // the id of the message with the quote
}

// Name is the verb's.
func (o Keep) Name() string { return "observe" }

// Plan makes the observations, or counts the session for those that are there.
func (o Keep) Plan(ctx context.Context, tx *vault.Tx) ([]Kept, error) {
	all := []Kept{}
	wrote := 0
	for i, p := range o.Proposals {
		var relates []string
		if i < len(o.Relates) {
			relates = o.Relates[i]
		}
		out, err := o.observe(ctx, tx, p, relates)
		if err != nil {
			return nil, err
		}
		if !out.Unchanged {
			wrote++
		}
		all = append(all, Kept{out, p.Quote, p.Turn.ID})
	}
	o.Analyse = nil // what is refused is refused in these words
	for _, p := range o.Refused {
		out, err := o.observe(ctx, tx, p, nil)
		if err == nil && out.Level == tier.Pending {
			_, err = journal.Deny{Ref: string(out.ID), Reason: "refused when it was proposed"}.Plan(ctx, tx)
		}
		if err != nil {
			return nil, err
		}
	}
	tx.About("", about(wrote, len(o.Refused)))
	return all, nil
}

// about says what a commit holds.
func about(wrote, refused int) string {
	said := vault.Plural(wrote, "observation", "observations")
	if refused > 0 {
		said += fmt.Sprintf(", %d refused", refused)
	}
	return said
}

// observe makes the observation of a proposal, or counts the session for the one that is there.
func (o Keep) observe(ctx context.Context, tx *vault.Tx, p Proposal, relates []string) (journal.Observed, error) {
	out, err := journal.Observe{Text: p.Text, Kind: p.Kind, Session: o.Session, At: p.Turn.At, Relates: relates, Analyse: o.Analyse}.Plan(ctx, tx)
	if err == nil && out.New {
		err = o.addQuote(ctx, tx, out.ID, p)
	}
	return out, err
}

// IsRefused reports whether a person has denied an observation of these words.
func IsRefused(ctx context.Context, v *vault.Vault, p Proposal) bool {
	tx := v.Reading()
	id, err := tier.Key(tx.Prefix(), p.Text)
	if err != nil {
		return false
	}
	d, err := tx.OpenMemory(ctx, string(id))
	return err == nil && tier.IsDenied(&d.Mem.Header)
}

// addQuote adds the person's words to a new observation, and where they stand.
func (o Keep) addQuote(ctx context.Context, tx *vault.Tx, id vault.ID, p Proposal) error {
	d, err := tx.OpenMemory(ctx, string(id))
	if err != nil {
		return err
	}
	return tx.Edit(d,
		vault.Step{Op: vault.OpSetKey, Key: "source", Value: SourceName(o.Agent, o.Session, p.Turn.ID)},
		vault.Step{Op: vault.OpAppend, Text: "> " + strings.ReplaceAll(p.Quote, "<!--", "<! --")})
}

// SourceName names a message of a session: what source: says in its observations.
func SourceName(agent, session, message string) string {
	return "session:" + agent + ":" + session + "#" + message
}

// FreshTurns returns the turns of a session of which no observation was made yet. done counts the
// others.
func FreshTurns(ctx context.Context, v *vault.Vault, s Session) (turns []Turn, done int, err error) {
	known := make(map[string]bool)
	err = v.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		var types []string
		for _, k := range header.Kinds() {
			types = append(types, string(k))
		}
		all, _, err := t.List(ctx, vault.ListOptions{Types: types, Status: []string{"*"}, Limit: math.MaxInt32})
		for _, n := range all {
			if strings.HasPrefix(n.Source, "session:") {
				known[n.Source] = true
			}
		}
		return err
	})
	for _, t := range s.Turns {
		if known[SourceName(s.Agent, s.ID, t.ID)] {
			done++
		} else {
			turns = append(turns, t)
		}
	}
	return turns, done, err
}
