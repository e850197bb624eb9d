package embed_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
	"github.com/cp-memory/cp/vault/recall"
)

// notes are memories whose bodies say in other words what their titles say: "name 7" of "nombre 7".
// Of each pair of notes the words of both titles lead to the second one first.
type notes struct {
	recall.Lexicon
	embed.Vectors
	n    int
	kept map[embed.Space]embed.Weight
}

func (s *notes) doc(i int) string {
	pair := fmt.Sprintf("pair%d ", i/2)
	return fmt.Sprintf("# Name%d %s\n\nNombre%d %s, and what every note says: alpha beta gamma delta epsilon zeta eta theta.\n", i, pair, i, strings.Repeat(pair, 1+2*(i%2)))
}

func (s *notes) Holders(context.Context, *vault.ListOptions, []string) (all []embed.Holder, err error) {
	for i := range s.n {
		p := vault.Path(fmt.Sprintf("n%03d.md", i))
		all = append(all, embed.Holder{Path: p, Content: vault.Parse(p, []byte(s.doc(i))).ContentHash()})
	}
	return all, nil
}

func (s *notes) Read(p vault.Path) ([]byte, vault.Stat, error) {
	var i int
	_, err := fmt.Sscanf(string(p), "n%d.md", &i)
	return []byte(s.doc(i)), vault.Stat{}, err
}

func (s *notes) Nodes(context.Context, []vault.Path) ([]vault.Node, error) { return nil, nil }

func (s *notes) Analyser() recall.Analyse {
	return func(text string, emit func(string)) {
		for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" ,.:#\n", r) }) {
			emit(w)
		}
	}
}

func (s *notes) Candidates(_ context.Context, query string, _ vault.ListOptions) (out recall.Candidates, _ error) {
	s.Analyser()(query, func(term string) { out.Terms = append(out.Terms, recall.Term{Text: term, Rarity: 3}) })
	return out, nil
}

func (s *notes) Weight(_ context.Context, space embed.Space) (w embed.Weight, found bool, err error) {
	w, found = s.kept[space]
	return w, found, nil
}

func (s *notes) SetWeight(_ context.Context, space embed.Space, w embed.Weight) error {
	s.kept[space] = w
	return nil
}

// model knows of a text its first word that it knows the meaning of, or nothing at all.
type model struct {
	blind bool
	asked int
}

func (m *model) Space() (embed.Space, error) { return embed.Space{Model: "test", Scheme: "none"}, nil }

func (m *model) Embed(_ context.Context, _ embed.Purpose, texts []string) (all [][]float32, err error) {
	m.asked += len(texts)
	for _, text := range texts {
		meaning := text
		if word := strings.Fields(text)[0]; !m.blind {
			meaning = strings.TrimLeft(strings.ToLower(word), "nombreag")
		}
		h := fnv.New64a()
		h.Write([]byte(strings.Trim(meaning, ",")))
		rng := rand.New(rand.NewPCG(h.Sum64(), 1))
		v := make([]float32, 64)
		for i := range v {
			v[i] = float32(rng.NormFloat64())
		}
		unit, _ := embed.Unit(v)
		all = append(all, unit)
	}
	return all, nil
}

func ports(s *notes, m *model) embed.CalibratePorts {
	s.kept = map[embed.Space]embed.Weight{}
	return embed.CalibratePorts{Ports: embed.Ports{Model: m, Weights: s, Holders: s, Files: s}, Lexicon: s, Nodes: s.Nodes}
}

// A model that knows what the words do not gets more than the default; one that knows nothing
// gets no more. What was measured is kept for its space.
func TestRun(t *testing.T) {
	for _, row := range []struct {
		name  string
		blind bool
		gain  bool
	}{{"a model that knows", false, true}, {"a model that knows nothing", true, false}} {
		t.Run(row.name, func(t *testing.T) {
			s := &notes{n: 200}
			p := ports(s, &model{blind: row.blind})
			out, err := p.Run(context.Background(), embed.Calibrate{})
			if err != nil {
				t.Fatal(err)
			}
			if out.Questions != 200 || out.Memories != 200 || out.Gain != row.gain || (out.Weight > recall.DefaultWeight) != row.gain {
				t.Errorf("%+v", out)
			}
			kept, found, _ := s.Weight(context.Background(), embed.Space{Model: "test", Dimension: 64, Scheme: "none"})
			if !found || kept.Weight != out.Weight || kept.Questions != 200 {
				t.Errorf("kept %+v, %v", kept, found)
			}
			again, err := p.Run(context.Background(), embed.Calibrate{})
			if err != nil || !slices.Equal(again.Tried, out.Tried) {
				t.Errorf("the second run differs: %+v, %v", again, err)
			}
		})
	}
}

// Too few questions change nothing and cost nothing, and neither does a dry run.
func TestNothingIsAsked(t *testing.T) {
	for _, row := range []struct {
		name string
		n    int
		dry  bool
	}{{"few", embed.LeastQuestions - 1, false}, {"dry run", 100, true}} {
		t.Run(row.name, func(t *testing.T) {
			s, m := &notes{n: row.n}, &model{}
			out, err := ports(s, m).Run(context.Background(), embed.Calibrate{DryRun: row.dry})
			if err != nil || m.asked != 0 || len(s.kept) != 0 || out.Weight != 0 || out.Questions != row.n {
				t.Errorf("%+v, %v; %d texts went to the model, kept %v", out, err, m.asked, s.kept)
			}
		})
	}
}

// The bounds hold in a large vault.
func TestBounds(t *testing.T) {
	out, err := ports(&notes{n: 3000}, &model{}).Run(context.Background(), embed.Calibrate{DryRun: true})
	if err != nil || out.Memories != embed.MostMemories || out.Questions != embed.MostQuestions {
		t.Errorf("%+v, %v", out, err)
	}
}
