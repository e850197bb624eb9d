package codereview

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/findings"
	"github.com/cp-memory/cp/vault/header"
)

// Reports asks for the artefacts of the findings.
type Reports struct {
	Dir   string `flag:"out" help:"write into this <folder>"` // as it is typed; empty is the top of the code repository
	Spec  string `flag:"spec" help:"only findings of this piece of work: a <name>"`
	Force bool   `flag:"force" help:"replace files that a person wrote"`
}

// Reported is the outcome of a report.
type Reported struct {
	Files    []string          `json:"files"`
	Health   int               `json:"health"`
	Each     []findings.Health `json:"categories"`
	Open     int               `json:"open"`
	Resolved int               `json:"resolved"`
}

// Report writes CODE_REVIEW.md, REVIEW_SUMMARY.md and REMEDIATION_TASKS.md. Nothing is
// written where one of them was written by a person.
func (r Room) Report(ctx context.Context, o Reports) (Reported, error) {
	all, err := r.Findings(ctx, findings.Filter{Spec: o.Spec})
	if err != nil {
		return Reported{}, err
	}
	rep := r.report(ctx, all)
	out := Reported{}
	out.Each, out.Health = findings.Score(all)
	for i := range all {
		if all[i].Open() {
			out.Open++
		}
	}
	out.Resolved = len(all) - out.Open
	out.Files, err = r.artefacts(o.Dir, o.Force, artefact{findings.ReviewName, rep.Review()}, artefact{findings.SummaryName, rep.Summary()}, artefact{findings.TasksName, rep.Tasks()})
	return out, err
}

// report returns what the artefacts are made of.
func (r Room) report(ctx context.Context, all []findings.Known) findings.Report {
	rep := findings.Report{Date: r.App.Now().UTC().Format("2006-01-02"), Findings: all, Patterns: findings.NewMeasure(r.Session.Lexicon.Analyser()).Patterns(all)}
	if anchor, err := r.anchor(ctx, nil); err == nil {
		rep.Commit = anchor.Commit
	}
	return rep
}

// artefact is a file for people that is no memory.
type artefact struct{ name, text string }

// artefacts writes files into a folder, and returns their paths. All of them are looked at
// before one is written.
func (r Room) artefacts(dir string, force bool, all ...artefact) (names []string, err error) {
	if dir, err = r.reportDir(dir); err != nil {
		return nil, err
	}
	for _, a := range all {
		if err := replaceable(filepath.Join(dir, a.name), force); err != nil {
			return nil, err
		}
	}
	if err := disk.MkdirAll(dir, 0o777); err != nil {
		return nil, vault.Errorf(vault.CodeIO, "", "cannot make the folder %s: %w", dir, disk.Cause(err))
	}
	for _, a := range all {
		name := filepath.Join(dir, a.name)
		if err := disk.ReplaceSync(name, []byte(a.text), 0o666); err != nil {
			return nil, vault.Errorf(vault.CodeIO, "", "cannot write %s: %w", name, disk.Cause(err))
		}
		names = append(names, name)
	}
	return names, nil
}

// reportDir returns the folder of the artefacts. In the vault they would become memories, but
// for their place at the top of a repository.
func (r Room) reportDir(typed string) (string, error) {
	if typed == "" {
		return r.Session.WorkTop()
	}
	dir := r.App.Abs(typed)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	top, err := r.App.GitTop(r.Session.Root)
	inside := dir == r.Session.Root || strings.HasPrefix(dir, r.Session.Root+string(filepath.Separator))
	if inside && (err != nil || dir != top) {
		return "", vault.Errorf(vault.CodeInvalid, "leave out --out, or name a folder outside the vault", "%s is in the vault, where a report would become a memory", dir)
	}
	return dir, nil
}

// replaceable refuses a file that a person wrote.
func replaceable(name string, force bool) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return vault.Errorf(vault.CodeIO, "", "cannot look at %s: %w", name, err)
	case !info.Mode().IsRegular():
		return vault.Errorf(vault.CodeConflict, "move it away, or choose another folder with --out", "%s is no regular file", name)
	case force || info.Size() == 0:
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return vault.Errorf(vault.CodeIO, "", "cannot read %s: %w", name, disk.Cause(err))
	}
	if !strings.HasPrefix(string(text), findings.Mark) {
		return vault.Errorf(vault.CodeConflict, "--out DIR writes elsewhere; to write here, first give yours another name", "%s was not made by cp memory findings", name)
	}
	return nil
}

// Fix asks for the work that findings are.
type Fix struct {
	findings.Filter
	File      string   // a CODE_REVIEW.md that names the findings, as it is typed; empty takes all that the vault has
	Dir       string   // of REMEDIATION_REPORT.md, as that of Reports
	Learnings []string // what was learned, beside the resolutions
	Force     bool
}

// Assigned is what is to be done, by the specialists who do it.
type Assigned struct {
	Groups       []findings.Group      `json:"groups"`
	Verification []findings.Specialist `json:"verification"`
	Total        int                   `json:"total"`
	vault.Warned
}

// Work returns the open findings by specialist.
func (r Room) Work(ctx context.Context, o Fix) (Assigned, error) {
	o.Open = true
	all, warnings, err := r.toFix(ctx, o)
	return Assigned{Groups: findings.Route(all), Verification: findings.Verifiers(), Total: len(all), Warned: vault.Warned{Warnings: warnings}}, err
}

// toFix returns the findings of the vault or of a report. Those that the report names are as
// the vault has them; those that it has not are as the report has them.
func (r Room) toFix(ctx context.Context, o Fix) (all []findings.Known, warnings []string, err error) {
	if err := o.Check(); err != nil {
		return nil, nil, err
	}
	if o.File == "" {
		all, err = r.Findings(ctx, o.Filter)
		return all, nil, err
	}
	text, err := readReview(r.App.Abs(o.File))
	if err != nil {
		return nil, nil, err
	}
	known, err := r.Findings(ctx, findings.Filter{})
	if err != nil {
		return nil, nil, err
	}
	listed := findings.ParseReview(string(text))
	if len(listed) == 0 {
		warnings = append(warnings, o.File+" names no findings")
	}
	for _, k := range listed {
		i := slices.IndexFunc(known, func(other findings.Known) bool { return k.ID != "" && other.ID == k.ID })
		switch {
		case i >= 0:
			k = known[i]
		case k.ID != "":
			warnings = append(warnings, string(k.ID)+" is no finding of this vault any more")
			continue
		}
		if o.Keeps(&k) {
			all = append(all, k)
		}
	}
	return all, warnings, nil
}

// readReview reads a report.
func readReview(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, vault.Errorf(vault.CodeNotFound, "`cp memory findings report` makes one; without a file the vault's findings are taken", "there is no %s", name)
	case err == nil && !info.Mode().IsRegular():
		return nil, vault.Errorf(vault.CodeInvalid, "name a CODE_REVIEW.md", "%s is no file", name)
	case err == nil && info.Size() > maxFindings:
		return nil, vault.Errorf(vault.CodeInvalid, "name a CODE_REVIEW.md", "%s has more than %d MB", name, maxFindings>>20)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, vault.Errorf(vault.CodeIO, "", "cannot read %s: %w", name, disk.Cause(err))
	}
	return text, nil
}

// Remedied is the outcome of Done.
type Remedied struct {
	File      string   `json:"file"`
	Total     int      `json:"total"`
	Fixed     int      `json:"fixed"`
	Blockers  int      `json:"blockers"`
	Captured  int      `json:"captured"`  // learnings that are new
	Learnings []string `json:"learnings"` // the titles of all
	Line      string   `json:"line"`
	vault.Warned
}

// Done captures what was learned by fixing findings, and writes
// REMEDIATION_REPORT.md.
func (r Room) Done(ctx context.Context, o Fix) (Remedied, error) {
	all, warnings, err := r.toFix(ctx, o)
	if err != nil {
		return Remedied{}, err
	}
	dir, err := r.reportDir(o.Dir)
	if err == nil {
		err = replaceable(filepath.Join(dir, findings.ReportName), o.Force)
	}
	if err != nil {
		return Remedied{}, err
	}
	learn := findings.Learn{Texts: o.Learnings, Spec: o.Spec}
	if learn.Anchor, err = r.anchor(ctx, nil); err != nil {
		return Remedied{}, err
	}
	for _, k := range all {
		if k.ID != "" && !k.Open() {
			learn.Findings = append(learn.Findings, k.ID)
		}
	}
	learned, err := learn.Do(ctx, r.Session.Vault)
	if err != nil {
		return Remedied{}, err
	}
	remedy := findings.Remedy{Report: r.report(ctx, all)}
	if remedy.All, err = r.Findings(ctx, findings.Filter{}); err != nil {
		return Remedied{}, err
	}
	if remedy.Blockers, remedy.Learnings, err = r.cameOf(ctx, all); err != nil {
		return Remedied{}, err
	}
	names, err := r.artefacts(o.Dir, o.Force, artefact{findings.ReportName, remedy.Page()})
	if err != nil {
		return Remedied{}, err
	}
	return Remedied{File: names[0], Total: len(all), Fixed: remedy.CountFixed(), Blockers: len(remedy.Blockers), Captured: len(learned.Learnings),
		Learnings: remedy.Learnings, Line: remedy.SummaryLine(), Warned: vault.Warned{Warnings: append(warnings, learned.Warnings...)}}, nil
}

// cameOf returns the titles of the open blockers and of the learnings that relate to findings.
func (r Room) cameOf(ctx context.Context, all []findings.Known) (blockers, learnings []string, err error) {
	ids := make(map[string]bool)
	for i := range all {
		ids[string(all[i].ID)] = true
	}
	learnings = []string{}
	var nodes []vault.Node
	err = r.Session.View(ctx, vault.Scope{}, func(t vault.Tree) (err error) {
		nodes, _, err = t.List(ctx, vault.ListOptions{Types: []string{string(header.Blocker), string(header.Learning)}, Status: []string{"*"}, Limit: 1 << 30})
		return err
	})
	for i := range nodes {
		text, _, err := r.Session.Store.Read(nodes[i].Path)
		if err != nil {
			continue // it went while we read
		}
		m := vault.ParseText(nodes[i].Path, text)
		switch {
		case !slices.ContainsFunc(m.Refers("relates_to"), func(id string) bool { return ids[id] }):
		case m.Type == string(header.Learning):
			learnings = append(learnings, m.Title)
		case m.Status != vault.StatusClosed:
			blockers = append(blockers, m.Title)
		}
	}
	slices.Sort(blockers)
	slices.Sort(learnings)
	return blockers, learnings, err
}
