package doctor

import (
	"testing"

	"github.com/cp-memory/cp/vault"
)

func TestCopiesAreToldByTheirNames(t *testing.T) {
	for _, row := range []struct {
		in, of vault.Path
		copied bool
	}{
		{"a/x 2.md", "a/x.md", true},
		{"x (1).md", "x.md", true},
		{"x copy.md", "x.md", true},
		{"x - Copy (2).md", "x.md", true},
		{"x.md", "", false},
		{"chapter-2.md", "", false},
		{"2026 goals.md", "", false},
	} {
		of, copied := copyOf(row.in)
		if of != row.of || copied != row.copied {
			t.Errorf("copyOf(%q) = %q, %v; want %q, %v", row.in, of, copied, row.of, row.copied)
		}
	}
}
