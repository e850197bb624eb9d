package settings_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/settings"
)

// What costs money is the user's alone, and the types are the team's before the user's.
func TestFacts(t *testing.T) {
	for _, row := range []struct {
		name, vault, user string
		want              settings.Facts
		err               string
	}{
		{"nothing", "", "", settings.Facts{}, ""},
		{"a word", "", "facts: auto\n", settings.Facts{Auto: true}, ""},
		{"the other word", "", "facts: manual\n", settings.Facts{}, ""},
		{"a mapping", "", "facts: {mode: auto, daily_tokens: 5000, types: [person, ' a  host ']}\n", settings.Facts{Auto: true, DailyTokens: 5000, Types: []string{"person", "a host"}}, ""},
		{"a vault that wants to spend", "facts: {mode: auto, daily_tokens: 1, types: [ship]}\n", "facts: {types: [person]}\n", settings.Facts{Types: []string{"ship"}}, ""},
		{"another word", "", "facts: yes please\n", settings.Facts{}, "facts is auto or manual"},
		{"a list", "", "facts: [auto]\n", settings.Facts{}, "facts is auto or manual"},
		{"a number that is none", "", "facts: {daily_tokens: -1}\n", settings.Facts{}, "facts is auto or manual"},
		{"an empty type", "", "facts: {types: ['']}\n", settings.Facts{}, "facts is auto or manual"},
	} {
		p := newWorld(t, map[string]string{"v/.cp/vault.yaml": "format: 1\n" + row.vault, "home/.cp/config.yaml": row.user})
		got, err := settings.Load(settings.Flags{}, p.place("v"))
		switch {
		case row.err != "" && (err == nil || !strings.Contains(err.Error(), row.err)):
			t.Errorf("%s: got %v, want %q", row.name, err, row.err)
		case row.err != "":
		case err != nil:
			t.Errorf("%s: %v", row.name, err)
		case got.Facts.Auto != row.want.Auto || got.Facts.DailyTokens != row.want.DailyTokens || !slices.Equal(got.Facts.Types, row.want.Types):
			t.Errorf("%s: got %+v, want %+v", row.name, got.Facts, row.want)
		}
	}
}
