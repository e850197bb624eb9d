package journal

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tree"
)

// Limits of an entry.
const (
	MaxTitle = 100        // characters
	MaxBody  = 100 * 1024 // bytes
)

// Capture writes an entry. The zero value of each option leaves its key out.
type Capture struct {
	Kind   string   `json:"kind" need:"yes"` // a kind or its namespace
	Title  string   `json:"title" need:"yes"`
	Body   string   `json:"body,omitempty"`
	Parts  Parts    `json:"parts,omitzero"` // sections; those that are set follow Body
	Spec   string   `json:"spec,omitempty" flag:"spec" help:"the piece of work it belongs to: a <name>"`
	Phase  string   `json:"phase,omitempty" flag:"phase" help:"the <phase> of that work"`
	Labels []string `json:"labels,omitempty" flag:"tag" commas:"yes" help:"<labels>, separated by commas or repeated"`

	header.Anchor // the commit that it tells of

	about.New

	Relates    []string `json:"relates_to,omitempty"` // other memories
	Session    string   `json:"session,omitempty" flag:"session" help:"the <name> of the agent's session"`
	WantsPlace bool     `json:"wants_place,omitempty" flag:"wants-place" help:"ask a person for a place in the tree (cp memory review)"`

	Parent  string `json:"under,omitempty" flag:"under" help:"give it a place in the tree at once, below this <id>"`
	Summary string `json:"summary,omitempty" flag:"summary" help:"with --under: the trigger <phrase>"`

	Project string `json:"project,omitempty"` // as in [tree.Add]: the part has a journal of its own

	AllowSecret bool `json:"-"` // commit it also when it looks like a credential

	ID      vault.ID  `json:"id,omitempty" batch:"-"`     // set when a queued write is delivered; else drawn
	Created time.Time `json:"created,omitzero" batch:"-"` // likewise
}

// Captured is the outcome of Capture.
type Captured struct {
	ID       vault.ID    `json:"id"`
	Kind     header.Kind `json:"type"`
	Title    string      `json:"title"`
	Spec     string      `json:"spec,omitempty"`
	Commit   string      `json:"commit,omitempty"`
	Path     vault.Path  `json:"path,omitempty"`
	ParentID vault.ID    `json:"parent_id,omitempty"`
	Queued   bool        `json:"queued,omitempty"` // waits in the outbox; exit code 75
	Why      string      `json:"why,omitempty"`    // what it waits for
	Behind   error       `json:"-"`                // why the index does not have it yet; nil when it has
	vault.Warned
}

// Do writes the entry. While the repository is busy it goes to the outbox, and Captured
// says so.
func (o Capture) Do(ctx context.Context, v *vault.Vault) (Captured, error) {
	k, err := o.checkCapture()
	if err != nil {
		return Captured{}, err
	}
	if err := tree.DrawID(ctx, v, &o.ID, &o.Created); err != nil {
		return Captured{}, err
	}
	o.Project = cmp.Or(o.Project, v.Part)
	out, r, err := vault.Do(ctx, v, o, vault.Options{Queue: true, AllowSecret: o.AllowSecret})
	out.ID, out.Kind, out.Title, out.Spec, out.Commit = o.ID, k, o.Title, o.Spec, o.Commit
	out.Warn(r.Notes...)
	out.Behind = r.Behind
	if why := tree.WaitReason(r, err); why != "" {
		out.Queued, out.Why, out.Path, err = true, why, "", nil
	}
	return out, err
}

// Name is the verb's.
func (o Capture) Name() string { return "capture" }

// checkCapture refuses what cannot be written, and returns the kind.
func (o *Capture) checkCapture() (header.Kind, error) {
	k, ok := header.ParseKind(o.Kind)
	switch {
	case !ok:
		return "", UnknownKind(o.Kind)
	case k == header.Observation:
		return "", vault.Errorf(vault.CodeInvalid, "`cp memory observe` counts the sessions that made it", "an observation is not captured")
	case k == header.Finding:
		return "", vault.Errorf(vault.CodeInvalid, "`cp memory findings add` keeps the findings of a review", "a finding is not captured by itself")
	case k == header.Handoff:
		return "", vault.Errorf(vault.CodeInvalid, "`cp memory handoff` tells the next session on this branch", "a hand-over is not captured by itself")
	case o.Summary != "" && o.Parent == "":
		return "", vault.Errorf(vault.CodeInvalid, "give the place with --under", "a trigger phrase is for an entry with a place in the tree")
	}
	return k, cmp.Or(CheckTitle(o.Title), o.Parts.checkParts(k), CheckBody(o.entryText(k)), o.checkLines())
}

func (o *Capture) checkLines() error {
	return cmp.Or(vault.CheckLine("spec", o.Spec), vault.CheckLine("phase", o.Phase), vault.CheckLine("label", o.Labels...),
		vault.CheckCommit(o.Commit), vault.CheckLine("key of a commit", o.CommitKey), vault.CheckLine("session", o.Session), vault.CheckLine("trigger phrase", o.Summary), o.CheckNew())
}

// UnknownKind is the error for a word that names no kind.
func UnknownKind(word string) error {
	return vault.Errorf(vault.CodeInvalid, "the kinds are "+strings.Join(Capturable(), ", "), "'%s' is no kind of entry", vault.Clip(word, 40))
}

// Capturable lists the kinds that Capture takes. Findings, observations and hand-overs have verbs
// of their own.
func Capturable() (all []string) {
	for _, k := range header.Kinds() {
		if k != header.Finding && k != header.Observation && k != header.Handoff {
			all = append(all, string(k))
		}
	}
	return all
}

// CheckTitle refuses what cannot be the title of an entry: seed 3's summary of at most
// MaxTitle characters.
func CheckTitle(title string) error {
	if n := utf8.RuneCountInString(title); n > MaxTitle {
		return vault.Errorf(vault.CodeInvalid, "say it shorter, and put the rest into the body", "the title has %d characters; an entry's has at most %d", n, MaxTitle)
	}
	return vault.CheckTitle(title)
}

// CheckBody refuses what cannot be the text of an entry.
func CheckBody(body string) error {
	if len(body) > MaxBody {
		return vault.Errorf(vault.CodeInvalid, "keep the long text in a memory of the tree", "the text has %d bytes; an entry's has at most %d", len(body), MaxBody)
	}
	return vault.CheckText("body", body)
}

// Plan writes the entry's file, and the journal's root where it is the first.
func (o Capture) Plan(ctx context.Context, tx *vault.Tx) (out Captured, err error) {
	k, err := o.checkCapture()
	if err != nil {
		return out, err
	}
	if o.ID, o.Created, err = tree.Stamp(ctx, tx, o.ID, o.Created); err != nil {
		return out, err
	}
	out = Captured{ID: o.ID, Kind: k, Title: o.Title, Spec: o.Spec, Commit: o.Commit}
	m := o.newMemory(k, tx.Agent())
	if m.References, err = relations(ctx, tx, o.Relates); err != nil {
		return out, err
	}
	tx.About(o.ID, o.Title)
	if o.Parent != "" {
		out.Path, out.ParentID, err = EnterBelow(ctx, tx, o.Parent, m)
		return out, err
	}
	out.Path, err = Enter(ctx, tx, m, o.Project)
	return out, err
}

// newMemory returns the entry.
func (o *Capture) newMemory(k header.Kind, creator string) *vault.Memory {
	m := &vault.Memory{ID: o.ID, Prose: o.entryText(k), Header: vault.Header{Title: o.Title, Type: string(k),
		Labels: tree.Labels(o.Labels), Summary: o.Summary, Created: o.Created, Creator: creator}}
	h := &m.Header
	o.Into(h)
	h.Spec, h.Phase, h.Anchor = o.Spec, o.Phase, o.Anchor
	if o.Session != "" {
		h.Sessions = []string{o.Session}
	}
	if o.WantsPlace {
		h.WantsPlace = "true"
	}
	return m
}

// relations returns the references to other memories, by their ids.
func relations(ctx context.Context, tx *vault.Tx, refs []string) (all []vault.Reference, err error) {
	for _, ref := range refs {
		d, err := tx.OpenMemory(ctx, ref)
		if err != nil {
			return nil, err
		}
		all = append(all, vault.Reference{Kind: "relates_to", Target: string(d.ID)})
	}
	return all, nil
}

// Enter plans the file of a new entry in the journal, and the journal's root where it is
// the first. project is the part of the vault whose journal it is, as in [tree.Add]. It
// returns the path.
func Enter(ctx context.Context, tx *vault.Tx, m *vault.Memory, project string) (vault.Path, error) {
	part, err := tx.Part(ctx, project)
	if err != nil {
		return "", err
	}
	root, err := journalRoot.In(part).Open(ctx, tx)
	if err != nil {
		return "", err
	}
	at, name := EntryPlace(root, m)
	p, err := tx.NewPath(ctx, at, name)
	if err != nil {
		return "", err
	}
	text, err := vault.Render(m)
	if err != nil {
		return "", err
	}
	tx.Create(vault.Node{ID: m.ID, Path: p, Header: m.Header, Parent: root.ID, ParentTitle: root.Title, Depth: root.Depth + 1}, text)
	return p, nil
}

// EntryPlace returns the folder of an entry below the journal's root, and the name of its file
// without .md: journal/2026/11, decision-use-postgresql.
func EntryPlace(root vault.Node, m *vault.Memory) (dir vault.Path, name string) {
	at := m.Created.UTC()
	return root.Folder().Join(at.Format("2006")).Join(at.Format("01")), m.Type + "-" + filename.Slug(m.Title, m.ID.Suffix())
}

// EnterBelow plans the file of a new entry that gets a place in the tree at once, below the
// memory that parent names. Unless the entry says otherwise it is long-term since it was made.
func EnterBelow(ctx context.Context, tx *vault.Tx, parent string, m *vault.Memory) (p vault.Path, id vault.ID, err error) {
	up, err := tree.OpenParent(ctx, tx, parent)
	if err != nil {
		return "", "", err
	}
	if p, err = tx.NewPath(ctx, up.Folder(), filename.Slug(m.Title, m.ID.Suffix())); err != nil {
		return "", "", err
	}
	if !up.Mem.Header.Quiet() && m.Header.LongTerm.IsZero() { // else it has no place in the tree
		m.Header.LongTerm = m.Header.Created
	}
	text, err := vault.Render(m)
	if err != nil {
		return "", "", err
	}
	tx.Create(vault.Node{ID: m.ID, Path: p, Header: m.Header, Parent: up.ID, ParentTitle: up.Title, Depth: up.Depth + 1}, text)
	if err := tx.Adopt(ctx, up); err != nil {
		return "", "", err
	}
	return p, up.ID, tree.Point(tx, up, m.ID, m.Title, m.Summary)
}
