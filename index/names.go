package index

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/cp-memory/cp/vault"
)

// A link is resolved by its key. Keys are lower case and in Unicode form NFC,
// and of two sorts:
//
//	/deploy/rollback   a Markdown link, made absolute: the file deploy/rollback.md
//	deploy/rollback    a wikilink: an id, a path or the end of one, or a title
//
// A memory offers all its keys, each with a rank. A link means the memory with the smallest
// rank, then with the smallest path. So of two files with the name a wikilink means the
// shallower one, and a file's name comes before another one's title. A references key is
// resolved as the reference of a command is (edges.go); of the names it takes ids and titles.
const (
	rankID     = 0
	rankPath   = 1   // and one more for each folder that is left out
	rankFolder = 101 // README.md and the like, by the name of their folder
	rankTitle  = 200
)

// The tables hold the first 64 bits of a key's SHA-256. Two of a million keys collide once
// in 40 million vaults.

// hashed returns what the tables hold of a key.
func hashed(key string) int64 {
	sum := sha256.Sum256([]byte(key))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// name is a key that a memory offers.
type name struct {
	key  int64
	rank int
}

// called holds what a memory's names are derived from. Without a path there are no names.
type called struct {
	path  vault.Path
	id    vault.ID
	title string
}

func normal(s string) string { return strings.ToLower(norm.NFC.String(strings.TrimSpace(s))) }

// linkKey returns the key of a link in the file from.
func linkKey(from vault.Path, l vault.Reference) string {
	target := normal(l.Target)
	relative := l.Kind == "link" || strings.HasPrefix(target, "./") || strings.HasPrefix(target, "../")
	if relative && !strings.HasPrefix(target, "/") {
		target = path.Join("/", normal(string(from.Dir())), "./", target)
		if escapes(from.Dir(), l.Target) {
			return "/../" + target // outside the vault: nobody offers this
		}
	} else if relative || strings.HasPrefix(target, "/") {
		target = path.Clean(target)
	}
	return string(vault.Path(strings.TrimSuffix(target, "/")).Stem())
}

// escapes reports whether a relative target leaves the vault.
func escapes(dir vault.Path, target string) bool {
	joined := path.Join(string(dir), target)
	return joined == ".." || strings.HasPrefix(joined, "../")
}

// names returns the keys by which links can mean a memory.
func (c called) names() []name {
	if c.path == "" {
		return nil
	}
	names := make([]name, 0, 12)
	if c.id != "" && !c.id.Provisional() {
		names = append(names, name{hashed(normal(string(c.id))), rankID})
	}
	names = ends(names, normal(string(c.path.Stem())), rankPath)
	if rank := c.path.FolderRank(); rank > 0 {
		names = ends(names, normal(string(c.path.Dir())), rankFolder+rank)
	}
	if key := normal(c.title); key != "" {
		names = append(names, name{hashed(key), rankTitle})
	}
	return names
}

// ends appends the absolute key of a path, and each end of it as a wikilink
// may write it.
func ends(names []name, p string, rank int) []name {
	names = append(names, name{hashed("/" + p), rank})
	for {
		names = append(names, name{hashed(p), rank})
		_, rest, ok := strings.Cut(p, "/")
		if !ok {
			return names
		}
		p, rank = rest, rank+1
	}
}

// offer is a row of names.
type offer struct {
	name
	n int64
}

// name writes what the fresh memories can be meant by, in the order of the table.
func (wr *writer) name() {
	var offers []offer
	for _, e := range wr.fresh {
		if !e.stored || *e.was == e.called {
			continue
		}
		now := e.called.names()
		wr.unname(e, now)
		for _, k := range now {
			offers = append(offers, offer{k, e.n})
		}
	}
	slices.SortFunc(offers, func(a, b offer) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.rank, b.rank), cmp.Compare(a.n, b.n))
	})
	for _, o := range offers {
		wr.t.Exec(`INSERT OR IGNORE INTO names (key, rank, n) VALUES (?, ?, ?)`, o.key, o.rank, o.n)
	}
}

// unname deletes those names of a fresh memory that it does not keep.
func (wr *writer) unname(e *entry, keep []name) {
	for _, k := range e.was.names() {
		if !slices.Contains(keep, k) {
			wr.t.Exec(`DELETE FROM names WHERE key = ? AND rank = ? AND n = ?`, k.key, k.rank, e.n)
		}
	}
}
