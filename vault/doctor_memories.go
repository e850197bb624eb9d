package vault

import (
	"context"
	"regexp"
	"strings"
	"unicode/utf8"
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
		if of, ok := copyOf(n.Path); ok && (of == "" || stands[of]) {
			d.add("conflict_copies", n.Path, 0, "looks like a copy of %s", orElse(string(of), "another file"))
		}
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

func (d *examination) links(ctx context.Context, t Tree, n Node) error {
	edges, err := t.Edges(ctx, n.ID)
	if err != nil {
		return err
	}
	for _, e := range edges {
		if e.Outgoing && e.To == "" && e.Kind != "child-of" {
			d.add("broken_links", n.Path, 0, "%s leads nowhere", clip(e.Target, 200))
		}
	}
	return nil
}

// Names that tell a copy by themselves (Dropbox, OneDrive, Syncthing, Nextcloud) …
var marked = regexp.MustCompile(`(?i)\((?:[^()]*conflicted copy[^()]*|[^()]*case conflict[^()]*)\)|\.sync-conflict-\d{8}-\d{6}`)

// … and those that do so beside the file they were made of (Finder, Explorer, browsers).
var beside = regexp.MustCompile(`(?i)^(.+?)(?: \d{1,2}| \(\d{1,2}\)| copy(?: \d{1,2})?| - copy(?: \(\d{1,2}\))?)$`)

// copyOf reports whether a name looks like that of a copy, and of which file;
// of is empty when that file need not be there.
func copyOf(p Path) (of Path, ok bool) {
	stem := p.Stem()
	name := stem.Base()
	if marked.MatchString(name) {
		return "", true
	}
	m := beside.FindStringSubmatch(name)
	if m == nil {
		return "", false
	}
	return p.Dir().Join(strings.TrimSpace(m[1]) + string(p[len(stem):])), true
}
