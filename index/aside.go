package index

import (
	"context"
	"errors"

	"github.com/cp-memory/cp/index/sqlite"
)

// errAside is why a mirror is in memory from which the file is kept.
var errAside = errors.New("it shows what waits")

// CopyToMemory goes on with a copy of the mirror in memory: what is written from now on never
// reaches the file. A mirror that is private already goes on as it is. A copy of 10,000
// memories takes about 20 ms.
func (d *DB) CopyToMemory(ctx context.Context) error {
	return d.rebuilding(ctx, func(p *pool) error {
		if p.private != nil {
			return nil
		}
		db, err := sqlite.Copy(ctx, p.read)
		if err != nil {
			return err
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		d.pool = &pool{write: db, read: db, private: errAside, key: p.key}
		return p.close()
	})
}
