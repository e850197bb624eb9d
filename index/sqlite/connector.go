package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"os"

	"github.com/mattn/go-sqlite3"
)

// Connector opens connections to a file that another process may remove or replace. When
// they close they leave the log in its place, cut to nothing: the last connection of a
// deleted file would otherwise unlink, by its name, the log of the file that replaced it.
type Connector struct {
	DSN, Path string
	File      *os.FileInfo // the file that was opened first; nil until that is known
}

// Connect opens a connection, and fails with ErrSwapped where it leads to another file.
func (c Connector) Connect(context.Context) (driver.Conn, error) {
	conn, err := c.Driver().Open(c.DSN)
	if err != nil {
		return nil, err
	}
	raw := conn.(*sqlite3.SQLiteConn)
	err = raw.SetFileControlInt("", sqlite3.SQLITE_FCNTL_PERSIST_WAL, 1)
	if err == nil {
		_, err = raw.Exec(`PRAGMA journal_size_limit = 4194304`, nil) // any limit cuts the log on close
	}
	if err == nil && *c.File != nil {
		err = c.checkSameFile(raw)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// checkSameFile fails where another file has taken the place of the one that is open. It reads
// first: the log, which is opened by name at the first read, is then this file's, too.
func (c Connector) checkSameFile(raw *sqlite3.SQLiteConn) error {
	_, err := raw.Exec(`PRAGMA user_version`, nil)
	if err == nil && !IsFile(c.Path, *c.File) {
		err = ErrSwapped
	}
	return err
}

// Driver returns SQLite's.
func (Connector) Driver() driver.Driver { return &sqlite3.SQLiteDriver{} }

// IsFile reports whether file is what is now at path.
func IsFile(path string, file os.FileInfo) bool {
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(now, file)
}
