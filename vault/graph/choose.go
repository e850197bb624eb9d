package graph

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// WhichMemories chooses memories.
type WhichMemories struct {
	Refs    []string // these
	Under   string   `flag:"under" help:"what lies below this <id>, itself included"` // with neither, all
	Missing bool     `flag:"missing" help:"only memories of which no model has drawn facts"`
	Stale   bool     `flag:"stale" help:"only those whose text has changed since"` // with neither, all of them
	Limit   int      // at most this many; 0 is no limit

	Skip func(ChosenMemory) bool // these not; nil is none
}

// ChosenMemory is a memory of which facts are to be drawn.
type ChosenMemory struct {
	Node   vault.Node
	Memory *vault.Memory // as HEAD has it
	Of     string        // what the facts will say they were drawn from
	Parts  []string      // the prompts, one for each part of the text
	Tokens int           // of the prompts, about
	Err    error         // why it cannot be asked about
}

// ChooseMemories returns the memories that w chooses, in the order of the tree. types is the closed
// list of types of entities. A memory that is in no commit is left out, unless it was named:
// then it has an error.
func ChooseMemories(ctx context.Context, v *vault.Vault, w WhichMemories, types []string) ([]ChosenMemory, error) {
	var nodes []vault.Node
	err := v.View(ctx, vault.Scope{}, func(t vault.Tree) (err error) {
		nodes, err = w.nodes(ctx, v, t)
		return err
	})
	if err != nil {
		return nil, err
	}
	tx := v.Reading()
	var all []ChosenMemory
	for _, n := range nodes {
		if w.Limit > 0 && len(all) == w.Limit || ctx.Err() != nil {
			break
		}
		c, wanted, err := w.chooseMemory(ctx, tx, n)
		if err != nil {
			return nil, err
		}
		if wanted && (w.Skip == nil || !w.Skip(c)) {
			c.makePrompts(types)
			all = append(all, c)
		}
	}
	return all, context.Cause(ctx)
}

// nodes returns the memories among which w chooses.
func (w WhichMemories) nodes(ctx context.Context, v *vault.Vault, t vault.Tree) ([]vault.Node, error) {
	tx := v.Reading()
	if len(w.Refs) == 0 {
		o := vault.WalkOptions{MaxDepth: vault.MaxDepth}
		if w.Under != "" {
			top, err := tx.OpenMemory(ctx, w.Under)
			if err != nil {
				return nil, err
			}
			o.Root = top.ID
		}
		return t.Walk(ctx, o)
	}
	var all []vault.Node
	for _, ref := range w.Refs {
		d, err := tx.OpenMemory(ctx, ref)
		if err != nil {
			return nil, err
		}
		if err := d.Writable(); err != nil {
			return nil, err
		}
		all = append(all, d.Node)
	}
	return all, nil
}

// chooseMemory looks at one memory.
func (w WhichMemories) chooseMemory(ctx context.Context, tx *vault.Tx, n vault.Node) (c ChosenMemory, wanted bool, err error) {
	if c.Node = n; n.ReadOnly() {
		return c, false, nil
	}
	text, held, err := tx.ReadCommitted(ctx, n.Path)
	if err != nil {
		return c, false, err
	}
	if !held || n.ID.Provisional() {
		c.Err = vault.Errorf(vault.CodeDirty, "commit it, or run `cp memory sync`", "%s is in no commit, and facts are drawn from what is committed", n.Path)
		return c, len(w.Refs) > 0, nil
	}
	c.Memory = vault.Parse(n.Path, text)
	c.Of = SourceHash(c.Memory)
	was, err := tx.Facts(ctx, vault.FactsPath(n.ID))
	if err != nil {
		return c, false, err
	}
	f, err := ReadFacts(n.ID, was)
	if err != nil {
		c.Err = err // it is told, and stays as it is
		return c, true, nil
	}
	drawn, stale := IsDrawn(f, c.Of)
	return c, !w.Missing && !w.Stale || w.Missing && !drawn || w.Stale && stale, nil
}

// makePrompts makes the prompts.
func (c *ChosenMemory) makePrompts(types []string) {
	if c.Err != nil {
		return
	}
	for _, part := range cutParts(c.Memory.Prose + c.Memory.Record.Text()) {
		p := prompt(c.Memory.Title, part, types)
		c.Parts = append(c.Parts, p)
		c.Tokens += vault.Tokens(p)
	}
}
