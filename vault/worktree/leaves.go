package worktree

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
)

// What the vault's settings leave out is no memory: neither a scan of the disk nor a look
// at commits tells of it. The files stay what they are to git and to everybody else.

// scan is [files.Dir.Scan] without what is left out.
func (s *Store) scan(ctx context.Context, scope vault.Scope, fn func(vault.File) error) (complete bool, err error) {
	return s.Dir.Scan(ctx, scope, func(f vault.File) error {
		if s.leaves.Out(f.Path) {
			return nil
		}
		return fn(f)
	})
}

// scanFolders is [files.Dir.ScanFolders] without what is left out.
func (s *Store) scanFolders(ctx context.Context, kept func(vault.Path) listing.Listing, fn func(listing.Folder) error) (complete bool, err error) {
	return s.Dir.ScanFolders(ctx, kept, func(f listing.Folder) error {
		in := f.Files[:0]
		for _, file := range f.Files {
			if !s.leaves.Out(file.Path) {
				in = append(in, file)
			}
		}
		f.Files = in
		return fn(f)
	})
}
