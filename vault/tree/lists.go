package tree

import (
	"context"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/tier"
)

// ListRow is a memory in a list.
type ListRow struct {
	ID         vault.ID   `json:"id"`
	Title      string     `json:"title"`
	Type       string     `json:"type"`
	Status     string     `json:"status"`
	Labels     []string   `json:"labels"`
	Summary    string     `json:"summary"`
	Phraseless bool       `json:"placeholder,omitempty"` // nothing says when one needs it; a placeholder stands in the parent's block
	Path       vault.Path `json:"path"`
	Folder     vault.Path `json:"folder,omitempty"` // in which it lies, if that has no memory of its own
	ParentID   *vault.ID  `json:"parent_id"`
	Created    time.Time  `json:"created_at,omitzero"`
	Creator    string     `json:"creator,omitempty"`
	Record
	Facts *fact.Told `json:"facts,omitempty"` // what it speaks of; a face asks for it

	Deferred   time.Time `json:"deferred_until,omitzero"` // out of the lists until then
	Superseded vault.ID  `json:"superseded_by,omitempty"` // the memory that has taken its place
	New        bool      `json:"provisional,omitempty"`   // the id is a stand-in: the file carries none yet
	ReadOnly   bool      `json:"read_only,omitempty"`     // a note of another kind than *.md, into which cp never writes
	Protected  string    `json:"protected,omitempty"`     // true: no agent changes it; append: agents only add to it
	tier.Standing
	vault.Mark
	family.Origin
	Score   float64 `json:"score,omitempty"`   // of a search
	Snippet string  `json:"snippet,omitempty"` // of a search: the best passage
}

// Page is a page of a list.
type Page struct {
	Rows  []ListRow
	Total int // on all pages
}

// HotRow is a promotion candidate.
type HotRow struct {
	ID                vault.ID   `json:"id"`
	Title             string     `json:"title"`
	Path              vault.Path `json:"path"`
	Folder            vault.Path `json:"folder,omitempty"` // as in ListRow
	Depth             int        `json:"depth"`
	AccessCount       int        `json:"access_count"`
	ParentID          vault.ID   `json:"parent_id"`
	ParentTitle       string     `json:"parent_title"`
	ParentAccessCount int        `json:"parent_access_count"`
	family.Origin
	vault.Mark
}

// snippetWidth bounds the characters of a search's passage.
const snippetWidth = 160

// List returns a page of memories, the newest first.
func List(ctx context.Context, v *vault.Vault, o vault.ListOptions) (Page, error) {
	var page Page
	o.Now = v.Now()
	err := v.View(ctx, scopeOf(&o), func(t vault.Tree) error {
		nodes, total, err := t.List(ctx, o)
		if err != nil {
			return err
		}
		page.Total = total
		page.Rows = make([]ListRow, 0, len(nodes))
		for i := range nodes {
			page.Rows = append(page.Rows, makeListRow(&nodes[i]))
		}
		return finishRows(ctx, v, t, page.Rows)
	})
	return page, err
}

// RowsAt returns the memories in files, in any order, with the ids of what the files hold.
func RowsAt(ctx context.Context, v *vault.Vault, files []vault.Path) (rows []ListRow, hashes []string, err error) {
	nodes, err := v.Mirror.Nodes(ctx, files)
	if err != nil {
		return nil, nil, err
	}
	for i := range nodes {
		rows, hashes = append(rows, makeListRow(&nodes[i])), append(hashes, nodes[i].Hash)
	}
	return rows, hashes, finishRows(ctx, v, v.Mirror.Tree, rows)
}

// scopeOf returns how far a list looks for changes by hand: no further where that was done to choose the
// commits, which costs a scan of the vault.
func scopeOf(o *vault.ListOptions) vault.Scope { return vault.Scope{None: o.Commits != nil} }

// SearchMemories returns a page of memories that hold any of the query's words, the best
// first, each with its best passage. Only the winners' files are read.
func SearchMemories(ctx context.Context, v *vault.Vault, query string, o vault.ListOptions) (Page, error) {
	var page Page
	o.Now = v.Now()
	err := v.View(ctx, scopeOf(&o), func(t vault.Tree) error {
		hits, total, err := t.Search(ctx, query, o)
		if err != nil {
			return err
		}
		page.Total = total
		page.Rows, err = RowsOfHits(ctx, v, t, hits)
		return err
	})
	return page, err
}

// RowsOfHits returns the rows of hits of a search, each with its best passage.
func RowsOfHits(ctx context.Context, v *vault.Vault, t vault.Tree, hits []vault.Hit) ([]ListRow, error) {
	rows := make([]ListRow, 0, len(hits))
	for i := range hits {
		r := makeListRow(&hits[i].Node)
		r.Score, r.Snippet = hits[i].Score, passage(v, &hits[i])
		rows = append(rows, r)
	}
	return rows, finishRows(ctx, v, t, rows)
}

// passage reads a winner's file and picks the lines that show best why it won.
// A file that is gone by now simply has none.
func passage(v *vault.Vault, h *vault.Hit) string {
	doc, _, err := v.Store.Read(h.Path)
	if err != nil {
		return ""
	}
	m := vault.Parse(h.Path, doc)
	if link := linkedAs(m, h); link != "" {
		return link
	}
	return Snippet(m.Prose, h.Terms, snippetWidth)
}

// LinkedAs stands before the text of a link by which alone a memory was found.
const LinkedAs = "linked as: "

// linkedAs returns the text of the link that has most of a search's terms, where the memory
// itself has none.
func linkedAs(m *vault.Memory, h *vault.Hit) string {
	own := []string{m.Title, m.Summary, m.Keywords, string(m.Path), m.Prose}
	if len(h.Called) == 0 || lineScore(strings.Join(append(own, m.Labels...), "\n"), h.Terms) > 0 {
		return ""
	}
	best, most := "", 0
	for _, text := range h.Called {
		if n := lineScore(text, h.Terms); n > most {
			best, most = LinkedAs+text, n
		}
	}
	return best
}

// Hot returns promotion candidates: memories read more often than their parent,
// at least minDepth deep, the most read first.
func Hot(ctx context.Context, v *vault.Vault, minDepth, limit int) ([]HotRow, error) {
	rows := []HotRow{}
	err := v.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		nodes, err := t.Hot(ctx, minDepth, limit)
		if err != nil {
			return err
		}
		marks, err := v.Marks(ctx, t)
		for _, n := range nodes {
			parent := n.Parent
			rows = append(rows, HotRow{ID: n.ID, Title: n.Title, Path: n.Path, Folder: n.In, Depth: n.Depth, AccessCount: n.Reads.Count,
				ParentID: parent, ParentTitle: n.ParentTitle, ParentAccessCount: n.ParentReads, Mark: marks[n.ID]})
		}
		return err
	})
	return rows, err
}

// Edges returns a memory and its edges, both directions.
func Edges(ctx context.Context, v *vault.Vault, ref string) (vault.Node, []vault.Edge, error) {
	var n vault.Node
	var edges []vault.Edge
	err := v.View(ctx, vault.Scope{}, func(t vault.Tree) (err error) {
		if n, err = t.Find(ctx, ref); err == nil {
			edges, err = t.Edges(ctx, n.ID, true)
		}
		return err
	})
	return n, edges, err
}

// finishRows marks the rows of a page that are in no commit yet, and dates those that do not say
// when they were made.
func finishRows(ctx context.Context, v *vault.Vault, t vault.Tree, rows []ListRow) error {
	ids := make([]vault.ID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	marks, err := v.Marks(ctx, t, ids...)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].Mark = marks[rows[i].ID]
	}
	return t.Date(ctx, len(rows), func(i int) (vault.Path, *time.Time, *string) {
		return rows[i].Path, &rows[i].Created, &rows[i].Creator
	})
}

func makeListRow(n *vault.Node) ListRow {
	r := ListRow{ID: n.ID, New: n.ID.Provisional(), ReadOnly: n.ReadOnly(), Protected: n.Protected, Title: n.Title, Type: n.Type, Status: n.Status, Labels: emptyNotNil(n.Labels),
		Summary: n.Summary, Phraseless: n.Placeheld(), Path: n.Path, Folder: n.In, Created: n.Created, Creator: n.Creator, Deferred: n.Deferred, Superseded: n.Superseded, Standing: tier.StandingOf(&n.Header), Record: RecordOf(&n.Header)}
	if n.Parent != "" {
		r.ParentID = &n.Parent
	}
	return r
}
