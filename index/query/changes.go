package query

import (
	"maps"
	"slices"

	"github.com/cp-memory/cp/index/sqlite"
)

// AnchorChanges are what may have changed what memories are called.
type AnchorChanges struct {
	links   map[int64]bool // keys of links whose texts came or went
	names   map[int64]bool // keys that memories have come to offer, or offer no longer
	targets map[int64]bool // memories that are new, or called otherwise by themselves
}

// Link notes that a text of links with the key came or went.
func (c *AnchorChanges) Link(key int64) { noteChange(&c.links, key) }

// Name notes that a memory, which is a target, offers the key now or does no longer.
func (c *AnchorChanges) Name(key int64) { noteChange(&c.names, key) }

// Target notes a memory that came or went, or has another name or alias.
func (c *AnchorChanges) Target(n int64) { noteChange(&c.targets, n) }

func noteChange(set *map[int64]bool, n int64) {
	if *set == nil {
		*set = make(map[int64]bool)
	}
	(*set)[n] = true
}

// Settle makes the rows again that the changes concern. What goes wrong the transaction keeps.
func (c *AnchorChanges) Settle(t *sqlite.Tx) {
	var any bool
	if len(c.links)+len(c.targets) > 0 {
		_ = t.One(`SELECT EXISTS (SELECT 1 FROM links WHERE text <> '') OR EXISTS (SELECT 1 FROM aliases) OR EXISTS (SELECT 1 FROM anchors)`, nil, &any)
	}
	if !any {
		return
	}
	for _, key := range c.keys(t) {
		first := findMeant(t, key, func(int64) bool { return true })
		c.Target(first)
		if c.targets[first] { // another one may have been meant before
			c.Target(findMeant(t, key, func(n int64) bool { return !c.targets[n] }))
		}
	}
	delete(c.targets, 0)
	rewriteRows(t, slices.Sorted(maps.Keys(c.targets)))
}

// keys returns the keys by which a link with a text means another memory now, or another text
// stands now.
func (c *AnchorChanges) keys(t *sqlite.Tx) []int64 {
	named, _ := sqlite.All(t, `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM links WHERE key = value AND text <> '')`,
		[]any{sqlite.List(slices.Collect(maps.Keys(c.names)))}, (*sqlite.Row).Int64)
	for _, key := range named {
		c.Link(key)
	}
	return slices.Sorted(maps.Keys(c.links))
}

// findMeant returns the memory that a link of the key means among those that pass, or 0.
func findMeant(t *sqlite.Tx, key int64, pass func(n int64) bool) (n int64) {
	offers := OffersOf(`?`)
	if found, _ := t.Maybe(offers+` LIMIT 1`, []any{key}, &n); !found || pass(n) {
		return n
	}
	all, _ := sqlite.All(t, offers, []any{key}, (*sqlite.Row).Int64)
	if i := slices.IndexFunc(all, pass); i >= 0 {
		return all[i]
	}
	return 0
}

// FillAnchors makes all rows of a mirror that has none.
func FillAnchors(t *sqlite.Tx) {
	all, _ := sqlite.All(t, `SELECT n FROM aliases UNION SELECT (`+OffersOf(`l.key`)+` LIMIT 1)
		FROM (SELECT DISTINCT key FROM links WHERE text <> '') l ORDER BY 1`, nil, func(r *sqlite.Row) (n int64) {
		if r.Columns[0] != nil {
			n = r.Int64()
		}
		return n
	})
	rewriteRows(t, slices.DeleteFunc(all, func(n int64) bool { return n == 0 }))
}
