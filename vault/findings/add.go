package findings

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
)

// Add remembers the findings of a review in one commit.
type Add struct {
	Findings []Finding `json:"findings" need:"yes"`
	Spec     string    `json:"spec,omitempty" flag:"spec" help:"the piece of work it belongs to: a <name>"`
	Session  string    `json:"session,omitempty" flag:"session" help:"the <name> of the agent's session"`

	header.Anchor // the commit that was reviewed

	Project string `json:"project,omitempty" batch:"-"` // as in [tree.Add]

	AllowSecret bool           `json:"-"` // commit it also when it looks like a credential
	Analyse     recall.Analyse `json:"-"` // takes the words out of a text; without it only equal summaries are alike

	// Moved returns the lines at which a line of a file, as it was in a commit, stands in the
	// code now; nil knows none.
	Moved func(file, commit string, line int) []int `json:"-"`

	ID      vault.ID  `json:"id,omitempty" batch:"-"`     // of the batch; follows from the findings, and is set when a queued write is delivered
	Created time.Time `json:"created,omitzero" batch:"-"` // likewise
}

// Added is the outcome of Add.
type Added struct {
	ID        vault.ID   `json:"id,omitempty"` // of the review
	Title     string     `json:"title,omitempty"`
	Path      vault.Path `json:"path,omitempty"`
	Spec      string     `json:"spec,omitempty"`
	Commit    string     `json:"commit,omitempty"`
	Given     int        `json:"given"`               // findings that were handed over
	Merged    int        `json:"merged"`              // of these, the ones that overlapped others
	New       int        `json:"new"`                 // memories that were made
	SeenAgain int        `json:"seen_again"`          // open findings of earlier reviews
	Findings  []Row      `json:"findings"`            // the worst first
	Unchanged bool       `json:"unchanged,omitempty"` // the review was added before, or found nothing
	Queued    bool       `json:"queued,omitempty"`    // waits in the outbox; exit code 75
	Why       string     `json:"why,omitempty"`       // what it waits for
	vault.Warned
}

// Row tells what became of one finding.
type Row struct {
	ID        vault.ID   `json:"id,omitempty"`
	Title     string     `json:"title"`
	Severity  string     `json:"severity"`
	Category  string     `json:"category"`
	File      string     `json:"file,omitempty"`
	Line      int        `json:"line,omitempty"`
	Path      vault.Path `json:"path,omitempty"`
	SeenAgain bool       `json:"seen_again,omitempty"` // it stands in an open finding of an earlier review
}

// Do remembers the findings. While the repository is busy they go to the outbox, and Added
// says so.
func (o Add) Do(ctx context.Context, v *vault.Vault) (Added, error) {
	if err := o.checkAdd(); err != nil {
		return Added{}, err
	}
	if o.Created.IsZero() {
		o.Created = v.Now().UTC().Truncate(time.Second)
	}
	var err error
	if o.ID, err = o.batchID(v.Prefix, 1); err != nil {
		return Added{}, err
	}
	o.Project = cmp.Or(o.Project, v.Part)
	out, r, err := vault.Do(ctx, v, o, vault.Options{Queue: true, AllowSecret: o.AllowSecret})
	out.Warn(r.Notes...)
	if why := tree.WaitReason(r, err); why != "" {
		out = o.outcome()
		out.Queued, out.Why, out.ID, err = true, why, o.ID, nil
	}
	return out, err
}

// Name is the verb's.
func (o Add) Name() string { return "findings add" }

// checkAdd refuses what cannot be written.
func (o *Add) checkAdd() error {
	all := make([]Finding, len(o.Findings))
	for i, f := range o.Findings {
		all[i] = f.Tidy()
	}
	o.Findings = all
	return cmp.Or(Check(all), vault.CheckLine("spec", o.Spec), vault.CheckCommit(o.Commit), vault.CheckLine("key of a commit", o.CommitKey), vault.CheckLine("session", o.Session))
}

// outcome returns what is known before anything is planned.
func (o *Add) outcome() Added {
	return Added{Given: len(o.Findings), Spec: o.Spec, Commit: o.Commit, Findings: []Row{}}
}

// Plan makes the batch and its findings. Of those that are known already it says so in their
// memories.
func (o Add) Plan(ctx context.Context, tx *vault.Tx) (Added, error) {
	if err := o.checkAdd(); err != nil {
		return Added{}, err
	}
	out := o.outcome()
	if o.Created.IsZero() {
		o.Created = tx.Now().UTC().Truncate(time.Second)
	}
	measure := NewMeasure(o.Analyse)
	distinct := measure.Merge(o.Findings)
	if out.Merged = len(o.Findings) - len(distinct); len(distinct) == 0 {
		out.Unchanged = true
		return out, nil
	}
	if err := Check(distinct); err != nil { // together they may be too long
		return out, err
	}
	r := review{Add: &o, tx: tx, measure: measure, out: &out}
	return out, r.planFindings(ctx, distinct)
}

// batchTitle of the batch: "40 findings: 3 critical, 12 high, 20 medium, 5 low".
func batchTitle(all []Finding) string {
	counts := make([]int, len(severities))
	for i := range all {
		counts[Rank(all[i].Severity)]++
	}
	var parts []string
	for i, n := range counts {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, severities[i]))
		}
	}
	return vault.Plural(len(all), string(header.Finding), "findings") + ": " + strings.Join(parts, ", ")
}
