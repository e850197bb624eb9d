package filename

import "testing"

func TestEdits(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"same", "same", 0}, {"brwse", "browse", 1},
		{"lsit", "list", 2}, {"kitten", "sitting", 3}, {"pf-7k2m9qx4", "pf-7k2m9qx5", 1},
	} {
		if got := Edits(row.a, row.b); got != row.want || Edits(row.b, row.a) != got {
			t.Errorf("%q to %q: %d and back %d, want %d", row.a, row.b, got, Edits(row.b, row.a), row.want)
		}
	}
}
