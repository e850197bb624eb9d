package sync

import (
	"cmp"
	"slices"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
)

// An empty or much smaller work tree is an alarm, not an order: a sync that
// would delete more than goneMany memories and more than one in goneShare of
// them stops short of it. letta-code 2153 and 2203, joplin 883 and others lost
// whole collections that way.
const (
	goneMany  = 10
	goneShare = 5
)

// deletions takes over what a person deleted: the files go from HEAD, and what
// lived below them moves up to the nearest memory that is left.
func (s *structure) deletions() error {
	var lost []vault.Drift
	for _, d := range s.lost {
		ok, err := s.mayGo(d)
		if err != nil {
			return err
		}
		if ok {
			lost = append(lost, d)
		}
	}
	if s.alarm(lost) {
		return s.spareLost(lost)
	}
	for _, d := range lost {
		if err := s.delete(d); err != nil {
			return err
		}
	}
	return s.orphans()
}

// mayGo reports whether the pass may take the file for deleted.
func (s *structure) mayGo(d vault.Drift) (bool, error) {
	m, err := s.atHead(d.Path)
	if err != nil || m == nil {
		return false, err
	}
	if _, err := s.tx.Read(d.Path); vault.CodeOf(err) != vault.CodeNotFound || !s.out.Report.Complete {
		s.knownMemory(m.ID).spared = true
		return false, nil
	}
	return s.only == nil || s.listedIn(s.only.Path, m.ID), nil
}

// listedIn reports whether the block of the parent at p names id.
func (s *structure) listedIn(p vault.Path, id vault.ID) bool {
	for _, f := range s.families {
		if f.Parent.Path == p {
			return id != "" && slices.ContainsFunc(f.Entries, func(e pointer.Entry) bool { return e.PointsTo(string(id)) })
		}
	}
	return false
}

// alarm reports whether too much would go at once.
func (s *structure) alarm(lost []vault.Drift) bool {
	n := len(lost)
	if s.o.Force || n <= goneMany || n*goneShare <= n+len(s.paths) {
		return false
	}
	s.warn("%d of %d memories are gone from the disk; none was taken for deleted. `git checkout-index -q -a` in the vault brings them back and writes over nothing; `cp memory sync --force` deletes them",
		n, n+len(s.paths))
	return true
}

// spareLost keeps what is lost from being deleted.
func (s *structure) spareLost(lost []vault.Drift) error {
	for _, d := range lost {
		m, err := s.atHead(d.Path)
		if err != nil {
			return err
		}
		s.knownMemory(m.ID).spared = true
		s.addDiscrepancy(Discrepancy{Type: DeletedFile, Child: m.ID, ChildTitle: m.Title, Path: d.Path, Detail: "not deleted: too many are gone at once"}, "")
	}
	return nil
}

func (s *structure) delete(d vault.Drift) error {
	m, err := s.atHead(d.Path)
	if err != nil {
		return err
	}
	s.edits.Of(d.Path).Remove = true
	s.recall(m)
	if m.ID != "" {
		s.deleted = append(s.deleted, m.ID)
	}
	s.unlist(d.Path, m.ID)
	s.addDiscrepancy(Discrepancy{Type: DeletedFile, Child: m.ID, ChildTitle: m.Title, Path: d.Path},
		"recorded that it was deleted; `cp memory restore %s` brings it back", cmp.Or(string(m.ID), d.Path.QuoteForShell()))
	return nil
}

// orphans attaches the memories that lived below a file that is gone now. They are in the
// right folder already and need only the pointer.
func (s *structure) orphans() error {
	for _, p := range s.paths {
		n := s.fileAt(p).node
		if _, hidden := s.leftOut.Above(p); !n.Orphan || hidden {
			continue
		}
		up, ok := s.seats.Above(p)
		d := Discrepancy{Type: OrphanedMemory, Child: s.idAfterPass(n), ChildTitle: n.Title, Path: p, Detail: "its parent's file is gone"}
		switch {
		case !ok && s.only == nil:
			s.addDiscrepancy(d, "it is a root memory now")
		case ok && (s.only == nil || s.only.Path == up):
			parent := s.fileAt(up)
			d.Parent, d.ParentTitle = s.idAfterPass(parent.node), parent.Title
			s.addDiscrepancy(d, "attached %s %q", s.idAfterPass(n), n.Title)
			parent.arrived = append(parent.arrived, n)
		}
	}
	return nil
}
