package vault

import (
	"fmt"
	"slices"
	"time"
)

// CodeState tells how the code stands that a memory is about, see package about.
type CodeState struct {
	State    string         `json:"state"` // the loudest of the bindings'
	Bindings []BindingState `json:"bindings"`
	Quiet    bool           `json:"-"` // an entry of the journal or what is over: nothing about it is loud
}

// BindingState tells how one binding stands.
type BindingState struct {
	At        string    `json:"at"` // as the memory says it
	State     string    `json:"state"`
	Now       string    `json:"now,omitempty"`      // where the code is now; empty for the same place
	Lines     int       `json:"lines,omitempty"`    // of its lines so many have changed
	Of        int       `json:"of,omitempty"`       // its lines
	Confirmed time.Time `json:"confirmed,omitzero"` // when it was stamped
	Why       string    `json:"why,omitempty"`      // it cannot be told
}

// States of a binding.
const (
	CodeCurrent   = "current"
	CodeUnchecked = "unchecked" // it has no stamp
	CodeTouched   = "touched"   // the file has changed, and little of it
	CodeMoved     = "moved"     // the same text is elsewhere
	CodeAhead     = "ahead"     // this branch does not have that code yet
	CodeUnknown   = "unknown"   // it cannot be told
	CodeGone      = "gone"      // there is no such file
	CodeChanged   = "changed"   // the text is nowhere any more
)

// CodeStates are the states, the quietest first.
var CodeStates = []string{CodeCurrent, CodeUnchecked, CodeTouched, CodeMoved, CodeAhead, CodeUnknown, CodeGone, CodeChanged}

// IsLouder reports whether one state is louder than another.
func IsLouder(a, b string) bool { return slices.Index(CodeStates, a) > slices.Index(CodeStates, b) }

// IsLoud reports whether a state is an alarm.
func IsLoud(state string) bool { return state == CodeGone || state == CodeChanged }

// IsLoud reports whether the memory is about code that has changed.
func (c *CodeState) IsLoud() bool { return c != nil && !c.Quiet && IsLoud(c.State) }

// Mark says in words what is loud; empty for nothing.
func (c *CodeState) Mark() string {
	if !c.IsLoud() {
		return ""
	}
	b := c.Bindings[slices.IndexFunc(c.Bindings, func(b BindingState) bool { return b.State == c.State })]
	since, lines := " since "+b.Confirmed.UTC().Format(time.DateOnly), fmt.Sprintf(": %d of %s", b.Lines, Plural(b.Of, "line", "lines"))
	switch {
	case b.State == CodeGone:
		return "code gone: " + b.At
	case b.Confirmed.IsZero():
		since = ""
	}
	if b.Lines == 0 {
		lines = ""
	}
	return "code changed" + since + lines
}
