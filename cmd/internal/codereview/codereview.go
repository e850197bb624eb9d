package codereview

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/findings"
	"github.com/cp-memory/cp/vault/header"
)

// Room is an open vault in a run of the program.
type Room struct {
	App     *app.App
	Session *app.Session
}

// maxFindings bounds the JSON of one review, in bytes.
const maxFindings = 32 << 20

// maxChanged bounds the files that a plan names.
const maxChanged = 500

// Review is findings with the commit that was reviewed, as a person names it.
type Review struct {
	findings.Add
	Revision *string // as that of Capture
}

// Added is the outcome of Add.
type Added struct {
	findings.Added
	Busy string `json:"-"` // what is under way in the repository, where they wait in the outbox
}

// Add remembers the findings that are read from in. An absolute path in the code
// repository counts as one from its top.
func (r Room) Add(ctx context.Context, o Review, in io.Reader) (Added, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxFindings+1))
	switch {
	case err != nil:
		return Added{}, vault.Errorf(vault.CodeIO, "", "cannot read the findings: %w", err)
	case len(text) > maxFindings:
		return Added{}, vault.Errorf(vault.CodeInvalid, "add them in parts", "the findings have more than %d MB", maxFindings>>20)
	}
	if o.Findings, err = findings.Parse(text); err != nil {
		return Added{}, err
	}
	r.belowTop(o.Findings)
	if o.Anchor, err = r.anchor(ctx, o.Revision); err != nil {
		return Added{}, err
	}
	o.Analyse, o.Moved = r.Session.Lexicon.Analyser(), r.lineMover(ctx, o.Commit)
	out, err := o.Do(ctx, r.Session.Vault)
	if err != nil || !out.Queued {
		return Added{Added: out}, err
	}
	head, err := r.Session.Store.Head(ctx)
	return Added{out, head.Busy}, err
}

// anchor returns the commit that is reviewed, in the repository of the files.
func (r Room) anchor(ctx context.Context, revision *string) (header.Anchor, error) {
	top, err := r.Session.WorkTop()
	return r.Session.AnchorIn(ctx, top, err, revision)
}

// belowTop makes absolute paths in the code repository paths from its top.
func (r Room) belowTop(all []findings.Finding) {
	top, err := r.Session.WorkTop()
	if err != nil {
		return
	}
	for i := range all {
		if rest, ok := strings.CutPrefix(all[i].File, filepath.ToSlash(top)+"/"); ok {
			all[i].File = rest
		}
	}
}

// Findings returns the findings that a filter chooses. Paths in it are as a person types them.
func (r Room) Findings(ctx context.Context, o findings.Filter) ([]findings.Known, error) {
	all, err := findings.Load(ctx, r.Session.Vault, o)
	if all == nil {
		all = []findings.Known{}
	}
	return all, err
}

// Patterns returns what reviews have found more than once in the files and folders of paths,
// or anywhere.
func (r Room) Patterns(ctx context.Context, o findings.Filter) ([]findings.Pattern, error) {
	all, err := r.Findings(ctx, o)
	return findings.NewMeasure(r.Session.Lexicon.Analyser()).Patterns(all), err
}

// Scope says what is to be reviewed.
type Scope struct {
	Path  string // a file or folder, as it is typed; empty means what was changed
	Focus string `flag:"focus" help:"a <category>, or maintainability"` // see [findings.Focus]
	Spec  string `flag:"spec" help:"the piece of work it belongs to: a <name>"`
}

// Plan is what a host needs for a review. The program runs no agents.
type Plan struct {
	Path         string                `json:"path,omitempty"`
	Focus        string                `json:"focus,omitempty"`
	Spec         string                `json:"spec,omitempty"`
	Commit       string                `json:"commit,omitempty"` // the newest commit of work
	From         string                `json:"from"`             // "path", "changes" that are in no commit, or "commit"
	Files        []string              `json:"files"`            // from the top of the repository
	Left         int                   `json:"files_left_out,omitempty"`
	Specialists  []findings.Specialist `json:"specialists"`
	Verification []findings.Specialist `json:"verification"` // for who looks at a remediation
	Severities   []string              `json:"severities"`
	Patterns     []findings.Pattern    `json:"patterns"`
	Open         []findings.Known      `json:"open"`    // findings in these files that are not resolved
	Example      findings.Finding      `json:"example"` // of what add takes: an array of these, or one a line
	Add          string                `json:"add"`
}

// Plan tells what a host needs for a review: the files, the specialists, and what was
// found in these files before.
func (r Room) Plan(ctx context.Context, o Scope) (p Plan, err error) {
	p = Plan{Focus: o.Focus, Spec: o.Spec, Verification: findings.Verifiers(), Severities: findings.Severities(), Add: "cp memory findings add -"}
	if p.Specialists, err = findings.Focus(o.Focus); err != nil {
		return p, err
	}
	example, err := findings.Parse([]byte(findings.Example))
	if err != nil {
		return p, err
	}
	p.Example = example[0]
	top, err := r.Session.WorkTop()
	if err != nil {
		return p, err
	}
	anchor, err := r.anchor(ctx, nil)
	if err != nil {
		return p, err
	}
	p.Commit = anchor.Commit
	if err := r.toReview(ctx, top, o.Path, &p); err != nil {
		return p, err
	}
	filter := findings.Filter{Paths: p.Files}
	if p.Path != "" && p.Path != "." {
		filter.Paths = []string{p.Path}
	}
	for _, sp := range p.Specialists {
		filter.Categories = append(filter.Categories, sp.Category)
	}
	p.Open, p.Patterns = []findings.Known{}, []findings.Pattern{}
	if len(p.Files) == 0 {
		return p, nil
	}
	all, err := r.Findings(ctx, filter)
	p.Patterns = findings.NewMeasure(r.Session.Lexicon.Analyser()).Patterns(all)
	for _, k := range all {
		if k.Open() {
			p.Open = append(p.Open, k)
		}
	}
	p.Left = max(len(p.Files)-maxChanged, 0)
	p.Files = p.Files[:len(p.Files)-p.Left]
	return p, err
}

// toReview lists the files of a review: those below a path, else those with changes that are
// in no commit, else those that the newest commit of work changed. The vault's own files are
// not among them.
func (r Room) toReview(ctx context.Context, top, typed string, p *Plan) error {
	ask := [][]string{{"diff", "--name-only", "-z", "HEAD", "--"}, {"ls-files", "-z", "--others", "--exclude-standard"}}
	_, unborn := r.App.Git(ctx, top, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	p.From = "changes"
	switch {
	case typed != "":
		rel, err := r.FromTop(typed)
		if err != nil {
			return err
		}
		p.From, p.Path, ask = "path", rel, [][]string{{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", rel}}
	case unborn != nil:
		ask = [][]string{{"ls-files", "-z", "--cached", "--others", "--exclude-standard"}}
	}
	err := r.listFiles(ctx, top, p, ask...)
	if err == nil && len(p.Files) == 0 && typed == "" && p.Commit != "" {
		p.From = "commit"
		err = r.listFiles(ctx, top, p, []string{"diff-tree", "--root", "--no-commit-id", "--name-only", "-r", "-z", "--diff-merges=first-parent", p.Commit, "--"})
	}
	return err
}

// listFiles sets the files that git lists in answer to any of the questions.
func (r Room) listFiles(ctx context.Context, top string, p *Plan, questions ...[]string) error {
	p.Files = []string{}
	isWork := r.Session.IsWork(top)
	for _, args := range questions {
		said, err := r.App.Git(ctx, top, args...)
		if err != nil {
			return err
		}
		for file := range strings.SplitSeq(said, "\x00") {
			if file = strings.Trim(file, "\n"); file != "" && isWork(file) {
				p.Files = append(p.Files, file)
			}
		}
	}
	slices.Sort(p.Files)
	p.Files = slices.Compact(p.Files)
	return nil
}

// FromTop returns a path, as a person types it, from the top of the code repository. The
// error is CodeInvalid for one outside.
func (r Room) FromTop(typed string) (string, error) {
	top, err := r.Session.WorkTop()
	if err != nil {
		return "", err
	}
	at := r.App.Abs(typed)
	if real, err := filepath.EvalSymlinks(filepath.Dir(at)); err == nil {
		at = filepath.Join(real, filepath.Base(at))
	}
	rel, err := filepath.Rel(top, at)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return "", vault.Errorf(vault.CodeInvalid, "name a file or folder of "+top, "'%s' is not in the repository", vault.Clip(typed, 80))
	}
	return filepath.ToSlash(rel), nil
}
