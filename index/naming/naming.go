package naming

import (
	"crypto/sha256"
	"encoding/binary"
	"path"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/readonly"
)

// The ranks of the names of a memory.
const (
	ID     = 0
	Path   = 1   // and one more for each folder that is left out
	folder = 101 // README.md and the like, by the name of their folder
	Title  = 200
)

// Hash returns what the tables hold of a key: the first 64 bits of its SHA-256. Two of a
// million keys collide once in 40 million vaults.
func Hash(key string) int64 {
	sum := sha256.Sum256([]byte(key))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// Sum returns a hash of a list of strings, in the six bytes that SQLite keeps small numbers in.
func Sum(all []string) int64 {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(strconv.Itoa(len(s))) // so that their borders count
		b.WriteByte(' ')
		b.WriteString(s)
	}
	return Hash(b.String()) >> 16
}

// Name is a key that a memory offers.
type Name struct {
	Key  int64
	Rank int
}

// Normal returns the form in which names are compared.
func Normal(s string) string { return strings.ToLower(norm.NFC.String(strings.TrimSpace(s))) }

// Link returns the key of a link in the file from.
func Link(from vault.Path, l vault.Reference) string {
	target := Normal(l.Target)
	relative := l.Kind == "link" || strings.HasPrefix(target, "./") || strings.HasPrefix(target, "../")
	if relative && !strings.HasPrefix(target, "/") {
		target = path.Join("/", Normal(string(from.Dir())), "./", target)
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

// Of returns the keys by which links can mean a memory; none without a path.
func Of(p vault.Path, id vault.ID, title string) []Name {
	if p == "" {
		return nil
	}
	names := make([]Name, 0, 12)
	if id != "" && !id.Provisional() {
		names = append(names, Name{Hash(Normal(string(id))), ID})
	}
	if was := readonly.ID(string(p)); p.Foreign() && was != string(id) { // it still leads to what was a read-only note
		names = append(names, Name{Hash(Normal(was)), Title})
	}
	names = ends(names, Normal(string(p.Stem())), Path)
	if rank := p.FolderRank(); rank > 0 {
		names = ends(names, Normal(string(p.Dir())), folder+rank)
	}
	if key := Normal(title); key != "" {
		names = append(names, Name{Hash(key), Title})
	}
	return names
}

// ends appends the absolute key of a path, and each end of it as a wikilink
// may write it.
func ends(names []Name, p string, rank int) []Name {
	names = append(names, Name{Hash("/" + p), rank})
	for {
		names = append(names, Name{Hash(p), rank})
		_, rest, ok := strings.Cut(p, "/")
		if !ok {
			return names
		}
		p, rank = rest, rank+1
	}
}

// References returns the keys by which references may mean a memory, but for its aliases:
// its title, its path and the beginnings of its id.
func References(p vault.Path, id vault.ID, title string) (keys []int64) {
	for _, s := range [...]string{title, string(p), strings.TrimSuffix(string(p), ".md")} {
		keys = append(keys, Hash(Normal(s)), Hash(Normal("./"+s)))
	}
	if name := Normal(string(id)); !id.Provisional() {
		for end := range name + "." {
			keys = append(keys, Hash(name[:end]))
		}
	}
	return keys
}

// Offers is SQL that selects the memories which offer a name with the key, an SQL expression. A
// link means the first of them: that with the best rank, and of these the first by its path.
func Offers(key string) string {
	return `SELECT k.n FROM names k JOIN files kf ON kf.n = k.n WHERE k.key = ` + key + ` ORDER BY k.rank, kf.path`
}

// Short returns the part of a mark that a row keeps: 47 bits of its hash. The whole mark
// is in the folder's listing. The number is negative for a file that cannot be a memory,
// and 0 without a mark.
func Short(mark string) int64 {
	if mark == "" {
		return 0
	}
	h := int64(uint64(Hash(mark))>>17) | 1
	if mark[0] == '!' {
		return -h
	}
	return h
}
