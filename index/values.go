package index

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"github.com/mattn/go-sqlite3"
)

// values are the columns of one row as SQLite has them. Rows that are read by
// the thousand go past database/sql, which looks at each column once more:
// that is half of what a row costs. The columns are taken in order; one that is not
// of the kind asked for was not written by us.
type values struct {
	columns []driver.Value
	at      int
	wrong   bool
}

func (v *values) take() driver.Value {
	v.at++
	return v.columns[v.at-1]
}

func (v *values) text() string {
	s, ok := v.take().(string)
	v.wrong = v.wrong || !ok
	return s
}

func (v *values) number() int64 {
	n, ok := v.take().(int64)
	v.wrong = v.wrong || !ok
	return n
}

func (v *values) int() int { return int(v.number()) }

func (v *values) is() bool { return v.number() != 0 }

func (v *values) bytes() []byte {
	b, ok := v.take().([]byte)
	v.wrong = v.wrong || !ok
	return b
}

func (v *values) hash() string {
	var o oid
	v.wrong = o.Scan(v.take()) != nil || v.wrong
	return string(o)
}

// micros is a number that may be missing.
func (v *values) micros() sql.NullInt64 {
	column := v.take()
	n, ok := column.(int64)
	v.wrong = v.wrong || !ok && column != nil
	return sql.NullInt64{Int64: n, Valid: ok}
}

// every is each for many rows; fn must not ask anything itself.
func (t *tx) every(query string, args []any, fn func(*values) error) error {
	ctx, err := t.run()
	if err != nil {
		return err
	}
	named := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		value, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return err
		}
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: value}
	}
	return t.sql.Raw(func(c any) error {
		rows, err := c.(*sqlite3.SQLiteConn).QueryContext(ctx, query, named)
		if err != nil {
			return err
		}
		defer rows.Close()
		v := &values{columns: make([]driver.Value, len(rows.Columns()))}
		for {
			switch err := rows.Next(v.columns); {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return err
			}
			v.at = 0
			if err := fn(v); err != nil {
				return err
			}
			if v.wrong {
				return fmt.Errorf("%w: a column of another kind", errDamaged)
			}
		}
	})
}
