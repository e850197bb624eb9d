package tree

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/filename"
)

// Add creates a root memory.
type Add struct {
	Text       string   `json:"text,omitempty" also:"body"` // the content; its first 200 characters become the title unless Title is set
	Title      string   `json:"title" flag:"title" help:"the <title> (default: the first 200 characters of the text)"`
	Labels     []string `json:"labels,omitempty" flag:"label" commas:"yes" help:"<labels>, separated by commas or repeated"`
	Summary    string   `json:"summary,omitempty" flag:"summary" help:"the trigger <phrase>: when one needs this memory"`
	Type       string   `json:"type,omitempty" flag:"type" help:"the file's <type> (default memory)"`
	References []string `json:"references,omitempty" flag:"references" commas:"yes" help:"<ids> of memories this one refers to"` // unknown ones are warned about and left out
	Relates    []string `json:"relates_to,omitempty" batch:"-"`                                                                  // ids of memories that say nearly the same
	Record
	about.New

	Project string `json:"project,omitempty"` // the memory of the part of the vault that it belongs to, below which it hangs; empty is that of [vault.Vault]

	AllowDuplicate bool `json:"allow_duplicate,omitempty" flag:"allow-duplicate" help:"create it also where a memory says the same already"`

	AllowSecret bool `json:"-"` // commit it also when it looks like a credential

	ID      vault.ID  `json:"id" batch:"-"`               // set when a queued write is delivered; else drawn
	Created time.Time `json:"created,omitzero" batch:"-"` // likewise
}

// Added is the outcome of Add and AddSub.
type Added struct {
	ID          vault.ID   `json:"id"`
	Title       string     `json:"title"`
	ParentID    vault.ID   `json:"parent_id,omitempty"`
	ParentTitle string     `json:"-"`
	Summary     string     `json:"summary,omitempty"`
	Path        vault.Path `json:"path,omitempty"`
	Queued      bool       `json:"queued,omitempty"`     // waits in the outbox; exit code 75
	Why         string     `json:"why,omitempty"`        // what it waits for
	Similar     []Like     `json:"similar,omitempty"`    // what says the same already; filled by who asks for it
	Duplicate   bool       `json:"duplicate,omitempty"`  // nothing was written: ID is the memory that says the same already
	NotStored   []string   `json:"not_stored,omitempty"` // of a duplicate: what differs and was not written
	vault.Warned
	depth int // in the tree, as it is planned

	family.Origin // of a duplicate in another vault
}

// Like is a memory that says the same as another one, or nearly so.
type Like struct {
	ID            vault.ID   `json:"id"`
	Title         string     `json:"title"`
	Path          vault.Path `json:"path"`
	Same          bool       `json:"same"`       // type, title and text are the same
	Similarity    float64    `json:"similarity"` // the share of what either says that both say
	family.Origin            // of one in another vault
}

// titleFromText bounds the characters of a text that make a title.
const titleFromText = 200

// Do creates a root memory. While the repository is busy the write goes to the outbox, and
// Added says so.
func (o Add) Do(ctx context.Context, v *vault.Vault) (Added, error) {
	if err := assignID(ctx, v, o.checkAdd(), &o.ID, &o.Created); err != nil {
		return Added{}, err
	}
	o.Project = cmp.Or(o.Project, v.Part)
	out, r, err := vault.Do(ctx, v, o, vault.Options{Queue: true, AllowSecret: o.AllowSecret})
	if !out.Duplicate {
		out.ID, out.Title, out.Summary = o.ID, o.Title, o.Summary
	}
	return reportOutcome(out, r, err)
}

// Name is the verb's.
func (o Add) Name() string { return "add" }

// checkAdd completes title and phrase, and refuses what cannot be written.
func (o *Add) checkAdd() error {
	own, err := vault.OwnOf(o.Text)
	if err != nil {
		return err
	}
	o.Title, o.Summary = cmp.Or(o.Title, own.Title, titleOf(own.Text)), cmp.Or(o.Summary, own.Summary)
	return cmp.Or(vault.CheckTitle(o.Title), vault.CheckText("text", o.Text), vault.CheckLine("trigger phrase", o.Summary),
		vault.CheckLine("type", o.Type), vault.CheckLine("label", o.Labels...), o.Record.checkRecord(), o.New.CheckNew())
}

// Plan creates the memory's file.
func (o Add) Plan(ctx context.Context, tx *vault.Tx) (out Added, err error) {
	if err := o.checkAdd(); err != nil {
		return out, err
	}
	if o.ID, o.Created, err = Stamp(ctx, tx, o.ID, o.Created); err != nil {
		return out, err
	}
	out = Added{ID: o.ID, Title: o.Title, Summary: o.Summary}
	refs, err := references(ctx, tx, o.References, &out)
	if err != nil {
		return out, err
	}
	part, err := tx.Part(ctx, o.Project)
	if err != nil {
		return out, err
	}
	at := vault.Node{ID: o.ID}
	if part != nil {
		at.Parent, at.ParentTitle, at.Depth = part.ID, part.Title, part.Depth+1
		out.ParentID, out.ParentTitle = part.ID, part.Title
	}
	if at.Path, err = tx.NewPath(ctx, folderOf(part), filename.Slug(o.Title, o.ID.Suffix())); err != nil {
		return out, err
	}
	out.Path = at.Path
	text, err := o.newMemoryFile(tx.Agent(), refs)
	if err != nil {
		return out, err
	}
	if !o.AllowDuplicate {
		there, err := findStored(ctx, tx, text, func(vault.Node) bool { return true })
		if err != nil || there != nil {
			return duplicate(there, text), err
		}
	}
	tx.Create(at, text)
	tx.About(o.ID, o.Title)
	if part == nil {
		return out, nil
	}
	return out, Point(tx, part, o.ID, o.Title, o.Summary)
}

// folderOf returns the folder of what hangs below a memory; of nil that of the roots.
func folderOf(d *vault.Doc) vault.Path {
	if d == nil {
		return ""
	}
	return d.Folder()
}

// Point plans the pointer to a new child.
func Point(tx *vault.Tx, parent *vault.Doc, id vault.ID, title, summary string) error {
	entry := pointer.Entry{ID: string(id), Title: title, Summary: cmp.Or(summary, vault.Placeholder)}
	return tx.Edit(parent, vault.Step{Op: vault.OpAddPointer, Entry: &entry})
}

// newMemoryFile returns the new memory's file.
func (o Add) newMemoryFile(creator string, refs []vault.Reference) ([]byte, error) {
	m := &vault.Memory{ID: o.ID, References: append(refs, referencesTo(o.Relates)...), Prose: o.Text,
		Header: vault.Header{Title: o.Title, Type: o.Type, Labels: Labels(o.Labels), Summary: o.Summary, Created: o.Created, Creator: creator}}
	o.into(&m.Header)
	o.Into(&m.Header)
	return vault.Render(m)
}

// refersTo is the kind of the references that somebody gives; those to similar memories are ours.
const refersTo = "references"

// references resolves the ids a new memory refers to; unknown ones are warned
// about, since a slip of the pen is no reason to lose the text.
func references(ctx context.Context, tx *vault.Tx, refs []string, out *Added) (found []vault.Reference, err error) {
	for _, ref := range refs {
		p, err := tx.Open(ctx, ref)
		switch {
		case err == nil && p.ID.Provisional():
			return nil, vault.Errorf(vault.CodeInvalid, "run `cp memory sync`, which gives it one, and refer to it then",
				"%s (%s) has no id of its own yet", vault.Clip(ref, 80), p.Path)
		case err == nil:
			found = append(found, vault.Reference{Kind: refersTo, Target: string(p.ID)})
		case vault.CodeOf(err) == vault.CodeNotFound || vault.CodeOf(err) == vault.CodeAmbiguous:
			out.Warnings = append(out.Warnings, "Shard "+vault.Clip(ref, 80)+" not found. Memory created without edge.")
		default:
			return nil, err
		}
	}
	return found, nil
}

// referencesTo returns the references to memories that say nearly the same.
func referencesTo(ids []string) (all []vault.Reference) {
	for _, id := range ids {
		all = append(all, vault.Reference{Kind: "relates_to", Target: id})
	}
	return all
}

// waitsFor returns what a write that is saved waits for, without saying again
// that it is saved.
func waitsFor(err error) string {
	var e *vault.Error
	if errors.As(err, &e) && e.Err != nil {
		err = e.Err
	}
	return err.Error()
}

// reportOutcome turns the outcome of a creating write into what the caller is told. A
// busy repository is no failure: the write waits in the outbox.
func reportOutcome(out Added, r vault.Receipt, err error) (Added, error) {
	out.Warn(append(wordy(out.Summary), r.Notes...)...)
	why := WaitReason(r, err)
	switch {
	case why == "" && err != nil:
		return Added{}, err
	case r.Waits != nil:
		out.Path = ""
	}
	out.Queued, out.Why = why != "", why
	return out, nil
}

// WaitReason returns what a creating write waits for that is saved and not yet committed; empty
// if it waits for nothing.
func WaitReason(r vault.Receipt, err error) string {
	switch {
	case vault.CodeOf(err) == vault.CodeQueued: // the intent is durable and finishes by itself
		return waitsFor(err)
	case err == nil && r.Waits != nil:
		return r.Waits.Error()
	}
	return ""
}

// DrawID gives a new memory an id and a time of creation, unless the outbox did.
func DrawID(ctx context.Context, v *vault.Vault, id *vault.ID, created *time.Time) error {
	return assignID(ctx, v, nil, id, created)
}

// assignID gives a new memory that its check has passed an id and a time of creation,
// unless the outbox did.
func assignID(ctx context.Context, v *vault.Vault, check error, id *vault.ID, created *time.Time) error {
	if check == nil {
		*id, *created, check = Stamp(ctx, v.Reading(), *id, *created)
	}
	return check
}

// Stamp returns a new memory's id and time of creation: those it has, else new ones.
func Stamp(ctx context.Context, tx *vault.Tx, id vault.ID, created time.Time) (vault.ID, time.Time, error) {
	var err error
	if id == "" {
		id, err = tx.NewID(ctx)
	}
	if created.IsZero() {
		created = tx.Now().UTC().Truncate(time.Second)
	}
	return id, created, err
}

// Labels trims labels, splits them at commas, and drops repetitions and empty ones.
func Labels(in []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, group := range in {
		for label := range strings.SplitSeq(group, ",") {
			if label = strings.TrimSpace(label); label != "" && !seen[label] {
				seen[label] = true
				out = append(out, label)
			}
		}
	}
	return out
}

// titleOf makes a title of the first 200 characters of a text, on one line.
func titleOf(text string) string {
	line := strings.Join(strings.Fields(strings.TrimLeft(text, "# \t\r\n")), " ")
	if utf8.RuneCountInString(line) <= titleFromText {
		return line
	}
	return string([]rune(line)[:titleFromText]) + "..."
}
