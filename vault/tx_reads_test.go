package vault_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
)

// asking is a verb that writes down what it was told.
type asking func(ctx context.Context, tx *vault.Tx) (any, error)

func (asking) Name() string { return "ask" }

func (ask asking) Plan(ctx context.Context, tx *vault.Tx) (vault.ID, error) {
	told, err := ask(ctx, tx)
	id, err2 := tx.NewID(ctx)
	if err2 != nil {
		return "", err2
	}
	tx.Create(vault.Node{ID: id, Path: "told.md"}, fmt.Appendf(nil, "%v, %s: %v", tx.Now(), vault.CodeOf(err), told))
	return id, nil
}

// Whatever a plan has read becomes a precondition: where it says something else
// when the change is to be committed, the verb plans again.
func TestPlanAgainWhereAReadHasChanged(t *testing.T) {
	const p = vault.Path("deploy/rollback.md")
	typed, arrives := vaultmap.Type(p, "Roll back", "Fall back"), vaultmap.Set(vaultmap.Files{"deploy/new.md": "# New\n"})
	text := func(d *vault.Doc, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		return string(d.Mem.Prose), nil
	}
	for _, row := range []struct {
		name  string
		ask   asking
		given func(*vaultmap.World) // what somebody does meanwhile
	}{
		{"the text of a file", func(_ context.Context, tx *vault.Tx) (any, error) { b, err := tx.Read(p); return string(b), err }, typed},
		{"that there is no file", func(_ context.Context, tx *vault.Tx) (any, error) {
			b, err := tx.Read("deploy/new.md")
			return string(b), err
		}, arrives},
		{"a memory", func(ctx context.Context, tx *vault.Tx) (any, error) { return text(tx.Open(ctx, "pf-aa2")) }, typed},
		{"a memory of a known place", func(_ context.Context, tx *vault.Tx) (any, error) { return text(tx.OpenAt(vault.Node{Path: p})) }, typed},
		{"what stands at a path", func(ctx context.Context, tx *vault.Tx) (any, error) { return tx.Look(ctx, "deploy/new.md") }, arrives},
		{"the children", func(ctx context.Context, tx *vault.Tx) (any, error) {
			d, err := tx.Open(ctx, "pf-aa1")
			if err != nil {
				return nil, err
			}
			all, err := tx.Below(ctx, d)
			return len(all), err
		}, arrives},
		{"the files of a folder", func(ctx context.Context, tx *vault.Tx) (any, error) {
			n := 0
			err := tx.Scan(ctx, "deploy", func(vault.File) error { n++; return nil })
			return n, err
		}, arrives},
		{"what the mirror says of a memory", func(ctx context.Context, tx *vault.Tx) (any, error) {
			n, err := tx.Tree().Find(ctx, "pf-aa2")
			return n.Hash, err
		}, vaultmap.Seen(typed)},
		{"where the branch stands", func(ctx context.Context, tx *vault.Tx) (any, error) { return tx.Tip(ctx) }, func(w *vaultmap.World) { w.Commit("a person's") }},
		{"what HEAD has", func(ctx context.Context, tx *vault.Tx) (any, error) {
			b, _, err := tx.ReadCommitted(ctx, p)
			return string(b), err
		},
			func(w *vaultmap.World) { typed(w); w.Commit("a person's") }},
		{"that nothing is under way", func(ctx context.Context, tx *vault.Tx) (any, error) { return tx.Busy(ctx), nil }, func(w *vaultmap.World) { w.Busy = "merge" }},
		{"that nothing is typed", func(ctx context.Context, tx *vault.Tx) (any, error) { return tx.IsModified(ctx, p) }, typed},
		{"that nothing is typed or staged", func(ctx context.Context, tx *vault.Tx) (any, error) { return nil, tx.Clean(ctx, p) }, func(w *vaultmap.World) { w.Staged[p] = "staged" }},
		{"what is staged", func(ctx context.Context, tx *vault.Tx) (any, error) { return tx.ListStaged(ctx, []vault.Path{p}) }, func(w *vaultmap.World) { w.Staged[p] = "staged" }},
		{"what is ignored", func(ctx context.Context, tx *vault.Tx) (any, error) {
			return tx.ListIgnored(ctx, []vault.Path{"deploy/new.md"})
		}, func(w *vaultmap.World) { w.Ignored = append(w.Ignored, "deploy/new.md") }},
	} {
		t.Run(row.name, func(t *testing.T) {
			again := func(meanwhile func(*vaultmap.World)) []vault.Change {
				w := vaultmap.New(vaultmap.Family())
				w.Meanwhile = func() func() { meanwhile(w); return func() { w.Busy = "" } }
				if _, _, err := vault.Do(t.Context(), w.Vault, row.ask, vault.Options{}); err != nil {
					t.Fatal(err)
				}
				return w.Plans
			}
			if n := len(again(func(w *vaultmap.World) { w.Disk["else.md"] = "nobody asked" })); n != 1 {
				t.Errorf("what nobody asked for has changed, and it was planned %d times", n)
			}
			plans := again(row.given)
			if len(plans) != 2 {
				t.Fatalf("it was planned %d times, want twice", len(plans))
			}
			was, now := string(plans[0].Edits[0].Create), string(plans[1].Edits[0].Create)
			if was == now && row.name != "that nothing is under way" {
				t.Errorf("planned again, it was told the same: %s", now)
			}
		})
	}
}

// What changes all the time keeps nobody from writing.
func TestPlanEndsWhereAReadChangesAllTheTime(t *testing.T) {
	w := vaultmap.New(vaultmap.Family())
	var meanwhile func() func()
	meanwhile = func() func() {
		w.Disk["deploy.md"] += "more\n"
		return func() { w.Meanwhile = meanwhile }
	}
	w.Meanwhile = meanwhile
	ask := asking(func(_ context.Context, tx *vault.Tx) (any, error) { return tx.Read("deploy.md") })
	if _, _, err := vault.Do(t.Context(), w.Vault, ask, vault.Options{}); err != nil || len(w.Plans) != 8 {
		t.Errorf("planned %d times, %v", len(w.Plans), err)
	}
	if w.Head()["told.md"] == "" {
		t.Error("nothing was committed")
	}
}
