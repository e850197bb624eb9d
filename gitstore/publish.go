package gitstore

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/internal/gitindex"
	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// maxAttempts bounds how often a publication is made anew because the repository moved on.
// Each is a few milliseconds in which somebody else committed.
const maxAttempts = 50

// Publish records the commit's edits on HEAD's tree and on the index, and moves
// the branch that HEAD stands on. It never touches the work tree. state is an
// existing folder in the git directory for the markers and the record; only one
// publication at a time may use it. When HEAD holds the edits already nothing
// changes. The error has CodeBusy while something is under way or a lock of
// another program does not go away. Nothing changes either when Rewound refuses.
func (r *Repo) Publish(ctx context.Context, c vault.Commit, state string) (vault.Published, error) {
	p := &publication{Repo: r, commit: c, state: state}
	done, err := p.runPublication(ctx)
	if err != nil {
		return vault.Published{}, plumb.IOError(err)
	}
	return done, nil
}

// publication is one call of Publish.
type publication struct {
	*Repo
	commit   vault.Commit
	state    string
	settings plumb.Settings
	last     cas // the record of the publication before
	index    gitindex.FileID
	waited   bool // for the index to come up to HEAD
	adopted  []vault.Path
}

func (p *publication) runPublication(ctx context.Context) (done vault.Published, err error) {
	if p.settings, err = p.Repo.Settings(ctx); err != nil {
		return done, err
	}
	if p.last, err = readCAS(p.state); err != nil {
		return done, err
	}
	if done, err = p.findPublished(ctx); err != nil || done.Commit != "" {
		return done, err
	}
	if err := p.holdGC(ctx, p.state); err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, p.gcLock(p.state).release()) }()
	for range maxAttempts {
		done, err = p.attempt(ctx)
		if !errors.Is(err, object.ErrMoved) {
			return done, err
		}
	}
	return done, vault.Errorf(vault.CodeBusy, "try again when less is being committed", "the branch kept moving: %d attempts", maxAttempts)
}

// findPublished returns where HEAD stands if it holds the publication already: the history
// that is to be joined, or the edits that were published last, since an edit such as an
// append must not be made twice.
func (p *publication) findPublished(ctx context.Context) (done vault.Published, err error) {
	head, err := p.Tip(ctx)
	held := false
	switch {
	case err != nil:
	case p.commit.Join != nil:
		held, err = p.Includes(ctx, head, p.commit.Join.Commit)
	case p.last.Op == p.commit.Op && p.last.Op != "" && !p.commit.Anew:
		held, err = p.Holds(ctx, p.last.Op, p.state)
	}
	if err != nil || !held {
		return done, err
	}
	return vault.Published{Before: head, Commit: head}, nil
}

// attempt makes the publication once on what is there now.
func (p *publication) attempt(ctx context.Context) (vault.Published, error) {
	var err error
	if p.index, err = p.indexID(); err != nil { // first: what is read later is checked against it
		return vault.Published{}, err
	}
	head, err := p.Head(ctx)
	if err != nil {
		return vault.Published{}, err
	}
	if head.Busy != "" {
		return vault.Published{}, busy(head.Busy)
	}
	read, err := p.reportRewound(ctx, head)
	if err != nil {
		return vault.Published{}, err
	}
	if p.commit.Reverted != nil && !isWhole(p.state, p.last, p.index, head.Commit) {
		if err := p.commit.Reverted(ctx); err != nil {
			return vault.Published{}, err
		}
	}
	eng, err := p.engine(ctx, pathsOfEdits(p.commit.Edits))
	if err != nil {
		return vault.Published{}, err
	}
	defer eng.Close()
	record, err := p.prepare(ctx, eng, head, read)
	if err != nil {
		return vault.Published{}, err
	}
	if record == nil {
		return vault.Published{Before: head.Commit, Commit: head.Commit}, p.heldAlready(head, read)
	}
	if err := p.land(ctx, p.index, *record); err != nil {
		return vault.Published{}, err
	}
	if err := p.checkObjects(ctx, eng, *record); err != nil {
		return vault.Published{}, err
	}
	return vault.Published{Before: head.Commit, Commit: record.New, Adopted: p.adopted}, nil
}

// heldAlready records that HEAD holds the edits: what the branch's log says until
// now has been looked at, and this operation is not missing any more.
func (p *publication) heldAlready(head vault.Head, read int64) error {
	if p.last.Ref == head.Branch && p.last.New == head.Commit {
		return nil
	}
	record := cas{Op: p.commit.Op, Ref: head.Branch, Old: head.Commit, New: head.Commit, Log: read}
	return record.replaceRecord(p.state)
}

// reportRewound returns how far the branch's log is read, once the commit has been told
// what a late reset took from the branch.
func (p *publication) reportRewound(ctx context.Context, head vault.Head) (read int64, err error) {
	if p.last.Ref == head.Branch && p.last.New == head.Commit {
		return p.last.Log, nil
	}
	lost, read, err := p.Repo.findRewound(ctx, head, p.last)
	if err == nil && len(lost) > 0 && p.commit.Rewound != nil {
		err = p.commit.Rewound(lost)
	}
	return read, err
}

// prepare writes objects, index and record; nil when HEAD holds the edits already.
func (p *publication) prepare(ctx context.Context, eng engine, head vault.Head, read int64) (*cas, error) {
	commit, stage, err := p.writeCommit(ctx, eng, head.Commit)
	if err != nil || commit == "" {
		return nil, err
	}
	if err := eng.Flush(ctx); err != nil {
		return nil, err
	}
	if ok, err := eng.Complete(ctx); err != nil || !ok {
		return nil, errors.Join(err, object.ErrMoved)
	}
	sum, err := p.saveIndex(ctx, eng, stage)
	if err != nil {
		return nil, err
	}
	record := &cas{Op: p.commit.Op, Ref: head.Branch, Old: head.Commit, New: commit, Index: sum, Log: read, Path: stage.First(), Whole: isWhole(p.state, p.last, p.index, head.Commit)}
	return record, record.replaceRecord(p.state)
}

// writeCommit writes the commit and returns it; an empty one when HEAD holds the
// edits already.
func (p *publication) writeCommit(ctx context.Context, eng engine, head string) (string, *gitindex.Stage, error) {
	if p.commit.Join != nil {
		return p.joinHistories(ctx, eng, head)
	}
	tree, stage, err := p.editTree(ctx, eng, head)
	if err != nil || tree == "" {
		return "", nil, err
	}
	commit, err := eng.Write(ctx, object.KindCommit, p.encodeCommit(tree, head))
	return commit, stage, err
}

// editTree makes the edits and returns the new tree; an empty one when it is the old.
func (p *publication) editTree(ctx context.Context, eng engine, commit string) (string, *gitindex.Stage, error) {
	on, err := p.openVersions(ctx, eng, commit)
	if err != nil {
		return "", nil, err
	}
	old := on.before.ID()
	if err := p.upToHead(ctx, eng, commit, on.before, on.index); err != nil {
		return "", nil, err
	}
	e := p.editor(ctx, eng, commit, on)
	if err := e.editAll(ctx); err != nil {
		return "", nil, err
	}
	p.adopted = e.adopted
	tree, err := on.after.Write(ctx)
	if err != nil {
		return "", nil, err
	}
	if len(p.commit.Edits) > 0 && (tree == old || old == "" && tree == p.IDs.EmptyTree()) {
		return "", nil, e.damaged
	}
	return tree, on.index, p.sparse(on.index)
}

// versions are the states of the files that an editor changes.
type versions struct {
	before, after *object.Tree
	index         *gitindex.Stage
}

// openVersions opens the tree of a commit twice, and the index.
func (p *publication) openVersions(ctx context.Context, eng engine, commit string) (on versions, err error) {
	if on.before, err = object.OpenTree(ctx, eng, p.IDs, commit); err != nil {
		return on, err
	}
	if on.after, err = object.OpenTree(ctx, eng, p.IDs, on.before.ID()); err != nil {
		return on, err
	}
	on.index, err = eng.OpenStage(ctx, p.looksAt())
	return on, err
}

// editor returns the editor of the commit's edits.
func (p *publication) editor(ctx context.Context, eng engine, head string, on versions) *editor {
	return &editor{texts: eng, commit: p.commit, mode: p.mode, base: p.openPlanned(ctx, eng, head), before: on.before, after: on.after, index: on.index}
}

// openPlanned opens the tree for which the edits were planned, if HEAD has moved since.
func (p *publication) openPlanned(ctx context.Context, eng engine, head string) version {
	if p.commit.Base == "" || p.commit.Base == head {
		return nil
	}
	t, err := object.OpenTree(ctx, eng, p.IDs, p.commit.Base)
	if err != nil {
		return nil // it was pruned
	}
	return t
}

func (p *publication) mode(path string) uint32 {
	return p.files().ModeOf(path, !strings.EqualFold(p.settings["core.filemode"], "false"))
}

// sparse refuses to change files that a sparse checkout left out of the work tree.
func (p *publication) sparse(s *gitindex.Stage) error {
	if !plumb.IsTrue(p.settings["core.sparsecheckout"]) {
		return nil
	}
	if name, ok := s.LeftOut(); ok {
		return vault.Errorf(vault.CodeInvalid, "run: git sparse-checkout add "+filepath.Dir(name), "%s is outside the sparse checkout", name)
	}
	return nil
}

// encodeCommit returns a commit object. The agent is its author, at the
// address of the person in whose name it commits.
func (p *publication) encodeCommit(tree string, parents ...string) []byte {
	author, committer := p.who()
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, parent := range parents {
		if parent != "" {
			fmt.Fprintf(&b, "parent %s\n", parent)
		}
	}
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n", author.WithTime(p.when()), committer.WithTime(p.when()))
	b.WriteString(strings.TrimRight(p.commit.Message, "\n") + "\n")
	for _, line := range p.adopts() {
		b.WriteString("Cp-Adopts: " + line + "\n")
	}
	return []byte(b.String())
}

// adopts returns the trailers for the files that HEAD had not, each once.
func (p *publication) adopts() []string {
	var lines []string
	for _, path := range p.adopted {
		lines = append(lines, p.commit.Adopts[path])
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func (p *publication) who() (author, committer plumb.Identity) {
	agent := plumb.CleanName(p.commit.Agent)
	author, committer = p.settings.Identity("AUTHOR", agent), p.settings.Identity("COMMITTER", agent)
	if agent != "" {
		author.Name = agent
	}
	return author, committer
}

func (p *publication) when() time.Time {
	if p.commit.Time.IsZero() {
		return time.Now()
	}
	return p.commit.Time
}

// saveIndex writes the new index beside the old and returns its trailer.
func (p *publication) saveIndex(ctx context.Context, eng engine, s *gitindex.Stage) (string, error) {
	path := markPath(p.state, newIndex)
	for _, stale := range []string{path, path + ".lock"} {
		if err := disk.Remove(stale); err != nil {
			return "", err
		}
	}
	if err := eng.SaveStage(ctx, s, path); err != nil {
		return "", err
	}
	id, err := gitindex.Identify(path)
	return id.Sum, err
}
