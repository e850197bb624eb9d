package vault

import (
	"errors"
	"runtime/debug"
	"strings"
	"testing"
)

func TestGuard(t *testing.T) {
	var none []int
	err := Guard("cp memory context", debug.Stack, func() error { return errors.New(string(rune(none[3]))) })
	var fault *Fault
	if CodeOf(err) != CodeInternal || !strings.HasPrefix(err.Error(), "cp memory context failed by") || strings.Contains(err.Error(), "goroutine") {
		t.Errorf("a panic gave %v", err)
	}
	if !errors.As(err, &fault) || !strings.Contains(string(fault.Stack), "TestGuard") {
		t.Errorf("its stack is not kept: %v", fault)
	}
	other := errors.New("x")
	if got := Guard("", nil, func() error { return other }); got != other {
		t.Errorf("an error gave %v", got)
	}
}
