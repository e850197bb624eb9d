package doctor

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/secret"
)

// memory is what is kept of a memory while the checks are made.
type memory struct {
	ID             vault.ID
	Path           vault.Path
	Title, Summary string
	Depth          int
	pointed        bool // its parent points to it, so it needs a trigger phrase
}

// keepMemory keeps a memory. They come by path: one that does not come behind the last one begins anew.
func (x *examination) keepMemory(n vault.Node) {
	if last := len(x.memories) - 1; last >= 0 && n.Path <= x.memories[last].Path {
		x.memories = nil
		clear(x.stands)
	}
	x.memories = append(x.memories, memory{n.ID, n.Path, n.Title, n.Summary, n.Depth, n.Parent != "" && n.Status != vault.StatusClosed && n.NeedsPointer()})
	x.stands[n.Path] = true
}

// comfortable is the depth from which on add-sub warns.
const comfortable = 5

func deep(_ context.Context, _ *examination, n memory) ([]Finding, error) {
	return when(n.Depth > comfortable, "", "", "%s %q is at depth %d", n.ID, n.Title, n.Depth), nil
}

func phraseless(_ context.Context, _ *examination, n memory) ([]Finding, error) {
	return when(n.pointed && n.Summary == "", "", "", "%s %q has no trigger phrase", n.ID, n.Title), nil
}

func long(_ context.Context, _ *examination, n memory) ([]Finding, error) {
	length := utf8.RuneCountInString(n.Summary)
	return when(n.pointed && length > vault.TriggerLimit, "", "", "the trigger phrase of %s %q has %d characters", n.ID, n.Title, length), nil
}

// secrets reads the file: the mirror keeps no texts.
func secrets(_ context.Context, x *examination, n memory) (found []Finding, _ error) {
	doc, _, err := x.files.Read(n.Path)
	if err != nil {
		return nil, nil // it has a check of its own
	}
	for _, f := range secret.FindCredentials(doc) {
		found = append(found, Finding{Line: f.Line, Evidence: "looks like " + f.String(doc)})
	}
	return found, nil
}

func links(_ context.Context, x *examination, n memory) (found []Finding, _ error) {
	for _, e := range x.nowhere[n.ID] {
		found = append(found, Finding{Evidence: vault.Clip(e.Target, 200) + " leads nowhere"})
	}
	return found, nil
}

// portable finds names that a clone on Windows could not check out.
func portable(_ context.Context, _ *examination, n memory) (found []Finding, _ error) {
	for part := range strings.SplitSeq(string(n.Path), "/") {
		why := filename.Portable(part)
		found = append(found, when(why != "", "", "", "%q %s", part, why)...)
	}
	return found, nil
}

func checkCopy(_ context.Context, x *examination, n memory) ([]Finding, error) {
	of, ok := copyOf(n.Path)
	return when(ok && x.stands[of], "", "", "looks like a copy of %s", of), nil
}

// Names that tell a copy beside the file they were made of (Finder, Explorer, browsers).
var beside = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(.+?)(?: \d{1,2}| \(\d{1,2}\)| copy(?: \d{1,2})?| - copy(?: \(\d{1,2}\))?)$`)
})

// copyOf reports whether a name looks like a copy's, and returns the name of the original.
func copyOf(p vault.Path) (of vault.Path, ok bool) {
	stem := p.Stem()
	name := stem.Base()
	m := beside().FindStringSubmatch(name)
	if m == nil {
		return "", false
	}
	return p.Dir().Join(strings.TrimSpace(m[1]) + string(p[len(stem):])), true
}
