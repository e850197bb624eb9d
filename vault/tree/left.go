package tree

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/secret"
)

// maxLooked bounds the new files that are looked into for a secret: where there are more,
// nobody has run sync yet.
const maxLooked = 100

// left returns those of the nodes to which sync gives no id. Why, is told by sync and
// doctor.
func left(ctx context.Context, tx *vault.Tx, nodes []vault.Node) (map[vault.Path]bool, error) {
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
	for _, p := range problems {
		if strangers[p.Path] && p.KeepsID() {
			out[p.Path] = true
		}
	}
	if err != nil {
		return nil, err
	}
	fresh, err := tx.Tree().Drift(ctx)
	looked := 0
	for _, d := range fresh {
		if d.Head != "" || !strangers[d.Path] || out[d.Path] {
			continue
		}
		if out[d.Path] = tx.NoAdopt(); out[d.Path] || looked == maxLooked {
			continue
		}
		looked++
		if text, err := tx.Read(d.Path); err == nil {
			out[d.Path] = len(secret.Scan(text)) > 0
		}
	}
	return out, err
}
