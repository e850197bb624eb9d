package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"reflect"
	"time"
)

// Row holds the columns of one row. They are taken in order. A column of another kind than
// asked for was not written by us, and ends the query with ErrDamaged.
type Row struct {
	Columns []driver.Value
	at      int
	wrong   bool
}

func (r *Row) nextColumn() driver.Value {
	r.at++
	return r.Columns[r.at-1]
}

// as takes the next column as a T.
func as[T any](r *Row) T {
	v, ok := r.nextColumn().(T)
	r.wrong = r.wrong || !ok
	return v
}

// Text takes the next column.
func (r *Row) Text() string { return as[string](r) }

// Int64 takes the next column.
func (r *Row) Int64() int64 { return as[int64](r) }

// Int takes the next column.
func (r *Row) Int() int { return int(r.Int64()) }

// Bool takes the next column.
func (r *Row) Bool() bool { return r.Int64() != 0 }

// Float takes the next column, which may be an integer.
func (r *Row) Float() float64 {
	if n, ok := r.Columns[r.at].(int64); ok {
		r.at++
		return float64(n)
	}
	return as[float64](r)
}

// Blob takes the next column; NULL is nil.
func (r *Row) Blob() []byte {
	if r.Columns[r.at] == nil {
		r.at++
		return nil
	}
	return as[[]byte](r)
}

// Time takes the next column, a time as Micros writes it.
func (r *Row) Time() time.Time {
	if r.Columns[r.at] == nil {
		r.at++
		return time.Time{}
	}
	return time.UnixMicro(r.Int64()).UTC()
}

// Texts returns a list that [Texts] wrote.
func (r *Row) Texts() (items []string) {
	if text := r.Text(); text != "" {
		_ = json.Unmarshal([]byte(text), &items)
	}
	return items
}

// Texts returns a list as the value of a column; empty for none.
func Texts(items []string) string {
	if len(items) == 0 {
		return ""
	}
	return List(items)
}

// Micros returns t in microseconds since 1970, or NULL for no time.
func Micros(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

// Scan takes the next columns into dest: pointers to what the methods above
// return, or to another type of string.
func (r *Row) Scan(dest ...any) {
	for _, d := range dest {
		switch d := d.(type) {
		case *string:
			*d = r.Text()
		case *int64:
			*d = r.Int64()
		case *int:
			*d = r.Int()
		case *bool:
			*d = r.Bool()
		case *float64:
			*d = r.Float()
		case *[]byte:
			*d = r.Blob()
		case *time.Time:
			*d = r.Time()
		case *any:
			*d = r.nextColumn()
		case *Hash:
			*d = r.Hash()
		default:
			reflect.ValueOf(d).Elem().SetString(r.Text())
		}
	}
}
