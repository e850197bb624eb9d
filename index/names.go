package index

import (
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/cp-memory/cp/vault"
)

// A link is resolved by its key. Keys are lower case and in Unicode form NFC,
// and of three sorts:
//
//	#pf-7k2m9qx4       a references key: this id and nothing else
//	/deploy/rollback   a Markdown link, made absolute: the file deploy/rollback.md
//	deploy/rollback    a wikilink: an id, a path or the end of one, or a title
//
// A memory offers each key it can be meant by with a rank; the smallest rank,
// then the smallest path, is meant. So a wikilink means the shallower file of
// two with the name, and a file's name comes before another one's title.
const (
	rankID     = 0
	rankPath   = 1   // and one more for each folder that is left out
	rankFolder = 101 // README.md and the like, by the name of their folder
	rankTitle  = 200
)

// name is a key that a memory offers.
type name struct {
	key  string
	rank int
}

func normal(s string) string { return strings.ToLower(norm.NFC.String(strings.TrimSpace(s))) }

func idKey(id string) string { return "#" + normal(id) }

// linkKey returns the key of a link in the file from.
func linkKey(from vault.Path, l vault.Link) string {
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

// namesOf returns the keys by which links can mean a memory.
func namesOf(p vault.Path, id vault.ID, title string) []name {
	var names []name
	if id != "" && !id.Provisional() {
		names = append(names, name{idKey(string(id)), rankID}, name{normal(string(id)), rankID})
	}
	names = append(names, ends(normal(string(p.Stem())), rankPath)...)
	if p.FolderRank() > 0 {
		names = append(names, ends(normal(string(p.Dir())), rankFolder+p.FolderRank())...)
	}
	if key := normal(title); key != "" {
		names = append(names, name{key, rankTitle})
	}
	return names
}

// ends returns the absolute key of a path, and each end of it as a wikilink
// may write it.
func ends(p string, rank int) []name {
	names := []name{{"/" + p, rank}}
	for {
		names = append(names, name{p, rank})
		_, rest, ok := strings.Cut(p, "/")
		if !ok {
			return names
		}
		p, rank = rest, rank+1
	}
}

// rename stores the names of the memory n anew.
func (a *applier) rename(n int64, p vault.Path, id vault.ID, title string) error {
	if err := a.t.exec(`DELETE FROM names WHERE n = ?`, n); err != nil {
		return err
	}
	for _, k := range namesOf(p, id, title) {
		if err := a.t.exec(`INSERT OR IGNORE INTO names (key, rank, path, n) VALUES (?, ?, ?, ?)`, k.key, k.rank, p, n); err != nil {
			return err
		}
	}
	return nil
}
