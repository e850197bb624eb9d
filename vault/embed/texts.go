package embed

import (
	"context"
	"errors"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault/recall"
)

// embed asks the model and keeps its vectors, whose passages are held from then on. A batch
// that the model does not take is halved until the text at fault is found. Of that text the
// first half is tried, again and again.
func (r *runner) embed(ctx context.Context, texts []recall.TextPassage, of *fate) error {
	numbers, err := r.embedTexts(ctx, texts)
	switch {
	case err == nil:
		return r.storeVectors(ctx, texts, numbers, of)
	case !errors.Is(err, ErrText):
		return err
	case len(texts) > 1:
		half := len(texts) / 2
		if err := r.embed(ctx, texts[:half], of); err != nil {
			return err
		}
		return r.embed(ctx, texts[half:], of)
	case len(texts[0].Text) > shortest:
		half := texts[0]
		half.Text, of.cut[half.Hash] = beginning(half.Text), true
		return r.embed(ctx, []recall.TextPassage{half}, of)
	}
	of.bad[texts[0].Hash] = err
	return nil
}

// shortest is the length in bytes that every model's window holds.
const shortest = 1000

// beginning returns the first half of s.
func beginning(s string) string {
	half := len(s) / 2
	for half > 0 && !utf8.RuneStart(s[half]) {
		half--
	}
	return s[:half]
}

func (r *runner) embedTexts(ctx context.Context, texts []recall.TextPassage) ([][]float32, error) {
	plain := make([]string, len(texts))
	for i, t := range texts {
		plain[i] = t.Text
	}
	return r.Model.Embed(ctx, Document, plain)
}

func (r *runner) storeVectors(ctx context.Context, texts []recall.TextPassage, numbers [][]float32, of *fate) error {
	all := make([]Vector, 0, len(texts))
	for i, t := range texts {
		if numbers[i] == nil {
			continue
		}
		r.space.Dimension = len(numbers[i])
		all = append(all, Vector{Passage: t.Hash, Numbers: numbers[i]})
	}
	if len(all) == 0 {
		return nil
	}
	if err := r.Vectors.Put(ctx, r.space, all, nil); err != nil {
		return err
	}
	for _, v := range all {
		of.held[v.Passage] = true
	}
	r.done.Passages += len(all)
	return nil
}
