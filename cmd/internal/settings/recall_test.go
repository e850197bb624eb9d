package settings_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
)

// The nearest file that says a number decides; a default is never above the maximum.
func TestRecallLimits(t *testing.T) {
	for _, row := range []struct {
		name, near, team, user string
		want                   settings.Recall
	}{
		{"nothing", "", "", "", settings.Recall{MaxLimit: 100, Graph: true}},
		{"the user's", "", "", "recall: {default_limit: 5, max_limit: 200}", settings.Recall{DefaultLimit: 5, MaxLimit: 200, Graph: true}},
		{"the vault's before them", "", "recall: {default_limit: 7}", "recall: {default_limit: 5, max_limit: 50}", settings.Recall{DefaultLimit: 7, MaxLimit: 50, Graph: true}},
		{"the repository's first", "recall: {max_limit: 3}", "recall: {default_limit: 7, max_limit: 9}", "", settings.Recall{DefaultLimit: 3, MaxLimit: 3, Graph: true}},
		{"the graph is off where the team says so", "", "recall: {graph: false}", "recall: {graph: true}", settings.Recall{MaxLimit: 100}},
		{"the user's graph", "", "recall: {max_limit: 9}", "recall: {graph: false}", settings.Recall{MaxLimit: 9}},
		{"no value", "", "", "recall: {default_limit:}", settings.Recall{MaxLimit: 100, Graph: true}},
	} {
		w := newWorld(t, map[string]string{"code/.cp.yaml": "vault: v\n" + row.near + "\n", "code/v/.cp/vault.yaml": "format: 1\n" + row.team + "\n", "home/.cp/config.yaml": row.user + "\n"})
		s, err := settings.Load(settings.Flags{}, w.place("code"))
		if err != nil || s.Recall != row.want || len(s.Warnings) > 0 {
			t.Errorf("%s: got %+v, %v, %q, want %+v", row.name, s.Recall, err, s.Warnings, row.want)
		}
	}
	for _, line := range []string{"recall: 7", "recall: [1]", "recall: {default_limit: 0}", "recall: {max_limit: 1001}", "recall: {max_limit: -1}", "recall: {default_limit: ten}", "recall: {default_limit: 1.5}", "recall: {graph: much}"} {
		w := newWorld(t, map[string]string{"v/.cp/vault.yaml": "format: 1\n", "home/.cp/config.yaml": line + "\n"})
		_, err := settings.Load(settings.Flags{}, w.place("v"))
		if vault.CodeOf(err) != vault.CodeConfig || !strings.Contains(err.Error(), "from 1 to 1000") {
			t.Errorf("%s: got %v", line, err)
		}
	}
}
