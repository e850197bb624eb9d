package embed

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// mostNear is how many memories recall asks a leg for.
const mostNear = 100

// cutBodies cuts the bodies into passages.
func (t *trial) cutBodies() {
	for i, it := range t.items {
		all, _ := recall.PassagesOf(&vault.Memory{Prose: it.body})
		for _, one := range all[:min(len(all), MostPassages)] {
			if text := strings.TrimSpace(one.Own); text != "" {
				t.passages, t.of = append(t.passages, text), append(t.of, i)
			}
		}
	}
}

// embed asks the model for the vectors of the passages and of the questions.
func (t *trial) embed(ctx context.Context, out *Calibrated) (err error) {
	if t.vectors, err = t.embedAll(ctx, out, Document, t.passages); err != nil {
		return err
	}
	texts := make([]string, len(t.questions))
	for i := range t.questions {
		texts[i] = t.questions[i].text
	}
	vectors, err := t.embedAll(ctx, out, Query, texts)
	for i := range vectors {
		t.questions[i].vector = vectors[i]
	}
	return err
}

// embedAll asks the model batch by batch.
func (t *trial) embedAll(ctx context.Context, out *Calibrated, why Purpose, texts []string) (all [][]float32, err error) {
	for batch := range slices.Chunk(texts, cmp.Or(t.Batch, DefaultBatch)) {
		vectors, err := t.Model.Embed(ctx, why, batch)
		if err != nil {
			return nil, err
		}
		for _, v := range vectors {
			out.Dimension = max(out.Dimension, len(v))
		}
		all = append(all, vectors...)
		if why == Document {
			t.tellProgress(len(all))
		}
	}
	return all, nil
}

// nearestItems returns the items nearest to a question by their nearest passages, the best first, at
// most as many as recall asks a leg for. The model may know no word of a text, which has then no
// vector.
func (t *trial) nearestItems(question []float32) (all []recall.Scored) {
	best := make(map[int]float64)
	for i, v := range t.vectors {
		if len(v) != len(question) || len(v) == 0 {
			continue
		}
		cosine := dot(question, v)
		if old, ok := best[t.of[i]]; !ok || cosine > old {
			best[t.of[i]] = cosine
		}
	}
	for at, cosine := range best {
		all = append(all, recall.Scored{ID: textID(at), Score: cosine})
	}
	slices.SortFunc(all, func(a, b recall.Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(len(all), mostNear)]
}

func dot(a, b []float32) float64 {
	var sum float32
	for i := range a {
		sum += a[i] * b[i]
	}
	return float64(sum)
}
