package journal

import (
	"context"
	"strconv"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/tree"
)

// Merge lets one memory stand for another one that says nearly the same. The other one
// keeps its text and its place, and is closed and superseded.
type Merge struct {
	ID   string `json:"id" need:"yes"`
	Into string `json:"into" need:"yes"`
}

// Merged is the outcome of Merge.
type Merged struct {
	ID       vault.ID `json:"id"`
	Title    string   `json:"title"`
	Into     vault.ID `json:"into"`
	IntoName string   `json:"into_title"`
	Count    int      `json:"count"` // of the sessions that have observed it, now
	vault.Warned
}

// Do merges the memories in one commit.
func (o Merge) Do(ctx context.Context, v *vault.Vault) (Merged, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's. A commit of the verb "merge" is one of git.
func (o Merge) Name() string { return "merge-into" }

// Plan adds the sessions, labels and dates of the memory to the other one, and closes it.
func (o Merge) Plan(ctx context.Context, tx *vault.Tx) (out Merged, err error) {
	from, err := tx.OpenMemory(ctx, o.ID)
	if err != nil {
		return out, err
	}
	into, err := tx.OpenMemory(ctx, o.Into)
	if err != nil {
		return out, err
	}
	if into.Mem.Status == vault.StatusClosed {
		return out, vault.Errorf(vault.CodeInvalid, "merge it into one that is open", "%s is closed", into.ID)
	}
	gained := gains(&from.Mem.Header, &into.Mem.Header)
	if _, err := (tree.Supersede{Old: string(from.ID), New: string(into.ID)}).Plan(ctx, tx); err != nil {
		return out, err
	}
	if len(gained) > 0 {
		if err := tx.Edit(into, gained...); err != nil {
			return out, err
		}
	}
	closed := vault.StatusClosed
	if _, err := (tree.Amend{Ref: string(from.ID), Status: &closed}).Plan(ctx, tx); err != nil {
		return out, err
	}
	tx.About(from.ID, from.Mem.Title)
	return Merged{ID: from.ID, Title: from.Mem.Title, Into: into.ID, IntoName: into.Mem.Title, Count: tier.CountSessions(&into.Mem.Header)}, nil
}

// gains returns the steps by which one memory takes over what was counted of another.
func gains(from, into *vault.Header) (steps []vault.Step) {
	add := func(key string, list []string) {
		if len(list) > 0 {
			steps = append(steps, vault.Step{Op: vault.OpAddToList, Key: key, List: list})
		}
	}
	set := func(key string, was, is time.Time) {
		if !is.IsZero() && !is.Equal(was) {
			steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: key, Value: header.FormatDate(is)})
		}
	}
	add("labels", from.Labels)
	add("sessions", from.Sessions)
	if n := parseCount(from.SeenBefore); n > 0 {
		steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: "seen_before", Value: strconv.Itoa(n + parseCount(into.SeenBefore))})
	}
	set("first_seen", into.FirstSeen, EarlierOf(from.FirstSeen, into.FirstSeen))
	set("last_seen", into.LastSeen, LaterOf(from.LastSeen, into.LastSeen))
	return steps
}

// parseCount reads a count; what is none counts as 0.
func parseCount(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// EarlierOf returns the earlier of two points in time that are set.
func EarlierOf(a, b time.Time) time.Time {
	if a.IsZero() || b.IsZero() {
		return LaterOf(a, b)
	}
	if a.Before(b) {
		return a
	}
	return b
}

// LaterOf returns the later of two points in time.
func LaterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
