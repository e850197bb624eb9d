package doctor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/sync"
)

// ward is a machine, a repository and a folder as a row of a table has them.
type ward struct {
	vault.Commits
	vault.Outbox
	vault.Recovery

	git                      string
	cp                       doctor.Programs
	top                      error
	damage                   doctor.Damage
	locks                    []doctor.Lock
	busy                     bool // a git runs
	merge, driver, system    string
	ignored, remote, tracked bool
	files, exist, adopted    []string
	displaced                int
	lost                     []vault.Revision
	strays                   []string
	index                    []string
	nowhere                  []vault.Edge
	mute                     error // of nowhere
	private                  error
	head                     vault.Head
	vectors                  func(context.Context) (string, error)
}

func (w *ward) Git(context.Context) string                    { return w.git }
func (w *ward) SQLite() string                                { return "3.53.4" }
func (w *ward) Programs() (doctor.Programs, error)            { return w.cp, nil }
func (w *ward) Top() (string, error)                          { return "/v", w.top }
func (w *ward) Damage(context.Context) (doctor.Damage, error) { return w.damage, nil }
func (w *ward) Locks(context.Context) ([]doctor.Lock, error)  { return w.locks, nil }
func (w *ward) Quiet() bool                                   { return !w.busy }
func (w *ward) Merge(context.Context, string) (string, error) { return w.merge, nil }
func (w *ward) Driver(context.Context) (string, string, bool) {
	return w.driver, "/p", w.driver == "'/p'"
}
func (w *ward) IsIgnored(context.Context) bool { return w.ignored }

// drafts is a repository that ignores files called draft.
type drafts struct{ vault.FileStatus }

func (drafts) ListIgnored(_ context.Context, paths []vault.Path) ([]vault.Path, error) {
	return slices.DeleteFunc(slices.Clone(paths), func(p vault.Path) bool { return p.Stem() != "draft" }), nil
}

func (w *ward) System() (string, bool)                               { return w.system, w.remote }
func (w *ward) Exists(name string) bool                              { return slices.Contains(w.exist, name) }
func (w *ward) ListAdopted() []string                                { return w.adopted }
func (w *ward) Count(string, string) int                             { return w.displaced }
func (w *ward) StateDir() string                                     { return "/v/.git/cp" }
func (w *ward) CommonStateDir() string                               { return "/v/.git/cp" }
func (w *ward) Lost(context.Context) ([]vault.Revision, error)       { return w.lost, nil }
func (w *ward) Strays(context.Context) ([]string, error)             { return w.strays, nil }
func (w *ward) FindReversal(context.Context) (vault.Reversal, error) { return vault.Reversal{}, nil }
func (w *ward) Private() (bool, error)                               { return w.private != nil, w.private }
func (w *ward) Check(context.Context) ([]string, error)              { return w.index, nil }
func (w *ward) IsTracked(context.Context) (bool, error)              { return w.tracked, nil }
func (w *ward) Nowhere(context.Context) ([]vault.Edge, error)        { return w.nowhere, w.mute }
func (w *ward) Head(context.Context) (vault.Head, error)             { return w.head, nil }
func (w *ward) Waiting(context.Context) ([]vault.Queued, error)      { return nil, nil }
func (w *ward) ListUnfinished(context.Context) []vault.Unfinished    { return nil }
func (w *ward) Files(fn func(string)) error {
	for _, f := range w.files {
		fn(f)
	}
	return nil
}

// Each row makes one thing wrong, and says which check has to see it and how.
func TestEveryCheckSeesWhatIsWrong(t *testing.T) {
	well := func() *ward {
		return &ward{git: "2.39.5", cp: doctor.Programs{First: "/bin/cp", Ours: true}, merge: "cp-memory", driver: "'/p'", head: vault.Head{Branch: "refs/heads/main"}}
	}
	none := errors.New("read-only")
	for _, row := range []struct {
		name string
		make func(w *ward)
		want string
	}{
		{"nothing", func(*ward) {}, ""},
		{"no git", func(w *ward) { w.git = "" }, "git error"},
		{"an old git", func(w *ward) { w.git = "2.9.1" }, "git warning"},
		{"another cp", func(w *ward) { w.cp.Ours = false }, "path info"},
		{"another name", func(w *ward) { w.cp = doctor.Programs{Self: "/usr/bin/cp-memory", First: "/usr/bin/cp"} }, ""},
		{"no repository", func(w *ward) { w.top = vault.Errorf(vault.CodeNoGit, "git init", "no repository") }, "repository error"},
		{"a rebase", func(w *ward) { w.head.Busy = "rebase" }, "repository warning"},
		{"no attribute", func(w *ward) { w.merge = "unspecified" }, "gitattributes info"},
		{"no driver", func(w *ward) { w.driver = "" }, "merge_driver warning"},
		{"a driver that is gone", func(w *ward) { w.driver = "'/q'" }, "merge_driver warning"},
		{"an ignored vault", func(w *ward) { w.ignored = true }, "gitignore warning"},
		{"a draft that git ignores", func(w *ward) { w.files = []string{"a.md", "draft.md", "draft.txt"} }, "gitignore info"},
		{"a network file system", func(w *ward) { w.system, w.remote = "nfs", true }, "file_system warning"},
		{"what editors left", func(w *ward) { w.files = []string{"a.md", "b/.a.md.swp", "a.md~"} }, "editor_files info"},
		{"a stale lock", func(w *ward) { w.locks = []doctor.Lock{{Path: "/l", Age: time.Hour}} }, "git_locks warning"},
		{"a lock of a git that runs", func(w *ward) { w.locks, w.busy = []doctor.Lock{{Path: "/l", Age: time.Hour}}, true }, "git_locks warning"},
		{"a young lock", func(w *ward) { w.locks = []doctor.Lock{{Path: "/l", Age: time.Second}} }, "git_locks info"},
		{"damage", func(w *ward) { w.damage.Found = []string{"x is empty", "y is empty"} }, "git_files error, git_files error"},
		{"replaced files", func(w *ward) { w.displaced = 2 }, "displaced info"},
		{"a damaged index", func(w *ward) { w.index = []string{"malformed"} }, "index error"},
		{"an index that cannot be used", func(w *ward) { w.private = none }, "index warning"},
		{"an index that git tracks", func(w *ward) { w.tracked = true }, "index_tracked warning"},
		{"an index set aside", func(w *ward) { w.exist = []string{"/v/.cp/index.db.bad"} }, "index_bad info"},
		{"sound vectors", func(w *ward) { w.vectors = func(context.Context) (string, error) { return "by m of 5 memories", nil } }, ""},
		{"vectors that are not used", func(w *ward) {
			w.vectors = func(context.Context) (string, error) {
				return "", vault.Errorf(vault.CodeEmbedding, "cp admin embed-backfill", "they are old")
			}
		}, "vectors warning"},
		{"vectors set aside", func(w *ward) { w.exist = []string{"/v/.git/cp/vectors.db.bad"} }, "set_aside info"},
	} {
		w := well()
		row.make(w)
		p := &doctor.Patient{
			Syncer: &sync.Syncer{Vault: &vault.Vault{Store: vault.Store{Source: vault.Source{Commits: w}, Outbox: w, Recovery: w, FileStatus: drafts{}}}}, Root: "/v",
			Machine: w, Repository: w, Attributes: w, Folder: w, State: w, Index: w,
			Watcher:  func() (string, bool) { return "", false },
			Describe: func(vault.Head) string { return "main" },
			Vectors:  w.vectors,
		}
		var got []string
		for _, f := range append(p.ExamineMachine(t.Context()), p.ExamineSurroundings(t.Context())...) {
			if f.Evidence == "" || (f.Severity == doctor.OK) && f.Fix != "" {
				t.Errorf("%s: %+v", row.name, f)
			}
			if f.Severity != doctor.OK {
				got = append(got, fmt.Sprintf("%s %s", f.Check, f.Severity))
			}
		}
		if strings.Join(got, ", ") != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
}
