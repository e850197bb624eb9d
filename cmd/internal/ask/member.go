package ask

import (
	"context"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// Member is an open vault of a family. A vault with several projects is one member.
type Member = registry.Member

// Holder returns the one that a file of a project is from.
func (f *Family) Holder(o family.Origin, file vault.Path) (Member, bool) {
	for _, m := range f.Members {
		if m.Origin(file) == o {
			return m, true
		}
	}
	return Member{}, false
}

// Asked is a member with a question's filters.
type Asked struct {
	Member

	// Options choose among the files of the vault, before any limit: the filters of the
	// question, below a memory or a folder of this very vault, and the member's Share.
	// Limit and Offset are those of the whole answer.
	Options vault.ListOptions
}

// isElsewhere reports whether another member may have what the filter names: a memory, or a commit.
func isElsewhere(f app.Filter, err error) bool {
	code := vault.CodeOf(err)
	return code == vault.CodeNotFound && f.Under+f.Commits != "" || code == vault.CodeNoGit && f.Commits != ""
}

// FilterMembers returns the members that a filter leaves, each with its options: with Under, that is
// the one that has what it names, and with Commits those whose code has the range. Asked are as the members stand: the current project's vault
// first. The error is what the first member says if none has it.
func FilterMembers(ctx context.Context, members []Member, f app.Filter) (asked []Asked, err error) {
	for _, m := range members {
		o, merr := m.Options(ctx, f)
		switch {
		case merr == nil:
			o.Share = m.Share
			asked = append(asked, Asked{m, o})
		case !isElsewhere(f, merr):
			return nil, merr
		case err == nil:
			err = merr
		}
		if f.Under != "" && len(asked) > 0 {
			return asked, nil
		}
	}
	if len(asked) > 0 {
		err = nil
	}
	return asked, err
}
