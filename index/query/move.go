package query

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// LinksMoved are files that move, as the tables know them.
type LinksMoved struct {
	names   *NamesShifted
	files   []vault.Path // that move, by where they are and where they were
	folders []vault.Path
}

// MoveLinks finds the files in folders that move, and the names of all.
func MoveLinks(t *sqlite.Tx, shifts []vault.Shift) (*LinksMoved, error) {
	m := new(LinksMoved)
	known, err := m.inFolders(t, shifts)
	if err != nil {
		return nil, err
	}
	var rowless []vault.Shift
	for _, s := range shifts {
		switch {
		case s.Tree:
		case s.Row == "":
			rowless = append(rowless, s)
		default:
			known[s.Row] = s
		}
	}
	for _, s := range known {
		if s.Moves() {
			m.files = append(m.files, s.Row, s.Was)
		}
	}
	all, err := identify(t, known)
	m.names = ShiftNames(append(all, rowless...))
	return m, err
}

// inFolders returns the files in the folders of shifts, by their rows. The innermost folder
// decides.
func (m *LinksMoved) inFolders(t *sqlite.Tx, shifts []vault.Shift) (map[vault.Path]vault.Shift, error) {
	known := make(map[vault.Path]vault.Shift)
	trees := slices.DeleteFunc(slices.Clone(shifts), func(s vault.Shift) bool { return !s.Tree })
	slices.SortFunc(trees, func(a, b vault.Shift) int { return len(a.Row) - len(b.Row) })
	for _, s := range trees {
		m.folders = append(m.folders, s.Row, s.Was)
		in, err := sqlite.All(t, `SELECT path FROM files WHERE path > ? AND path < ?`, []any{s.Row + "/", s.Row + "0"}, func(r *sqlite.Row) vault.Path { return vault.Path(r.Text()) })
		if err != nil {
			return nil, err
		}
		for _, p := range in {
			rest := p[len(s.Row):]
			known[p] = vault.Shift{Row: p, Was: s.Was + rest, Is: s.Is + rest}
		}
	}
	return known, nil
}

// identify fills in the ids and titles of the files that the tables have.
func identify(t *sqlite.Tx, known map[vault.Path]vault.Shift) (all []vault.Shift, err error) {
	rows := make([]vault.Path, 0, len(known))
	for p := range known {
		rows = append(rows, p)
	}
	err = t.Each(`SELECT f.path, coalesce(m.id, ''), m.title FROM files f JOIN memories m ON m.n = f.n WHERE f.path IN (SELECT value FROM json_each(?))`, []any{sqlite.List(rows)}, func(r *sqlite.Row) error {
		s := known[vault.Path(r.Text())]
		r.Scan(&s.ID, &s.Title)
		all = append(all, s)
		return nil
	})
	return all, err
}

// Linking returns the files on disk with links that the moves concern: by the path of what
// moves, in prose or under references:, by a name that means something else then; and those
// in the folders that may link out of their own folder.
func (m *LinksMoved) Linking(t *sqlite.Tx) ([]vault.Path, error) {
	keys, err := m.changedLinks(t)
	if err != nil {
		return nil, err
	}
	var references []int64
	for _, p := range m.files {
		keys = append(keys, HashName("/"+NormalName(string(p.Stem()))))
		references = append(references, ReferenceKeys(p, "", "")...)
	}
	query, args := `SELECT l.n FROM links l WHERE l.kind = 'link' AND l.key IN (SELECT value FROM json_each(?))
		UNION SELECT l.n FROM links l WHERE l.kind = 'references' AND l.key IN (SELECT value FROM json_each(?))`, []any{sqlite.List(keys), sqlite.List(references)}
	for _, dir := range m.folders {
		query += ` UNION SELECT f.n FROM files f JOIN memories m ON m.n = f.n WHERE f.path > ? AND f.path < ? AND m.upward`
		args = append(args, dir+"/", dir+"0")
	}
	return sqlite.All(t, `SELECT path FROM files WHERE disk AND n IN (`+query+`) ORDER BY path`, args, func(r *sqlite.Row) vault.Path { return vault.Path(r.Text()) })
}

// changedLinks returns the keys of links that do not mean afterwards what they meant.
func (m *LinksMoved) changedLinks(t *sqlite.Tx) (keys []int64, err error) {
	linked, err := sqlite.All(t, `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM links l WHERE l.key = value AND l.kind = 'link')`,
		[]any{sqlite.List(m.names.Keys())}, (*sqlite.Row).Int64)
	if err != nil {
		return nil, err
	}
	rows, err := offers(t, linked)
	for _, key := range linked {
		if !m.names.Lead(key, rows[key]).Holds() {
			keys = append(keys, key)
		}
	}
	return keys, err
}

// Leads tells what wikilinks by names mean before and after.
func (m *LinksMoved) Leads(t *sqlite.Tx, names []string) ([]vault.Lead, error) {
	keys := make([]int64, len(names))
	for i, name := range names {
		keys[i] = HashName(LinkName("", vault.Reference{Kind: "wikilink", Target: strings.TrimSpace(name)}))
	}
	rows, err := offers(t, keys)
	all := make([]vault.Lead, len(names))
	for i, key := range keys {
		all[i] = m.names.Lead(key, rows[key])
	}
	return all, err
}

// offers returns who offers the keys.
func offers(t *sqlite.Tx, keys []int64) (map[int64][]Offer, error) {
	of := make(map[int64][]Offer)
	err := t.Each(`SELECT k.key, f.path, k.rank FROM names k JOIN files f ON f.n = k.n WHERE k.key IN (SELECT value FROM json_each(?))`, []any{sqlite.List(keys)}, func(r *sqlite.Row) error {
		key := r.Int64()
		of[key] = append(of[key], Offer{Path: vault.Path(r.Text()), Rank: r.Int()})
		return nil
	})
	return of, err
}
