package past

import (
	"errors"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
)

func TestParseSince(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for in, want := range map[string]string{"30m": "2026-03-01T11:30:00Z", "24h": "2026-02-28T12:00:00Z", "7d": "2026-02-22T12:00:00Z",
		"2w": "2026-02-15T12:00:00Z", "2026-01-01": "2026-01-01T00:00:00Z", "2026-02-01T09:30:00+01:00": "2026-02-01T08:30:00Z",
		"2026-02-01 09:30": "2026-02-01T09:30:00Z", "2026-02-01T09:30:01": "2026-02-01T09:30:01Z",
		"today": "2026-03-01T00:00:00Z", "Yesterday": "2026-02-28T00:00:00Z", "2 days ago": "2026-02-27T12:00:00Z", "1 hour ago": "2026-03-01T11:00:00Z",
		"3 weeks ago": "2026-02-08T12:00:00Z", "2 months ago": "2026-01-01T12:00:00Z", "1 year ago": "2025-03-01T12:00:00Z", "5 minutes ago": "2026-03-01T11:55:00Z"} {
		if got, err := ParseSince(in, now); err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%s: %v, %v", in, got, err)
		}
	}
	for _, bad := range []string{"", "7", "7x", "d", "-1d", "2026-13-01", "1.5h", "tomorrow", "two days ago", "2 days", "-2 days ago", "2 moons ago"} {
		_, err := ParseSince(bad, now)
		if err == nil || err.Error() != "Invalid duration: '"+bad+"'. Use format like '7d', '24h', or '2026-01-01'" {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// A day that is over is told as such, in whatever words it is given.
func TestParseUntilRefusesThePast(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for _, over := range []string{"yesterday", "today", "2 days ago", "2026-03-03"} {
		_, err := ParseUntil(over, now)
		var told *vault.Error
		if !errors.As(err, &told) || told.Msg != "'"+over+"' is not in the future" || told.Hint == "" {
			t.Errorf("%q: %v", over, err)
		}
	}
}
