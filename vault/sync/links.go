package sync

import (
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/frontmatter"
	"github.com/cp-memory/cp/vault/prose"
	"github.com/cp-memory/cp/vault/relink"
)

// links mends the relative links of files that a person has moved, and those to them. What
// such a person has typed is mended on the disk, as a pointer is.
func (r *reconciler) links() error {
	m := relink.On(r.tx, r.moves())
	m.Made = true
	if len(m.Moves) == 0 || !r.out.Report.Complete {
		return nil
	}
	concerned, err := r.concerned(m.Moves)
	for _, p := range concerned {
		if err != nil {
			return err
		}
		err = r.mend(m, p)
	}
	if n := len(r.out.Mended); n > 0 {
		r.notes = append(r.notes, "mended "+vault.Plural(n, "relative link", "relative links"))
	}
	return err
}

// moves are those of a person's hand, and those of the folders that follow, each from
// where things were before this sync to where they will be after it.
func (r *reconciler) moves() (all []relink.Move) {
	folders := relink.Mender{Moves: append(slices.Clone(r.took), trees(r.followed)...)}
	for _, move := range slices.Concat(folders.Moves, r.moved) {
		move.From, move.To = r.before(move.From), folders.Place(move.To)
		all = append(all, move)
	}
	return all
}

// trees are the moves of folders.
func trees(all []LeftFolder) (moves []relink.Move) {
	for _, f := range all {
		moves = append(moves, relink.Move{From: f.From, To: f.To, Tree: true})
	}
	return moves
}

// before returns where what is at p was before the earlier passes took folders along.
func (r *reconciler) before(p vault.Path) vault.Path {
	for _, move := range slices.Backward(r.took) {
		if p.Within(move.To) {
			p = move.From + p[len(move.To):]
		}
	}
	return p
}

// concerned returns the files on disk whose links the moves may concern.
func (r *reconciler) concerned(moves []relink.Move) ([]vault.Path, error) {
	files, folders := relink.Split(moves)
	var along []vault.Path // by earlier passes
	for _, p := range r.paths {
		if was := r.before(p); was != p {
			files, along = append(files, was), append(along, p)
		}
	}
	all, err := r.t.Linking(r.ctx, files, folders)
	all = append(all, along...)
	for _, move := range r.moved {
		all = append(all, move.To)
	}
	slices.Sort(all)
	return slices.Compact(all), err
}

// mend plans other destinations for the links of the file that is at p now.
func (r *reconciler) mend(m *relink.Mender, p vault.Path) error {
	doc, err := r.read(p)
	if err != nil {
		return nil // it is gone, or among the problems
	}
	from := p
	if i := slices.IndexFunc(r.moved, func(move relink.Move) bool { return move.To == p }); i >= 0 {
		from = r.moved[i].From
	}
	fresh, err := r.linksAsInHead(from, doc)
	if err != nil {
		return err
	}
	from = r.before(from)
	links, stuck, err := m.Text(r.ctx, from, doc, fresh)
	if err != nil {
		return err
	}
	d := vault.Doc{Mem: vault.ParseText(p, doc)}
	if r.o.KeepLinks || !r.concerns(p) || d.Editable() != nil {
		links, stuck = nil, append(links, stuck...)
	}
	r.out.Outcome.Add(m.Place(from), links, stuck)
	if len(links) > 0 {
		r.edits.Add(p, vault.Step{Op: vault.OpRelink, Links: links})
	}
	return nil
}

// linksAsInHead reports whether a text has the destinations of HEAD's version of the file:
// a person or a program that moves a file may have mended them by now.
func (r *reconciler) linksAsInHead(from vault.Path, doc []byte) (bool, error) {
	was, held, err := r.tx.Committed(r.ctx, from)
	return held && slices.Equal(destinations(was), destinations(doc)), err
}

func destinations(doc []byte) (all []string) {
	_, body := frontmatter.Split(doc)
	for _, d := range prose.Destinations(string(body)) {
		all = append(all, d.Raw)
	}
	return all
}
