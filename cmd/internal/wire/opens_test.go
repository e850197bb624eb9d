package wire

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/cli"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// counted counts, by the vault, how often each is opened and how often all of its files are
// looked at.
type counted struct {
	mu           sync.Mutex
	opens, looks map[string]int
}

// looking is a mirror whose looks at the whole vault are counted.
type looking struct {
	vault.Refresher
	c    *counted
	root string
}

func (l looking) CatchUp(ctx context.Context, src vault.Source, scope vault.Scope) (vault.Report, error) {
	if scope.IsWholeVault() {
		l.c.mu.Lock()
		l.c.looks[l.root]++
		l.c.mu.Unlock()
	}
	return l.Refresher.CatchUp(ctx, src, scope)
}

// run runs a command line in this process, and returns how often each vault was opened and looked
// at.
func (c *counted) run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	t.Chdir(dir)
	a, err := wire("v0")
	if err != nil {
		t.Fatal(err)
	}
	c.opens, c.looks = map[string]int{}, map[string]int{}
	open := a.Wire
	a.Wire = func(ctx context.Context, s settings.Settings) (app.Opened, error) {
		o, err := open(ctx, s)
		if err == nil {
			c.mu.Lock()
			c.opens[s.Root]++
			c.mu.Unlock()
			o.Vault.Mirror.Refresher = looking{o.Vault.Mirror.Refresher, c, s.Root}
		}
		return o, err
	}
	var out, stderr bytes.Buffer
	if exit := cli.Run(t.Context(), a, console.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr}, args); exit != 0 {
		t.Fatalf("cp %s: exit %d\n%s%s", strings.Join(args, " "), exit, out.String(), stderr.String())
	}
	return out.String()
}

// A vault that is alone is opened once by every command that reads, and its files are looked at
// once at the most. In a family each vault that is asked is opened once, and a memory that is here
// opens no other one.
func TestALoneVaultIsOpenedOnce(t *testing.T) {
	testlevel.Check(t)
	m := newMachine(t)
	made := func(name, title string) string {
		root := m.vault(name)
		m.add(name, title, "When it is deployed", "How Nomad does it.")
		m.cp(name, "memory", "list")
		return root
	}
	alone, top, low := made("alone", "Above"), made("top", "Above"), made("top/low", "Below")
	for _, row := range []struct {
		at     string
		lines  []string
		opened string
	}{
		{alone, []string{"show Above", "path Above", "log Above", "blame Above", "diff Above", "tree", "tree above.md", "list", "search nomad", "recall nomad", "hot", "prime", "awareness", "graph", "entities", "status",
			"changes --since 24h", "export -o jsonl", "log", "context x", "review", "findings list", "fact list Above", "verify", "guide nomad"}, alone},
		{top, []string{"tree", "list", "search nomad", "recall nomad", "hot", "prime", "awareness", "graph", "entities", "status", "changes --since 24h", "export -o jsonl", "context x", "review"}, top + " " + low},
		{top, []string{"show Above", "path Above", "log Above", "blame Above", "diff Above"}, top},
		{top, []string{"show Below", "path Below", "log Below", "blame Below", "diff Below", "fact list Below"}, top + " " + low},
	} {
		for _, line := range row.lines {
			c := new(counted)
			c.run(t, row.at, append([]string{"memory"}, strings.Fields(line)...)...)
			if got := strings.Join(slices.Sorted(maps.Keys(c.opens)), " "); got != row.opened || most(c.opens) > 1 || row.at == alone && most(c.looks) > 1 {
				t.Errorf("%s in %s: opened %v, looked at %v", line, row.at, c.opens, c.looks)
			}
		}
	}
}

// most is the largest number.
func most(counts map[string]int) (n int) {
	for _, c := range counts {
		n = max(n, c)
	}
	return n
}
