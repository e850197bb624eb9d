package main_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
)

var originsSeed = flag.Uint64("origins-seed", 0, "seed of the first history that TestOriginsEqualRebuild lives through; 0 takes the clock")

// Whatever people do to a history, with whatever clocks, the order of a list, its dates and
// what --since finds are those of an index that is made anew.
func TestOriginsEqualRebuild(t *testing.T) {
	testlevel.Check(t)
	first := *originsSeed
	if first == 0 {
		first = uint64(time.Now().UnixNano())
	}
	for seed := first; seed < first+uint64(testlevel.Rounds(3)); seed++ {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			p := &pastime{World: vaulttest.New(t), r: rand.New(rand.NewPCG(seed, 1))}
			for range 60 {
				p.step()
				if p.r.IntN(3) > 0 { // a list may not be asked for between two changes
					p.compare()
				}
			}
		})
	}
}

// pastime is a vault whose people write history.
type pastime struct {
	*vaulttest.World
	r   *rand.Rand
	log []string
}

func (p *pastime) try(args ...string) bool {
	cmd := exec.Command("git", args...)
	when := time.Unix(1.7e9+p.r.Int64N(1e7), 0).UTC().Format(time.RFC3339)
	cmd.Dir, cmd.Env = p.Root, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when, "GIT_EDITOR=true")
	err := cmd.Run()
	p.log = append(p.log, fmt.Sprintf("git %s: %v", strings.Join(args, " "), err))
	return err == nil
}

func (p *pastime) commit() {
	p.try("add", "-A")
	p.try("-c", "user.name="+[]string{"ada", "bob"}[p.r.IntN(2)], "commit", "-q", "-m", "x")
}

func (p *pastime) name() string {
	return []string{"", "a/", "a/b/"}[p.r.IntN(3)] + []string{"x", "y", "z", "w"}[p.r.IntN(4)] + ".md"
}

func (p *pastime) branch() string { return []string{"main", "one", "two"}[p.r.IntN(3)] }

func (p *pastime) step() {
	switch p.r.IntN(12) {
	case 0, 1, 2:
		for range 1 + p.r.IntN(3) {
			p.Write(p.name(), fmt.Sprintf("# %d\n\n%s\n", p.r.IntN(20), strings.Repeat(fmt.Sprintln(p.r.IntN(50)), 8)))
		}
		p.log = append(p.log, "write")
	case 3, 4:
		from, to := filepath.Join(p.Root, p.name()), filepath.Join(p.Root, p.name())
		p.Check(os.MkdirAll(filepath.Dir(to), 0o755))
		p.log = append(p.log, fmt.Sprintf("mv %s %s: %v", from, to, os.Rename(from, to)))
	case 5:
		name := p.name()
		p.log = append(p.log, fmt.Sprintf("rm %s: %v", name, os.Remove(filepath.Join(p.Root, name))))
	case 6, 7, 8:
		p.commit()
	case 9:
		p.commit()
		if branch := p.branch(); !p.try("switch", "-q", branch) {
			p.try("switch", "-q", "-c", branch)
		}
	case 10:
		p.commit()
		branch := p.branch()
		if p.r.IntN(3) == 0 {
			if !p.try("rebase", "-q", branch) {
				p.try("rebase", "--abort")
			}
		} else if how := []string{"--no-ff", "--ff"}[p.r.IntN(2)]; !p.try("-c", "user.name=eve", "merge", "-q", how, "-m", "m", branch) {
			p.try("add", "-A")
			p.try("commit", "-q", "-m", "with markers")
		}
	case 11:
		p.try("reset", "-q", "--hard", "HEAD~1")
	}
}

func (p *pastime) compare() {
	p.T.Helper()
	fresh, err := index.Open(filepath.Join(p.T.TempDir(), "index.db"), index.Options{Source: p.Store.Source})
	p.Check(err)
	defer fresh.Close()
	var said [2]string
	for i, m := range []vault.Mirror{p.Mirror, fresh.Ports()} {
		_, err := m.CatchUp(p.Ctx, p.Store.Source, vault.Scope{})
		p.Check(err)
		said[i] = p.listed(m)
	}
	if diff := cmp.Diff(said[1], said[0]); diff != "" {
		p.T.Fatalf("after\n  %s\nthe list differs from a new index's (-new +old):\n%s", strings.Join(p.log, "\n  "), diff)
	}
}

// listed tells the order and the origins.
func (p *pastime) listed(m vault.Mirror) string {
	ctx := context.Background()
	nodes, _, err := m.List(ctx, vault.ListOptions{Limit: 100})
	p.Check(err)
	paths := make([]vault.Path, len(nodes))
	for i := range nodes {
		paths[i] = nodes[i].Path
	}
	origins, err := m.Origins(ctx, paths)
	p.Check(err)
	var b strings.Builder
	for _, at := range paths {
		fmt.Fprintln(&b, at, origins[at].Time, origins[at].Author)
	}
	late, total, err := m.List(ctx, vault.ListOptions{Since: time.Unix(1.7e9+5e6, 0)})
	p.Check(err)
	fmt.Fprintln(&b, "since:", total, len(late))
	return b.String()
}
