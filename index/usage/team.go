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
	"time"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// In a team that shares its readings, each clone counts its own and stores the counts
// of the others. The count of a memory is their sum. A clone sends its counts as sorted
// lines:
//
//	<id>\t<count>\t<last reading, RFC 3339>\n
//
// A line holds no name of a person and no single reading. If a clone's counts arrive
// twice, the greater number stays, so they may arrive in any order.
const (
	maxClones = 1000
	maxLines  = 200_000
	maxCount  = 1 << 40
)

// NameClone gives the clone a random name, which is bound to path, the file of the telemetry.
// In a copy of the clone the file is another one. The copy then gets a name of its own,
// and its readings so far still count as those of the original.
func (u *DB) NameClone(ctx context.Context, path string, random io.Reader) error {
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
	return u.inWriteTx(ctx, func(t *sqlite.Tx) {
		if id != "" { // the readings so far are another clone's
			t.Exec(`INSERT OR REPLACE INTO team (clone, id, count, last, seq) SELECT ?, id, count, last, (SELECT seq FROM state) FROM reads`, id)
			t.Exec(`DELETE FROM reads`)
		}
		t.Exec(`INSERT OR REPLACE INTO clone (one, id, bound) VALUES (1, ?, ?)`, hex.EncodeToString(b[:]), bound)
	})
}

// Alone forgets the counts of other clones. It writes nothing if there are none.
func (u *DB) Alone(ctx context.Context) error {
	known := false
	err := u.view(ctx, func(t *sqlite.Tx) error { return t.One(`SELECT EXISTS (SELECT 1 FROM team)`, nil, &known) })
	if err != nil || !known {
		return err
	}
	return u.inWriteTx(ctx, func(t *sqlite.Tx) {
		t.Exec(`DELETE FROM team`)
		t.Exec(`UPDATE state SET epoch = epoch + 1`)
	})
}

// bind returns a digest of the host, the path and the inode of a file. A copy has another
// digest.
func bind(path string) (string, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	st, _ := sysfile.StatOf(info)
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", host, path, st.Inode))
	return hex.EncodeToString(sum[:16]), nil
}

func (u *DB) clone(ctx context.Context) (id, bound string, err error) {
	err = u.view(ctx, func(t *sqlite.Tx) error {
		_, err := t.Maybe(`SELECT id, bound FROM clone`, nil, &id, &bound)
		return err
	})
	return id, bound, err
}

// Own returns the clone's name and its counts. The name is empty if they are not shared.
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

// Take stores the counts of other clones, by their names. It skips malformed lines, since
// the counts come from other people.
func (u *DB) Take(ctx context.Context, all map[string][]byte) error {
	if len(all) == 0 {
		return nil
	}
	own, _, err := u.clone(ctx)
	if err != nil {
		return err
	}
	return u.inWriteTx(ctx, func(t *sqlite.Tx) {
		clones := 0
		for clone, counts := range all {
			if clones++; clone != own && clones <= maxClones {
				takeCounts(t, clone, counts)
			}
		}
	})
}

func takeCounts(t *sqlite.Tx, clone string, counts []byte) {
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
