package past

import (
	"testing"
	"time"
)

func TestParseUntil(t *testing.T) {
	now := time.Date(2026, 11, 22, 16, 30, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"tomorrow": "2026-11-23T00:00:00Z", " Tomorrow ": "2026-11-23T00:00:00Z", "in 2 weeks": "2026-12-06T16:30:00Z", "in a month": "2026-12-22T16:30:00Z",
		"in 1 day": "2026-11-23T16:30:00Z", "7d": "2026-11-29T16:30:00Z", "30m": "2026-11-22T17:00:00Z", "2026-12-01": "2026-12-01T00:00:00Z", "2026-11-22 17:00": "2026-11-22T17:00:00Z",
		"0d": "", "in 0 days": "", "2026-11-22": "", "2020-01-01": "", "yesterday": "", "in 2 decades": "", "in -2 weeks": "", "in": "", "": "", "soon": "",
	} {
		got, err := ParseUntil(text, now)
		if said := got.UTC().Format(time.RFC3339); (err == nil) != (want != "") || err == nil && said != want {
			t.Errorf("%q: got %s, %v, want %q", text, said, err, want)
		}
	}
}
