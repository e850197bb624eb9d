package embed

import (
	"context"
	"slices"
	"strconv"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// The bounds of a run.
const (
	MostMemories   = 2000
	MostQuestions  = 300
	LeastQuestions = 50
	MostPassages   = 4 // of a body
)

// TriedWeights are those that are tried, in order; [recall.DefaultWeight] is one of them.
var TriedWeights = []float64{0.05, 0.1, 0.2, 0.3, 0.5}

// CalibratePorts are the tools of a run.
type CalibratePorts struct {
	Ports
	Lexicon recall.Lexicon
	Nodes   func(ctx context.Context, files []vault.Path) ([]vault.Node, error)
}

// Calibrate measures the weight. The zero value measures and keeps it.
type Calibrate struct {
	Batch    int  // texts that go to the model at once; 0 is embed.DefaultBatch
	DryRun   bool // say what would go to the model, and ask it nothing
	Progress func(done, total int)
}

// Calibrated is what a run found.
type Calibrated struct {
	Model     string        `json:"model"`
	Dimension int           `json:"dimension"`
	Memories  int           `json:"memories"` // that were searched
	Questions int           `json:"questions"`
	Passages  int           `json:"passages"`           // that went to the model; in a dry run, that would go
	Words     RankFigures   `json:"words"`              // alone
	Vectors   RankFigures   `json:"vectors"`            // alone
	Tried     []TriedWeight `json:"tried"`              // empty where there are too few questions
	Weight    float64       `json:"weight"`             // that recall uses from now on; 0 where nothing was measured
	Settings  float64       `json:"settings,omitempty"` // the weight that the settings say, which wins
	Gain      bool          `json:"gain"`               // Weight is not the default
}

// RankFigures tell how well the memories were found.
type RankFigures struct {
	MRR      float64 `json:"mrr"`
	RecallTo float64 `json:"recall_at_10"`
}

// TriedWeight is a weight that was tried.
type TriedWeight struct {
	Weight float64 `json:"weight"`
	RankFigures
	Low  float64 `json:"low"`  // the bounds of 95 % of how much better than the default it is
	High float64 `json:"high"` // by the mean of both figures
}

// Run measures and keeps the weight. The caller has brought the mirror up to date.
func (p CalibratePorts) Run(ctx context.Context, o Calibrate) (Calibrated, error) {
	space, err := p.Model.Space()
	out := Calibrated{Model: space.Model, Dimension: space.Dimension, Tried: []TriedWeight{}}
	if err != nil {
		return out, err
	}
	t, err := p.trial(ctx, o)
	if err != nil {
		return out, err
	}
	out.Memories, out.Questions, out.Passages = len(t.items), len(t.questions), len(t.passages)
	if o.DryRun || len(t.questions) < LeastQuestions {
		return out, nil
	}
	if err := t.measure(ctx, &out); err != nil {
		return out, err
	}
	if out.Dimension == 0 {
		return out, vault.Errorf(vault.CodeEmbedding, "choose another model: cp help vectors", "the model %s knows no word of these memories; nothing changes", out.Model)
	}
	out.Weight = chooseWeight(out.Tried)
	out.Gain = out.Weight != recall.DefaultWeight
	space.Dimension = out.Dimension
	return out, p.Weights.SetWeight(ctx, space, Weight{Weight: out.Weight, Questions: out.Questions})
}

// trial is a run under way.
type trial struct {
	CalibratePorts
	Calibrate
	items     []item
	questions []question
	passages  []string
	of        []int // the item of a passage
	vectors   [][]float32
}

// trial draws the sample.
func (p CalibratePorts) trial(ctx context.Context, o Calibrate) (*trial, error) {
	items, err := p.sample(ctx)
	if err != nil {
		return nil, err
	}
	t := &trial{CalibratePorts: p, Calibrate: o, items: items}
	t.questions = t.makeQuestions()
	t.cutBodies()
	return t, nil
}

// measure asks all questions.
func (t *trial) measure(ctx context.Context, out *Calibrated) error {
	if err := t.embed(ctx, out); err != nil {
		return err
	}
	bodies := make([]string, len(t.items))
	for i := range t.items {
		bodies[i] = t.items[i].body
	}
	words := recall.NewBodies(bodies, t.Lexicon.Analyser())
	var lexical, vector score
	mixed := make([]score, len(TriedWeights))
	for n, q := range t.questions {
		found, err := t.Lexicon.Candidates(ctx, q.text, vault.ListOptions{Limit: 1})
		if err != nil {
			return err
		}
		by := words.RankTexts(found.Terms)
		near := t.nearestItems(q.vector)
		lexical.countAnswer(ids(by), q.at)
		vector.countAnswer(ids(near), q.at)
		for i, w := range TriedWeights {
			mixed[i].countAnswer(mixedIDs(by, near, w), q.at)
		}
		t.tellProgress(len(t.passages) + n + 1)
	}
	out.Words, out.Vectors = lexical.figures(), vector.figures()
	out.Tried = compareWeights(mixed)
	return nil
}

func (t *trial) tellProgress(done int) {
	if t.Progress != nil {
		t.Progress(done, len(t.passages)+len(t.questions))
	}
}

func mixedIDs(by, near []recall.Scored, weight float64) (all []vault.ID) {
	for _, m := range recall.Mix(by, near, weight, recall.DefaultSimilarity) {
		all = append(all, m.ID)
	}
	return all
}

func ids(found []recall.Scored) (all []vault.ID) {
	for _, s := range found {
		all = append(all, s.ID)
	}
	return all
}

// placeInList returns the place of a text in a list, from 1; 0 if it is not there.
func placeInList(list []vault.ID, at int) int { return slices.Index(list, textID(at)) + 1 }

// textID is that of a text, as [recall.Bodies] has it.
func textID(at int) vault.ID { return vault.ID(strconv.Itoa(at)) }
