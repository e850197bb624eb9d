package tree

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// takeUp takes the new text apart if it brings a front matter of its own along: what that
// says holds where the options say nothing. It returns the steps that keep its other keys.
func (o *Amend) takeUp() ([]vault.Step, error) {
	if !hasText(o.Body) || o.Section != "" {
		return nil, nil
	}
	own, err := vault.OwnOf(*o.Body)
	if err != nil || own.Text == *o.Body {
		return nil, err
	}
	text := strings.TrimLeft(own.Text, "\r\n")
	o.Body = &text
	if text == "" { // there is nothing but the front matter
		o.Body = nil
	}
	for _, f := range [...]struct {
		to    **string
		is    string
		given bool
	}{{&o.Title, own.Title, own.Title != ""}, {&o.Summary, own.Summary, own.Summary != ""}, {&o.Status, own.Status, own.Says("status")}} {
		if *f.to == nil && f.given {
			*f.to = &f.is
		}
	}
	o.AddLabels = slices.Concat(o.AddLabels, own.Labels)
	return keptKeys(&own)
}

// keptKeys returns the steps that write what a front matter says beside what an update can set.
func keptKeys(own *vault.Own) (steps []vault.Step, err error) {
	if !own.Created.IsZero() {
		steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: "created", Value: header.FormatDate(own.Created)})
	}
	for _, key := range own.Other {
		switch value, list, ok := own.Value(key); {
		case !ok:
			return nil, vault.Errorf(vault.CodeInvalid, "write it into the file with `cp memory edit`, and leave it out here", "the key %s in the front matter of the text holds neither a text nor a list", key)
		case list != nil:
			steps = append(steps, vault.Step{Op: vault.OpSetList, Key: key, List: list})
		default:
			steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: key, Value: value})
		}
	}
	return steps, nil
}
