package hook

import (
	"context"
	"time"

	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// family opens the projects below the current one; nil where there are none, or they cannot be
// opened in time.
func family(ctx context.Context, t target.Target, wanted bool) *ask.Family {
	if !wanted || t.Find.Lone(t.Settings) {
		return nil
	}
	fam, err := ask.Open(ctx, t, vault.Scope{Shallow: true})
	if err != nil {
		return nil
	}
	return fam
}

// projectsBelow returns the projects below the current one: with their counts if these are known in
// half of the time that is left.
func (h hooked) projectsBelow(ctx context.Context, t target.Target) []ask.Below {
	half, cancel := context.WithTimeout(ctx, h.deadline.Sub(h.Now())/2)
	defer cancel()
	found := make(chan []ask.Below, 1)
	go func() { // what is not done in time ends with the process
		var all []ask.Below
		_ = vault.Guard("counting what lies below", nil, func() (err error) {
			if fam := family(half, t, true); fam != nil {
				defer fam.Close()
				all, err = fam.ProjectsBelow(half)
			}
			return err
		})
		found <- all
	}()
	select {
	case all := <-found:
		if len(all) > 0 {
			return all
		}
	case <-time.After(h.deadline.Sub(h.Now()) / 2):
	}
	if t.Find.Lone(t.Settings) {
		return nil
	}
	return ask.ListKnownBelow(t)
}

// projectSuffix names the project of a row that is not from the one at a path.
func projectSuffix(row recall.Row, here string) string {
	if row.ProjectPath == "" || row.ProjectPath == here {
		return ""
	}
	return " [" + row.Project + "]"
}
