package index

import (
	"database/sql/driver"

	"github.com/mattn/go-sqlite3"
)

// orders are many small statements of few forms, which go past database/sql as
// those of a filler do.
type orders []order

type order struct {
	query string
	args  []driver.Value
}

func (o *orders) add(query string, args ...driver.Value) { *o = append(*o, order{query, args}) }

// run executes the orders in turn.
func (o orders) run(t *tx) error {
	return t.sql.Raw(func(c any) error {
		forms := make(map[string]*insert)
		defer func() {
			for _, form := range forms {
				form.close()
			}
		}()
		for _, order := range o {
			form := forms[order.query]
			if form == nil {
				form = &insert{}
				forms[order.query] = form
				if err := form.prepare(c.(*sqlite3.SQLiteConn), order.query); err != nil {
					return err
				}
			}
			if err := form.put(order.args...); err != nil {
				return err
			}
		}
		return nil
	})
}
