package web

import (
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
)

// Each state of a binding has its words.
func TestDescribeState(t *testing.T) {
	at := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		is   vault.BindingState
		want string
	}{
		{vault.BindingState{State: vault.CodeCurrent, Confirmed: at}, "as it was"},
		{vault.BindingState{State: vault.CodeCurrent}, "found by its path"},
		{vault.BindingState{State: vault.CodeUnchecked}, "nobody has confirmed it"},
		{vault.BindingState{State: vault.CodeTouched, Confirmed: at}, "little of the file has changed"},
		{vault.BindingState{State: vault.CodeMoved, Now: "b.go#L3", Confirmed: at}, "the same text is elsewhere"},
		{vault.BindingState{State: vault.CodeAhead, Confirmed: at}, "this branch does not have that code yet"},
		{vault.BindingState{State: vault.CodeUnknown, Why: "git ignores the file"}, "git ignores the file"},
		{vault.BindingState{State: vault.CodeUnknown}, "unknown"},
		{vault.BindingState{State: vault.CodeGone}, "gone: there is no such file"},
		{vault.BindingState{State: vault.CodeChanged, Lines: 1, Of: 1}, "1 of 1 line changed"},
		{vault.BindingState{State: vault.CodeChanged, Of: 4}, "changed"},
	} {
		if got := describeState(row.is); got != row.want {
			t.Errorf("%+v: %q, want %q", row.is, got, row.want)
		}
	}
	for _, state := range vault.CodeStates {
		if got := describeState(vault.BindingState{State: state}); got == "" {
			t.Errorf("%s has no words", state)
		}
	}
}
