package past

import (
	"context"
	"path"
	"slices"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/naming"
)

// Archive is the vault's past, as its repository keeps it.
type Archive struct {
	Revisions
	Trails
	Texts
}

// Revisions find commits.
type Revisions interface {
	// Resolve returns the id of the commit that rev names in any way git
	// understands. The error is CodeNotFound when it names none.
	Resolve(ctx context.Context, rev string) (string, error)

	// Parent returns the first parent of a commit, or "" for one that begins the history.
	// The error is CodeNotFound if a shallow clone ends before the parent.
	Parent(ctx context.Context, commit string) (string, error)

	// Before returns the last commit of HEAD's history that is not younger than t, or "".
	Before(ctx context.Context, t time.Time) (string, error)

	// Log calls fn for the commits of a query, the newest first, until fn returns false.
	Log(ctx context.Context, q LogQuery, fn func(vault.Revision) bool) error
}

// Trails follow files through commits.
type Trails interface {
	// ListTouched lists the Markdown files that differ between two commits, in path
	// order, moves recognised. An empty from holds nothing.
	ListTouched(ctx context.Context, from, to string) ([]Touch, error)

	// FindFormerPath returns where the file of a commit was in another one, from which it
	// was moved; empty when it was not.
	FindFormerPath(ctx context.Context, from, to string, p vault.Path) (vault.Path, error)

	// Seek returns the path of the file that carries the id in a commit; empty
	// when none does.
	Seek(ctx context.Context, commit string, id vault.ID) (vault.Path, error)

	// FindDeletion returns the newest commit, from one on back, that took the file with
	// the id away, and the path it had. The error is CodeNotFound when none did.
	FindDeletion(ctx context.Context, from string, id vault.ID) (commit string, p vault.Path, err error)
}

// Texts reads earlier versions of files.
type Texts interface {
	// Versions calls fn with the text of each file that a commit has. For many files it is
	// much cheaper than as many ReadAt, and cheaper still if the blobs are known.
	Versions(ctx context.Context, commit string, files []Version, fn func(p vault.Path, text []byte) error) error

	// Diff returns the changes from a commit's version of a file to the one on disk, as
	// git writes them. It is empty if there are none.
	Diff(ctx context.Context, commit string, was, now vault.Path) (string, error)

	// Blame tells of each line of the file on disk which commit wrote it.
	Blame(ctx context.Context, p vault.Path) ([]BlameRow, error)
}

// LogQuery selects commits that touched the vault.
type LogQuery struct {
	From  string     // the newest commit; empty is HEAD
	Path  vault.Path // only those that touched the file of this name
	Since time.Time  // only those that are not older
	Limit int        // 0 is no limit
	All   bool       // those that did not touch the vault, too
	Line  bool       // only those on the line of first parents: of a merge the merge itself
}

// Version is a file of a commit.
type Version struct {
	Path vault.Path
	Blob string // its id; empty where it is not known
}

// Touch is one file that differs between two commits.
type Touch struct {
	Path vault.Path // in the newer commit; where it was, for one that is gone
	From vault.Path // where it was, for one that moved
	Gone bool
	New  bool
	Blob string // in the older commit, where it was a file
}

// past returns the archive. Without git there is none.
func (h *History) past() (*Archive, error) {
	if h.Archive == nil && h.Why != nil {
		return nil, h.Why
	}
	if h.Archive == nil {
		return nil, vault.Errorf(vault.CodeNoGit, "run `git init` and `cp init` in the vault's folder", "the vault is in no git repository, which would keep its history")
	}
	return h.Archive, nil
}

// commitAt returns the commit that a person names: in any way git knows, or by
// a point in time as ParseSince reads it. It is empty where the history begins
// later.
func (h *History) commitAt(ctx context.Context, a *Archive, rev string) (string, error) {
	t, err := ParseSince(rev, h.Now())
	if err == nil {
		return a.Before(ctx, t)
	}
	commit, err := a.Resolve(ctx, rev)
	if vault.CodeOf(err) == vault.CodeNotFound {
		err = vault.Errorf(vault.CodeNotFound, "`cp memory log` lists the commits; a time is 24h, 7d, yesterday or 2026-01-31", "there is no commit %q, and a time it is not", vault.Clip(rev, 60))
	}
	return commit, err
}

// versionAt is commitAt for a version of the memory id, which there has to be.
func (h *History) versionAt(ctx context.Context, a *Archive, rev string, id vault.ID) (string, error) {
	commit, err := h.commitAt(ctx, a, rev)
	if err == nil && commit == "" {
		err = vault.Errorf(vault.CodeNotFound, "`cp memory log "+string(id)+"` lists its versions", "there is no commit as old as %s", vault.Clip(rev, 60))
	}
	return commit, err
}

// pathAt returns where the memory was in a commit. The error is CodeNotFound
// when it was not there.
func (h *History) pathAt(ctx context.Context, a *Archive, commit string, n *vault.Node) (vault.Path, error) {
	doc, err := h.Store.ReadAt(ctx, commit, n.Path)
	if err == nil && n.Is(vault.Parse(n.Path, doc)) {
		return n.Path, nil
	}
	if err != nil && vault.CodeOf(err) != vault.CodeNotFound {
		return "", err
	}
	p, err := a.Seek(ctx, commit, n.ID)
	if err == nil && p == "" {
		err = vault.Errorf(vault.CodeNotFound, "`cp memory log "+string(n.ID)+"` lists its versions", "%s was not there in %s", n.ID, vault.Short(commit))
	}
	return p, err
}

// locateRef finds what ref names: a living memory, or else the id of one that is gone. For a
// path it is the memory that last had it, wherever it is now.
func (h *History) locateRef(ctx context.Context, a *Archive, ref string) (n vault.Node, gone vault.ID, err error) {
	n, err = h.Locate(ctx, ref)
	if vault.CodeOf(err) != vault.CodeNotFound && (err != nil || !vault.Path(ref).IsMarkdown() || slices.Contains(h.filesNamed(ref), n.Path)) {
		return n, "", err
	}
	id, perr := h.lastIDAt(ctx, a, ref)
	if err == nil && id == "" { // by its file's name
		return n, "", perr
	}
	if perr == nil && id == "" {
		if id, perr = vault.ParseID(ref); perr == nil {
			return n, id, nil
		}
		return n, "", err
	}
	if perr != nil {
		return n, "", perr
	}
	n, err = h.Locate(ctx, string(id))
	if vault.CodeOf(err) == vault.CodeNotFound {
		return n, id, nil
	}
	return n, "", err
}

// lastIDAt returns the id of the memory whose file was the last to stand at a path,
// before it went; empty where none did.
func (h *History) lastIDAt(ctx context.Context, a *Archive, ref string) (id vault.ID, err error) {
	if !vault.Path(ref).IsMarkdown() {
		return "", nil
	}
	for _, p := range h.filesNamed(ref) {
		if p, perr := vault.ParsePath(string(p)); perr == nil && id == "" && err == nil {
			id, err = h.stoodAt(ctx, a, p)
		}
	}
	return id, err
}

// filesNamed are the files that a path with its .md may name.
func (h *History) filesNamed(ref string) []vault.Path {
	within := ""
	if h.Within != nil {
		within = string(vault.Path(h.Within(ref)).Stem())
	}
	return slices.Compact(append([]vault.Path{vault.Path(path.Clean(ref))}, naming.Files(string(vault.Path(ref).Stem()), within)...))
}

// stoodAt returns the id of the memory whose file was the last to stand at p.
func (h *History) stoodAt(ctx context.Context, a *Archive, p vault.Path) (id vault.ID, err error) {
	var last vault.Revision
	err = a.Log(ctx, LogQuery{Path: p, Limit: 1}, func(r vault.Revision) bool {
		last = r
		return true
	})
	if err != nil || last.Commit == "" {
		return "", err
	}
	doc, err := h.Store.ReadAt(ctx, last.Commit+"^", p)
	if err != nil {
		return "", ignoreNotFound(err)
	}
	return vault.Parse(p, doc).ID, nil
}
