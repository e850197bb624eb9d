package past

import (
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
)

// ParseSince reads a point in time: a span back from now (30m, 24h, 7d, 2w; m is minutes),
// the same in words (2 days ago), today and yesterday, which begin at midnight UTC, a day
// (2026-01-01, UTC), a day with a time, or a time in RFC 3339.
func ParseSince(s string, now time.Time) (time.Time, error) {
	if t, ok := parseSpoken(s, now.UTC()); ok {
		return t, nil
	}
	return parseTime(s, now)
}

// layouts are the forms of a day and of a time. Without a zone it is UTC.
var layouts = [...]string{time.DateOnly, time.RFC3339, time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04"}

func parseTime(s string, now time.Time) (time.Time, error) {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	if t, ok := span(s); ok {
		return now.Add(-t), nil
	}
	return time.Time{}, vault.Errorf(vault.CodeInvalid, "", "Invalid duration: '%s'. Use format like '7d', '24h', or '2026-01-01'", vault.Clip(s, 60))
}

// parseSpoken reads what people say: today, yesterday, "2 days ago".
func parseSpoken(s string, now time.Time) (time.Time, bool) {
	words := strings.Fields(strings.ToLower(s))
	midnight := now.Truncate(24 * time.Hour)
	switch strings.Join(words, " ") {
	case "today":
		return midnight, true
	case "yesterday":
		return midnight.AddDate(0, 0, -1), true
	}
	if len(words) != 3 || words[2] != "ago" {
		return now, false
	}
	return steps(words[0], words[1], now, -1)
}

// ParseUntil reads a point in time ahead: a day, a span from now (7d, 2w), tomorrow, which
// begins at midnight UTC, or "in 2 weeks". The past is refused.
func ParseUntil(s string, now time.Time) (time.Time, error) {
	then, err := ahead(s, now.UTC())
	if back, ok := parseSpoken(s, now.UTC()); ok {
		then, err = back, nil
	}
	if err == nil && !then.After(now) {
		err = vault.Errorf(vault.CodeInvalid, "give a day to come: tomorrow, 'in 2 weeks', 7d or 2027-01-31", "'%s' is not in the future", vault.Clip(s, 60))
	}
	return then, err
}

func ahead(s string, now time.Time) (time.Time, error) {
	words := strings.Fields(strings.ToLower(s))
	switch {
	case len(words) == 1 && words[0] == "tomorrow":
		return now.Truncate(24*time.Hour).AddDate(0, 0, 1), nil
	case len(words) == 3 && words[0] == "in":
		if t, ok := steps(words[1], words[2], now, 1); ok {
			return t, nil
		}
	}
	if t, ok := span(s); ok {
		return now.Add(t), nil
	}
	return parseTime(s, now)
}

// steps goes n units of time ahead or, with a sign of -1, back.
func steps(n, unit string, now time.Time, sign int) (time.Time, bool) {
	if n == "a" || n == "an" {
		n = "1"
	}
	count, err := strconv.Atoi(n)
	if err != nil || count < 0 || count > 100_000 {
		return now, false
	}
	count *= sign
	switch strings.TrimSuffix(unit, "s") {
	case "minute":
		return now.Add(time.Duration(count) * time.Minute), true
	case "hour":
		return now.Add(time.Duration(count) * time.Hour), true
	case "day":
		return now.AddDate(0, 0, count), true
	case "week":
		return now.AddDate(0, 0, 7*count), true
	case "month":
		return now.AddDate(0, count, 0), true
	case "year":
		return now.AddDate(count, 0, 0), true
	}
	return now, false
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
