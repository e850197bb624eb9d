package graph

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// broken panics at each text.
type broken struct{ vault.Files }

func (broken) Read(vault.Path) ([]byte, vault.Stat, error) { panic("a mistake") }

// A file at which the program fails is one of which nothing is used, and says so.
func TestAPanicAtAFile(t *testing.T) {
	seen := 0
	(&FactFiles{Looks: []vault.Path{".cp/facts/a.json", ".cp/facts/b.json"}}).eachReading(broken{}, func(r reading) bool {
		seen++
		if r.mark != "" || !strings.Contains(r.msg, "failed by a mistake in the program: a mistake") || r.path == "" {
			t.Errorf("got %+v", r)
		}
		return true
	})
	if seen != 2 {
		t.Errorf("%d files were told of", seen)
	}
}
