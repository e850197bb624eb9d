package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/phrase"
)

// model is a language model of a test.
type model func(ctx context.Context, prompt string) (string, error)

func (m model) Generate(ctx context.Context, prompt string) (string, error) { return m(ctx, prompt) }

// titled returns the title a prompt is about.
func titled(prompt string) string {
	_, rest, _ := strings.Cut(prompt, "MEMORY (title: ")
	title, _, _ := strings.Cut(rest, "):\n")
	return title
}

func good(prompt string) string {
	return fmt.Sprintf(`{"summary": "When one needs %s"}`, titled(prompt))
}

// notes fills the vault with memories M00, M01 …
func (d *desk) notes(n int) {
	for i := range n {
		d.write(fmt.Sprintf("m%02d.md", i), fmt.Sprintf("---\nid: pf-m%02d\ntitle: M%02d\n---\nText %d.\n", i, i, i))
	}
	d.git("add", "-A")
	d.git("commit", "-qm", "notes")
}

// summaries runs summarize and returns its answer.
func (d *desk) summaries(wantExit int, args ...string) phrase.Result {
	d.t.Helper()
	var r phrase.Result
	o := d.run(append([]string{"memory", "summarize", "-o", "json"}, args...)...)
	if err := json.Unmarshal([]byte(o.out), &r); err != nil || o.exit != wantExit {
		d.t.Fatalf("%v: exit %d, %v\n%s%s", args, o.exit, err, o.out, o.err)
	}
	return r
}

// Every 25 are a commit, and what is committed is not asked for again: a run
// that is interrupted goes on where it was.
func TestSummarizeGoesOn(t *testing.T) {
	d := scratch(t)
	d.notes(60)
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	d.ctx = ctx
	d.model = model(func(ctx context.Context, prompt string) (string, error) {
		if titled(prompt) >= "M40" {
			interrupt()
			<-ctx.Done()
			return "", ctx.Err()
		}
		return good(prompt), nil
	})
	r := d.summaries(1, "--missing", "--auto-approve", "--concurrency", "1")
	if r.Written+r.Left != 60 || r.Written < 25 || r.Written > 40 || r.Failed != 0 || r.Commits != (r.Written+24)/25 {
		t.Errorf("interrupted: got %+v", r)
	}
	d.ctx = nil
	asked := map[string]int{}
	var mu sync.Mutex
	d.model = model(func(_ context.Context, prompt string) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		asked[titled(prompt)]++
		return good(prompt), nil
	})
	again := d.summaries(0, "--missing", "--auto-approve", "--concurrency", "5")
	if again.Written != r.Left || len(asked) != r.Left || again.Left != 0 {
		t.Errorf("again: got %+v, asked %d", again, len(asked))
	}
	for title, n := range asked {
		if n != 1 {
			t.Errorf("asked %d times for %s", n, title)
		}
	}
	for i, row := range again.Rows { // in the order of the tree, whoever answered first
		if want := fmt.Sprintf("M%02d", r.Written+i); row.Title != want || row.Summary != "When one needs "+want {
			t.Errorf("row %d: got %+v, want %s", i, row, want)
		}
	}
	if d.git("status", "--porcelain") != "" {
		t.Error("something is not committed")
	}
}

// No more questions are under way than --concurrency says.
func TestSummarizeIsBounded(t *testing.T) {
	d := scratch(t)
	d.notes(12)
	var mu sync.Mutex
	var reached sync.Once
	now, most := 0, 0
	three := make(chan bool)
	d.model = model(func(_ context.Context, prompt string) (string, error) {
		mu.Lock()
		now++
		if most = max(most, now); now == 3 {
			reached.Do(func() { close(three) })
		}
		mu.Unlock()
		<-three // until three were there at once
		mu.Lock()
		now--
		mu.Unlock()
		return good(prompt), nil
	})
	if r := d.summaries(0, "--missing", "--auto-approve", "--concurrency", "3"); r.Written != 12 || most != 3 {
		t.Errorf("got %+v, %d at once", r, most)
	}
}

// A text that changes while the model thinks keeps its old phrase; the next run
// writes the new one.
func TestSummarizeSeesAChangeMeanwhile(t *testing.T) {
	d := scratch(t)
	d.notes(2)
	d.model = model(func(_ context.Context, prompt string) (string, error) {
		if titled(prompt) == "M01" {
			d.write("m01.md", "---\nid: pf-m01\ntitle: M01\n---\nAnother text.\n")
		}
		return good(prompt), nil
	})
	r := d.summaries(1, "--missing", "--auto-approve", "--concurrency", "1")
	if r.Written != 1 || r.Failed != 1 || !strings.Contains(r.Rows[1].Reason, "has changed while its phrase was being written") {
		t.Errorf("got %+v", r)
	}
}

// The person decides about each; who quits keeps what was approved.
func TestSummarizeAsksThePerson(t *testing.T) {
	d := scratch(t)
	d.notes(5)
	d.person, d.types = true, "a\nx\nc\nA\nq\n"
	d.model = model(func(_ context.Context, prompt string) (string, error) { return good(prompt), nil })
	r := d.summaries(0, "--missing")
	var got []phrase.Outcome
	for _, row := range r.Rows {
		got = append(got, row.Outcome)
	}
	if want := "[written skipped written left left]"; fmt.Sprint(got) != want || r.Commits != 1 {
		t.Errorf("got %v, want %s", got, want)
	}
}

// The parent is read again when the person has approved.
func TestAddSubBelowAParentThatIsGone(t *testing.T) {
	d := scratch(t)
	d.notes(1)
	d.person, d.types = true, "a\n"
	d.model = model(func(_ context.Context, prompt string) (string, error) {
		d.git("rm", "-q", "m00.md")
		d.git("commit", "-qm", "gone")
		return good(prompt), nil
	})
	o := d.run("memory", "add-sub", "pf-m00", "--title", "T", "--body", "x", "-o", "json")
	if o.exit != 1 || !strings.Contains(o.err, `"code": "`+string(vault.CodeNotFound)+`"`) || d.git("status", "--porcelain") != "" {
		t.Errorf("got %+v", o)
	}
}

// Who does not answer has not agreed; whoever interrupts, neither.
func TestAddSubIsCancelled(t *testing.T) {
	d := scratch(t)
	d.notes(1)
	d.person = true
	d.model = model(func(_ context.Context, prompt string) (string, error) { return good(prompt), nil })
	head := d.git("rev-parse", "HEAD")
	for _, typed := range []string{"", "\n", "c\n", "cancel\n", "q\n", "x\nc\n"} {
		d.types = typed
		o := d.run("memory", "add-sub", "pf-m00", "--title", "T", "--body", "x")
		if o.exit != 1 || !strings.Contains(o.err, "cancelled; nothing was created") || !strings.Contains(o.err, `Sub-memory: "T" → parent "M00" (pf-m00)`) {
			t.Errorf("%q: got %+v", typed, o)
		}
	}
	if d.git("rev-parse", "HEAD") != head {
		t.Error("something was committed")
	}
}
