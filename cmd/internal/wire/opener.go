package wire

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/batch"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/gitstore/branch"
	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/index/usage"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
	reconcile "github.com/cp-memory/cp/vault/sync"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/tree"
	"github.com/cp-memory/cp/vault/watch"
	"github.com/cp-memory/cp/vault/worktree"
)

// opener opens what commands ask for. A repository is found once: what is known of it,
// as git's settings are, holds for the whole command.
type opener struct {
	mu    sync.Mutex
	repos map[string]*gitstore.Repo
	sound string // the vault whose links were tended when it was found; it is opened next
}

// noteTended notes that the links of a vault on a branch of its own were tended.
func (o *opener) noteTended(root string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sound = root
}

// wasLinked reports that, once.
func (o *opener) wasLinked(root string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	was := o.sound == root
	o.sound = ""
	return was
}

func (o *opener) openCached(dir string) (*gitstore.Repo, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if repo := o.repos[dir]; repo != nil {
		return repo, nil
	}
	repo, err := gitstore.FindRepo(dir)
	if err == nil {
		o.repos = map[string]*gitstore.Repo{dir: repo}
	}
	return repo, err
}

// openMendedRepo returns the repository of the vault, and mends first what a vault on a branch of
// its own is linked by. state is the folder for the state of such a vault; empty for any other.
func (o *opener) openMendedRepo(ctx context.Context, s settings.Settings) (repo *gitstore.Repo, state string, err error) {
	sound := o.wasLinked(s.Root)
	link, err := branch.For(s.Root)
	if err == nil && link != nil {
		state = link.State()
		if !sound {
			err = link.Mend(ctx, s.LockTimeout)
		}
	}
	if err != nil {
		return nil, state, err
	}
	repo, err = o.openCached(s.Root)
	return repo, state, err
}

// vault opens the vault of the settings. One that is in no git repository
// can be read.
func (o *opener) vault(ctx context.Context, s settings.Settings) (app.Opened, error) {
	repo, state, err := o.openMendedRepo(ctx, s)
	if err != nil && vault.CodeOf(err) != vault.CodeNoGit {
		return app.Opened{}, err
	}
	refused := refusal(err)
	store, err := openStore(s, state, repo, err)
	if err != nil {
		return app.Opened{}, err
	}
	agent, err := agentName(ctx, s, repo)
	if err != nil {
		return app.Opened{}, err
	}
	var usage *usage.DB // nil counts nothing
	if refused == nil {
		usage = openUsage(ctx, s, statePath(s.Root, store, "usage.db"))
	}
	live := watch.Reader{Place: watch.LockFolder(store.Root(), store.StateDir()), Build: watchBuild(s)}
	vectors := index.NewVectors(statePath(s.Root, store, "vectors.db"))
	mirror, err := openMirror(s, store, repo, index.Options{Usage: usage, Vectors: vectors, Live: live, Dir: here(), Building: holdMemory, Apart: refused})
	if err != nil {
		return app.Opened{}, err
	}
	v := &vault.Vault{Store: store.Ports(), Mirror: mirror.Ports(), Usage: mirror.Telemetry(), Prefix: s.Prefix, Hidden: s.HidePointers, Agent: agent, Hasty: s.Hasty, NoAdopt: s.NoAdopt, Now: time.Now, Random: rand.Reader, Deliverable: batch.Deliverable(mirror.Analyser), Glimpse: mirror.OpenGlimpse, Aside: mirror.CopyToMemory}
	if s.AsAgent {
		v.Protect = tree.Protect{Hint: insteadOfChanging(s.Writer)}.CheckChange
	}
	syncer := &reconcile.Syncer{Vault: v, Ejected: func() bool { return settings.IsEjected(s.Root) }, Unwanted: worktree.Fits(s.Unwanted), Extensions: worktree.Kinds(s.Ignore), Refused: refused}
	var archive *past.Archive
	if repo != nil {
		merges := store.Merges()
		archive, syncer.Merges, syncer.Conflicts = store.Archive(), merges, merges
	}
	return app.Opened{Syncer: syncer, Archive: archive, Index: mirror, State: store, Rules: store.Rules, Lexicon: mirror, Pending: mirror, Tallies: mirror, Audit: mirror, Knowledge: mirror.Graph(), Web: mirror.Graph(), GraphSize: mirror.Graph().Counts, Undrawn: mirror.Graph().Undrawn,
		Spent: store.CountSpent, Others: store.Others(), Vectors: vectors, Weights: vectors, Holders: mirror, Counters: usage, Branch: mirror.Branch, Changed: mirror.ListChanged, Titles: mirror.Titles, Parts: mirror.Parts, Bindings: mirror.Code(), Verdicts: mirror.Code(),
		Close: func() error { return errors.Join(mirror.Close(), usage.Close(), vectors.Close()) }}, nil
}

// insteadOfChanging says what is to be done where a memory is protected. Only at a terminal it names
// what a person can do: an agent would do it.
func insteadOfChanging(w settings.Writer) string {
	if w.Terminal && !w.Tool {
		return "add what is new as a memory below it; as the person whose memory it is, repeat the command with --force, see `cp help format`"
	}
	return "leave it as it is, add what is new as a memory below it, and tell the person what should change in it"
}

// openUsage returns the telemetry. Whether it is shared is decided when it is first asked.
// A telemetry that cannot be opened counts nothing, so that reading works where nothing
// can be written.
func openUsage(ctx context.Context, s settings.Settings, path string) *usage.DB {
	return usage.New(path, func(u *usage.DB) {
		if s.ShareUsage {
			_ = u.NameClone(ctx, path, rand.Reader)
		} else {
			_ = u.Alone(ctx)
		}
	})
}

// hastyWait is how long a hasty reader waits for the index. Its whole patience is 50 ms, and
// it may meet two locks: that of the rows and that of the file.
const hastyWait = 20 * time.Millisecond

// openMirror opens the mirror of the files in store.
func openMirror(s settings.Settings, store *worktree.Store, repo *gitstore.Repo, o index.Options) (*index.DB, error) {
	o.Leaves = strings.Join(slices.Concat(s.Ignore, store.Others()), "\n")
	o.Source, o.Folders, o.Now, o.Wait = store.Ports().Source, store, time.Now, s.LockTimeout
	if o.Hasty = s.Hasty; o.Hasty {
		o.Wait = hastyWait
	}
	if o.State = store.StateDir(); repo != nil {
		o.Cut = repo.Cut
		o.Tracked = func(ctx context.Context) (bool, error) {
			name, err := filepath.Rel(repo.Top(), indexPath(store.Root()))
			if err != nil {
				return false, err
			}
			return repo.Tracks(ctx, filepath.ToSlash(name), filepath.Join(store.StateDir(), "index.db.untracked"))
		}
	}
	return index.Open(indexPath(s.Root), o)
}

func indexPath(root string) string { return filepath.Join(root, ".cp", "index.db") }

// openStore opens the files. state is the folder for the state of a vault on a branch of its
// own; without a repository, missing says why.
func openStore(s settings.Settings, state string, repo *gitstore.Repo, missing error) (*worktree.Store, error) {
	o := worktree.Options{Leaves: s.Ignore, Others: otherNames(s, state, repo), Wait: s.LockTimeout, Now: time.Now, Random: rand.Reader, State: state}
	if repo == nil {
		if errors.Is(missing, gitstore.ErrBare) || refusal(missing) != nil {
			o.NoRepo = missing
		}
		return worktree.Open(s.Root, nil, o)
	}
	o.Hasty = portsOf(repo.Hasty())
	return worktree.Open(s.Root, portsOf(repo), o)
}

// refusal returns err if git refuses the repository; else nil. A vault in there is only read,
// and nothing is written below its folder.
func refusal(err error) error {
	if errors.Is(err, vault.ErrRefused) {
		return err
	}
	return nil
}

// otherNames returns the names in the vault that are never memories: where it lies at the top of a
// repository of code, agents load some of its files, and reports are written there. A vault
// with state of its own is on a branch of its own, where no code is.
func otherNames(s settings.Settings, state string, repo *gitstore.Repo) []string {
	if repo == nil || state != "" {
		return nil
	}
	if real, err := filepath.EvalSymlinks(s.Root); err != nil || real != repo.Top() {
		return nil
	}
	return append(tier.OtherNames(), slices.Sorted(maps.Values(s.Core.Project))...)
}

// portsOf returns the repository as the vault needs it.
func portsOf(r *gitstore.Repo) *worktree.Repo {
	return &worktree.Repo{Folders: r, Branch: r, Publisher: r, Takebacks: r, Status: r, Contents: r, Trail: r, Search: r, Joins: r}
}

// agentName is who writes: the agent of the settings, else git's user. Asking
// git takes a process, which only they pay who have not said who they are.
func agentName(ctx context.Context, s settings.Settings, repo *gitstore.Repo) (string, error) {
	if s.Agent != "" || repo == nil {
		return s.Agent, nil
	}
	git, err := repo.Settings(ctx)
	return git.Identity("AUTHOR", "").Name, err
}

// author is who writes in a vault.
func (o *opener) author(ctx context.Context, s settings.Settings) (string, error) {
	repo, err := o.openCached(s.Root)
	if err != nil && vault.CodeOf(err) != vault.CodeNoGit {
		return "", err
	}
	return agentName(ctx, s, repo)
}

// statePath returns the place for state of this clone that cannot be derived from the
// files: in the git directory, where git clean does not reach, or beside the index without
// git.
func statePath(root string, store *worktree.Store, name string) string {
	if dir := store.CommonStateDir(); dir != "" {
		return filepath.Join(dir, name)
	}
	return filepath.Join(root, ".cp", name)
}
