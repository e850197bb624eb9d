package vault

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault/secret"
)

// memories examines every memory of the tree.
func (d *examination) memories(ctx context.Context, t Tree) error {
	nodes, err := t.Walk(ctx, WalkOptions{MaxDepth: MaxDepth + 1, Closed: true})
	if err != nil {
		return err
	}
	stands := make(map[Path]bool, len(nodes))
	for _, n := range nodes {
		stands[n.Path] = true
	}
	for _, n := range nodes {
		d.phrase(n)
		if n.Depth > comfortable {
			d.add("deep_tree", n.Path, 0, "%s %q is at depth %d", n.ID, n.Title, n.Depth)
		}
		if of, ok := copyOf(n.Path); ok && stands[of] {
			d.add("conflict_copies", n.Path, 0, "looks like a copy of %s", of)
		}
		d.secrets(n)
		if err := d.links(ctx, t, n); err != nil {
			return err
		}
	}
	return nil
}

func (d *examination) phrase(n Node) {
	switch long := utf8.RuneCountInString(n.Summary); {
	case n.Parent == "" || n.Status == StatusClosed:
	case n.Summary == "" || n.Summary == Placeholder:
		d.add("no_phrase", n.Path, 0, "%s %q has no trigger phrase", n.ID, n.Title)
	case long > TriggerLimit:
		d.add("long_phrases", n.Path, 0, "the trigger phrase of %s %q has %d characters", n.ID, n.Title, long)
	}
}

// secrets reads the file: the mirror keeps no texts.
func (d *examination) secrets(n Node) {
	doc, _, err := d.v.Store.Read(n.Path)
	if err != nil {
		return // it has a check of its own
	}
	for _, f := range secret.Scan(doc) {
		d.add("secrets", n.Path, f.Line, "looks like %s", f.String(doc))
	}
}

func (d *examination) links(ctx context.Context, t Tree, n Node) error {
	edges, err := t.Edges(ctx, n.ID)
	if err != nil {
		return err
	}
	for _, e := range edges {
		if e.Outgoing && e.To == "" && e.Kind != "child-of" {
			d.add("broken_links", n.Path, 0, "%s leads nowhere", Clip(e.Target, 200))
		}
	}
	return nil
}

// Names that tell a copy beside the file they were made of (Finder, Explorer, browsers).
var beside = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(.+?)(?: \d{1,2}| \(\d{1,2}\)| copy(?: \d{1,2})?| - copy(?: \(\d{1,2}\))?)$`)
})

// copyOf reports whether a name looks like that of a copy, and of which file.
func copyOf(p Path) (of Path, ok bool) {
	stem := p.Stem()
	name := stem.Base()
	m := beside().FindStringSubmatch(name)
	if m == nil {
		return "", false
	}
	return p.Dir().Join(strings.TrimSpace(m[1]) + string(p[len(stem):])), true
}
