package index

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/vault"
)

// errAfresh is why the mirror is in memory that another one is compared with.
var errAfresh = errors.New("it is for a comparison")

// doubtful are the kinds of problems by which a mirror knows more than the disk says now.
var doubtful = []string{vault.ProblemUnreadable, vault.ProblemEvicted, vault.ProblemEmpty}

// maxWords bounds the words of the full-text index by which a file is found that has others.
const maxWords = 1000

// ListAltered returns the files about which the mirror has other rows than one that is made afresh, in
// memory, from the files. .cp/index.db is told where nothing but rows that belong to no file
// differ. While a part of the vault cannot be read, only what each file says by itself is compared.
func (d *DB) ListAltered(ctx context.Context) ([]vault.Path, error) {
	d.mu.Lock()
	o, source := d.opt, d.source
	d.mu.Unlock()
	o.Apart, o.Usage, o.Live, o.Vectors, o.Building = errAfresh, nil, nil, nil, nil
	afresh := &DB{path: d.path, opt: o, source: source}
	defer afresh.Close()
	report, err := afresh.CatchUp(ctx, source, vault.Scope{})
	if err != nil {
		return nil, err
	}
	is, err := askSnapshot(ctx, d, contentsOf)
	if err != nil {
		return nil, err
	}
	want, err := askSnapshot(ctx, afresh, contentsOf)
	if err != nil {
		return nil, err
	}
	known := is.knows(want)
	found := is.differing(want, report.Complete && len(known) == 0)
	if words := is.differingWords(want); len(words) > 0 {
		err = addDiffering(ctx, d, afresh, words, found)
	}
	for _, p := range known {
		delete(found, p)
	}
	if len(found) > 1 {
		delete(found, query.IndexBeside) // it hangs on these
	}
	return paths(found), err
}

// contents sums up what a mirror holds.
type contents struct {
	files    map[string]query.Digest
	terms    map[query.IndexTerm]bool
	doubtful map[string]bool
}

func contentsOf(t *tx) (c contents, err error) {
	if c.files, err = query.DigestsOf(t.Tx); err != nil {
		return c, err
	}
	if c.terms, err = query.IndexTerms(t.Tx); err != nil {
		return c, err
	}
	c.doubtful, err = query.DoubtfulFacts(t.Tx, doubtful...)
	return c, err
}

// knows returns the files of which c knows more than the disk says now.
func (c contents) knows(o contents) (all []string) {
	for _, doubtful := range [...]map[string]bool{c.doubtful, o.doubtful} {
		for p := range doubtful {
			if c.files[p].Own != o.files[p].Own {
				all = append(all, p)
			}
		}
	}
	return all
}

// differing returns the names under which two mirrors hold different rows. Unless it is to compare
// the whole, it leaves out what follows from several files together.
func (c contents) differing(o contents, whole bool) map[string]bool {
	found := make(map[string]bool)
	for _, pair := range [...][2]map[string]query.Digest{{c.files, o.files}, {o.files, c.files}} {
		for name, is := range pair[0] {
			other := pair[1][name]
			if is.Own != other.Own || whole && is.With != other.With {
				found[name] = true
			}
		}
	}
	return found
}

// differingWords returns some of the words that the full-text indexes do not have alike.
func (c contents) differingWords(o contents) []string {
	found := make(map[string]bool)
	for _, pair := range [...][2]map[query.IndexTerm]bool{{c.terms, o.terms}, {o.terms, c.terms}} {
		for term := range pair[0] {
			if !pair[1][term] && len(found) < maxWords {
				found[term.Word] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// addDiffering adds the files that do not hold the words alike.
func addDiffering(ctx context.Context, d, o *DB, words []string, found map[string]bool) error {
	hold := func(t *tx) (map[string]query.Digest, error) { return query.DigestsHolding(t.Tx, words) }
	is, err := askSnapshot(ctx, d, hold)
	if err != nil {
		return err
	}
	want, err := askSnapshot(ctx, o, hold)
	for p := range (contents{files: is}).differing(contents{files: want}, true) {
		found[p] = true
	}
	return err
}

// paths returns the names in order.
func paths(found map[string]bool) (all []vault.Path) {
	for _, p := range slices.Sorted(maps.Keys(found)) {
		all = append(all, vault.Path(p))
	}
	return all
}
