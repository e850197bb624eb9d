// Package phrase is the room of the trigger phrases: what a model is asked when
// a memory needs one, and what its reply says.
//
// A trigger phrase stands in a parent's pointer to a child and says when one
// needs the child: "If deploy succeeds but service unchanged", not "Deployment
// troubleshooting information". The model is shown both texts and gives the
// phrase, and its opinion on whether the parent's prose still holds. That is
// for a person to read; nothing here or above changes the parent's prose.
//
// A reply is JSON by [Schema]:
//
//	{"summary": "If deploy fails", "parent_needs_update": false, "parent_edits": null}
//
//	reply, err := phrase.Ask(ctx, model, question)
//	if errors.Is(err, phrase.ErrReply) {
//		// the model answered, and the answer cannot be used: ask a person
//	}
package phrase

import (
	"context"
	"errors"
)

// Generator is a language model: it answers a prompt. A failure is one sentence
// with a hint and never holds a key.
type Generator interface {
	Generate(ctx context.Context, prompt string) (string, error)
}

// ErrReply marks a reply that was given and cannot be used: asking a person is
// the way on.
var ErrReply = errors.New("the reply cannot be used")

// Ask puts a question to a model and returns its reply. The error is the
// model's own, or wraps [ErrReply].
func Ask(ctx context.Context, g Generator, q Question) (Reply, error) {
	text, err := g.Generate(ctx, q.Prompt())
	if err != nil {
		return Reply{}, err
	}
	return Parse(text)
}
