package app

import (
	"context"
	"sync/atomic"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
)

// Reindexed is the outcome of Reindex.
type Reindexed struct {
	Files    int             `json:"files"`
	Memories int             `json:"memories"`
	Problems []vault.Problem `json:"problems"` // what cannot be read, or not be understood; the rest is in
	Complete bool            `json:"complete"` // false where part of the vault cannot be read
	vault.Warned
}

// Reindex builds the index again, from the files alone.
func (s *Session) Reindex(ctx context.Context) (Reindexed, error) {
	var out Reindexed
	if s.Refused != nil {
		return out, s.Refused
	}
	if err := (ground{s}).RemoveIndex(); err != nil {
		return out, err
	}
	report, err := s.updateIndex(ctx)
	if err != nil {
		return out, err
	}
	c, err := s.Mirror.Counts(ctx)
	if err != nil {
		return out, err
	}
	out.Files, out.Memories, out.Complete = c.Total, c.Memories, report.Complete
	out.Problems, err = s.Mirror.Problems(ctx)
	if private, why := s.Index.Private(); private {
		out.Warnings = append(out.Warnings, "the index cannot be kept, so every command builds its own: "+why.Error())
	}
	return out, err
}

// updateIndex brings the index up to date, and shows how many files are read.
func (s *Session) updateIndex(ctx context.Context) (vault.Report, error) {
	total := 0
	if _, err := s.Store.Scan(ctx, vault.Scope{}, func(vault.File) error { total++; return ctx.Err() }); err != nil {
		return vault.Report{}, err
	}
	files := &countedFiles{Files: s.Store.Files}
	var end func()
	files.set, end = s.app.progress("indexing", total)
	defer end()
	return s.Mirror.CatchUp(ctx, vault.Source{Files: files, Commits: s.Store.Commits}, vault.Scope{})
}

// countedFiles counts the files that are read.
type countedFiles struct {
	vault.Files
	read atomic.Int64
	set  func(done int)
}

// Read is [vault.Files.Read].
func (c *countedFiles) Read(p vault.Path) ([]byte, vault.Stat, error) {
	c.set(int(c.read.Add(1)))
	return c.Files.Read(p)
}

// Verified is the outcome of Verify.
type Verified struct {
	doctor.IndexReport
	Repaired bool `json:"repaired,omitempty"` // the index was built again, and what is told is true after that
}

// Verify compares the index with the files. With repair it builds the index again where they
// differ, and compares once more.
func (s *Session) Verify(ctx context.Context, repair bool) (out Verified, err error) {
	if out.IndexReport, err = s.verify(ctx); err != nil || out.Consistent || !repair {
		return out, err
	}
	if _, err = s.Reindex(ctx); err != nil {
		return out, err
	}
	out.IndexReport, err = s.verify(ctx)
	out.Repaired = true
	return out, err
}

// verify compares once, and again where something differs: a file may have changed meanwhile.
func (s *Session) verify(ctx context.Context) (r doctor.IndexReport, err error) {
	for range 2 {
		if _, err = s.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
			return r, err
		}
		if r, err = doctor.CompareIndex(ctx, s.Store.Files, s.Audit); err != nil || r.Consistent {
			break
		}
	}
	if err != nil {
		return r, err
	}
	r.Damage, err = s.Index.Check(ctx)
	r.Consistent = r.Consistent && len(r.Damage) == 0
	return r, err
}
