package registry

import (
	"testing"

	"github.com/cp-memory/cp/vault"
)

// A panic beside the command comes to the command, which makes an error of it; the others are
// done first.
func TestAPanicBesideComesBack(t *testing.T) {
	for name, work := range map[string]func(){
		"each":   func() { SideBySide(20, func(i int) { fail(i == 7) }) },
		"inTime": func() { inTime(func() int { fail(true); return 1 }) },
	} {
		err := vault.Guard("`cp memory list`", nil, func() error { work(); return nil })
		if vault.CodeOf(err) != vault.CodeInternal || err.Error() != "`cp memory list` failed by a mistake in the program: a mistake" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func fail(now bool) {
	if now {
		panic("a mistake")
	}
}
