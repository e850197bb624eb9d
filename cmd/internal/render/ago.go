package render

import (
	"fmt"
	"time"
)

// ago tells how long before now t was, in one unit: "just now", "5m ago", "2h
// ago", "3d ago", "8w ago", "2y ago". A time ahead of now, by another clock,
// is "just now".
func ago(t, now time.Time) string {
	const day = 24 * time.Hour
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh ago", d/time.Hour)
	case d < 14*day:
		return fmt.Sprintf("%dd ago", d/day)
	case d < 365*day:
		return fmt.Sprintf("%dw ago", d/(7*day))
	}
	return fmt.Sprintf("%dy ago", d/(365*day))
}

// date is t's day in UTC; a dash when it is not known.
func date(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.DateOnly)
}

// count is n with its noun: "1 memory", "2 memories".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
