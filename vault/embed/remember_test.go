package embed_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/cp-memory/cp/vault/embed"
)

// The vaults of a family ask one question at once, and the model hears it once.
func TestAQuestionIsAskedOnce(t *testing.T) {
	w := newWorld(nil)
	model := embed.Remember(w)
	ask := func(text string) error {
		all, err := model.Embed(t.Context(), embed.Query, []string{text})
		if err == nil && len(all) != 1 {
			t.Errorf("%d vectors", len(all))
		}
		return err
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := ask("car"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(w.batches) != 1 {
		t.Errorf("the model was asked %d times", len(w.batches))
	}
	w.fail = errors.New("dead")
	for range 2 { // a failure is not kept
		if err := ask("boat"); err != w.fail {
			t.Error(err)
		}
	}
	if err := ask("car"); err != nil || len(w.batches) != 3 {
		t.Errorf("after %d questions: %v", len(w.batches), err)
	}
	w.fail = nil
	for range 2 {
		if _, err := model.Embed(t.Context(), embed.Document, []string{"car"}); err != nil {
			t.Error(err)
		}
	}
	if len(w.batches) != 5 {
		t.Error("a text was taken for a question")
	}
}
