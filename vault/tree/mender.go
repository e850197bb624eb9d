package tree

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
)

// FileMove says that a file goes to another place, or with Tree a folder and all in it.
type FileMove struct {
	From, To vault.Path
	Tree     bool
}

// ShiftsOf returns the moves as the index asks for them.
func ShiftsOf(moves []FileMove) (all []vault.Shift) {
	for _, m := range moves {
		all = append(all, vault.Shift{Was: m.From, Is: m.To, Tree: m.Tree})
	}
	return all
}

// Link is a link whose destination changes, or would have to.
type Link struct {
	Path vault.Path `json:"path"` // of the file, where it is afterwards
	From string     `json:"from"`
	To   string     `json:"to"`
}

// LinksMoved tells what moves do to links, in the moved texts and elsewhere.
type LinksMoved struct {
	Mended   []Link `json:"mended_links,omitempty"` // lead where they led, by another destination
	Unmended []Link `json:"left_links,omitempty"`   // would have to, and were left as they are
}

// Add takes in what becomes of the links of the file that is at p afterwards.
func (o *LinksMoved) Add(p vault.Path, mended, left []prose.Relink) {
	o.Mended = append(o.Mended, links(p, mended)...)
	o.Unmended = append(o.Unmended, links(p, left)...)
}

// links tells of the changes in one file, each once and as a person reads it.
func links(p vault.Path, all []prose.Relink) (links []Link) {
	for _, l := range all {
		one := Link{p, prose.WithoutBrackets(l.From), prose.WithoutBrackets(l.To)}
		if !slices.Contains(links, one) {
			links = append(links, one)
		}
	}
	return links
}

// Mender finds out how the links of a file lead where they led when files move.
type Mender struct {
	Moves []FileMove
	Made  bool // the disk shows the moves, but those of folders
	// Stands reports whether there is a file or folder at a path.
	Stands func(ctx context.Context, p vault.Path) (bool, error)
	Leads  vault.Leads // what wikilinks mean by names
	known  map[string]vault.Lead
}

// NewMender returns a Mender that asks a write what stands at a path.
func NewMender(tx *vault.Tx, moves []FileMove, leads vault.Leads) *Mender {
	return &Mender{Moves: moves, Leads: leads, Stands: func(ctx context.Context, p vault.Path) (bool, error) {
		there, err := tx.Look(ctx, p)
		return there.File, err
	}}
}

// RelinkText returns the changes of the links in a text of the file at from. A link that led
// nowhere stays as it is, and so does one to what moves along. stuck are those for which
// there is no way to write the new destination.
//
// After moves that a person has made, a link that leads somewhere now stays, but for those
// of a moved file whose links are still those of HEAD (fresh).
func (m *Mender) RelinkText(ctx context.Context, from vault.Path, text []byte, fresh bool) (links, stuck []prose.Relink, err error) {
	if links, stuck, err = m.references(ctx, text); err != nil {
		return nil, nil, err
	}
	t := linkMoving{from: string(from.Dir()), to: dirOf(m.placeAfterMoves(string(from))), fresh: fresh, spare: m.Made && (!fresh || m.placeAfterMoves(string(from)) == string(from))}
	raws, writable := destinations(from, text)
	if err := m.learn(ctx, raws); err != nil {
		return nil, nil, err
	}
	for _, raw := range raws {
		to, shown, err := m.destination(ctx, t, raw)
		switch {
		case err != nil:
			return nil, nil, err
		case to != "" && writable:
			links = append(links, prose.Relink{From: raw, To: to})
		case shown != "":
			stuck = append(stuck, prose.Relink{From: raw, To: shown})
		}
	}
	return links, stuck, nil
}

// destinations returns where the links of a text lead, as they stand there. Of a text with a
// damaged block, or one that is slow to parse, it tells what the index knows, and that nobody
// can write it.
func destinations(p vault.Path, text []byte) (raws []string, writable bool) {
	_, body := header.Split(text)
	for _, d := range prose.Destinations(string(body)) {
		raws = append(raws, d.Raw)
	}
	if raws != nil {
		return raws, true
	}
	for _, l := range prose.Links(vault.ParseText(p, text).Prose) {
		if l.Kind == "wikilink" {
			l.Target = "[[" + l.Target
		}
		raws = append(raws, l.Target)
	}
	return raws, false
}

// linkMoving is a text that goes from one folder to another.
type linkMoving struct {
	from, to string
	fresh    bool // its links are those of HEAD
	spare    bool // leave a path that leads somewhere now
}

// destination returns how a link is to be written then; both are empty if it stays. Where
// there is no way to write it, only shown says where it would have to lead.
func (m *Mender) destination(ctx context.Context, t linkMoving, raw string) (to, shown string, err error) {
	if name, ok := prose.WikilinkName(raw); ok {
		return m.call(ctx, t, raw, name)
	}
	if target, wiki, ok := prose.Absolute(raw); ok {
		shown, err = m.mendTarget(ctx, link{target: target, wiki: wiki, spare: m.Made})
		if shown != "" {
			shown = "/" + shown
		}
	} else if target, wiki, ok := prose.Relative(raw); ok {
		shown, err = m.mendTarget(ctx, link{t.from, t.to, target, wiki, t.spare})
	}
	if shown == "" || err != nil {
		return "", "", err
	}
	to, _ = prose.Lead(raw, shown)
	return to, shown, nil
}

// references returns the changes of the paths that stand under references: in a header.
func (m *Mender) references(ctx context.Context, text []byte) (links, stuck []prose.Relink, err error) {
	const key = "references"
	h, _ := header.Split(text)
	for _, raw := range h.List(key) {
		next, err := m.reference(ctx, raw)
		if err != nil {
			return nil, nil, err
		}
		if next == "" {
			continue
		}
		l := prose.Relink{From: raw, To: next, Key: key}
		if _, err := header.Rename(text, key, map[string]string{raw: next}); err != nil {
			stuck = append(stuck, l)
		} else {
			links = append(links, l)
		}
	}
	return links, stuck, nil
}

// reference returns how the file that raw names by its path in the vault is called then;
// empty if it stays, or raw is no path.
func (m *Mender) reference(ctx context.Context, raw string) (string, error) {
	target := strings.TrimPrefix(raw, "./")
	p, err := vault.ParsePath(target)
	if err != nil || string(p) != target || !m.moves(target) && !m.moves(target+".md") {
		return "", nil
	}
	if !p.IsMarkdown() && p.Dir() == "" {
		return m.mendBare(ctx, raw, target)
	}
	next, err := m.mendTarget(ctx, link{target: target, wiki: true, spare: m.Made})
	if next == "" || err != nil {
		return "", err
	}
	if !p.IsMarkdown() {
		next = strings.TrimSuffix(next, ".md")
	}
	return raw[:len(raw)-len(target)] + next, nil
}

// moves reports whether what is at p moves, in that case of its name.
func (m *Mender) moves(p string) bool {
	return slices.ContainsFunc(m.Moves, func(move FileMove) bool {
		rest, in := cutFolder(p, string(move.From), exact)
		return in && (rest == "" || move.Tree)
	})
}

// link is a link of a file that goes from one folder to another.
type link struct {
	from, to string
	target   string
	wiki     bool
	spare    bool // leave it if it leads somewhere now
}

// mendTarget returns the target that leads where the link led; empty if the present one does, or
// led nowhere.
func (m *Mender) mendTarget(ctx context.Context, l link) (string, error) {
	for _, more := range l.endings() {
		was, now := path.Join(l.from, l.target+more), path.Join(l.to, l.target+more)
		goes := m.placeAfterMoves(was)
		if goes == now {
			return "", nil
		}
		if l.spare && !m.isLeaving(now) {
			if stands, err := m.isInVault(ctx, now); stands || err != nil {
				return "", err
			}
		}
		stood := goes != was
		if !stood {
			var err error
			if stood, err = m.isInVault(ctx, was); err != nil {
				return "", err
			}
		}
		if stood {
			return relative(l.to, goes), nil
		}
	}
	return "", nil
}

// endings are what may stand behind a target to make it a file's name.
func (l link) endings() []string {
	if l.wiki && !vault.Path(l.target).IsMarkdown() {
		return []string{".md", ""}
	}
	return []string{""}
}

// isInVault asks what the vault knows. Of what lies outside it nobody looks.
func (m *Mender) isInVault(ctx context.Context, p string) (bool, error) {
	if outside(p) || p == "." {
		return true, nil
	}
	in, err := vault.ParsePath(p)
	if err != nil {
		return false, nil
	}
	return m.Stands(ctx, in)
}

// PlaceOf returns where the file at p goes.
func (m *Mender) PlaceOf(p vault.Path) vault.Path { return vault.Path(m.placeAfterMoves(string(p))) }

// placeAfterMoves returns where what is at p goes: the innermost move that concerns it decides.
func (m *Mender) placeAfterMoves(p string) string {
	best, at := -1, p
	for _, fold := range [...]func(string) string{exact, filename.Fold} {
		for _, move := range m.Moves {
			rest, ok := cutFolder(p, string(move.From), fold)
			if !ok || rest != "" && !move.Tree || len(move.From) <= best {
				continue
			}
			best, at = len(move.From), path.Join(string(move.To), rest)
		}
		if best >= 0 {
			break
		}
	}
	return at
}

// isLeaving reports whether what is at p will go with a folder.
func (m *Mender) isLeaving(p string) bool {
	return slices.ContainsFunc(m.Moves, func(move FileMove) bool {
		_, in := cutFolder(p, string(move.From), exact)
		return in && move.Tree
	})
}

func exact(name string) string { return name }

// cutFolder returns what of p is below dir, name by name as fold has it.
func cutFolder(p, dir string, fold func(string) string) (rest string, ok bool) {
	names, in := strings.Split(p, "/"), strings.Split(dir, "/")
	if len(names) < len(in) {
		return "", false
	}
	for i, name := range in {
		if fold(names[i]) != fold(name) {
			return "", false
		}
	}
	return strings.Join(names[len(in):], "/"), true
}

func outside(p string) bool { return p == ".." || strings.HasPrefix(p, "../") }

func dirOf(p string) string { return string(vault.Path(p).Dir()) }

// relative returns how the path to is called in the folder dir. Both begin at the vault's
// root; to may be outside of it.
func relative(dir, to string) string {
	at := strings.FieldsFunc(dir, func(r rune) bool { return r == '/' })
	names := strings.Split(to, "/")
	for len(at) > 0 && len(names) > 1 && at[0] == names[0] {
		at, names = at[1:], names[1:]
	}
	return strings.Repeat("../", len(at)) + strings.Join(names, "/")
}
