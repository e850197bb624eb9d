package sync_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/sync"
)

// memo remembers a pass that found nothing, as an index does.
type memo struct {
	parents int
	agreed  bool
	err     error
}

func (m *memo) FindAgreement(context.Context) (int, bool, error) { return m.parents, m.agreed, m.err }

func (m *memo) Agree(_ context.Context, _ vault.Generation, parents int) error {
	m.parents, m.agreed = parents, true
	return nil
}

// A pass of sync commits nothing when something that it asks fails, and says what failed.
func TestPlanSyncFails(t *testing.T) {
	const rollback = vault.Path("deploy/rollback.md")
	pass := func(with ...func(*sync.Syncer, *world)) func(context.Context, *world) ([]string, error) {
		return func(ctx context.Context, w *world) ([]string, error) {
			s := &sync.Syncer{Vault: w.Vault}
			for _, with := range with {
				with(s, w)
			}
			out, err := s.Sync(ctx, sync.Options{})
			return told(out), err
		}
	}
	remembers := func(m *memo) func(*sync.Syncer, *world) {
		return func(s *sync.Syncer, _ *world) { s.Mirror.Agreement = m }
	}
	stray := family().With(files{"deploy/new.md": file("pf-aa9", "New", "", "New.\n")})
	vaultmap.Run(t, []vaultmap.Row[[]string]{
		{Name: "the mirror cannot catch up", Start: stray, Given: vaultmap.Failing, Do: pass(), Err: vaultmap.Failed},
		{Name: "what the last pass found cannot be told", Start: stray, Do: pass(remembers(&memo{err: errors.New("no rows")})), Err: "no rows"},
		{Name: "the last pass found nothing to do", Start: stray, Do: pass(remembers(&memo{agreed: true}))},
		{Name: "a part of the vault cannot be listed", Given: func(w *world) { w.Partly = true; delete(w.Disk, rollback) }, Do: pass(remembers(&memo{agreed: true})), Left: "gone " + string(rollback)},
		{Name: "what a person typed in a pointer that goes is told by the commit", Given: func(w *world) {
			delete(w.Disk, rollback)
			typed("deploy.md", "when to go back", "when all is lost")(w)
		}, Do: syncs(t, sync.Options{}), Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				gone deploy/rollback.md`, Says: `the commit's message keeps what the pointer to pf-aa2 said: when all is lost`},
		{Name: "a pointer that a person typed and that leads nowhere is in the history first", Given: func(w *world) {
			typed("deploy.md", `  {"id": "pf-aa3"`, `  {"id": "pf-none", "title": "None", "summary": "when typed"},`+"\n"+`  {"id": "pf-aa3"`)(w)
		}, Do: func(ctx context.Context, w *world) ([]string, error) {
			out, err := syncs(t, sync.Options{})(ctx, w)
			if len(w.Plans) < 2 || w.Plans[0].Title != "pointers that go" {
				t.Errorf("the commits are %+v", w.Plans)
			}
			return out, err
		}, Says: "removed stale pointer to pf-none"},
	})
}

// failing is a merge of which something cannot be read.
type failing struct {
	*merged
	texts, replays error
}

func (f *failing) Texts(ctx context.Context, commit string, paths []vault.Path) (map[vault.Path][]byte, error) {
	if f.texts != nil {
		return nil, f.texts
	}
	return f.merged.Texts(ctx, commit, paths)
}

func (f *failing) Replay(ctx context.Context, a, b string, how sync.Replay) (func(vault.Path) ([]byte, error), error) {
	if f.replays != nil {
		return nil, f.replays
	}
	return f.merged.Replay(ctx, a, b, how)
}

// A merge of which something cannot be read is left as it is, and the pass says why.
func TestPlanMergeFails(t *testing.T) {
	child := family().With(files{"deploy/new.md": file("pf-aa9", "New", "", "New.\n")})
	does := func(f failing, given func(*world)) func(context.Context, *world) ([]string, error) {
		return func(ctx context.Context, w *world) ([]string, error) {
			f.merged = &merged{w: w, git: child}
			given(w)
			s := &sync.Syncer{Vault: w.Vault, Merges: &f, Conflicts: &f}
			out, err := s.Sync(ctx, sync.Options{})
			if f.put {
				t.Error("the merge is marked as one that was put right")
			}
			return told(out), err
		}
	}
	well := func(*world) {}
	titled := func(title string) files {
		return family().With(files{"deploy/rollback.md": file("pf-aa2", title, "when to go back", "Roll back.\n")})
	}
	split := family().With(files{"deploy/rollback.md": "---\nid: pf-aa2\n" + between("title: Mine\n", "title: Yours\n") + "---\nRoll back.\n"})
	vaultmap.Run(t, []vaultmap.Row[[]string]{
		{Name: "the texts of a side", Given: history(child, family(), child), Do: does(failing{texts: errors.New("no object")}, well), Err: "no object"},
		{Name: "what git would have made of it", Given: history(titled("Mine"), titled("Yours"), split), Do: does(failing{replays: errors.New("no object")}, well), Err: "no object"},
		{Name: "the mirror", Given: history(child, family(), child), Do: does(failing{}, vaultmap.Failing), Err: vaultmap.Failed},
	})
}
