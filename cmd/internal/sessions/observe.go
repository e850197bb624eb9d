package sessions

import (
	"context"
	"fmt"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/meter"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/transcript"
)

// Room is an open vault in a run of the program.
type Room struct {
	App *app.App
	*app.Session
}

// Observe makes observations of a session.
type Observe struct {
	From   string `flag:"from-session" help:"propose observations from a session with an agent: its <file>, or latest"`
	Agent  string // whose file it is; empty is found out
	DryRun bool   `flag:"dry-run" help:"with --from-session: tell what would be sent, ask nothing"`
}

// Result is the outcome of Observe.
type Result struct {
	Agent   string            `json:"agent"`
	Session string            `json:"session"`
	File    string            `json:"file"`
	Turns   int               `json:"turns"`             // of the person, of which no observation was made before
	Done    int               `json:"done,omitempty"`    // of which one was
	Older   int               `json:"older,omitempty"`   // left out: a session may be too long
	Tokens  int               `json:"tokens"`            // of the questions, about
	DryRun  bool              `json:"dry_run,omitempty"` // nothing was asked
	Kept    []transcript.Kept `json:"observations"`
	Refused int               `json:"refused,omitempty"` // by the person, now or before
	Skipped []string          `json:"skipped,omitempty"` // of the answers
	vault.Warned
}

// Decide is a person's answer to a proposal.
type Decide func(ctx context.Context, p transcript.Proposal) (keep, more bool)

// Observe reads the session, has the model propose observations and writes down those that
// decide keeps; with a nil decide all. tell is called before anything is sent.
func (r Room) Observe(ctx context.Context, o Observe, tell func(string), decide Decide) (out Result, err error) {
	out.Kept, out.DryRun = []transcript.Kept{}, o.DryRun
	g := r.Settings.Generation
	if !o.DryRun && !g.IsConfigured() {
		return out, vault.Errorf(vault.CodeConfig, `cp help generation; without one: cp memory observe "what was seen"`, "no language model is configured, and observations are proposed by one")
	}
	s, file, err := r.readSession(ctx, o)
	if err != nil {
		return out, err
	}
	out.Agent, out.Session, out.File = s.Agent, s.ID, file
	if s.Bad > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%s of %s could not be read", vault.Plural(s.Bad, "line", "lines"), file))
	}
	turns, done, err := transcript.FreshTurns(ctx, r.Vault, s)
	if err != nil {
		return out, err
	}
	parts, older := transcript.SessionParts(turns)
	out.Turns, out.Done, out.Older = len(turns), done, older
	for _, p := range parts {
		out.Tokens += p.Tokens
	}
	if o.DryRun || len(parts) == 0 {
		return out, nil
	}
	tell(fmt.Sprintf("%s of %s %s to %s/%s: about %d tokens", vault.Plural(len(turns)-older, "turn", "turns"), s.Agent, s.ID, g.Provider, g.Model, out.Tokens))
	found, err := r.askModel(ctx, parts, &out)
	if err != nil {
		return out, err
	}
	kept, refused := r.decideProposals(ctx, found, decide, &out)
	return out, r.writeProposals(ctx, s, kept, refused, &out)
}

// askModel asks the model about each part, within the clone's budget of tokens.
func (r Room) askModel(ctx context.Context, parts []transcript.SessionPart, out *Result) (found []transcript.Proposal, err error) {
	head, err := r.Store.Head(ctx)
	if err != nil {
		return nil, err
	}
	if head.Busy != "" {
		still := vault.Standstill(head.Busy)
		still.Msg += "; nothing was asked"
		return nil, still
	}
	model, err := r.App.Drawer(r.Settings.Generation, transcript.ProposalSchema())
	if err != nil {
		return nil, err
	}
	m := &meter.Meter{Dir: r.State.StateDir(), Daily: r.Settings.Facts.DailyTokens, Now: r.App.Now}
	release, err := m.Hold()
	if err != nil {
		return nil, err
	}
	defer release()
	for _, p := range parts {
		if err := m.Spend(p.Tokens); err != nil {
			return nil, err
		}
		more, skipped, err := transcript.AskProposals(ctx, model, p)
		if err != nil {
			return nil, err
		}
		found, out.Skipped = append(found, more...), append(out.Skipped, skipped...)
	}
	return found, nil
}

// decideProposals returns the proposals that are kept, and those that the person refuses now. What was
// refused before is not asked again, and what is left when the person quits is neither.
func (r Room) decideProposals(ctx context.Context, found []transcript.Proposal, decide Decide, out *Result) (kept, refused []transcript.Proposal) {
	for i, p := range found {
		if transcript.IsRefused(ctx, r.Vault, p) {
			out.Refused++
			continue
		}
		keep, more := true, true
		if decide != nil {
			keep, more = decide(ctx, p)
		}
		switch {
		case keep:
			kept = append(kept, p)
		case more:
			out.Refused++
			refused = append(refused, p)
		default:
			out.Refused += len(found) - i
			return kept, refused
		}
	}
	return kept, refused
}

// writeProposals writes proposals down, and the refused ones as denied.
func (r Room) writeProposals(ctx context.Context, s transcript.Session, kept, refused []transcript.Proposal, out *Result) error {
	if len(kept)+len(refused) == 0 {
		return nil
	}
	o := transcript.Keep{Agent: s.Agent, Session: s.ID, Proposals: kept, Refused: refused, Relates: make([][]string, len(kept)), Analyse: r.Lexicon.Analyser()}
	for i, p := range kept {
		for _, n := range r.Finder().FindNear(ctx, &vault.Memory{Prose: p.Text}, recall.AlikeFrom) {
			o.Relates[i] = append(o.Relates[i], string(n.ID))
		}
	}
	all, receipt, err := vault.Do(ctx, r.Vault, o, vault.Options{})
	out.Warn(receipt.Notes...)
	if err == nil {
		out.Kept = all
	}
	return err
}

// agentsHint tells which agents' sessions can be read.
func agentsHint() string {
	var names string
	for _, a := range transcript.Agents() {
		if a.Tried != "" {
			names += ", " + a.Name
		}
	}
	return "name the file and the agent: --agent " + names[2:]
}
