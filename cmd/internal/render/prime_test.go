package render

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// crowd answers only what Prime asks: many roots, all of them wordy.
type crowd struct {
	vault.Lists
	title, phrase string
	folders       int // at the top
}

func (c crowd) ApplyReceipt(context.Context, vault.Source, vault.Receipt) error { return nil }

func (c crowd) CatchUp(context.Context, vault.Source, vault.Scope) (vault.Report, error) {
	return vault.Report{}, nil
}

func (c crowd) Generation(context.Context) (vault.Generation, error) { return vault.Generation{}, nil }

func (c crowd) Overview(_ context.Context, roots, hottest int) (vault.Overview, error) {
	o := vault.Overview{Memories: 100_000, RootCount: 5000, RootsIn: map[vault.Path]int{}}
	for i := range 500 * c.folders {
		o.RootsIn[vault.Path(fmt.Sprintf("%d/some folder %d/of many", i%c.folders, i))] = 10
	}
	node := func(i int) vault.Node {
		var in vault.Path
		if c.folders > 0 {
			in = vault.Path(fmt.Sprintf("%d/some folder %d/of many", i%c.folders, i%500))
		}
		return vault.Node{In: in, ID: vault.ID(fmt.Sprintf("pf-%08d", i)), Header: vault.Header{Title: c.title, Summary: c.phrase}, Children: i}
	}
	for i := range min(roots, o.RootCount) {
		o.Roots = append(o.Roots, node(i))
	}
	for i := range hottest {
		o.Hottest = append(o.Hottest, node(9000+i))
	}
	return o, nil
}

// Whatever the vault, what prime prints keeps to its budget.
func TestPrimeKeepsToItsBudget(t *testing.T) {
	for _, c := range []crowd{{title: "T"}, {title: "Some title", phrase: "When this and that is the case"},
		{title: strings.Repeat("long ", 100), phrase: strings.Repeat("when ", 200)}, {title: "日本語の題", phrase: "本番データベースを移行するとき"},
		{title: "In folders", folders: 5}, {title: "In many", folders: 90}} {
		for _, budget := range []int{1, 20, 100, 299, 300, 400, 1000, 5000} {
			v := vaultmap.New(nil).Vault
			v.Mirror = vault.Mirror{Tree: vault.Tree{Lists: c}, Refresher: c}
			p, err := tree.Prime{Budget: budget}.Read(context.Background(), v)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			Prime(Screen{Writer: &b}, "handbook", app.Primed{Primed: p})
			if got := vault.Tokens(b.String()); got > budget || p.Tokens > budget {
				t.Errorf("title %.12q, budget %d: %d tokens were printed, %d told", c.title, budget, got, p.Tokens)
			}
			if budget >= 1000 && len(c.title) < 20 && len(p.Roots) < 10 {
				t.Errorf("title %q, budget %d: only %d roots", c.title, budget, len(p.Roots))
			}
		}
	}
}
