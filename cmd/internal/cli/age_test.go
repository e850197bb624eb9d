package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// aging is a vault whose memories say nearly the same, so that the order in which
// they are found hangs on the last bit of a score, and then on their paths.
type aging struct {
	*desk
	rng *rand.Rand
	ids []string
	log []string
}

func (a *aging) words(n int) string {
	var all []string
	for range n {
		all = append(all, []string{"gateway", "worker", "queue", "lease", "the"}[a.rng.IntN(5)])
	}
	return strings.Join(all, " ")
}

func (a *aging) any() string { return a.ids[a.rng.IntN(len(a.ids))] }

// write runs a random command that writes, or edits a file by hand; some refuse.
func (a *aging) write() {
	var args []string
	switch a.rng.IntN(10) {
	case 0:
		a.ids = append(a.ids, a.id("memory", "add", a.words(3), "--title", a.words(2), "--label", "x"))
		return
	case 1:
		args = []string{"add-sub", a.any(), "--title", a.words(2), "--body", a.words(3), "--summary", a.words(2), "--auto-approve"}
	case 2, 3, 4:
		args = []string{"update", a.any(), []string{"--label", "--remove-label"}[a.rng.IntN(2)], []string{"x", "x,y", "y,z"}[a.rng.IntN(3)]}
	case 5:
		args = []string{"update", a.any(), "--append", a.words(1)}
	case 6:
		args = [][]string{{"move", a.any(), a.any()}, {"move", a.any(), "--root"}}[a.rng.IntN(2)]
	case 7:
		args = [][]string{{"delete", a.any(), "--force"}, {"undo", "--force"}, {"resolve", a.any()}}[a.rng.IntN(3)]
	case 8:
		args = []string{"supersede", a.any(), a.any()}
	default:
		a.desk.write(fmt.Sprintf("by-hand-%d.md", a.rng.IntN(3)), "# "+a.words(2)+"\n\n"+a.words(3)+"\n")
		args = []string{"sync"}
	}
	a.log = append(a.log, fmt.Sprintf("%v: exit %d", args, a.run(append([]string{"memory"}, args...)...).exit))
}

func (a *aging) answers() string {
	var b strings.Builder
	for _, query := range []string{"gateway", "worker queue", "the lease of the worker", "hand"} {
		for _, more := range [][]string{nil, {"--limit", "3"}, {"--limit", "2", "--offset", "3"}, {"--status", "open,closed", "--limit", "4"}, {"--label", "y", "--limit", "2"}} {
			for _, verb := range []string{"search", "recall"} {
				got := a.run(append([]string{"memory", verb, query, "-o", "json"}, more...)...)
				fmt.Fprintf(&b, "%s %q %v: exit %d\n%s%s\n", verb, query, more, got.exit, got.out, got.err)
			}
		}
		fmt.Fprintln(&b, a.run("memory", "recall", query, "--explain").out)
	}
	return b.String()
}

// TestTheAnswerDoesNotDependOnTheAgeOfTheIndex: whatever was written before,
// search and recall answer byte for byte as with an index that is built anew. Faults O11.
func TestTheAnswerDoesNotDependOnTheAgeOfTheIndex(t *testing.T) {
	testlevel.Check(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	a := &aging{desk: scratch(t), rng: rand.New(rand.NewPCG(seed, 1))}
	for range 6 {
		a.ids = append(a.ids, a.id("memory", "add", a.words(3), "--title", "the gateway", "--label", "x"))
	}
	for range testlevel.Rounds(8) {
		for range 12 {
			a.write()
		}
		aged := a.answers()
		if err := os.Remove(filepath.Join(a.root, ".cp", "index.db")); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(a.answers(), aged); diff != "" {
			t.Fatalf("after\n  %s\nthe answers differ from those of a new index (-new +aged):\n%s", strings.Join(a.log, "\n  "), diff)
		}
	}
}
