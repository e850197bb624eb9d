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
