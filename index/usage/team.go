package usage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// Where a team shares its readings every clone counts its own and knows the
// counts of the others; what is told of a memory is their sum. A clone's counts
// travel as lines, sorted:
//
//	<id>\t<count>\t<last reading, RFC 3339>\n
//
// They hold no names and no single readings. Of two states of one clone's counts
// the greater number counts, so it does not matter in which order they arrive.
const (
	maxClones = 1000
	maxLines  = 200_000
	maxCount  = 1 << 40
)

// Share gives the clone a name. path is the telemetry's file, to which the name is bound:
// in a copy of the clone, the readings so far stay those of the original.
func (u *DB) Share(ctx context.Context, path string, random io.Reader) error {
	if u.open() == nil {
		return nil
	}
	bound, err := bind(path)
	if err != nil {
		return err
	}
	id, was, err := u.clone(ctx)
	if err != nil || id != "" && was == bound {
		return err
	}
	var b [8]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return err
	}
	return u.update(ctx, func(t *sqlite.Tx) {
		if id != "" { // the readings so far are another clone's
			t.Exec(`INSERT OR REPLACE INTO team (clone, id, count, last, seq) SELECT ?, id, count, last, (SELECT seq FROM state) FROM reads`, id)
			t.Exec(`DELETE FROM reads`)
		}
		t.Exec(`INSERT OR REPLACE INTO clone (one, id, bound) VALUES (1, ?, ?)`, hex.EncodeToString(b[:]), bound)
	})
}

// Alone forgets what other clones have counted; where nothing is known of any
// it writes nothing.
func (u *DB) Alone(ctx context.Context) error {
	known := false
	err := u.view(ctx, func(t *sqlite.Tx) error { return t.One(`SELECT EXISTS (SELECT 1 FROM team)`, nil, &known) })
	if err != nil || !known {
		return err
	}
	return u.update(ctx, func(t *sqlite.Tx) {
		t.Exec(`DELETE FROM team`)
		t.Exec(`UPDATE state SET epoch = epoch + 1`)
	})
}

// bind returns what is another for a copy of the file: host, path and inode.
func bind(path string) (string, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	inode := uint64(0)
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		inode = st.Ino
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", host, path, inode))
	return hex.EncodeToString(sum[:16]), nil
}

func (u *DB) clone(ctx context.Context) (id, bound string, err error) {
	err = u.view(ctx, func(t *sqlite.Tx) error {
		_, err := t.Maybe(`SELECT id, bound FROM clone`, nil, &id, &bound)
		return err
	})
	return id, bound, err
}

// Own returns the clone's name and its counts; no name where they are not shared.
func (u *DB) Own(ctx context.Context) (clone string, counts []byte, err error) {
	if clone, _, err = u.clone(ctx); err != nil || clone == "" {
		return "", nil, err
	}
	var b bytes.Buffer
	err = u.view(ctx, func(t *sqlite.Tx) error {
		return t.Each(`SELECT id, count, last FROM reads ORDER BY id`, nil, func(r *sqlite.Row) error {
			_, err := fmt.Fprintf(&b, "%s\t%d\t%s\n", r.Text(), r.Int64(), r.Text())
			return err
		})
	})
	return clone, b.Bytes(), err
}

// Take takes in the counts of other clones, by name. It skips lines of another form: they
// come from other people.
func (u *DB) Take(ctx context.Context, all map[string][]byte) error {
	if len(all) == 0 {
		return nil
	}
	own, _, err := u.clone(ctx)
	if err != nil {
		return err
	}
	return u.update(ctx, func(t *sqlite.Tx) {
		clones := 0
		for clone, counts := range all {
			if clones++; clone != own && clones <= maxClones {
				take(t, clone, counts)
			}
		}
	})
}

func take(t *sqlite.Tx, clone string, counts []byte) {
	lines := 0
	for line := range strings.Lines(string(counts)) {
		r, ok := parseCount(line)
		if lines++; lines > maxLines {
			return
		}
		if ok {
			t.Exec(`INSERT INTO team (clone, id, count, last, seq) VALUES (?, ?, ?, ?, (SELECT seq FROM state))
				ON CONFLICT (clone, id) DO UPDATE SET count = excluded.count, last = max(last, excluded.last), seq = excluded.seq
				WHERE excluded.count > count`, clone, r.ID, r.Count, r.Last)
		}
	}
}

// parseCount reads one line of a clone's counts.
func parseCount(line string) (Total, bool) {
	fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
	if len(fields) != 3 {
		return Total{}, false
	}
	id, err := vault.ParseID(fields[0])
	count, cerr := strconv.ParseInt(fields[1], 10, 64)
	last, terr := time.Parse(time.RFC3339, fields[2])
	if err != nil || cerr != nil || terr != nil || count <= 0 || count > maxCount {
		return Total{}, false
	}
	return Total{string(id), count, last.UTC().Format(time.RFC3339)}, true
}
