package query

import (
	"crypto/sha256"
	"encoding/binary"
	"path"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// The ranks of the names of a memory.
const (
	RankID     = 0
	RankPath   = 1   // and one more for each folder that is left out
	rankFolder = 101 // README.md and the like, by the name of their folder
	RankTitle  = 200
)

// HashName returns what the tables hold of a key: the first 64 bits of its SHA-256. Two of a
// million keys collide once in 40 million vaults.
func HashName(key string) int64 {
	sum := sha256.Sum256([]byte(key))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// SumOf returns a hash of a list of strings, in the six bytes that SQLite keeps small numbers in.
func SumOf(all []string) int64 {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(strconv.Itoa(len(s))) // so that their borders count
		b.WriteByte(' ')
		b.WriteString(s)
	}
	return HashName(b.String()) >> 16
}

// Name is a key that a memory offers.
type Name struct {
	Key  int64
	Rank int
}

// NormalName returns the form in which names are compared.
func NormalName(s string) string { return strings.ToLower(norm.NFC.String(strings.TrimSpace(s))) }

// LinkName returns the key of a link in the file from.
func LinkName(from vault.Path, l vault.Reference) string {
	target := NormalName(l.Target)
	relative := l.Kind == "link" || strings.HasPrefix(target, "./") || strings.HasPrefix(target, "../")
	if relative && !strings.HasPrefix(target, "/") {
		target = path.Join("/", NormalName(string(from.Dir())), "./", target)
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

// NamesOf returns the keys by which links can mean a memory; none without a path.
func NamesOf(p vault.Path, id vault.ID, title string) []Name {
	if p == "" {
		return nil
	}
	names := make([]Name, 0, 12)
	if id != "" && !id.Provisional() {
		names = append(names, Name{HashName(NormalName(string(id))), RankID})
	}
	if was := header.ReadOnlyID(string(p)); p.Foreign() && was != string(id) { // it still leads to what was a read-only note
		names = append(names, Name{HashName(NormalName(was)), RankTitle})
	}
	names = ends(names, NormalName(string(p.Stem())), RankPath)
	if rank := p.FolderRank(); rank > 0 {
		names = ends(names, NormalName(string(p.Dir())), rankFolder+rank)
	}
	if key := NormalName(title); key != "" {
		names = append(names, Name{HashName(key), RankTitle})
	}
	return names
}

// ends appends the absolute key of a path, and each end of it as a wikilink
// may write it.
func ends(names []Name, p string, rank int) []Name {
	names = append(names, Name{HashName("/" + p), rank})
	for {
		names = append(names, Name{HashName(p), rank})
		_, rest, ok := strings.Cut(p, "/")
		if !ok {
			return names
		}
		p, rank = rest, rank+1
	}
}

// ReferenceKeys returns the keys by which references may mean a memory, but for its aliases:
// its title, its path and the beginnings of its id.
func ReferenceKeys(p vault.Path, id vault.ID, title string) (keys []int64) {
	for _, s := range [...]string{title, string(p), strings.TrimSuffix(string(p), ".md")} {
		keys = append(keys, HashName(NormalName(s)), HashName(NormalName("./"+s)))
	}
	if name := NormalName(string(id)); !id.Provisional() {
		for end := range name + "." {
			keys = append(keys, HashName(name[:end]))
		}
	}
	return keys
}

// OffersOf is SQL that selects the memories which offer a name with the key, an SQL expression. A
// link means the first of them: that with the best rank, and of these the first by its path.
func OffersOf(key string) string {
	return `SELECT k.n FROM names k JOIN files kf ON kf.n = k.n WHERE k.key = ` + key + ` ORDER BY k.rank, kf.path`
}

// ShortMark returns the part of a mark that a row keeps: 47 bits of its hash. The whole mark
// is in the folder's listing. The number is negative for a file that cannot be a memory,
// and 0 without a mark.
func ShortMark(mark string) int64 {
	if mark == "" {
		return 0
	}
	h := int64(uint64(HashName(mark))>>17) | 1
	if mark[0] == '!' {
		return -h
	}
	return h
}
