package tree

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// Record is what a memory says beside its text: decisions, why, where it comes from, and
// what a program keeps with it.
type Record struct {
	header.Record
	Source string `json:"source,omitempty" flag:"source" help:"where it comes <from>"`
}

// RecordOf returns the record of a memory.
func RecordOf(h *vault.Header) Record {
	return Record{h.Record, h.Source}
}

// into puts the record into a new memory's header.
func (r Record) into(h *vault.Header) {
	h.Record = header.Record{Decisions: trimTexts(r.Decisions), Rationale: trimTexts(r.Rationale), Metadata: r.Metadata}
	h.Source = strings.TrimSpace(r.Source)
}

// trimTexts returns texts without white space around them, and without empty ones.
func trimTexts(texts []string) (out []string) {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, text)
		}
	}
	return header.UniqueItems(out)
}

// checkRecord refuses what cannot be written.
func (r Record) checkRecord() error {
	return cmp.Or(vault.CheckText("decision", r.Decisions...), vault.CheckText("rationale", r.Rationale...),
		vault.CheckLine("source", r.Source), checkMetadata(r.Metadata))
}

// checkMetadata refuses keys that cannot stand in a header as they are.
func checkMetadata(m header.Map) error {
	return m.EachKey(func(key, value string) error {
		if !plainKey(key) {
			return vault.Errorf(vault.CodeInvalid, "use letters, digits, - and _", "'%s' cannot be a key of metadata", vault.Clip(key, 80))
		}
		return vault.CheckText("value of metadata", value)
	})
}

// plainKey reports whether a key of metadata needs no quotes, anywhere.
func plainKey(key string) bool {
	return key != "" && len(key) <= 100 && !strings.ContainsFunc(key, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.'
	})
}

// findStored returns an open memory that says the same as a new one already: its doc hash is the
// same, and so is its type. It is read from its file, so that a mirror behind the disk is not
// believed; what this clone has not seen is not found. among says which memories count.
func findStored(ctx context.Context, tx *vault.Tx, text []byte, among func(vault.Node) bool) (*vault.Doc, error) {
	saying := tx.Tree().Saying
	if saying == nil {
		return nil, nil
	}
	m := vault.Parse("new.md", text)
	hash := HashOf(m)
	nodes, err := saying(ctx, hash)
	if err != nil {
		return nil, err
	}
	for _, n := range nodes {
		if n.ID.Provisional() || n.Status == vault.StatusClosed || n.Type != m.Type || !among(n) {
			continue
		}
		d, err := tx.OpenFromMirror(ctx, string(n.ID))
		if err == nil && d.Mem.Status != vault.StatusClosed && HashOf(d.Mem) == hash {
			return d, nil
		}
	}
	return nil, nil
}

// FindStored returns the memory of a vault that says the same as this new one already, as a
// duplicate. Without one nothing is a duplicate.
func (o Add) FindStored(ctx context.Context, v *vault.Vault) (Added, error) {
	if err := o.checkAdd(); err != nil {
		return Added{}, err
	}
	if _, err := v.CatchUp(ctx, vault.Scope{}); err != nil {
		return Added{}, err
	}
	tx := v.Reading()
	text, err := o.newMemoryFile(tx.Agent(), nil)
	if err != nil {
		return Added{}, err
	}
	there, err := findStored(ctx, tx, text, func(vault.Node) bool { return true })
	return duplicate(there, text), err
}

// duplicate answers that a memory is there already. It names what of the new one was not stored:
// what is no part of the doc hash, and differs.
func duplicate(there *vault.Doc, text []byte) Added {
	if there == nil {
		return Added{}
	}
	is, was := vault.Parse("new.md", text), there.Mem
	out := Added{ID: there.ID, Title: was.Title, Summary: was.Summary, Path: there.Path, Duplicate: true}
	for _, differs := range []struct {
		what string
		does bool
	}{
		{"its phrase", is.Summary != "" && is.Summary != was.Summary},
		{"its labels", slices.ContainsFunc(is.Labels, func(l string) bool { return !slices.Contains(was.Labels, l) })},
		{"its source", is.Header.Source != "" && is.Header.Source != was.Header.Source},
		{"its metadata", is.Metadata != "" && is.Metadata != was.Metadata},
		{"its references", slices.ContainsFunc(is.References, func(r vault.Reference) bool {
			return r.Kind == refersTo && r.Target != string(there.ID) && !slices.Contains(was.References, r)
		})},
	} {
		if differs.does {
			out.NotStored = append(out.NotStored, differs.what)
		}
	}
	return out
}

// Already says that a duplicate is stored, and what of the new one is not.
func (a Added) Already() string {
	said := "Already stored as " + string(a.ID)
	if a.Project != "" {
		said += " in the project " + a.Project + " (" + a.ProjectPath + ")"
	}
	if len(a.NotStored) > 0 {
		said += "; not stored: " + strings.Join(a.NotStored, ", ")
	}
	return said
}

// Amendments are changes of a record. Only what is set changes.
type Amendments struct {
	Decisions       []string   `json:"decisions" oneof:"yes" flag:"decision" help:"add a <decision>; an empty one clears the list first"`
	Rationale       []string   `json:"rationale" oneof:"yes" flag:"rationale" help:"add a <reason>; an empty one clears the list first"`
	RemoveDecisions []int      `json:"remove_decisions" oneof:"yes" flag:"remove-decision" help:"remove the <n>th decision, as show counts them"`
	RemoveRationale []int      `json:"remove_rationale" oneof:"yes" flag:"remove-rationale" help:"remove the <n>th reason, as show counts them"`
	Source          *string    `json:"source" oneof:"yes" flag:"source" help:"where it comes <from>; an empty one takes it out"`
	Metadata        header.Map `json:"metadata" oneof:"yes"` // keys to set; null takes one out
}

func (a *Amendments) checkAmendments() error {
	return cmp.Or(vault.CheckText("decision", a.Decisions...), vault.CheckText("rationale", a.Rationale...),
		vault.CheckLine("source", optionValues(a.Source)...), checkMetadata(a.Metadata))
}

// steps turns the changes into edits of a memory with that header.
func (a *Amendments) steps(h *vault.Header) ([]vault.Step, error) {
	decisions, err := listSteps("decisions", h.Decisions, a.Decisions, a.RemoveDecisions)
	if err != nil {
		return nil, err
	}
	rationale, err := listSteps("rationale", h.Rationale, a.Rationale, a.RemoveRationale)
	if err != nil {
		return nil, err
	}
	steps := slices.Concat(decisions, rationale, mapSteps("metadata", a.Metadata))
	switch source := strings.Join(optionValues(a.Source), ""); {
	case a.Source == nil:
	case strings.TrimSpace(source) == "":
		steps = append(steps, vault.Step{Op: vault.OpDropKey, Key: "source"})
	default:
		steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: "source", Value: source})
	}
	return steps, nil
}

// listSteps turns what is to be added to and taken from a list of texts into edits. remove
// are places in the list, from 1. An empty text to add clears the list first.
func listSteps(key string, was, add []string, remove []int) (steps []vault.Step, err error) {
	var out []string
	for _, n := range remove {
		if n < 1 || n > len(was) {
			return nil, vault.Errorf(vault.CodeInvalid, "`cp memory show` counts them", "there is no %s %d: it has %d", key, n, len(was))
		}
		out = append(out, was[n-1])
	}
	if len(out) > 0 {
		steps = append(steps, vault.Step{Op: vault.OpDropFromList, Key: key, List: out})
	}
	if last := lastEmpty(add); last >= 0 {
		list := trimTexts(add[last:])
		if len(list) == 0 {
			return []vault.Step{{Op: vault.OpDropKey, Key: key}}, nil
		}
		return []vault.Step{{Op: vault.OpSetList, Key: key, List: list}}, nil
	}
	if list := trimTexts(add); len(list) > 0 {
		steps = append(steps, vault.Step{Op: vault.OpAddToList, Key: key, List: list})
	}
	return steps, nil
}

// lastEmpty returns the place of the last empty text, or -1.
func lastEmpty(texts []string) int {
	for i, text := range slices.Backward(texts) {
		if strings.TrimSpace(text) == "" {
			return i
		}
	}
	return -1
}

// mapSteps turns keys to set into edits; null takes a key out.
func mapSteps(key string, m header.Map) (steps []vault.Step) {
	_ = m.EachKey(func(name, value string) error {
		if value == "null" {
			value = ""
		}
		steps = append(steps, vault.Step{Op: vault.OpSetIn, Key: key, Name: name, Value: value})
		return nil
	})
	return steps
}
