package gather

import (
	"context"
	"math"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/kind"
	"github.com/cp-memory/cp/vault/transcript"
)

// Keep writes proposals down as observations of a session, in one commit.
type Keep struct {
	Agent     string // whose session it is
	Session   string
	Proposals []Proposal
	Relates   [][]string // for each proposal, the memories that say nearly the same; may be shorter
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
		one := journal.Observe{Text: p.Text, Kind: p.Kind, Session: o.Session, At: p.Turn.At}
		if i < len(o.Relates) {
			one.Relates = o.Relates[i]
		}
		out, err := one.Plan(ctx, tx)
		if err != nil {
			return nil, err
		}
		if out.New {
			if err := o.quote(ctx, tx, out.ID, p); err != nil {
				return nil, err
			}
		}
		if !out.Unchanged {
			wrote++
		}
		all = append(all, Kept{out, p.Quote, p.Turn.ID})
	}
	tx.About("", vault.Plural(wrote, "observation", "observations"))
	return all, nil
}

// quote adds the person's words to a new observation, and where they stand.
func (o Keep) quote(ctx context.Context, tx *vault.Tx, id vault.ID, p Proposal) error {
	d, err := tx.OpenMemory(ctx, string(id))
	if err != nil {
		return err
	}
	return tx.Edit(d,
		vault.Step{Op: vault.OpSetKey, Key: "source", Value: Source(o.Agent, o.Session, p.Turn.ID)},
		vault.Step{Op: vault.OpAppend, Text: "> " + strings.ReplaceAll(p.Quote, "<!--", "<! --")})
}

// Source names a message of a session: what source: says in its observations.
func Source(agent, session, message string) string {
	return "session:" + agent + ":" + session + "#" + message
}

// Fresh returns the turns of a session of which no observation was made yet. done counts the
// others.
func Fresh(ctx context.Context, v *vault.Vault, s transcript.Session) (turns []transcript.Turn, done int, err error) {
	known := make(map[string]bool)
	err = v.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		var types []string
		for _, k := range kind.All() {
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
		if known[Source(s.Agent, s.ID, t.ID)] {
			done++
		} else {
			turns = append(turns, t)
		}
	}
	return turns, done, err
}
