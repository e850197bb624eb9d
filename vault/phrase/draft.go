package phrase

import (
	"context"
	"iter"
	"sync"

	"github.com/cp-memory/cp/vault"
)

// Draft is a phrase that a model proposes for a memory.
type Draft struct {
	Node    vault.Node
	Content string // the ContentHash of the text it is about
	Reply   Reply
	Err     error
}

// About returns what to ask about a memory that is there, and its ContentHash.
func About(ctx context.Context, v *vault.Vault, n vault.Node) (Question, string, error) {
	_, m, err := v.Text(ctx, reference(n.ID, n.Path))
	if err != nil {
		return Question{}, "", err
	}
	q := Question{Title: m.Title, Text: m.Prose}
	if n.Parent == "" {
		return q, m.ContentHash(), nil
	}
	_, parent, err := v.Text(ctx, string(n.Parent))
	if err != nil {
		return Question{}, "", err
	}
	q.ParentID, q.Parent = n.Parent, parent.Prose
	return q, m.ContentHash(), nil
}

// reference returns the reference by which a memory is found. For a file without an id it
// is the path.
func reference(id vault.ID, p vault.Path) string {
	if id == "" || id.Provisional() {
		return string(p)
	}
	return string(id)
}

// ahead is the number of drafts that are asked for in advance, for each that is asked for
// at once.
const ahead = 2

// drafts asks for a phrase for each of the memories, atOnce at a time, and yields them in
// order. Only the caller's goroutine reads the vault; the goroutines that wait for a model
// end with the sequence.
func drafts(ctx context.Context, v *vault.Vault, g Generator, nodes []vault.Node, atOnce int) iter.Seq[Draft] {
	return func(yield func(Draft) bool) {
		var all sync.WaitGroup
		defer all.Wait()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		free := make(chan struct{}, atOnce)
		var started []<-chan Draft
		for i := range nodes {
			for len(started) < min(len(nodes), i+ahead*atOnce) {
				started = append(started, beginDraft(ctx, v, g, nodes[len(started)], free, &all))
			}
			if !yield(<-started[i]) {
				return
			}
		}
	}
}

// beginDraft reads the texts for the question, and asks it when there is room.
func beginDraft(ctx context.Context, v *vault.Vault, g Generator, n vault.Node, free chan struct{}, all *sync.WaitGroup) <-chan Draft {
	out := make(chan Draft, 1)
	d := Draft{Node: n}
	var q Question
	if q, d.Content, d.Err = About(ctx, v, n); d.Err != nil {
		out <- d
		return out
	}
	all.Go(func() {
		select {
		case free <- struct{}{}:
			d.Err = vault.Guard("asking for a phrase", nil, func() (err error) {
				d.Reply, err = Ask(ctx, g, q)
				return err
			})
			<-free
		case <-ctx.Done():
			d.Err = context.Cause(ctx)
		}
		out <- d
	})
	return out
}
