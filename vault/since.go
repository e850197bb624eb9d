package vault

import (
	"strconv"
	"time"
)

// ParseSince reads a point in time: a span back from now (30m, 24h, 7d, 2w; m
// is minutes), a day (2026-01-01, UTC) or a time as JSON has it (RFC 3339).
func ParseSince(s string, now time.Time) (time.Time, error) {
	for _, layout := range [...]string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	if t, ok := span(s); ok {
		return now.Add(-t), nil
	}
	return time.Time{}, Errorf(CodeInvalid, "", "Invalid duration: '%s'. Use format like '7d', '24h', or '2026-01-01'", clip(s, 60))
}

// ParseUntil reads a point in time ahead: a day or a span from now.
func ParseUntil(s string, now time.Time) (time.Time, error) {
	past, err := ParseSince(s, now)
	if err != nil {
		return past, err
	}
	if _, ok := span(s); ok {
		return now.Add(now.Sub(past)), nil
	}
	return past, nil
}

func span(s string) (time.Duration, bool) {
	units := map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}
	if len(s) < 2 {
		return 0, false
	}
	unit, ok := units[s[len(s)-1]]
	n, err := strconv.Atoi(s[:len(s)-1])
	if !ok || err != nil || n < 0 || n > 100_000 {
		return 0, false
	}
	return time.Duration(n) * unit, true
}
