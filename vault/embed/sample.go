package embed

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// item is a memory of the sample.
type item struct {
	names []string // its phrase, its title and its headings
	body  string   // the prose without its headings
}

// sample reads the open memories whose hashes are the least, those with a phrase first.
func (p CalibratePorts) sample(ctx context.Context) ([]item, error) {
	holders, err := p.Holders.Holders(ctx, &vault.ListOptions{}, nil)
	if err != nil {
		return nil, err
	}
	files := make([]vault.Path, len(holders))
	for i, h := range holders {
		files[i] = h.Path
	}
	nodes, err := p.Nodes(ctx, files)
	if err != nil {
		return nil, err
	}
	phrases := make(map[vault.Path]string)
	for _, n := range nodes {
		phrases[n.Path] = n.Summary
	}
	return p.cutMemories(drawSample(holders, phrases), phrases), nil
}

// drawSample returns the memories of the sample. Of those with the same content one counts.
func drawSample(all []Holder, phrases map[vault.Path]string) []Holder {
	key := make(map[string]string, len(all)) // of a content: the hash of what is a hash is by chance
	for _, h := range all {
		key[h.Content] = vault.TextHash(h.Content)
	}
	slices.SortStableFunc(all, func(a, b Holder) int { return cmp.Compare(key[a.Content], key[b.Content]) })
	all = slices.CompactFunc(all, func(a, b Holder) bool { return a.Content == b.Content })
	bare := func(h Holder) int {
		if phrases[h.Path] == "" {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b Holder) int { return bare(a) - bare(b) })
	return all[:min(len(all), MostMemories)]
}

// cutMemories takes the memories apart. What cannot be read is left out.
func (p CalibratePorts) cutMemories(all []Holder, phrases map[vault.Path]string) (items []item) {
	for _, h := range all {
		if doc, _, err := p.Files.Read(h.Path); err == nil {
			items = append(items, itemOf(vault.Parse(h.Path, doc), phrases[h.Path]))
		}
	}
	return items
}

// itemOf takes a memory apart. A title that only the file's name says is none.
func itemOf(m *vault.Memory, phrase string) item {
	it := item{names: []string{phrase}}
	if !m.Untitled {
		it.names = append(it.names, m.Title)
	}
	headings, body := recall.Headings(m.Prose)
	it.body = body
	for _, h := range headings {
		if !slices.Contains(it.names, h) {
			it.names = append(it.names, h)
		}
	}
	return it
}
