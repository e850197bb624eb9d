package embed_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
)

// world is a small vault with its vectors, and a model that knows one word for
// each number of a vector.
type world struct {
	files   map[vault.Path]string
	vectors map[embed.Space]map[string][]float32
	words   []string // of the model
	name    string   // of the model
	known   int      // the dimension that the model tells beforehand
	window  int      // bytes of the longest text it takes; 0 means any
	batches [][]string
	fail    error
}

func newWorld(files map[vault.Path]string) *world {
	return &world{files: files, vectors: map[embed.Space]map[string][]float32{}, words: []string{"car", "boat", "bread"}, name: "m", known: 3}
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
		all = append(all, embed.Stored{Space: s, Count: len(v)})
	}
	return all, nil
}

func (w *world) Contents(_ context.Context, s embed.Space) (map[string]bool, error) {
	all := map[string]bool{}
	for c := range w.vectors[s] {
		all[c] = true
	}
	return all, nil
}

func (w *world) Put(_ context.Context, s embed.Space, all []embed.Vector) error {
	if w.vectors[s] == nil {
		w.vectors[s] = map[string][]float32{}
	}
	for _, v := range all {
		w.vectors[s][v.Content] = v.Numbers
	}
	return nil
}

func (w *world) Nearest(_ context.Context, s embed.Space, query []float32, k int, only map[string]bool) ([]embed.Near, error) {
	var all []embed.Near
	for c, v := range w.vectors[s] {
		if only == nil || only[c] {
			n := embed.Near{Content: c}
			for i, x := range v {
				n.Score += float64(x) * float64(query[i])
			}
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

func (w *world) Prune(_ context.Context, keep map[string]bool) (n int, err error) {
	for _, v := range w.vectors {
		for c := range v {
			if !keep[c] {
				delete(v, c)
				n++
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
	if d := run(t, w, embed.Run{DryRun: true}); d.Missing != 5 || len(w.batches) > 0 {
		t.Errorf("a dry run: %+v, asked %v", d, w.batches)
	}
	if d := run(t, w, embed.Run{Types: []string{"task"}}); d.Embedded != 1 || d.Skipped+d.Missing != 0 {
		t.Errorf("of one type: %+v", d)
	}
	var told []int
	d := run(t, w, embed.Run{Batch: 3, Progress: func(done, total int) { told = append(told, done, total) }})
	want := embed.Done{Model: "m", Embedded: 3, Skipped: 2, Failures: []embed.Failure{}}
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
	if d := run(t, w, embed.Run{Prune: true}); d.Pruned != 1 || d.Embedded != 0 {
		t.Errorf("pruned: %+v", d)
	}
}

// A batch that is refused is halved down to the text that is too long, and that
// one down to the beginning that fits.
func TestALongTextCostsTheOthersNothing(t *testing.T) {
	w := newWorld(map[vault.Path]string{"a.md": "a car", "b.md": strings.Repeat("a böat ", 700) + "boat", "c.md": "bread boat", "d.md": "a boat too"})
	w.files["b.md"] = "boat " + w.files["b.md"]
	w.window = 2000
	d := run(t, w, embed.Run{})
	if d.Embedded != 4 || d.Cut != 1 || d.Failed != 0 {
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
	found, err := embed.Leg{Ports: w.ports()}.Near(context.Background(), query, o)
	var ids []vault.ID
	for _, s := range found {
		ids = append(ids, s.ID)
	}
	return ids, err
}

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
		{"boat car", vault.ListOptions{Limit: 2, Labels: []string{"l"}}, []vault.ID{"b", "d"}}, // too few of the nearest pass
		{"nothing known", vault.ListOptions{Limit: 2}, nil},
	} {
		got, err := near(t, w, row.query, row.o)
		if diff := cmp.Diff(row.want, got); diff != "" || err != nil {
			t.Errorf("%q %+v: %s %v", row.query, row.o, diff, err)
		}
	}

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
