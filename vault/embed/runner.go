package embed

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// runner is a run under way.
type runner struct {
	Ports
	space    Space
	done     *Done
	progress func(done, total int)
	seen     int // files looked at
	total    int
	batch    int // passages that go to the model at once
	dry      bool
}

// file is a file with its passages.
type file struct {
	Holder
	passages []recall.TextPassage
	cut      bool
}

// fate is what became of passages, by their hashes.
type fate struct {
	held map[string]bool  // they have a vector
	cut  map[string]bool  // that of their beginning alone
	bad  map[string]error // why the model does not take them
}

// embedFiles embeds some files.
func (r *runner) embedFiles(ctx context.Context, holders []Holder) error {
	all := r.cutFiles(holders)
	of := fate{cut: make(map[string]bool), bad: make(map[string]error)}
	lacking, err := r.lacking(ctx, all, &of)
	if err != nil {
		return err
	}
	if r.dry {
		r.done.Passages += len(lacking)
		return nil
	}
	for batch := range slices.Chunk(lacking, r.batch) {
		if err := r.embed(ctx, batch, &of); err != nil {
			return err
		}
	}
	if err := r.notePassages(ctx, all, &of); err != nil {
		return err
	}
	r.seen += len(holders)
	r.tellProgress()
	return r.hopeless(&of)
}

// cutFiles reads files and cuts them.
func (r *runner) cutFiles(holders []Holder) []*file {
	all := make([]*file, 0, len(holders))
	for _, h := range holders {
		b, _, err := r.Files.Read(h.Path)
		if err != nil {
			r.noteFailure(h, err)
			continue
		}
		m := vault.Parse(h.Path, b)
		h.Content = m.ContentHash() // of what was read: it may have been saved meanwhile
		passages, whole := recall.PassagesOf(m)
		all = append(all, &file{Holder: h, passages: passages, cut: !whole})
	}
	return all
}

// lacking returns the passages without a vector, each once, and notes those that have one.
func (r *runner) lacking(ctx context.Context, files []*file, of *fate) (all []recall.TextPassage, err error) {
	var hashes []string
	for _, f := range files {
		for i := range f.passages {
			hashes = append(hashes, f.passages[i].Hash)
		}
	}
	if of.held, err = r.Vectors.ListHeld(ctx, r.space, hashes); err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for _, f := range files {
		for _, p := range f.passages {
			if !of.held[p.Hash] && !seen[p.Hash] {
				seen[p.Hash] = true
				all = append(all, p)
			}
		}
	}
	return all, nil
}

// notePassages notes the passages of the files, but for those of which one got no vector.
func (r *runner) notePassages(ctx context.Context, files []*file, of *fate) error {
	var all []Text
	for _, f := range files {
		t, known, bad := f.textToNote(of)
		switch {
		case bad != nil:
			r.noteFailure(f.Holder, bad)
		case !known: // the model knows no word of it
			r.done.Skipped++
			r.done.Missing--
		default:
			all = append(all, t)
			if f.cut {
				r.done.Cut++
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	if err := r.Vectors.Put(ctx, r.space, nil, all); err != nil {
		return err
	}
	r.done.Embedded += len(all)
	r.done.Missing -= len(all)
	return nil
}

// textToNote returns what there is to note of a file. known is false if none of its passages has a
// vector; bad is why the model did not take one.
func (f *file) textToNote(of *fate) (t Text, known bool, bad error) {
	t = Text{Content: f.Content, Passages: make([]string, len(f.passages))}
	for i, p := range f.passages {
		if of.held[p.Hash] {
			t.Passages[i], known = p.Hash, true
		}
		f.cut = f.cut || of.cut[p.Hash]
		bad = cmp.Or(bad, of.bad[p.Hash])
	}
	return t, known, bad
}

// tellProgress reports the progress of the run.
func (r *runner) tellProgress() {
	if r.progress != nil && r.total > 0 {
		r.progress(r.seen, r.total)
	}
}

// hopelessFrom is how many files in a row at the start a model does not take before it is
// taken to take none.
const hopelessFrom = 3

// hopeless is the error of a model that takes no text at all: the settings are wrong, not the
// texts.
func (r *runner) hopeless(of *fate) error {
	if r.done.Passages > 0 || r.done.Failed < hopelessFrom {
		return nil
	}
	for _, err := range of.bad {
		return err
	}
	return nil
}

func (r *runner) noteFailure(h Holder, err error) {
	r.done.Failed++
	if len(r.done.Failures) < mostFailures {
		r.done.Failures = append(r.done.Failures, Failure{ID: h.ID, Path: h.Path, Message: err.Error()})
	}
}
