package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/tier"
)

// Finder answers recalls. Its fields are set where things are wired.
type Finder struct {
	Vault   *vault.Vault
	Lexicon Lexicon
	Leg     Leg     // a second leg beside the words; may be nil
	Weight  float64 // of Leg's scores beside lexical ones (Mix); 0 is what was measured for it, else DefaultWeight
	Web     Web     // what leads from the best to others; may be nil
	Reach   float64 // the most that Web adds to a score, as a share of the best; 0 is nothing

	// Family are the vaults that are asked as if they were one, Vault among them. Each has
	// its own filters; the query's Filter gives the page. None asks Vault alone.
	Family []Member
}

// Member is a vault that a recall asks.
type Member struct {
	VaultMember
	Lexicon Lexicon
	Leg     Leg // over the member's memories; may be nil
	Web     Web // likewise
}

// DefaultWeight is the weight of the second leg unless another is set. With a weak static
// model (recall at 5 of 0.32 where the words have 0.76) it is the largest weight that costs
// no figure of any set half a point; "make bench-fusion" shows the others.
const DefaultWeight = 0.1

// DefaultSimilarity is the least cosine of a memory that has no word in common with the
// query.
const DefaultSimilarity = 0.3

// defaultLimit is the number of memories in an answer unless the query says otherwise.
const defaultLimit = 10

// candidates is the number of candidates that are read and scored. The index has 92 % of the
// labelled queries' answers among its first 200; reading 50, 100 and 200 gives a recall at
// 5 of 0.752, 0.756 and 0.759.
const candidates = 100

// Query asks for the memories that a text is about.
type Query struct {
	Text          string
	Filter        vault.ListOptions // Limit 0 means 10, within a budget 20
	MinSimilarity float64           // of what the second leg alone finds
	Strict        bool              // MinSimilarity is for what words find, too
	Ended         Ended             // what answers beside open ones
	Budget        int               // tokens of the answer at the most; 0 is unlimited
	Measure       func([]Row) int   // the tokens of an answer with these rows, as it is printed; nil is an estimate
	Full          bool              // whole texts
	Explain       bool
}

// Row is a memory that was found.
type Row struct {
	ID         vault.ID   `json:"id"`
	Title      string     `json:"title"`
	Similarity float64    `json:"similarity"` // from 0 to 1; it falls from row to row
	Type       string     `json:"type"`
	Status     string     `json:"status"`
	Labels     []string   `json:"labels"`
	Summary    string     `json:"summary"`               // the trigger phrase
	Phraseless bool       `json:"placeholder,omitempty"` // see [vault.Node.Placeheld]
	Passage    string     `json:"passage,omitempty"`
	Path       vault.Path `json:"path"`
	Folder     vault.Path `json:"folder,omitempty"` // in which it lies, if that has no memory of its own
	ParentID   *vault.ID  `json:"parent_id"`
	Ancestors  []Step     `json:"ancestors"` // from the root to the parent
	Created    time.Time  `json:"created_at,omitzero"`
	Creator    string     `json:"creator,omitempty"`
	Superseded vault.ID   `json:"superseded_by,omitempty"`
	Ending
	New bool `json:"provisional,omitempty"` // the id is a stand-in: the file carries none yet
	tier.Standing
	vault.Mark
	family.Origin
	Tokens  int      `json:"tokens"`            // of the whole text
	Content *string  `json:"content,omitempty"` // the whole text, where asked for and affordable
	More    string   `json:"more,omitempty"`    // the command that gives what the budget left out
	Explain *Explain `json:"explain,omitempty"`
	Commit  string   `json:"commit,omitempty"` // that an entry tells of
	Form    Form     `json:"-"`                // within a budget
	Files   *Changed `json:"files,omitempty"`  // what that commit changed, where asked for
}

// Way returns the titles from the root to the memory, as one line.
func (r *Row) Way() string {
	titles := make([]string, 0, len(r.Ancestors)+1)
	for _, a := range r.Ancestors {
		titles = append(titles, a.Title)
	}
	return strings.Join(append(titles, r.Title), " › ")
}

// Changed are the files that a commit changed, as they were there.
type Changed struct {
	Files []File `json:"files"`
	More  int    `json:"more,omitempty"` // files that are left out
	Note  string `json:"note,omitempty"` // why there is nothing

	// Successor is the commit that these are of, where the one that the entry tells of is gone: what
	// a rebase or an amendment made of it.
	Successor string `json:"successor,omitempty"`
}

// File is one of them.
type File struct {
	Path      string `json:"path"`
	Text      string `json:"text,omitempty"`
	Truncated bool   `json:"truncated,omitempty"`
	Note      string `json:"note,omitempty"` // why there is no text
}

// Step is a memory on the way from the root.
type Step struct {
	ID    vault.ID `json:"id"`
	Title string   `json:"title"`
	New   bool     `json:"provisional,omitempty"` // as in Row
}

// Answer is the outcome of a recall.
type Answer struct {
	Rows     []Row
	LeftOut  int             // rows that the budget left out
	Next     int             // the number of the first of them, from 0
	Below    int             // memories that Strict left out
	Closed   int             // closed ones that would be among the rows, where they are counted
	Deferred int             // deferred ones, likewise
	Why      string          // why there are no rows
	Warnings []string        // what stood in the way of a better answer
	Failed   []MemberFailure // members of the family that did not answer
	Least    int             // tokens with which the budget would have room for a row, where it has for none
}

// Recall returns the memories that the query is about, the best first. It never
// changes or counts anything.
func (f *Finder) Recall(ctx context.Context, q Query) (Answer, error) {
	if err := f.validate(&q); err != nil {
		return Answer{}, err
	}
	r := run{Finder: f, q: q, members: f.members(q), read: make(map[key]*vault.Memory)}
	if err := r.find(ctx); err != nil {
		return Answer{}, err
	}
	r.place()
	err := r.rows(ctx)
	if err == nil && len(r.answer.Rows) == 0 {
		r.answer.Why, err = r.why(ctx)
	}
	return r.answer, err
}

// find finds the candidates.
func (r *run) find(ctx context.Context) error {
	if err := r.catchUp(ctx); err != nil {
		return err
	}
	if err := r.searchWords(ctx); err != nil {
		return err
	}
	r.mixLegs(ctx)
	aside, err := r.findAside(ctx)
	if err != nil {
		return err
	}
	r.hop(ctx)
	if r.q.Ended == WithoutEnded {
		r.dropSuperseded()
	}
	r.joinAside(aside)
	return nil
}

// place gives the candidates their similarities, and puts them into the order of the answer.
func (r *run) place() {
	r.untwin()
	r.liken()
	r.floor()
	r.demote()
	if r.q.Strict {
		r.dropDissimilar()
	}
}

func (f *Finder) validate(q *Query) error {
	switch {
	case strings.TrimSpace(q.Text) == "":
		return vault.Errorf(vault.CodeInvalid, `cp recall "what you want to know"`, "the query is empty")
	case q.MinSimilarity < 0 || q.MinSimilarity > 1 || q.MinSimilarity != q.MinSimilarity:
		return vault.Errorf(vault.CodeInvalid, "use --min-similarity 0.3", "the least similarity is a number from 0.0 to 1.0")
	case q.Budget < 0:
		return vault.Errorf(vault.CodeInvalid, "use --budget 1000, say", "the budget cannot be negative")
	}
	if q.Filter.Limit <= 0 {
		if q.Filter.Limit = defaultLimit; q.Budget > 0 {
			q.Filter.Limit = BudgetLimit
		}
	}
	return nil
}

// members are the vaults that are asked.
func (f *Finder) members(q Query) []Member {
	members := slices.Clone(f.Family)
	if len(members) == 0 {
		members = []Member{{VaultMember{Vault: f.Vault, Options: q.Filter}, f.Lexicon, f.Leg, f.Web}}
	}
	for i := range members {
		o := &members[i].Options
		o.Now, o.Found, o.Limit, o.Offset = f.Vault.Now(), true, max(candidates, q.Filter.Offset+q.Filter.Limit), 0
		o.Open = q.Ended == WithoutEnded
	}
	return members
}

// run is one recall under way.
type run struct {
	*Finder
	q       Query
	members []Member
	without []bool // of each member, whether it holds none of the words
	scale   scale  // by which the legs are mixed
	terms   []Term
	rarity  float64 // of the terms together, a name counted once
	all     []candidate
	read    map[key]*vault.Memory
	answer  Answer
	best    float64 // the similarity of the best of all that Strict left out
}

// key names a memory in the vaults that are asked.
type key struct {
	member int
	id     vault.ID
}

// candidate is a memory that may be in the answer.
type candidate struct {
	vault.Node
	member     int
	text       scored
	parts      Parts
	vector     float64
	weight     float64  // that it counted by
	measured   bool     // for the leg, in this vault
	near       int      // the number of the passage that the second leg found nearest; 0 is none
	brought    bool     // the second leg gave more of the score than the words
	aside      bool     // it is closed or deferred, and found by itself
	reached    *Reached // by steps from others; nil where none leads there
	mixed      float64
	similarity float64
}

func (c *candidate) score() float64 { return c.parts.sumParts() }

func (c *candidate) key() key { return key{c.member, c.ID} }

func (r *run) warn(format string, args ...any) {
	r.answer.Warnings = append(r.answer.Warnings, fmt.Sprintf(format, args...))
}

// readMemory reads a candidate's file. It returns nil if the file is gone by now.
func (r *run) readMemory(c *candidate) *vault.Memory {
	m, ok := r.read[c.key()]
	if ok {
		return m
	}
	if doc, _, err := r.members[c.member].Store.Read(c.Path); err == nil {
		m = vault.ParseText(c.Path, doc)
	}
	r.read[c.key()] = m
	return m
}
