package code

import (
	"context"
	"encoding/json"
	"time"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/listing"
)

// What is kept at the most.
const (
	mostRoots    = 8
	mostVerdicts = 20_000 // of one work tree
)

// RecallVerdicts is that of [about.Verdicts].
func (b Book) RecallVerdicts(ctx context.Context, root string, keys []int64) map[int64]about.Verdict {
	all := make(map[int64]about.Verdict, len(keys))
	err := b.View(ctx, func(t *sqlite.Tx) error {
		return t.Each(`SELECT key, stat, blob, path, head, state FROM about_now WHERE root = (SELECT root FROM about_roots WHERE path = ?) AND key IN (SELECT value FROM json_each(?))`,
			[]any{root, sqlite.List(keys)}, func(r *sqlite.Row) error {
				key, stat, v := r.Int64(), r.Blob(), about.Verdict{}
				v.Blob, v.Path, v.Head = r.Text(), r.Text(), r.Text()
				if len(stat) > 0 {
					if _, ok := v.Stat.Unpack(stat); !ok {
						return nil
					}
				}
				if json.Unmarshal([]byte(r.Text()), &v.State) == nil {
					all[key] = v
				}
				return nil
			})
	})
	if err != nil {
		return nil
	}
	return all
}

// KeepVerdicts is that of [about.Verdicts]. What cannot be kept now is found again.
func (b Book) KeepVerdicts(ctx context.Context, root string, verdicts map[int64]about.Verdict) {
	now := b.Now()
	_ = b.Note(ctx, func(t *sqlite.Tx) error {
		t.Exec(`INSERT INTO about_roots (path, used) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET used = excluded.used`, root, now)
		t.Exec(`DELETE FROM about_roots WHERE root NOT IN (SELECT root FROM about_roots ORDER BY used DESC LIMIT ?)`, mostRoots)
		t.Exec(`DELETE FROM about_now WHERE root NOT IN (SELECT root FROM about_roots)`)
		var n, have int64
		if err := t.One(`SELECT root, (SELECT count(*) FROM about_now a WHERE a.root = r.root) FROM about_roots r WHERE path = ?`, []any{root}, &n, &have); err != nil {
			return err
		}
		if have+int64(len(verdicts)) > mostVerdicts {
			t.Exec(`DELETE FROM about_now WHERE root = ?`, n)
		}
		for key, v := range verdicts {
			state, err := json.Marshal(v.State)
			if err != nil {
				return err
			}
			t.Exec(`INSERT OR REPLACE INTO about_now (root, key, stat, blob, path, head, state) VALUES (?, ?, ?, ?, ?, ?, ?)`, n, key, packStat(v.Stat, now), v.Blob, v.Path, v.Head, string(state))
		}
		return t.Err()
	})
}

// packStat packs a stat. A racy one is not kept.
func packStat(s vault.Stat, now int64) []byte {
	if s == (vault.Stat{}) || listing.IsRacy(s, time.UnixMicro(now)) {
		return []byte{}
	}
	return s.AppendPacked(nil)
}
