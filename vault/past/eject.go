package past

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// Ejected is the outcome of Eject. Files counts what changes; the other numbers say of how many of
// those each part goes.
type Ejected struct {
	Files   int         `json:"files"`
	IDs     int         `json:"ids"`
	Keys    int         `json:"keys"`    // other keys that the program writes for itself
	Headers int         `json:"headers"` // front matter that held nothing else
	Blocks  int         `json:"blocks"`  // of pointers
	Changed []EjectRow  `json:"changed"`
	Left    []EjectLeft `json:"left"`  // what stays as it is though it has something of the program's
	Named   []NamedRow  `json:"named"` // files whose own words name a memory by an id that goes
	Marked  bool        `json:"marked"`
	Commit  string      `json:"commit,omitempty"` // empty in a dry run, and where nothing is to be done
	vault.Warned
}

// EjectRow is a file, and what goes out of it.
type EjectRow struct {
	Path  vault.Path `json:"path"`
	Parts []string   `json:"parts"` // keys, "front matter" and "pointers"
}

// EjectLeft is a file that stays as it is.
type EjectLeft struct {
	Path vault.Path `json:"path"`
	Why  string     `json:"why"`
}

// NamedRow is a file with the ids that it names.
type NamedRow struct {
	Path vault.Path `json:"path"`
	IDs  []vault.ID `json:"ids"`
}

// Eject takes what the program wrote for itself out of the files of a vault, by one commit: ids
// that it drew, its own keys (see [header.Field]), front matter in which nothing else stands, and
// pointer blocks. All other bytes stay, a person's uncommitted ones, too. The vault's marker then
// says so, and sync leaves the files alone. With dry it only tells what would be done.
//
// A file that is in no commit stays as it is, and so does one of which the front matter or the
// block cannot be read. An id that has not the vault's prefix counts as a person's.
func (h *History) Eject(ctx context.Context, dry bool) (Ejected, error) {
	out, receipt, err := vault.Do(ctx, h.Vault, eject{}, vault.Options{DryRun: dry})
	out.Commit = receipt.Commit
	out.Warn(receipt.Notes...)
	return out, err
}

// eject is Eject as a verb.
type eject struct{}

// Name is the verb's.
func (eject) Name() string { return "eject" }

// Plan finds what is the program's in each file.
func (eject) Plan(ctx context.Context, tx *vault.Tx) (Ejected, error) {
	r := &ejection{tx: tx, versions: make(map[vault.Path]vault.Drift)}
	r.out = Ejected{Changed: []EjectRow{}, Left: []EjectLeft{}, Named: []NamedRow{}}
	if err := r.catchUp(ctx); err != nil {
		return r.out, err
	}
	files, _, err := tx.Tree().List(ctx, vault.ListOptions{Types: []string{"*"}, Status: []string{"*"}, Limit: math.MaxInt32})
	if err != nil {
		return r.out, err
	}
	slices.SortFunc(files, func(a, b vault.Node) int { return cmp.Compare(a.Path, b.Path) })
	for _, n := range files {
		if n.ReadOnly() {
			continue
		}
		if err := r.ejectFrom(ctx, n.Path); err != nil {
			return r.out, err
		}
	}
	r.findNamed()
	if len(r.edits) == 0 {
		return r.out, nil
	}
	err = r.mark(ctx)
	tx.Take(&vault.Change{Title: vault.Plural(r.out.Files, "file", "files"), Edits: r.edits, AllowSecret: true})
	return r.out, err
}

// ejection is one run of Eject.
type ejection struct {
	tx       *vault.Tx
	out      Ejected
	versions map[vault.Path]vault.Drift // of the files that say something else in HEAD
	gone     map[vault.ID]bool          // the ids that go
	texts    []ejectText                // as they will be, in path order
	edits    []vault.Edit
}

// ejectText is what a file will say.
type ejectText struct {
	path vault.Path
	text []byte
}

// catchUp finds out what is on disk and what of that is in no commit.
func (r *ejection) catchUp(ctx context.Context) error {
	if _, err := r.tx.CatchUp(ctx, vault.Scope{Each: true}); err != nil {
		return err
	}
	drift, err := r.tx.Tree().Drift(ctx)
	for _, d := range drift {
		r.versions[d.Path] = d
	}
	r.gone = make(map[vault.ID]bool)
	return err
}

// ejectFrom plans what goes out of one file.
func (r *ejection) ejectFrom(ctx context.Context, p vault.Path) error {
	text, err := r.tx.Read(p)
	if err != nil {
		return ignoreNotFound(err)
	}
	docs := [][]byte{text}
	d, differs := r.versions[p]
	if differs && d.Head != "" {
		committed, _, err := r.tx.ReadCommitted(ctx, p)
		if err != nil {
			return err
		}
		docs = append(docs, committed)
	}
	found, why := findOurs(r.tx.Prefix(), docs...)
	if why == "" && differs && d.Head == "" && len(found.steps) > 0 {
		why = "it is in no commit"
	}
	r.texts = append(r.texts, ejectText{p, text})
	switch {
	case why != "":
		r.out.Left = append(r.out.Left, EjectLeft{p, why})
	case len(found.steps) > 0:
		r.texts[len(r.texts)-1].text = found.docs[0]
		r.countParts(p, found)
		r.edits = append(r.edits, vault.Edit{Path: p, Steps: found.steps})
	}
	return nil
}

// countParts adds a file to the numbers.
func (r *ejection) countParts(p vault.Path, found ours) {
	r.out.Files++
	r.out.Changed = append(r.out.Changed, EjectRow{p, found.parts})
	if found.id != "" {
		r.gone[found.id] = true
	}
	for _, part := range found.parts {
		switch part {
		case partHeader:
			r.out.Headers++
		case partBlock:
			r.out.Blocks++
		case header.OwnID, header.OurID:
			r.out.IDs++
		default:
			r.out.Keys++
		}
	}
}
