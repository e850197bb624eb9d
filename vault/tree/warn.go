package tree

import (
	"fmt"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
)

// wordy warns about a trigger phrase that costs every reader of its parent more
// than it should.
func wordy(phrase string) []string {
	if n := utf8.RuneCountInString(phrase); n > vault.TriggerLimit {
		return []string{fmt.Sprintf("the trigger phrase has %d characters; up to %d stay cheap to read", n, vault.TriggerLimit)}
	}
	return nil
}

// unusual warns about a status word of the person's own, which may be a slip.
func unusual(status string) []string {
	if vault.UsualStatus(status) {
		return nil
	}
	return []string{fmt.Sprintf("status %q is none of %s, %s, %s and %s; it counts as open",
		status, vault.StatusOpen, vault.StatusInProgress, vault.StatusDeferred, vault.StatusClosed)}
}
