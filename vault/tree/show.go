package tree

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/tier"
)

// MaxShowDepth bounds Show.Depth.
const MaxShowDepth = 5

// Show reads one memory, and with Depth its descendants. Every memory whose
// text is returned counts as read, unless Quiet.
type Show struct {
	Ref    string   `need:"yes" tool:"id" about:"id, beginning of one, or path"`
	Depth  int      `flag:"depth" help:"<levels> of children given in full, 0-5" tool:"depth" default:"0" within:"0 5" about:"levels below in full"`
	Budget int      `flag:"budget" help:"<tokens> of the answer at the most, as it is printed; the rest stays pointers" tool:"budget" default:"4000" within:"100 100000" about:"tokens of the answer"` // estimated; 0 is unlimited
	Rows   int      // of a memory that keeps no pointers: this many children, the newest first; 0 means 20
	Offset int      `flag:"offset" help:"of a journal: skip so many <entries>, the newest first"`
	Quiet  bool     // do not count the reading
	Branch ReadPage // if it is set, the children of every memory come so, in their order
	Any    bool     // files of any type, as "shard show" does
}

// Shown is a memory as show gives it. The counts are those before this reading.
type Shown struct {
	ID         vault.ID   `json:"id"`
	Title      string     `json:"title"`
	Summary    string     `json:"summary"`
	Phraseless bool       `json:"placeholder,omitempty"` // as in ListRow
	Type       string     `json:"type"`
	Status     string     `json:"status"`
	Path       vault.Path `json:"path"`           // in the vault
	File       string     `json:"file,omitempty"` // the same from where the person is; a face knows that
	ParentID   *vault.ID  `json:"parent_id"`
	Hash       string     `json:"hash"` // git's blob id of the file, for --if-match
	Creator    string     `json:"creator,omitempty"`
	Created    time.Time  `json:"created_at,omitzero"`
	Record
	tier.Entry

	Version     int        `json:"version,omitempty"`      // of the record, if it was asked for; a face counts it
	Facts       *fact.Told `json:"facts,omitempty"`        // what it speaks of; a face asks for it
	FactsStatus string     `json:"facts_status,omitempty"` // of a memory with facts, and of each where facts are to be drawn; a face knows that

	Deferred   time.Time `json:"deferred_until,omitzero"` // as in ListRow
	Superseded vault.ID  `json:"superseded_by,omitempty"` // the memory that has taken its place
	New        bool      `json:"provisional,omitempty"`   // as in ListRow
	ReadOnly   bool      `json:"read_only,omitempty"`     // as in ListRow
	Protected  string    `json:"protected,omitempty"`     // as in ListRow
	vault.Mark
	ShownText

	Total     int             `json:"child_total,omitempty"` // of a memory whose children come by page: all its open children
	Raw       bool            `json:"-"`                     // the block is damaged: Content is the whole body
	Expanded  int             `json:"-"`                     // memories given in full below this one
	Problems  []vault.Problem `json:"problems,omitempty"`    // what of the file could not be read: conflict markers, say
	LeftOut   []vault.ID      `json:"left_out,omitempty"`    // memories the budget left as pointers
	Truncated bool            `json:"truncated,omitempty"`   // the budget cut Content
	vault.Warned
	Uncounted error `json:"-"` // why this reading is not in the counts
}

// ShownText is the part of a memory that costs tokens.
type ShownText struct {
	Content      string       `json:"content"`
	Labels       []string     `json:"labels"`
	AccessCount  int          `json:"access_count"`
	LastAccessed *time.Time   `json:"last_accessed"`
	Children     []ShownChild `json:"children"`
	Tokens       int          `json:"tokens"` // of Content, as Tokens estimates
}

// ShownChild is a pointer to a child and, when it is expanded, its text.
type ShownChild struct {
	ID         vault.ID   `json:"id"`
	Title      string     `json:"title"`
	Folder     vault.Path `json:"folder,omitempty"` // as in ListRow
	Summary    string     `json:"summary"`
	Phraseless bool       `json:"placeholder,omitempty"` // as in ListRow
	New        bool       `json:"provisional,omitempty"` // as in ListRow
	vault.Mark
	Unknown bool `json:"unknown,omitempty"` // only the block names it: no such memory is below this one
	*ShownText
}

// Read reads a memory from its file. It never scans the vault: the mirror gives
// the path, the file its text, and the folder beside it the children.
func (o Show) Read(ctx context.Context, v *vault.Vault) (Shown, error) {
	if err := o.validate(); err != nil {
		return Shown{}, err
	}
	v, done := v.NarrowTo(ctx, o.Ref)
	defer done()
	p, err := v.Reading().Open(ctx, o.Ref)
	if err != nil {
		return Shown{}, err
	}
	if !p.IsMemory() && !o.Any {
		return Shown{}, vault.Errorf(vault.CodeType, "`cp shard show "+string(p.ID)+"` shows it", "Shard %s is type '%s', expected 'memory'", p.ID, p.Type)
	}
	r := reading{v: v, left: o.Budget, limited: o.Budget > 0, branch: o.Branch, page: vault.ListOptions{Direct: true, Limit: o.Rows, Offset: o.Offset}}
	out, err := r.top(ctx, p, o.Depth)
	if err != nil {
		return Shown{}, err
	}
	if !o.Quiet && v.Usage != nil {
		out.Uncounted = v.Usage.Touch(ctx, r.touched) // it must not stop a reader
	}
	return out, nil
}

func (o *Show) validate() error {
	switch {
	case o.Depth > MaxShowDepth:
		return vault.Errorf(vault.CodeInvalid, "", "Maximum depth is %d", MaxShowDepth)
	case o.Depth < 0:
		return vault.Errorf(vault.CodeInvalid, "use --depth 0 to 5", "the depth cannot be negative")
	case o.Budget < 0:
		return vault.Errorf(vault.CodeInvalid, "use --budget 1000, say", "the budget cannot be negative")
	}
	return nil
}

// reading is one Show under way: the budget that is left, and the memories that were read.
type reading struct {
	v        *vault.Vault
	left     int
	limited  bool
	touched  []vault.Access
	expanded int
	leftOut  []vault.ID
	branch   ReadPage
	page     vault.ListOptions // of the children of a memory that keeps no pointers
	total    int               // of those of the first one
	marks    map[vault.ID]vault.Mark
	warnings []string
}

func (r *reading) top(ctx context.Context, p *vault.Doc, depth int) (Shown, error) {
	out := Shown{ID: p.ID, New: p.ID.Provisional(), ReadOnly: p.ReadOnly(), Protected: p.Mem.Protected, Title: p.Mem.Title, Summary: p.Summary, Phraseless: p.Placeheld(), Type: p.Mem.Type, Status: p.Mem.Status,
		Path: p.Path, Hash: p.Hash, Creator: p.Mem.Creator, Created: p.Mem.Created, Deferred: p.Mem.Deferred, Superseded: firstSuccessor(p), Record: RecordOf(&p.Mem.Header), Entry: tier.EntryOf(&p.Mem.Header)}
	if p.Parent != "" {
		out.ParentID = &p.Parent
	}
	err := r.v.Mirror.Date(ctx, 1, func(int) (vault.Path, *time.Time, *string) { return p.Path, &out.Created, &out.Creator })
	if err != nil {
		return Shown{}, err
	}
	if r.marks, err = r.v.Marks(ctx, r.v.Mirror.Tree); err != nil {
		return Shown{}, err
	}
	out.Mark = r.marks[p.ID]
	if r.v.CodeStates != nil {
		out.Code = r.v.CodeStates(ctx, nil, p.Mem)[p.Mem.ID]
	}
	booked := r.share(vault.Tokens(p.Mem.Prose), depth)
	text, err := r.readMemory(ctx, p, depth, booked)
	if err != nil {
		return Shown{}, err
	}
	out.ShownText = *text
	out.Raw, out.Problems = damagedBlock(p.Mem), p.Mem.Problems
	if out.Raw {
		whole, err := p.Text()
		if err != nil {
			return Shown{}, err
		}
		out.Content = string(whole)
		r.warnings = append(r.warnings, "the pointer block of "+string(p.ID)+" is damaged; the text is shown as it stands. Run `cp memory sync` to repair it")
	}
	r.warnings = append(r.warnings, unread(p)...)
	if most := max(r.left+booked, 0); r.limited && out.Tokens > most {
		out.Content, out.Truncated = cut(out.Content, most), true
	}
	out.Total = r.total
	out.Expanded, out.LeftOut, out.Warnings = r.expanded, r.leftOut, r.warnings
	return out, nil
}

// share returns how many tokens the top text gets before the texts below it. One that has to be
// cut anyway leaves them half of the budget, and gets what they do not take.
func (r *reading) share(tokens, depth int) int {
	if r.limited && depth > 0 && tokens > r.left {
		return r.left / 2
	}
	return tokens
}

// damagedBlock reports whether there is a block that cannot be read: invalid, or
// with conflict markers in it. Markers in the prose leave the block alone.
func damagedBlock(m *vault.Memory) bool {
	for _, pr := range m.Problems {
		if pr.Kind == vault.ProblemBlock || pr.Kind == vault.ProblemMarkers && m.HasBlock && m.Pointers == nil {
			return true
		}
	}
	return false
}

// unread says which parts of the file could not be read, so that nobody takes the shown
// text for all of it.
func unread(p *vault.Doc) []string {
	var all []string
	for _, pr := range p.Mem.Problems {
		switch pr.Kind {
		case vault.ProblemFrontMatter, vault.ProblemNoKeys, vault.ProblemEncoding, vault.ProblemUnfetched, vault.ProblemTooBig, vault.ProblemPointers,
			vault.ProblemMarkers, vault.ProblemVersions, vault.ProblemShape, vault.ProblemProtection:
			all = append(all, (&vault.Error{Path: string(p.Path), Line: pr.Line, Msg: pr.Msg}).Error())
		}
	}
	return all
}

// readMemory gives a memory's text, for which it books tokens, and its children, expanded to the depth.
func (r *reading) readMemory(ctx context.Context, p *vault.Doc, depth, booked int) (*ShownText, error) {
	text := &ShownText{Content: p.Mem.Prose, Labels: emptyNotNil(p.Mem.Labels), Tokens: vault.Tokens(p.Mem.Prose)}
	r.left -= booked
	r.noteReading(ctx, p, text)
	children, strays, err := r.children(ctx, p)
	if err != nil {
		return nil, err
	}
	text.Children = make([]ShownChild, len(children))
	said := phrases(p)
	for _, i := range r.order(children, depth) {
		n := children[i]
		if phrase := said[n.ID.Fold()]; phrase != "" {
			n.Summary = phrase
		}
		if text.Children[i], err = r.child(ctx, n, depth); err != nil {
			return nil, err
		}
	}
	for _, e := range strays {
		said := vault.Phrase(e.Summary)
		text.Children = append(text.Children, ShownChild{ID: vault.ID(e.ID), Title: e.Title, Summary: said, Phraseless: said == "", Unknown: true})
	}
	return text, nil
}

// order returns in which order the children are read: within a budget the shortest texts first,
// so that a long one never takes the place of others.
func (r *reading) order(children []vault.Node, depth int) []int {
	order := make([]int, len(children))
	for i := range order {
		order[i] = i
	}
	if r.limited && depth > 0 {
		slices.SortStableFunc(order, func(a, b int) int { return children[a].Tokens - children[b].Tokens })
	}
	return order
}

// phrases returns what the parent's block says of each child, by the folded id. A memory may
// have thousands of children, so the block is gone through once.
func phrases(parent *vault.Doc) map[string]string {
	said := make(map[string]string, len(parent.Mem.Pointers))
	for _, e := range parent.Mem.Pointers {
		if id := pointer.FoldID(e.ID); said[id] == "" {
			said[id] = vault.Phrase(e.Summary)
		}
	}
	return said
}

// noteReading fills in the telemetry as it was before this reading, and notes the reading.
func (r *reading) noteReading(ctx context.Context, p *vault.Doc, text *ShownText) {
	if r.v.Usage == nil || p.ID.Provisional() {
		return
	}
	reads, err := r.v.Usage.Reads(ctx, []vault.ID{p.ID})
	if err == nil {
		text.AccessCount = reads[p.ID].Count
		if last := reads[p.ID].Last; !last.IsZero() {
			text.LastAccessed = &last
		}
	}
	r.touched = append(r.touched, vault.Access{ID: p.ID, At: r.v.Now().UTC(), By: r.v.Agent, Depth: p.Depth})
}

// strayLimit bounds the pointers to nothing that one memory shows.
const strayLimit = 20

// children lists the open children as the folder has them now, and the pointers to
// something else. It warns when the block tells another story than the folder.
func (r *reading) children(ctx context.Context, p *vault.Doc) (open []vault.Node, strays []pointer.Entry, err error) {
	if _, err := r.v.CatchUp(ctx, vault.Scope{Dir: p.Folder(), Shallow: true}); err != nil {
		return nil, nil, err
	}
	if p.Mem.Header.Quiet() {
		return r.newest(ctx, p)
	}
	if r.branch != nil {
		b, err := r.branch(ctx, PageOptions{Of: p.ID, From: r.page.Offset, Most: r.page.Limit})
		if err != nil || len(p.Mem.Pointers) == b.All || damagedBlock(p.Mem) {
			r.total = b.Total
			return b.Nodes, nil, err
		}
		open, strays, err = r.allChildren(ctx, p) // the block tells another story, which is to be told
		r.total = len(open)
		from := min(r.page.Offset, len(open))
		if from > 0 {
			strays = nil
		}
		return open[from:min(from+r.page.Limit, len(open))], strays, err
	}
	return r.allChildren(ctx, p)
}

// allChildren is children without pages.
func (r *reading) allChildren(ctx context.Context, p *vault.Doc) (open []vault.Node, strays []pointer.Entry, err error) {
	all, err := r.v.Mirror.Children(ctx, p.ID)
	if err != nil {
		return nil, nil, err
	}
	known, pointed := map[string]bool{}, 0
	for _, n := range all {
		if !n.ReadOnly() {
			pointed++
		}
		known[n.ID.Fold()] = true
		if n.Status != vault.StatusClosed && n.IsMemory() {
			open = append(open, n)
		}
	}
	if damagedBlock(p.Mem) {
		return open, nil, nil
	}
	strays = slices.DeleteFunc(slices.Clone(p.Mem.Pointers), func(e pointer.Entry) bool { return known[pointer.FoldID(e.ID)] })
	if len(strays) > 0 || len(p.Mem.Pointers) != pointed {
		r.warnings = append(r.warnings, "the pointer block of "+string(p.ID)+" does not match its sub-memories; run `cp memory sync`")
	}
	return open, strays[:min(len(strays), strayLimit)], nil
}

// newest lists a page of the children of a memory that keeps no pointers.
func (r *reading) newest(ctx context.Context, p *vault.Doc) (open []vault.Node, strays []pointer.Entry, err error) {
	page := r.page
	page.Under = p.ID
	open, total, err := r.v.Mirror.List(ctx, page)
	r.total = cmp.Or(r.total, total)
	return open, nil, err
}

// child gives one child: its pointer, and its text when depth and budget allow.
func (r *reading) child(ctx context.Context, n vault.Node, depth int) (ShownChild, error) {
	out := ShownChild{ID: n.ID, New: n.ID.Provisional(), Title: n.Title, Folder: n.In, Summary: n.Summary, Mark: r.marks[n.ID]}
	out.Phraseless = out.Summary == "" && n.NeedsPointer()
	if depth == 0 {
		return out, nil
	}
	p, err := r.v.Reading().OpenFromMirror(ctx, string(n.ID))
	if vault.CodeOf(err) == vault.CodeNotFound { // deleted while we read: a pointer to it is the last that was known
		return out, nil
	}
	if err != nil { // the others can be read
		r.warnings = append(r.warnings, err.Error())
		return out, ctx.Err()
	}
	if r.limited && vault.Tokens(p.Mem.Prose) > r.left {
		r.leftOut = append(r.leftOut, n.ID)
		return out, nil
	}
	r.expanded++
	out.ShownText, err = r.readMemory(ctx, p, depth-1, vault.Tokens(p.Mem.Prose))
	return out, err
}

func emptyNotNil(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
