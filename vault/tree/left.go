package tree

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// maxLooked bounds the new files that are looked into for a secret: where there are more,
// nobody has run sync yet.
const maxLooked = 100

// findWithoutID returns those of the nodes to which sync gives no id. Why, is told by sync and
// doctor.
func findWithoutID(ctx context.Context, tx *vault.Tx, nodes []vault.Node) (map[vault.Path]bool, error) {
	strangers := make(map[vault.Path]bool)
	for i := range nodes {
		if nodes[i].ID.Provisional() {
			strangers[nodes[i].Path] = true
		}
	}
	out := make(map[vault.Path]bool)
	if len(strangers) == 0 {
		return out, nil
	}
	problems, err := tx.Tree().Problems(ctx)
	if err != nil {
		return nil, err
	}
	nameless := NamelessFiles(problems)
	fresh, err := tx.Tree().Drift(ctx)
	rules, looked := Unadopted{None: tx.NoAdopt()}, 0
	for _, d := range fresh {
		if d.Head == "" && strangers[d.Path] && !nameless[d.Path] {
			rules.AllowSecret = rules.None || looked >= maxLooked
			looked++
			out[d.Path] = rules.JudgeFile(tx, d) != Why{}
		}
	}
	for p := range strangers {
		out[p] = out[p] || nameless[p]
	}
	return out, err
}
