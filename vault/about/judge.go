package about

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Bound is a binding of a memory with what is known of the code at that time.
type Bound struct {
	ID    vault.ID
	Text  string   // the binding as the memory says it
	Stamp *Stamp   // nil without one
	Words []string // of the memory's text in backticks; a whole file is changed where a line with one of them is gone
}

// Judge tells how bindings stand. It belongs to one command.
type Judge struct {
	Code     Code
	Verdicts Verdicts // nil remembers nothing

	head    *string
	texts   map[string][]byte // of the work tree, by path
	blobs   map[string]map[string]string
	bases   map[string]string
	renames map[string]map[string]string
	places  map[string]string // of HEAD's blobs
	asked   int               // commits of which the renames were asked
}

// mostRenames bounds the commits of which git is asked in one run where their files are now.
const mostRenames = 50

// States returns how the bindings stand, in their order.
func (j *Judge) States(ctx context.Context, all []Bound) ([]vault.BindingState, error) {
	keys := make([]int64, len(all))
	for i := range all {
		keys[i] = all[i].key()
	}
	var known map[int64]Verdict
	if j.Verdicts != nil {
		known = j.Verdicts.RecallVerdicts(ctx, j.Code.Root, keys)
	}
	fresh := make(map[int64]Verdict)
	states := make([]vault.BindingState, len(all))
	for i := range all {
		was, ok := known[keys[i]]
		now, err := j.verdict(ctx, &all[i], was, ok)
		if err != nil {
			return nil, err
		}
		if !ok || now != was {
			fresh[keys[i]] = now
		}
		states[i] = now.State
		states[i].At = all[i].Text
	}
	if j.Verdicts != nil && len(fresh) > 0 {
		j.Verdicts.KeepVerdicts(ctx, j.Code.Root, fresh)
	}
	return states, nil
}

// key names what a verdict is about.
func (b *Bound) key() int64 {
	stamp := ""
	if b.Stamp != nil {
		stamp = b.Stamp.String()
	}
	sum := sha256.Sum256([]byte(b.Text + "\n" + stamp + "\n" + strings.Join(b.Words, " ")))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// verdict returns the verdict on a binding: the one that is known where it still holds.
func (j *Judge) verdict(ctx context.Context, b *Bound, was Verdict, known bool) (v Verdict, err error) {
	binding, err := Parse(b.Text)
	if err != nil {
		return Verdict{State: vault.BindingState{State: vault.CodeUnknown, Why: "it is no binding"}}, nil
	}
	switch {
	case binding.Glob || binding.IsFolder():
		return Verdict{State: vault.BindingState{State: vault.CodeCurrent}}, nil
	case b.Stamp == nil:
		return Verdict{State: vault.BindingState{State: vault.CodeUnchecked}}, nil
	case j.Code.Files == nil:
		return Verdict{State: unknown("there is no code repository here")}, nil
	case binding.Project != "":
		return Verdict{State: unknown("it is about the code of another project")}, nil
	}
	stat, there, why := j.Code.Files.Stat(binding.Path)
	if why != "" {
		return Verdict{State: unknown(why)}, nil
	}
	if known {
		if holds, err := j.holds(ctx, was, stat, there); holds || err != nil {
			return was, err
		}
	}
	c := &inquiry{Judge: j, binding: binding, stamp: *b.Stamp, words: b.Words}
	v.Stat = stat
	if there {
		if c.now, err = j.read(binding.Path); err != nil {
			return Verdict{State: unknown("it cannot be read")}, nil
		}
		v.Blob = j.Code.Files.BlobOf(c.now)
		if known && was.Blob == v.Blob && was.Head == "" {
			was.Stat = stat
			return was, nil
		}
	}
	c.blob = v.Blob
	if v.State, err = c.judge(ctx, there); err != nil {
		return v, err
	}
	v.State.Confirmed = b.Stamp.At
	if c.given {
		return Verdict{State: v.State}, nil // which holds for no file: attributes change without it
	}
	if c.other != "" {
		v.Path = c.other
		v.Stat, _, _ = j.Code.Files.Stat(c.other)
	}
	if c.head {
		v.Head, err = j.headCommit(ctx)
	}
	return v, err
}

// NothingLeft is the reason where of changed lines none is left, nor one that they were changed into.
const NothingLeft = "nothing is left of them"

// NoBlob begins the reason where a binding cannot be told for that.
const NoBlob = "git does not have what it was"

// holds reports whether a verdict still holds: no file and no commit on which it rests is another one.
func (j *Judge) holds(ctx context.Context, was Verdict, stat vault.Stat, there bool) (bool, error) {
	if was.Path != "" && !there {
		stat, there, _ = j.Code.Files.Stat(was.Path)
	} else if was.Path != "" || there != (was.Blob != "") {
		return false, nil
	}
	if stat != was.Stat || was.Path != "" && !there {
		return false, nil
	}
	if was.Head == "" {
		return true, nil
	}
	head, err := j.headCommit(ctx)
	return head == was.Head, err
}

func unknown(why string) vault.BindingState {
	return vault.BindingState{State: vault.CodeUnknown, Why: why}
}

// inquiry is the judgement on one binding.
type inquiry struct {
	*Judge
	binding Binding
	stamp   Stamp
	words   []string
	now     []byte // the text that it is judged by
	blob    string // its id
	head    bool   // HEAD matters
	given   bool   // one of git's attributes does
	other   string // the path in the work tree of the file that has taken the place of the binding's
}

// judge goes through the rules; the first one that answers decides.
func (c *inquiry) judge(ctx context.Context, there bool) (vault.BindingState, error) {
	if !there {
		c.head = true
		return c.judgeAbsent(ctx)
	}
	if why, err := c.findFilter(ctx); why != "" || err != nil {
		return unknown(why), err
	}
	return c.compareUnlessAhead(ctx)
}

// compareUnlessAhead compares, and takes what is loud for ahead where the branch does not have the code yet.
func (c *inquiry) compareUnlessAhead(ctx context.Context) (vault.BindingState, error) {
	state, err := c.compare(ctx, c.binding)
	if err != nil || !vault.IsLoud(state.State) {
		return state, err
	}
	c.head = true
	ahead, err := c.isAhead(ctx)
	if ahead {
		state = vault.BindingState{State: vault.CodeAhead}
	}
	return state, err
}

// findFilter says that a filter of git stands between the work tree and the repository. It is
// asked only where the text is another one.
func (c *inquiry) findFilter(ctx context.Context) (string, error) {
	if c.blob == c.stamp.Blob {
		return "", nil
	}
	filter, err := c.attribute(ctx, "filter")
	if filter != "" {
		filter = "git converts the file with the filter " + vault.Clip(filter, 40)
	}
	return filter, err
}

// attribute returns what git's attributes give the file.
func (c *inquiry) attribute(ctx context.Context, name string) (string, error) {
	value, err := c.Code.Files.Attribute(ctx, c.binding.Path, name)
	c.given = c.given || value != ""
	return value, err
}

// compare tells how c.now stands to what the binding meant. at is the binding with its present path.
func (c *inquiry) compare(ctx context.Context, at Binding) (vault.BindingState, error) {
	if c.blob == c.stamp.Blob {
		return c.stateAt(at, at.From, at.To), nil
	}
	was, err := c.textThen(ctx)
	if err != nil {
		return vault.BindingState{}, err
	}
	switch {
	case at.IsWhole():
		return c.compareWhole(ctx, at, was)
	case !IsText(c.now):
		return vault.BindingState{State: vault.CodeChanged}, nil
	case was == nil || !IsText(was):
		return c.compareByText(at), nil
	}
	return c.compareLines(at, was), nil
}

// textThen returns the file as it was when it was stamped; nil where this clone does not have it.
func (c *inquiry) textThen(ctx context.Context) ([]byte, error) {
	blob := c.stamp.Blob
	if c.Code.Past == nil {
		return nil, nil
	}
	if blob == "" && c.stamp.Commit != "" {
		var err error
		if blob, err = c.blobsAt(ctx, c.stamp.Commit, c.binding.Path); err != nil {
			return nil, err
		}
	}
	if blob == "" {
		return nil, nil
	}
	return c.Code.Past.ReadBlob(ctx, blob)
}

// stateAt is the state of a binding whose text stands at lines of a path.
func (c *inquiry) stateAt(at Binding, from, to int) vault.BindingState {
	if at.Path == c.binding.Path && (at.Symbol != "" || from == c.binding.From && to == c.binding.To) {
		return vault.BindingState{State: vault.CodeCurrent}
	}
	if at.HasRange() && to >= from {
		at.From, at.To = from, to
	}
	return vault.BindingState{State: vault.CodeMoved, Now: at.String()}
}

// compareLines maps the bound lines of the old text to the new one.
func (c *inquiry) compareLines(at Binding, was []byte) vault.BindingState {
	then, now := SplitLines(was), SplitLines(c.now)
	from, to, err := c.binding.rangeIn(then)
	if err != nil {
		return c.compareByText(at)
	}
	if to > len(then) {
		return unknown(fmt.Sprintf("what was stamped has %d lines", len(then)))
	}
	m := MapRange(then, now, from, to)
	state := c.stateAt(at, m.From, m.To)
	if m.Kind == Changed {
		state = vault.BindingState{State: vault.CodeChanged, Now: state.Now, Lines: m.Changed, Of: m.Of}
		if m.To < m.From {
			state.Now, state.Why = "", NothingLeft
		}
		if _, _, err := c.binding.rangeIn(now); at.Symbol != "" && err != nil {
			state.Now, state.Why = "", err.Error()
		}
	}
	return state
}

// compareByText looks for the bound lines by their hash alone.
func (c *inquiry) compareByText(at Binding) vault.BindingState {
	now := SplitLines(c.now)
	if c.stamp.Text == "" {
		return unknown("nothing was kept of what the code was")
	}
	if at.Symbol != "" {
		from, to, err := c.binding.rangeIn(now)
		if err == nil && SumLines(now[from-1:to]) == c.stamp.Text {
			return c.stateAt(at, from, to)
		}
		state := vault.BindingState{State: vault.CodeChanged}
		if err != nil {
			state.Why = err.Error()
		}
		return state
	}
	n := at.To - at.From + 1
	if at.To <= len(now) && SumLines(now[at.From-1:at.To]) == c.stamp.Text {
		return c.stateAt(at, at.From, at.To)
	}
	places, ok := FindSum(now, n, c.stamp.Text)
	switch {
	case !ok:
		return unknown(NoBlob + ", and the file is too long to search")
	case len(places) == 0:
		return vault.BindingState{State: vault.CodeChanged, Of: n}
	case len(places) == 1:
		return c.stateAt(at, places[0], places[0]+n-1)
	default:
		return unknown(fmt.Sprintf(NoBlob+", and its lines stand in %d places", len(places)))
	}
}

// share is the part of a file's lines from which on a whole file counts as changed.
const share = .3

// compareWhole tells how a whole file has changed.
func (c *inquiry) compareWhole(ctx context.Context, at Binding, was []byte) (vault.BindingState, error) {
	same := IsText(c.now) && SumLines(SplitLines(c.now)) == c.stamp.Text
	switch {
	case same:
		return c.stateAt(at, 0, 0), nil
	case was == nil:
		return unknown(NoBlob), nil
	}
	out := vault.BindingState{State: vault.CodeTouched}
	if at.Path != c.binding.Path {
		out.Now = at.String()
	}
	if !c.isRewritten(was) {
		return out, nil
	}
	generated, err := c.attribute(ctx, "linguist-generated")
	if err == nil && generated == "" {
		out.State = vault.CodeChanged
	}
	return out, err
}

// isRewritten reports whether much of a file has changed, or a line that the memory speaks of.
func (c *inquiry) isRewritten(was []byte) bool {
	if !IsText(was) || !IsText(c.now) {
		return true
	}
	removed, part := LinesChanged(SplitLines(was), SplitLines(c.now))
	return part >= share || slices.ContainsFunc(removed, func(line string) bool {
		return slices.ContainsFunc(c.words, func(word string) bool { return strings.Contains(line, word) })
	})
}

// isAhead reports whether this branch has not got yet what the binding was made for: HEAD has the
// file as it was where the branches parted. What only the work tree has changed is not ahead.
func (c *inquiry) isAhead(ctx context.Context) (bool, error) {
	head, err := c.headCommit(ctx)
	if err != nil || head == "" || c.stamp.Commit == "" || c.stamp.Commit == head {
		return false, err
	}
	base, err := c.base(ctx, head)
	if err != nil || base == "" || base == c.stamp.Commit {
		return false, err
	}
	then, err := c.blobsAt(ctx, base, c.binding.Path)
	if err != nil {
		return false, err
	}
	now, err := c.blobsAt(ctx, head, c.binding.Path)
	return then == now && now != c.stamp.Blob, err
}

func (c *inquiry) base(ctx context.Context, head string) (string, error) {
	if base, ok := c.bases[c.stamp.Commit]; ok {
		return base, nil
	}
	base, err := c.Code.Past.Base(ctx, c.stamp.Commit, head)
	if c.bases == nil {
		c.bases = make(map[string]string)
	}
	c.bases[c.stamp.Commit] = base
	return base, err
}
