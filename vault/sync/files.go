package sync

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tree"
)

// structure takes over what a person did to the files themselves.
func (r *reconciler) structure() error {
	s := &structure{reconciler: r, byHash: make(map[string]vault.Path), byFold: make(map[string]vault.Path)}
	for _, step := range []func() error{s.sortDrift, s.departures, s.arrivals, s.withoutID, s.deletions} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// structure compares the files on disk with those in HEAD.
type structure struct {
	*reconciler
	gone    []vault.Drift // in HEAD only
	fresh   []vault.Drift // on disk only
	changed []vault.Drift // both, and different

	byHash map[string]vault.Path // fresh files without an id, by content
	byFold map[string]vault.Path // fresh files with an id, by that id in whatever case
	lost   []vault.Drift         // gone, and not moved
}

func (s *structure) sortDrift() error {
	for _, d := range s.drift {
		d.ID = s.claim(d)
		switch {
		case d.Hash == "":
			s.gone = append(s.gone, d)
			continue
		case d.Head == "":
			s.fresh = append(s.fresh, d)
		default:
			s.changed = append(s.changed, d)
		}
		if d.ID != "" && !(s.fileAt(d.Path).left && s.knownMemory(d.ID).place != "") {
			s.knownMemory(d.ID).place = d.Path
		} else if d.Head == "" {
			s.byHash[d.Hash] = d.Path
		}
		if d.ID != "" && d.Head == "" {
			s.byFold[d.ID.Fold()] = d.Path
		}
	}
	return nil
}

// claim returns the id that a file claims, or "".
func (s *structure) claim(d vault.Drift) vault.ID {
	if id := s.fileAt(d.Path).id; id != "" {
		return id
	}
	if d.ID.Provisional() {
		return ""
	}
	return d.ID
}

// departures finds where the files went that are not at HEAD's place any more.
func (s *structure) departures() error {
	for _, d := range s.gone {
		m, err := s.atHead(d.Path)
		if err != nil {
			return err
		}
		if m == nil {
			continue // HEAD moved on since the mirror looked
		}
		to, ok := s.whereabouts(d, m)
		switch {
		case !ok:
			s.lost = append(s.lost, d)
		case s.concerns(to):
			s.recordMove(d, to, m)
		}
	}
	return nil
}

// whereabouts returns where on disk HEAD's file d is now.
func (s *structure) whereabouts(d vault.Drift, m *vault.Memory) (vault.Path, bool) {
	to := s.knownMemory(m.ID).place
	switch {
	case m.ID == "":
		to = s.byHash[d.Head]
	case to == "" && s.knownMemory(m.ID).stands == "":
		to = s.byFold[m.ID.Fold()]
	}
	return to, to != "" && !s.fileAt(to).taken
}

// recordMove records that HEAD's file d is at to. Its text in HEAD moves along
// unchanged, unless names were swapped or one file was put over another.
func (s *structure) recordMove(d vault.Drift, to vault.Path, m *vault.Memory) {
	on := s.fileAt(to)
	on.taken = true
	s.moved = append(s.moved, tree.FileMove{From: d.Path, To: to})
	if s.inHead(to) {
		s.edits.Of(to).Whole = true
		s.edits.Of(d.Path).Remove = true
	} else {
		e := s.edits.Of(to)
		e.Path, e.To = d.Path, to
	}
	id := cmp.Or(m.ID, on.id)
	if is := s.claim(vault.Drift{Path: to, ID: on.ID}); m.ID != "" && is.Is(m.ID) && is != m.ID {
		id = is
		s.takeOverID(d, to, m.ID, is)
	}
	s.knownMemory(id).touched = true
	found := Discrepancy{Type: MovedFile, Child: id, ChildTitle: on.Title, Path: to, Detail: "was " + string(d.Path)}
	s.addDiscrepancy(found, "followed it here from %s", d.Path)
	s.recall(m)
	s.unlist(d.Path, id)
}

// takeOverID takes over the new case of a moved file's id, and nothing else of its text.
func (s *structure) takeOverID(d vault.Drift, to vault.Path, was, is vault.ID) {
	now, err := s.readSettled(to)
	before, held, err2 := s.tx.ReadCommitted(s.ctx, d.Path)
	if err != nil || err2 != nil || !held {
		return
	}
	s.edits.Add(to, idLines(before, now)...)
	s.fileAt(to).lost = []vault.ID{was}
	s.successions = append(s.successions, succession{from: was, to: is})
	s.addDiscrepancy(Discrepancy{Type: ChangedID, Child: is, ChildTitle: s.fileAt(to).Title, Path: to, Detail: "was " + string(was)}, "took over its new id %s", is)
}

// inHead reports whether HEAD has a file at p that differs from the disk's.
func (s *structure) inHead(p vault.Path) bool {
	_, ok := slices.BinarySearchFunc(s.changed, p, func(d vault.Drift, p vault.Path) int { return cmp.Compare(d.Path, p) })
	return ok
}

// recall remembers the phrases of a block in HEAD, for children that need one.
func (s *structure) recall(m *vault.Memory) {
	for _, e := range m.Pointers {
		s.remember(vault.ID(e.ID), e.Summary)
	}
}

// unlist takes the pointer from the old parent's version in HEAD, in case the
// person took it from the file by hand: on disk there is then nothing to see.
func (s *structure) unlist(old vault.Path, id vault.ID) {
	owner, ok, err := s.t.Owner(s.ctx, old.Dir())
	if err != nil || !ok || !owner.Dirty() || id == "" {
		return
	}
	m, err := s.atHead(owner.Path)
	if err != nil || m == nil {
		return
	}
	on := s.fileAt(owner.Path)
	if _, listed := m.Entry(id); on.isInMirror() && listed {
		on.departed = append(on.departed, id)
	}
}

// arrivals takes over files that are new on disk, and ids changed by hand.
func (s *structure) arrivals() error {
	for _, d := range s.fresh {
		if err := s.adopt(d.Path, d.ID, true); err != nil {
			return err
		}
	}
	for _, d := range s.changed {
		m, err := s.atHead(d.Path)
		if err != nil {
			return err
		}
		if m == nil || m.ID == d.ID || !s.concerns(d.Path) {
			continue
		}
		if err := s.changedID(d, m); err != nil {
			return err
		}
	}
	return nil
}

// changedID settles a file whose id on disk is another than HEAD's.
func (s *structure) changedID(d vault.Drift, m *vault.Memory) error {
	on, place := s.fileAt(d.Path), s.knownMemory(m.ID).place
	elsewhere := place != "" && place != d.Path // else the id has changed in case alone
	switch {
	case on.taken || s.edits.Of(d.Path).Adopt:
		return nil // settled as a move or a duplicate
	case d.ID == "" && m.ID != "" && !elsewhere:
		return s.restoreID(d, m)
	case s.o.NoAdopt && elsewhere:
		on.left = true // a new file in the place of one that moved
		return nil
	case d.ID == "":
		err := s.adopt(d.Path, "", elsewhere)
		s.edits.Of(d.Path).Whole = on.named // a new file in the place of one that moved
		return err
	case elsewhere:
		s.edits.Of(d.Path).Whole = true // two files changed names
		found := Discrepancy{Type: MovedFile, Child: d.ID, ChildTitle: on.Title, Path: d.Path, Detail: "was " + string(m.ID)}
		s.addDiscrepancy(found, "committed it as it is now, with the id %s", d.ID)
	default:
		is, err := s.readSettled(d.Path)
		if err != nil {
			return nil
		}
		was, _, err := s.tx.ReadCommitted(s.ctx, d.Path)
		if err != nil {
			return err
		}
		s.edits.Add(d.Path, idLines(was, is)...)
		if m.ID != "" {
			s.successions = append(s.successions, succession{from: m.ID, to: d.ID})
		}
		found := Discrepancy{Type: ChangedID, Child: d.ID, ChildTitle: on.Title, Path: d.Path, Detail: "was " + cmp.Or(string(m.ID), "without an id")}
		s.addDiscrepancy(found, "took over its new id %s", d.ID)
	}
	s.knownMemory(d.ID).touched = true
	return nil
}

// restoreID puts an id back whose line was taken out of the file. An emptied
// file is left alone: an editor may be at it.
func (s *structure) restoreID(d vault.Drift, m *vault.Memory) error {
	doc, err := s.readSettled(d.Path)
	if err != nil || len(bytes.TrimSpace(doc)) == 0 {
		s.knownMemory(m.ID).spared = true
		return nil
	}
	step := s.identify(d.Path, m.ID, "")
	is, err := step.Apply(doc)
	if err != nil {
		s.knownMemory(m.ID).spared = true
		return nil // damaged; it is among the problems
	}
	s.edits.Add(d.Path, step)
	s.fileAt(d.Path).id = m.ID
	s.addDiscrepancy(Discrepancy{Type: ChangedID, Child: m.ID, ChildTitle: s.fileAt(d.Path).Title, Path: d.Path, Detail: "without its id", Key: idKey(is)},
		"put its id %s back", m.ID)
	return nil
}

// idLines returns the steps that turn what one text says of its identity, line for line,
// into what another one says.
func idLines(from, to []byte) (steps []vault.Step) {
	was, is := idRows(from), idRows(to)
	for _, key := range [...]string{header.OwnID, header.OurID} {
		switch {
		case was[key] == is[key]:
		case was[key] == "":
			h, _ := header.Split(to)
			value, _ := h.Get(key)
			steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: key, Value: value})
		default:
			steps = append(steps, vault.Step{Op: vault.OpTakeOut, Name: vault.TakeFromHeader, List: []string{was[key]}, Value: is[key]})
		}
	}
	return steps
}

// idRows returns the lines of a header by their keys.
func idRows(doc []byte) map[string]string {
	h, _ := header.Split(doc)
	all, _ := h.Segments()
	rows := make(map[string]string, len(all))
	for _, s := range all {
		rows[s.Key] = s.Text
	}
	return rows
}

// idKey returns the key under which the id of a text stands, where its id: line is a
// person's and says something else; else "".
func idKey(doc []byte) string {
	if !bytes.Contains(doc, []byte(header.OurID+":")) {
		return ""
	}
	if h, _ := header.Split(doc); h.Line(header.OurID) == 0 || h.Line(header.OwnID) == 0 {
		return ""
	}
	return header.OurID
}

// withoutID gives ids to committed files that carry none.
func (s *structure) withoutID() error {
	for _, p := range s.paths {
		if s.idAfterPass(s.fileAt(p).node).Provisional() {
			if err := s.adopt(p, "", false); err != nil {
				return err
			}
		}
	}
	return nil
}

// adopt brings a file into the vault and adds only the id to it. Empty files, damaged ones
// and files that are no text are left as they are; they are among the problems. first says
// that no commit holds the file's text yet.
func (s *structure) adopt(p vault.Path, id vault.ID, first bool) error {
	e, on := s.edits[p], s.fileAt(p)
	if !s.concerns(p) || e != nil && (e.Adopt || on.taken && id != "") {
		return nil
	}
	doc, err := s.readSettled(p)
	if err != nil || len(bytes.TrimSpace(doc)) == 0 || noText(doc) {
		return nil
	}
	if id == "" {
		if id, err = s.newID(p, ""); err != nil {
			return err
		}
	}
	step := s.identify(p, id, "")
	is, err := step.Apply(doc)
	if err != nil {
		return nil
	}
	on.id, on.lost, on.named = id, alsoKnown(on.node, doc), true
	s.knownMemory(id).touched = true
	s.edits.Of(p).Adopt = true
	s.edits.Add(p, step)
	if !on.taken {
		d := Discrepancy{Type: NewFile, Parent: on.Parent, Child: id, ChildTitle: on.Title, Path: p, Key: idKey(is)}
		if first {
			d.Detail = FirstCommit
		}
		s.addDiscrepancy(d, "adopted it as %s", id)
	}
	return nil
}

// alsoKnown returns the ids that stood for a file without one of its own: the stand-in that
// was shown, and what its id: line says though it cannot serve.
func alsoKnown(n node, doc []byte) []vault.ID {
	known := []vault.ID{n.ID}
	h, _ := header.Split(doc)
	if own, ok := h.Get(header.OwnID); ok {
		known = append(known, vault.ID(own))
	}
	return known
}

// noText reports whether we must not write into the file's bytes. A header of ours would
// be rubble in UTF-16, and it would part a pointer of git-lfs from its object.
func noText(doc []byte) bool { return bytes.IndexByte(doc, 0) >= 0 || vault.IsLFSPointer(doc) }
