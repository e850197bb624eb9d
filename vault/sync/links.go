package sync

import (
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
	"github.com/cp-memory/cp/vault/tree"
)

// links mends the links of files that a person has moved, and those to them. What
// such a person has typed is mended on the disk, as a pointer is.
func (r *reconciler) links() error {
	r.committedMoves()
	moves := r.moves()
	if len(moves) == 0 || !r.out.Report.Complete {
		return nil
	}
	concerned, leads, err := r.listConcerned()
	m := tree.NewMender(r.tx, moves, leads)
	m.Made = true
	for _, p := range concerned {
		if err != nil {
			return err
		}
		err = r.mend(m, p)
	}
	if n := len(r.out.Mended); n > 0 {
		r.notes = append(r.notes, "mended "+vault.Plural(n, "link", "links"))
	}
	return err
}

// committedMoves adds the files that are in a commit at their new places already, and whose
// folders follow now.
func (r *reconciler) committedMoves() {
	for _, f := range r.followed {
		if !slices.ContainsFunc(r.moved, func(move tree.FileMove) bool { return move.To == f.File }) {
			r.moved = append(r.moved, tree.FileMove{From: f.From + ".md", To: f.File})
		}
	}
}

// moves are those of a person's hand, and those of the folders that follow, each to where
// things will be after this sync.
func (r *reconciler) moves() []tree.FileMove {
	folders := tree.Mender{Moves: trees(r.followed)}
	all := slices.Clone(r.moved)
	for i, move := range all {
		all[i].To = folders.PlaceOf(move.To)
	}
	return append(all, folders.Moves...)
}

// trees are the moves of folders.
func trees(all []LeftFolder) (moves []tree.FileMove) {
	for _, f := range all {
		moves = append(moves, tree.FileMove{From: f.From, To: f.To, Tree: true})
	}
	return moves
}

// shifts are the moves, with what else came and went since HEAD: that can mean something, too.
func (r *reconciler) shifts() (all []vault.Shift) {
	folders := tree.Mender{Moves: trees(r.followed)}
	moved := make(map[vault.Path]bool)
	for _, m := range r.moved {
		moved[m.From], moved[m.To] = true, true
		all = append(all, vault.Shift{Row: m.To, Was: m.From, Is: folders.PlaceOf(m.To)})
	}
	for _, f := range r.followed {
		all = append(all, vault.Shift{Row: f.From, Was: f.From, Is: f.To, Tree: true})
	}
	for _, d := range r.drift {
		switch {
		case moved[d.Path]:
		case d.Hash == "":
			all = append(all, vault.Shift{Was: d.Path})
		case d.Head == "":
			all = append(all, vault.Shift{Row: d.Path, Is: folders.PlaceOf(d.Path)})
		}
	}
	return all
}

// listConcerned returns the files on disk whose links the moves may concern, and what names mean.
// Of a folder that parts from one in it these are all.
func (r *reconciler) listConcerned() ([]vault.Path, vault.Leads, error) {
	found, err := r.t.Linking(r.ctx, r.shifts())
	all := found.Files
	for _, move := range r.moved {
		all = append(all, move.To)
	}
	for _, p := range r.paths {
		f, ok := r.folderAlong(p)
		if ok && slices.ContainsFunc(r.followed, func(o LeftFolder) bool { return o != f && o.From.Within(f.From) }) {
			all = append(all, p)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), found.Leads, err
}

// mend plans other destinations for the links of the file that is at p now.
func (r *reconciler) mend(m *tree.Mender, p vault.Path) error {
	doc, err := r.readSettled(p)
	if err != nil || r.fileAt(p).refused {
		return nil // it is gone, or among the problems
	}
	from := p
	if i := slices.IndexFunc(r.moved, func(move tree.FileMove) bool { return move.To == p }); i >= 0 {
		from = r.moved[i].From
	}
	fresh, err := r.linksAsInHead(from, doc)
	if err != nil {
		return err
	}
	links, stuck, err := m.RelinkText(r.ctx, from, doc, fresh)
	if err != nil {
		return err
	}
	d := vault.Doc{Mem: vault.ParseText(p, doc)}
	if r.o.KeepLinks || !r.concerns(p) || d.Editable() != nil {
		links, stuck = nil, append(links, stuck...)
	}
	r.out.LinksMoved.Add(m.PlaceOf(from), links, stuck)
	if len(links) > 0 {
		r.edits.Add(p, vault.Step{Op: vault.OpRelink, Links: links})
	}
	return nil
}

// linksAsInHead reports whether a text has the destinations of HEAD's version of the file:
// a person or a program that moves a file may have mended them by now.
func (r *reconciler) linksAsInHead(from vault.Path, doc []byte) (bool, error) {
	was, held, err := r.tx.ReadCommitted(r.ctx, from)
	return held && slices.Equal(destinations(was), destinations(doc)), err
}

func destinations(doc []byte) (all []string) {
	_, body := header.Split(doc)
	for _, d := range prose.Destinations(string(body)) {
		all = append(all, d.Raw)
	}
	return all
}
