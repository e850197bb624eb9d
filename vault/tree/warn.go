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

// EasyDepth is the deepest place of which nobody is warned: every level costs an agent
// another read.
const EasyDepth = 5

// DeepPlace says what a place in the tree costs that is deeper than [EasyDepth].
func DeepPlace(depth int) string {
	return fmt.Sprintf("This memory will be at depth %d. Deep hierarchies increase access latency.", depth)
}

// deep warns about such a place.
func deep(depth int) []string {
	if depth <= EasyDepth {
		return nil
	}
	return []string{DeepPlace(depth)}
}

// unusual warns about a status word of the person's own, which may be a slip.
func unusual(status string) []string {
	if vault.UsualStatus(status) {
		return nil
	}
	return []string{fmt.Sprintf("status %q is none of %s, %s, %s and %s; it counts as open",
		status, vault.StatusOpen, vault.StatusInProgress, vault.StatusDeferred, vault.StatusClosed)}
}
