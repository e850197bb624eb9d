package code_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/gitstore/code"
	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/listing"
)

// remembered are verdicts in memory; a file whose stat is racy is looked at again.
type remembered map[int64]about.Verdict

func (r remembered) RecallVerdicts(_ context.Context, _ string, keys []int64) map[int64]about.Verdict {
	known := make(map[int64]about.Verdict)
	for _, k := range keys {
		if v, ok := r[k]; ok {
			known[k] = v
		}
	}
	return known
}

func (r remembered) KeepVerdicts(_ context.Context, _ string, fresh map[int64]about.Verdict) {
	for k, v := range fresh {
		if listing.IsRacy(v.Stat, time.Now()) {
			v.Stat = vault.Stat{}
		}
		r[k] = v
	}
}

// world is a repository of code to which things happen.
type world struct {
	*testing.T
	dir  string
	rand *rand.Rand
	n    int
}

func (w *world) git(args ...string) {
	cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@b.c", "-C", w.dir}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.Logf("git %v: %v %s", args, err, out) // a merge may conflict: it is given up
	}
}

// file is the path of one of three files.
func (w *world) file() string {
	all, _ := filepath.Glob(filepath.Join(w.dir, "*.go"))
	if len(all) == 0 {
		return filepath.Join(w.dir, "a.go")
	}
	return all[w.rand.IntN(len(all))]
}

func lines(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("line %d of the file, as it was", i)
	}
	return all
}

// happen does one thing that people do to code.
func (w *world) happen() {
	w.n++
	at := w.file()
	text, _ := os.ReadFile(at)
	rows := strings.Split(string(text), "\n")
	i := w.rand.IntN(len(rows))
	save := func(rows []string) { _ = os.WriteFile(at, []byte(strings.Join(rows, "\n")), 0o666) }
	switch w.rand.IntN(10) {
	case 0:
		rows[i] = fmt.Sprint("edited ", w.n)
		save(rows)
	case 1:
		save(append([]string{fmt.Sprint("above ", w.n)}, rows...))
	case 2, 3:
		w.git("add", "-A")
		w.git("commit", "-qm", fmt.Sprint(w.n))
	case 4:
		w.git("mv", filepath.Base(at), fmt.Sprintf("f%d.go", w.n))
	case 5:
		w.git("checkout", "-q", "-B", fmt.Sprint("b", w.rand.IntN(2)))
	case 6:
		w.git("checkout", "-qf", fmt.Sprint("b", w.rand.IntN(2)))
	case 7:
		w.git("merge", "-q", "--no-edit", fmt.Sprint("b", w.rand.IntN(2)))
		w.git("merge", "--abort")
	case 8:
		w.git("checkout", "-q", "--", ".")
	case 9:
		_ = os.Remove(at)
	}
}

// Whatever happened, what is remembered tells the same as a judge who remembers nothing.
func TestVerdictsEqualAFreshJudgement(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(testlevel.Rounds(6)) {
		w := &world{T: t, dir: t.TempDir(), rand: rand.New(rand.NewPCG(seed, 1))}
		w.git("init", "-q", "-b", "main")
		for _, name := range []string{"a.go", "b.go"} {
			if err := os.WriteFile(filepath.Join(w.dir, name), []byte(strings.Join(lines(30), "\n")+"\n"+name+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		w.git("add", "-A")
		w.git("commit", "-qm", "first")
		known, bound := remembered{}, []about.Bound{}
		for step := range 40 {
			now, err := code.Open(w.dir)
			if err != nil {
				t.Fatal(err)
			}
			if step%8 == 0 {
				for _, text := range []string{"a.go#L5-L12", "b.go", "b.go#L20-L22"} {
					b, _ := about.Parse(text)
					if s, ok, err := about.MakeStamp(ctx, now, b, time.Unix(int64(step), 0)); err == nil && ok {
						bound = append(bound, about.Bound{Text: text, Stamp: &s, Words: []string{"edited"}})
					}
				}
			}
			got, err := (&about.Judge{Code: now, Verdicts: known}).States(ctx, bound)
			if err != nil {
				t.Fatal(err)
			}
			want, err := (&about.Judge{Code: now}).States(ctx, bound)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Fatalf("seed %d, step %d: %v, -fresh +remembered:\n%s", seed, step, err, diff)
			}
			w.happen()
		}
	}
}
