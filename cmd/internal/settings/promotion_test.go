package settings_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
)

// What a team asks for and what a person asks for hold both: the stricter one.
func TestOfTwoThresholdsTheStricterHolds(t *testing.T) {
	for _, row := range []struct{ name, team, user, want string }{
		{"neither", "", "", "2 0 false, 3 7 false []"},
		{"the team's is larger", "{to_core: {min_count: 9}}", "{to_core: {min_count: 4, min_days: 30}}", "2 0 false, 9 30 false []"},
		{"the user's is smaller than what holds otherwise", "", "{to_long_term: {min_count: 1}}", "1 0 false, 3 7 false []"},
		{"nought is a number", "{to_core: {min_days: 0}}", "", "2 0 false, 3 0 false []"},
		{"approval is not the team's to lift", "{to_core: {approval: false}}", "", "2 0 false, 3 7 false []"},
		{"it is the user's", "", "{to_core: {approval: false}}", "2 0 false, 3 7 true []"},
		{"unless the team asks for it", "{to_core: {approval: true}}", "{to_core: {approval: false}}", "2 0 false, 3 7 true []"},
		{"kinds are those of both", "{review_kinds: [decisions]}", "{review_kinds: [decision, learning]}", "2 0 false, 3 7 false [decision learning]"},
	} {
		w := newWorld(t, map[string]string{"v/.cp/vault.yaml": "format: 1\npromotion: " + row.team + "\n", "home/.cp/config.yaml": "promotion: " + row.user + "\n"})
		s, err := settings.Load(settings.Flags{}, w.place("v"))
		if err != nil {
			t.Fatal(row.name, err)
		}
		p := s.Promotion
		got := fmt.Sprintf("%d %d %v, %d %d %v %v", p.ToLongTerm.MinCount, p.ToLongTerm.MinDays, p.ToLongTerm.Unapproved, p.ToCore.MinCount, p.ToCore.MinDays, p.ToCore.Unapproved, p.ReviewKinds)
		if got != row.want {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
	}
}

func TestWhatPromotionCannotHoldIsSaid(t *testing.T) {
	for line, want := range map[string]string{
		"promotion: 3":                               "promotion is {to_long_term",
		"promotion: {to_core: {min_count: -1}}":      "cannot be negative",
		"promotion: {review_kinds: [decision, odd]}": `review_kinds holds "odd"`,
		"core: [claude_md]":                          "core is {targets: [claude_md]",
		"core: {targets: [claude]}":                  "'claude' is no target",
		"core: {project: {claude_md: ../x.md}}":      "no path below the top of a repository",
		"core: {project: {claude_md: /x.md}}":        "no path below the top of a repository",
		"core: {user: {claude: x.md}}":               "'claude' is no target",
	} {
		w := newWorld(t, map[string]string{"v/.cp/vault.yaml": "format: 1\n", "home/.cp/config.yaml": line + "\n"})
		_, err := settings.Load(settings.Flags{}, w.place("v"))
		if vault.CodeOf(err) != vault.CodeConfig || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", line, err, want)
		}
	}
}

// What the end of a session keeps is said by a word, or by a mapping as cs-memory has it.
func TestAutoCapture(t *testing.T) {
	for line, want := range map[string]string{
		"":                    "false false",
		"auto_capture: true":  "true true",
		"auto_capture: false": "false false",
		"auto_capture: {}":    "true true",
		"auto_capture: {enabled: true, namespaces: [progress, decisions]}": "true true",
		"auto_capture: {enabled: false, namespaces: [progress]}":           "false false",
		"auto_capture: {namespaces: [decisions]}":                          "false true",
		"auto_capture: {namespaces: []}":                                   "true true",
		"auto_capture: {namespaces: [odd]}":                                `namespaces holds "odd"`,
		"auto_capture: {enabled: perhaps}":                                 "auto_capture is true, false, or {enabled",
		"auto_capture: [progress]":                                         "auto_capture is true, false, or {enabled",
		"auto_capture: soon":                                               "auto_capture is true, false, or {enabled",
	} {
		w := newWorld(t, map[string]string{"v/.cp/vault.yaml": "format: 1\n", "home/.cp/config.yaml": line + "\n"})
		s, err := settings.Load(settings.Flags{}, w.place("v"))
		got := fmt.Sprint(s.AutoCapture.Keeps("progress"), " ", s.AutoCapture.Keeps("decision"))
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%s: got %v, want %q", line, got, want)
		}
	}
}

// The agents' files are on this machine, so that only its person names them.
func TestCoreFilesAreTheUsersAlone(t *testing.T) {
	w := newWorld(t, map[string]string{
		"v/.cp/vault.yaml":     "format: 1\ncore: {targets: [agents_md], user: {agents_md: /etc/x.md}}\n",
		"home/.cp/config.yaml": "core: {targets: [claude_md], user: {claude_md: ~/a.md, agents_md: b.md}, project: {claude_md: docs/C.md}}\n",
	})
	s, err := settings.Load(settings.Flags{}, w.place("v"))
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(s.Core.Targets, s.Core.Project, s.Core.User, len(s.Warnings))
	want := fmt.Sprintf("[claude_md] map[claude_md:docs/C.md] map[agents_md:%s claude_md:%s] 1", w.at("home/.cp/b.md"), w.at("home/a.md"))
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
