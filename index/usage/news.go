package usage

import (
	"context"

	"github.com/cp-memory/cp/index/sqlite"
)

// State says up to which point a mirror has repeated the telemetry.
type State struct {
	Seq   int64 // grows with every change
	Epoch int64 // grows when counts are taken away
}

// News is the part of the telemetry that a mirror does not hold yet.
type News struct {
	State       // that of a mirror which has taken it in
	All    bool // counts were taken away: begin anew
	Totals []Total
}

// News returns what has changed since a mirror stood at since, or nil. When it
// cannot be read there are no news: counts are worth no failed command.
func (u *DB) News(ctx context.Context, since State) *News {
	n := News{State: since}
	err := u.view(ctx, func(t *sqlite.Tx) error {
		err := t.One(`SELECT seq, epoch FROM state`, nil, &n.Seq, &n.Epoch)
		if err != nil || n.State == since {
			return err
		}
		// A smaller number is another file: the telemetry was begun anew.
		if n.All = n.Epoch != since.Epoch || n.Seq < since.Seq; n.All {
			since.Seq = 0
		}
		n.Totals, err = sqlite.All(t, totals(`WHERE id IN (SELECT id FROM reads WHERE seq > ?1 UNION SELECT id FROM team WHERE seq > ?1)`), []any{since.Seq}, total)
		return err
	})
	if err != nil || n.State == since {
		return nil
	}
	return &n
}
