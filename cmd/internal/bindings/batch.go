package bindings

import (
	"context"
	"encoding/json"
	"io"

	"github.com/cp-memory/cp/cmd/internal/batch"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/tree"
)

// ReadBatch reads the lines of a batch, bind, unbind and confirm among them. What lines say of code is
// completed as on the command line, by what the code is now.
func (r Room) ReadBatch(ctx context.Context, in io.Reader) ([]tree.BatchLine, error) {
	return batch.Read(ctx, r.Session, in, func(v tree.Verb) tree.Verb { return r.completing(ctx, v) }, r.verbs(ctx)...)
}

// completing is a verb whose lines are completed.
func (r Room) completing(ctx context.Context, v tree.Verb) tree.Verb {
	line := v.Line
	v.Line = func(text []byte) (tree.Line, error) {
		text, err := r.complete(ctx, v.Name, text)
		if err != nil {
			return nil, err
		}
		return line(text)
	}
	return v
}

// complete returns the options of a line with its bindings and their stamps, where it has any.
func (r Room) complete(ctx context.Context, verb string, text []byte) ([]byte, error) {
	var fields map[string]json.RawMessage
	var said struct {
		ID string `json:"id"`
		about.Change
	}
	if json.Unmarshal(text, &fields) != nil || json.Unmarshal(text, &said) != nil || len(said.AddAbout)+len(said.RemoveAbout) == 0 && !said.Confirm {
		return text, nil // the verb says what is wrong
	}
	if verb == (tree.Amend{}).Name() {
		if err := r.BindChange(ctx, said.ID, &said.Change); err != nil {
			return nil, err
		}
	} else {
		bound := about.New{About: said.AddAbout}
		if err := r.BindNew(ctx, &bound); err != nil {
			return nil, err
		}
		said.AddAbout, said.AboutAt = bound.About, bound.AboutAt
	}
	for key, list := range map[string][]string{"about": said.AddAbout, "remove_about": said.RemoveAbout, "about_at": said.AboutAt} {
		if len(list) == 0 {
			delete(fields, key)
			continue
		}
		raw, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		fields[key] = raw
	}
	return json.Marshal(fields)
}

// lineOptions are those of bind and unbind as lines.
type lineOptions struct {
	Ref   string   `json:"id" need:"yes"`
	About []string `json:"about" need:"yes"`
}

// confirmOptions are those of confirm.
type confirmOptions struct {
	Ref   string   `json:"id" need:"yes"`
	About []string `json:"about"`
}

// verbs are bind, unbind and confirm in the table of lines.
func (r Room) verbs(ctx context.Context) []tree.Verb {
	amend := func(name string, options any, change func(ref string, code []string) (about.Change, error)) tree.Verb {
		return tree.Verb{Name: name, Options: options, Line: func(text []byte) (tree.Line, error) {
			var o confirmOptions
			if err := json.Unmarshal(text, &o); err != nil {
				return nil, err
			}
			c, err := change(o.Ref, o.About)
			return tree.LineOf[tree.Amended](tree.Amend{Ref: o.Ref, Verb: name, Change: c}), err
		}}
	}
	return []tree.Verb{
		amend("bind", lineOptions{}, func(ref string, code []string) (c about.Change, err error) {
			c.AddAbout = code
			return c, r.BindChange(ctx, ref, &c)
		}),
		amend("unbind", lineOptions{}, func(ref string, code []string) (c about.Change, err error) {
			c.RemoveAbout = code
			return c, r.BindChange(ctx, ref, &c)
		}),
		amend("confirm", confirmOptions{}, func(ref string, code []string) (about.Change, error) {
			if _, err := r.CatchUp(ctx, vault.Scope{}); err != nil {
				return about.Change{}, err
			}
			return r.confirmation(ctx, ref, code)
		}),
	}
}
