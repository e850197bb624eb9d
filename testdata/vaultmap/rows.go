package vaultmap

import (
	"maps"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// fill makes the rows of all files.
func (m *mirror) fill() {
	m.disk = m.w.seen()
	m.rows()
}

// rows makes the rows of the files as they were looked at.
func (m *mirror) rows() {
	m.generation++
	m.head = m.w.Head()
	m.texts, m.nodes, m.order = make(map[vault.Path]*vault.Memory), make(map[vault.Path]*vault.Node), nil
	ids := make(map[vault.ID]bool)
	for _, p := range slices.Sorted(maps.Keys(m.disk)) {
		if p.IsMarkdown() {
			m.order = append(m.order, p)
		}
	}
	for _, p := range slices.SortedStableFunc(slices.Values(m.order), func(a, b vault.Path) int { return m.age(a) - m.age(b) }) {
		m.nodes[p] = m.node(p, ids)
	}
	m.place()
	for _, p := range m.order {
		m.phrase(m.nodes[p])
	}
}

// node returns the row of a file by itself. Of two files with one id the one that was committed first has it.
func (m *mirror) node(p vault.Path, ids map[vault.ID]bool) *vault.Node {
	text := m.disk[p]
	t := vault.Parse(p, []byte(text))
	m.texts[p] = t
	n := &vault.Node{ID: t.ID, Path: p, Header: t.Header, Hash: blob(text), Content: t.ContentHash(), Size: int64(len(text)),
		Tokens: vault.Tokens(t.Prose), HasBlock: t.HasBlock}
	n.Aliases = nil // by which it is found, and no more
	if committed, ok := m.head[p]; ok {
		n.Head = blob(committed)
	}
	if n.ID == "" || ids[vault.ID(n.ID.Fold())] {
		n.ID = vault.ProvisionalID(p, func(id vault.ID) bool { return ids[id] })
	}
	ids[vault.ID(n.ID.Fold())] = true
	return n
}

// place finds each memory its parent by its position.
func (m *mirror) place() {
	seats, lost := make(tree.FolderNotes), make(tree.FolderNotes)
	for p, t := range m.texts {
		if t.IsMemory() {
			seats.Add(p)
		}
	}
	for p := range m.head {
		if _, there := m.disk[p]; !there && p.IsMarkdown() {
			lost.Add(p)
		}
	}
	for _, p := range m.order {
		n := m.nodes[p]
		n.Seat = p.FolderRank() > 0 && seats[p.Dir()] == p
		dir := p.Dir()
		if n.Seat {
			dir = dir.Dir()
		}
		n.In = dir
		for ; dir != "" && n.Parent == "" && !n.Orphan; dir = dir.Dir() {
			if up := m.nodes[seats[dir]]; up != nil && up != n {
				n.Parent = up.ID
				if dir == n.In {
					n.In = ""
				}
			} else if _, gone := lost[dir]; gone {
				n.Orphan, n.In = true, ""
			}
		}
	}
	for _, p := range m.order {
		for n, up := m.nodes[p], m.up(m.nodes[p]); up != nil; up = m.up(up) {
			if n.Depth++; n.Depth == 1 {
				n.ParentTitle = up.Title
				if n.Status != vault.StatusClosed && n.IsMemory() {
					up.Children++
				}
			}
		}
	}
}

// phrase takes the phrase of a child from its parent's block, and finds who has its place.
func (m *mirror) phrase(n *vault.Node) {
	if up := m.up(n); up != nil && n.Summary == "" {
		if i := m.position(up, n); i >= 0 {
			n.Summary = vault.Phrase(m.texts[up.Path].Pointers[i].Summary)
		}
	}
	if by := m.texts[n.Path].Refers("superseded_by"); len(by) > 0 {
		n.Superseded = vault.ID(by[0])
	}
	for p, t := range m.texts {
		if n.Superseded == "" && slices.Contains(t.Refers("supersedes"), string(n.ID)) {
			n.Superseded = m.nodes[p].ID
		}
	}
}

// position returns where the parent's block names the child; -1 where it does not.
func (m *mirror) position(up, n *vault.Node) int {
	entries := m.texts[up.Path].Pointers
	for i := range entries {
		if entries[i].ID == string(n.ID) {
			return i
		}
	}
	return -1
}

// byID returns the row of an id; nil where there is none.
func (m *mirror) byID(id vault.ID) *vault.Node {
	for _, n := range m.nodes {
		if n.ID.Fold() == id.Fold() {
			return n
		}
	}
	return nil
}

// age returns which commit brought the file, their number where none did.
func (m *mirror) age(p vault.Path) int {
	at := slices.IndexFunc(m.w.commits, func(c commit) bool { return c.files[p] != "" })
	if at < 0 {
		return len(m.w.commits)
	}
	return at
}

func (m *mirror) up(n *vault.Node) *vault.Node {
	if n.Parent == "" {
		return nil
	}
	return m.byID(n.Parent)
}
