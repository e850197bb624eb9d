package findings

import "testing"

func TestShift(t *testing.T) {
	for _, row := range []struct {
		name, diff string
		line, want int
	}{
		{"nothing changed", "", 10, 10},
		{"lines came above", "@@ -3,0 +4,20 @@ f()\n+x\n", 10, 30},
		{"lines came right above", "@@ -9,0 +10,2 @@\n", 10, 12},
		{"lines came right below", "@@ -10,0 +11,2 @@\n", 10, 10},
		{"lines went above", "@@ -1,4 +0,0 @@\n", 10, 6},
		{"one above became five", "@@ -2 +2,5 @@\n", 10, 14},
		{"it was changed itself", "@@ -9,3 +9,3 @@\n", 10, 10},
		{"it was changed with what is above it", "@@ -8,4 +20,2 @@\n", 11, 21},
		{"it went", "@@ -10,2 +9,0 @@\n", 11, 10},
		{"several changes", "--- a\n+++ b\n@@ -1,0 +2,3 @@\n@@ -5,2 +7,0 @@\n@@ -40 +41,9 @@\n", 10, 11},
		{"what only looks like one", "+@@ -1,0 +2,3 @@\n", 10, 10},
	} {
		if got := Shift([]byte(row.diff), row.line); got != row.want {
			t.Errorf("%s: got %d, want %d", row.name, got, row.want)
		}
	}
}
