package embed_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
	"github.com/cp-memory/cp/vault/recall"
)

// world is a small vault with its vectors, and a model that knows one word for
// each number of a vector.
type world struct {
	files   map[vault.Path]string
	vectors map[embed.Space]map[string][]float32
	texts   map[embed.Space]map[string][]string
	words   []string // of the model
	name    string   // of the model
	known   int      // the dimension that the model tells beforehand
	window  int      // bytes of the longest text it takes; 0 means any
	batches [][]string
	fail    error
	old     bool // its vectors are of whole memories
}

func newWorld(files map[vault.Path]string) *world {
	return &world{files: files, vectors: map[embed.Space]map[string][]float32{}, texts: map[embed.Space]map[string][]string{}, words: []string{"car", "boat", "bread"}, name: "m", known: 3}
}

func (w *world) ports() embed.Ports { return embed.Ports{Model: w, Vectors: w, Holders: w, Files: w} }

func (w *world) Space() (embed.Space, error) {
	return embed.Space{Model: w.name, Dimension: w.known, Scheme: "none"}, nil
}

func (w *world) Embed(_ context.Context, _ embed.Purpose, texts []string) ([][]float32, error) {
	w.batches = append(w.batches, texts)
	if w.fail != nil {
		return nil, w.fail
	}
	all := make([][]float32, len(texts))
	for i, text := range texts {
		if w.window > 0 && len(text) > w.window {
			return nil, fmt.Errorf("too long: %w", embed.ErrText)
		}
		v := make([]float32, len(w.words))
		for j, word := range w.words {
			v[j] = float32(strings.Count(text, word))
		}
		if text == "memory" { // what a run asks to learn the dimension
			v[0] = 1
		}
		all[i], _ = embed.Unit(v)
	}
	return all, nil
}

func (w *world) Spaces(context.Context) ([]embed.Stored, error) {
	var all []embed.Stored
	for s, v := range w.vectors {
		all = append(all, embed.Stored{Space: s, Texts: len(w.texts[s]), Passages: len(v), Old: w.old})
	}
	return all, nil
}

func (w *world) Contents(_ context.Context, s embed.Space) (map[string]bool, error) {
	all := map[string]bool{}
	for c := range w.texts[s] {
		all[c] = true
	}
	return all, nil
}

func (w *world) ListHeld(_ context.Context, s embed.Space, passages []string) (map[string]bool, error) {
	all := map[string]bool{}
	for _, p := range passages {
		if w.vectors[s][p] != nil {
			all[p] = true
		}
	}
	return all, nil
}

func (w *world) Put(_ context.Context, s embed.Space, all []embed.Vector, texts []embed.Text) error {
	w.old = false
	if w.vectors[s] == nil {
		w.vectors[s], w.texts[s] = map[string][]float32{}, map[string][]string{}
	}
	for _, v := range all {
		w.vectors[s][v.Passage] = v.Numbers
	}
	for _, t := range texts {
		w.texts[s][t.Content] = t.Passages
	}
	return nil
}

func (w *world) Nearest(_ context.Context, s embed.Space, query []float32, k int, only map[string]bool) ([]embed.Near, error) {
	var all []embed.Near
	for c, passages := range w.texts[s] {
		n := embed.Near{Content: c, Score: -1}
		for i, p := range passages {
			score := 0.0
			for j, x := range w.vectors[s][p] {
				score += float64(x) * float64(query[j])
			}
			if w.vectors[s][p] != nil && score > n.Score {
				n.Part, n.Score = i+1, score
			}
		}
		if only == nil || only[c] {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b embed.Near) int {
		if a.Score != b.Score {
			return int(1000 * (b.Score - a.Score))
		}
		return strings.Compare(a.Content, b.Content)
	})
	return all[:min(k, len(all))], nil
}

func (w *world) Prune(_ context.Context, keep map[string]bool, dry bool) (n int, err error) {
	for s, v := range w.vectors {
		held := map[string]bool{}
		for c, passages := range w.texts[s] {
			if !keep[c] {
				if !dry {
					delete(w.texts[s], c)
				}
				continue
			}
			for _, p := range passages {
				held[p] = true
			}
		}
		for p := range v {
			if !held[p] {
				n++
				if !dry {
					delete(v, p)
				}
			}
		}
	}
	return n, nil
}

func (w *world) Holders(_ context.Context, o *vault.ListOptions, contents []string) ([]embed.Holder, error) {
	var all []embed.Holder
	for p, text := range w.files {
		m := vault.Parse(p, []byte(text))
		h := embed.Holder{ID: vault.ID(p.Stem()), Path: p, Type: m.Type, Content: m.ContentHash()}
		pass := o == nil || len(o.Labels) == 0 || slices.ContainsFunc(m.Labels, func(l string) bool { return slices.Contains(o.Labels, l) })
		if pass && (contents == nil || slices.Contains(contents, h.Content)) {
			all = append(all, h)
		}
	}
	slices.SortFunc(all, func(a, b embed.Holder) int { return strings.Compare(string(a.Path), string(b.Path)) })
	return all, nil
}

func (w *world) Read(p vault.Path) ([]byte, vault.Stat, error) {
	if text, ok := w.files[p]; ok && text != "unreadable" {
		return []byte(text), vault.Stat{}, nil
	}
	return nil, vault.Stat{}, errors.New("permission denied")
}

func run(t *testing.T, w *world, o embed.Run) embed.Done {
	t.Helper()
	done, err := w.ports().Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func TestARunEmbedsWhatIsMissing(t *testing.T) {
	w := newWorld(map[vault.Path]string{"a.md": "a car", "b.md": "a boat", "c.md": "bread", "d.md": "nothing known", "t.md": "---\ntype: task\n---\ncar"})
	if d := run(t, w, embed.Run{DryRun: true}); d.Missing != 5 || d.Passages != 5 || len(w.batches) > 0 {
		t.Errorf("a dry run: %+v, asked %v", d, w.batches)
	}
	if d := run(t, w, embed.Run{Types: []string{"task"}}); d.Embedded != 1 || d.Skipped+d.Missing != 0 {
		t.Errorf("of one type: %+v", d)
	}
	var told []int
	d := run(t, w, embed.Run{Batch: 3, Progress: func(done, total int) { told = append(told, done, total) }})
	want := embed.Done{Model: "m", Embedded: 3, Skipped: 2, Passages: 3, Failures: []embed.Failure{}}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{0, 4, 3, 4, 4, 4}, told); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"memory: a\n\na car", "memory: b\n\na boat", "memory: c\n\nbread"}, w.batches[1]); diff != "" {
		t.Error(diff)
	}
}

// A text that stands in two files is embedded once; one that changed loses its
// vector when asked, and comes back to it.
func TestVectorsBelongToContents(t *testing.T) {
	w := newWorld(map[vault.Path]string{"a.md": "---\ntitle: T\n---\ncar", "x/b.md": "---\ntitle: T\nlabels: [l]\n---\ncar"})
	if d := run(t, w, embed.Run{}); d.Embedded != 1 {
		t.Errorf("twins: %+v", d)
	}
	w.files["a.md"] = "---\ntitle: T\n---\nboat"
	if d := run(t, w, embed.Run{}); d.Embedded != 1 {
		t.Errorf("after a change: %+v", d)
	}
	delete(w.files, "x/b.md")
	if d := run(t, w, embed.Run{Prune: true, DryRun: true}); d.Pruned != 1 {
		t.Errorf("would be pruned: %+v", d)
	}
	if d := run(t, w, embed.Run{Prune: true}); d.Pruned != 1 || d.Embedded != 0 {
		t.Errorf("pruned: %+v", d)
	}
}

// A batch that is refused is halved down to the text that is too long, and that
// one down to the beginning that fits.
func TestALongTextCostsTheOthersNothing(t *testing.T) {
	w := newWorld(map[vault.Path]string{"a.md": "a car", "b.md": "boat " + strings.Repeat("=", 3000), "c.md": "bread boat", "d.md": "a boat too"})
	w.window = 2000
	d := run(t, w, embed.Run{})
	if d.Embedded != 4 || d.Cut != 1 || d.Failed != 0 {
		t.Errorf("got %+v", d)
	}
}

// book is a memory of ten sections, of which the third tells of something else.
func book(third string) string {
	var b strings.Builder
	for i := range 10 {
		about := "bread"
		if i == 2 {
			about = third
		}
		fmt.Fprintf(&b, "## Section %d\n\n%s\n\n", i, strings.Repeat(about+" of the house. ", 40))
	}
	return b.String()
}

// What is in one section of a long memory is found, and an edit of it costs that section alone.
func TestALongMemoryIsEmbeddedByItsPassages(t *testing.T) {
	w := newWorld(map[vault.Path]string{"a.md": book("boat"), "b.md": "A car, bread and a boat"})
	if d := run(t, w, embed.Run{DryRun: true}); d.Missing != 2 || d.Passages != 11 || len(w.batches) > 0 {
		t.Errorf("a dry run: %+v", d)
	}
	if d := run(t, w, embed.Run{Batch: 4}); d.Embedded != 2 || d.Passages != 11 {
		t.Errorf("got %+v", d)
	}
	for _, texts := range w.batches {
		if len(texts) > 4 {
			t.Errorf("%d texts at once", len(texts))
		}
	}
	found, err := embed.Leg{Ports: w.ports()}.FindNearest(t.Context(), "boat", vault.ListOptions{Limit: 2})
	if len(found) != 2 || found[0].ID != "a" || found[0].Part != 3 || err != nil {
		t.Errorf("found %+v, %v", found, err)
	}
	w.files["a.md"] = book("car")
	if d := run(t, w, embed.Run{}); d.Embedded != 1 || d.Passages != 1 {
		t.Errorf("after an edit: %+v", d)
	}
	if d := run(t, w, embed.Run{Prune: true}); d.Pruned != 1 {
		t.Errorf("pruned: %+v", d)
	}
}

// A run that ends in the middle of a text has kept what it paid for.
func TestARunGoesOnInTheMiddleOfAText(t *testing.T) {
	w := newWorld(map[vault.Path]string{"a.md": book("boat")})
	dead := errors.New("dead")
	ports := w.ports()
	ports.Model = &failing{world: w, after: 2, err: dead}
	if d, err := ports.Run(t.Context(), embed.Run{Batch: 3}); err != dead || d.Passages != 6 || d.Embedded != 0 || d.Missing != 1 {
		t.Errorf("stopped: %+v, %v", d, err)
	}
	if d := run(t, w, embed.Run{}); d.Passages != 4 || d.Embedded != 1 || d.Missing != 0 {
		t.Errorf("the next one: %+v", d)
	}
}

// failing is a model that fails after so many batches.
type failing struct {
	*world
	after int
	err   error
}

func (f *failing) Embed(ctx context.Context, p embed.Purpose, texts []string) ([][]float32, error) {
	if f.after--; f.after < 0 {
		return nil, f.err
	}
	return f.world.Embed(ctx, p, texts)
}

// What is longer than a memory's passages hold is told.
func TestTheEndOfAVeryLongMemory(t *testing.T) {
	w := newWorld(map[vault.Path]string{"a.md": strings.Repeat("A row of a log of bread.\n", 40_000)})
	if d := run(t, w, embed.Run{}); d.Embedded != 1 || d.Cut != 1 || d.Passages == 0 || d.Passages > recall.MostPassages {
		t.Errorf("got %+v", d)
	}
}

func TestFailures(t *testing.T) {
	w := newWorld(map[vault.Path]string{"a.md": "unreadable", "b.md": "a boat"})
	d := run(t, w, embed.Run{})
	if diff := cmp.Diff([]embed.Failure{{ID: "a", Path: "a.md", Message: "permission denied"}}, d.Failures); diff != "" || d.Embedded != 1 || d.Failed != 1 || d.Missing != 1 {
		t.Errorf("an unreadable file: %+v %s", d, diff)
	}

	w = newWorld(map[vault.Path]string{"a.md": "car", "b.md": "boat"})
	dead := errors.New("dead")
	w.fail = dead
	if _, err := w.ports().Run(context.Background(), embed.Run{Batch: 1}); err != dead || len(w.batches) != 1 {
		t.Errorf("a dead service was asked %d times: %v", len(w.batches), err)
	}

	w = newWorld(map[vault.Path]string{})
	for i := range 20 {
		w.files[vault.Path(fmt.Sprintf("f%d.md", i))] = fmt.Sprintf("car %d", i)
	}
	w.window = 1
	if _, err := w.ports().Run(context.Background(), embed.Run{Batch: 1}); !errors.Is(err, embed.ErrText) || len(w.batches) != 3 {
		t.Errorf("a model that takes nothing was asked %d times: %v", len(w.batches), err)
	}
}

func near(t *testing.T, w *world, query string, o vault.ListOptions) ([]vault.ID, error) {
	t.Helper()
	found, err := embed.Leg{Ports: w.ports()}.FindNearest(context.Background(), query, o)
	var ids []vault.ID
	for _, s := range found {
		ids = append(ids, s.ID)
	}
	return ids, err
}

// weighing is a weight of any space, as a hand may have written it.
type weighing float64

func (w weighing) Weight(context.Context, embed.Space) (embed.Weight, bool, error) {
	return embed.Weight{Weight: float64(w)}, true, nil
}
func (w weighing) SetWeight(context.Context, embed.Space, embed.Weight) error { return nil }

func TestLeg(t *testing.T) {
	w := newWorld(map[vault.Path]string{"a.md": "car", "b.md": "---\nlabels: [l]\n---\nbread car", "c.md": "boat", "d.md": "---\nlabels: [l]\n---\nbread"})
	if _, err := near(t, w, "car", vault.ListOptions{Limit: 2}); err == nil || err.Error() != "no vectors yet: nothing was embedded" {
		t.Errorf("before a run: %v", err)
	}
	run(t, w, embed.Run{})
	for _, row := range []struct {
		query string
		o     vault.ListOptions
		want  []vault.ID
	}{
		{"car", vault.ListOptions{Limit: 2}, []vault.ID{"a", "b"}},
		{"car", vault.ListOptions{Limit: 1, Labels: []string{"l"}}, []vault.ID{"b"}},
		{"boat car", vault.ListOptions{Limit: 2, Labels: []string{"l"}}, []vault.ID{"b", "d"}},               // too few of the nearest pass
		{"boat car", vault.ListOptions{Limit: 2, Labels: []string{"l"}, Hidden: true}, []vault.ID{"b", "d"}}, // few pass
		{"car", vault.ListOptions{Limit: 2, Labels: []string{"none"}, Hidden: true}, nil},
		{"nothing known", vault.ListOptions{Limit: 2}, nil},
	} {
		got, err := near(t, w, row.query, row.o)
		if diff := cmp.Diff(row.want, got); diff != "" || err != nil {
			t.Errorf("%q %+v: %s %v", row.query, row.o, diff, err)
		}
	}

	t.Log("a weight counts where somebody can have set it")
	for weight, want := range map[float64]float64{0.5: 0.5, 10: 10, 0.01: 0.01, 11: 0, 0.009: 0, -1: 0, math.NaN(): 0, math.Inf(1): 0} {
		ports := w.ports()
		ports.Weights = weighing(weight)
		found, err := embed.Leg{Ports: ports}.FindNearest(t.Context(), "car", vault.ListOptions{Limit: 1})
		if err != nil || len(found) != 1 || found[0].Weight != want {
			t.Errorf("weight %v: %+v, %v", weight, found, err)
		}
		if _, err := ports.Check(t.Context()); (err == nil) != (want != 0) {
			t.Errorf("weight %v is told so: %v", weight, err)
		}
	}

	t.Log("vectors of whole memories are not compared with")
	texts := w.texts
	w.texts, w.old = nil, true
	if _, err := near(t, w, "car", vault.ListOptions{Limit: 2}); err == nil || err.Error() != "no vectors of passages yet: those here are of whole memories, made by an earlier cp" {
		t.Errorf("old ones: %v", err)
	}
	if s, err := w.ports().State(t.Context(), nil); !s.Old || len(s.Lacking) != 4 || err != nil {
		t.Errorf("their state: %+v, %v", s, err)
	}
	ports := w.ports()
	ports.Weights = weighing(0.1)
	if _, err := ports.Check(t.Context()); err == nil || err.Error() != embed.Outdated {
		t.Errorf("old ones are told so: %v", err)
	}
	if d := run(t, w, embed.Run{DryRun: true}); d.Missing != 4 || d.Passages != 0 {
		t.Errorf("a dry run counts those of short memories: %+v", d)
	}
	w.texts, w.batches = map[embed.Space]map[string][]string{{Model: "m", Dimension: 3, Scheme: "none"}: {}}, nil
	if d := run(t, w, embed.Run{}); d.Embedded != 4 || d.Passages != 0 || len(w.batches) != 0 {
		t.Errorf("those of short memories are paid for again: %+v", d)
	}
	w.texts = texts

	t.Log("another model, or another dimension, is never compared with")
	w.name = "other"
	if _, err := near(t, w, "car", vault.ListOptions{Limit: 2}); err == nil || err.Error() != "no vectors yet by other; those here are of m, which cannot be compared with it" {
		t.Errorf("another model: %v", err)
	}
	w.name, w.known, w.words = "m", 0, append(w.words, "plane")
	if _, err := near(t, w, "car", vault.ListOptions{Limit: 2}); err == nil || err.Error() != "the model m now gives 4 numbers, and the vectors here have 3" {
		t.Errorf("another dimension: %v", err)
	}
	if d := run(t, w, embed.Run{}); d.Embedded != 4 {
		t.Errorf("the run that was named does not mend it: %+v", d)
	}
}
