package tier_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tier"
)

// elsewhere are the keys that an answer tells in another place, or that only the program reads.
var elsewhere = []string{"about", "about_at", "commit_key", "title", "type", "status", "labels", "aliases", "summary", "summary_of", "created", "creator", "protected", "project", "code", "deferred_until",
	"decisions", "rationale", "metadata", "journal", "pointers", "source", "source_of", "wants_place", "denied_at", "denied_by", "denied_reason"}

// Each key of the table that is not told elsewhere is told, in JSON as in rows.
func TestAnEntryTellsEachKey(t *testing.T) {
	plain, _ := json.Marshal(tier.EntryOf(&vault.Header{Type: vault.TypeMemory, Status: vault.StatusOpen}))
	if string(plain) != "{}" {
		t.Errorf("an ordinary memory tells %s", plain)
	}
	for _, f := range header.Fields {
		var h vault.Header
		switch v := f.PointerIn(&h).(type) {
		case *string:
			*v = "7"
		case *time.Time:
			*v = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
		case *[]string:
			*v = []string{"7"}
		default:
			continue
		}
		e := tier.EntryOf(&h)
		if f.Key == "type" || slices.Contains(elsewhere, f.Key) {
			continue
		}
		text, err := json.Marshal(e)
		told := fmt.Sprint(e.Rows())
		for name, got := range map[string]string{"JSON": string(text), "rows": told} {
			if err != nil || !strings.Contains(got, "7") && !strings.Contains(got, "2026-03-04") {
				t.Errorf("%s: %s tells %s, %v", f.Key, name, got, err)
			}
		}
	}
}

func TestAnEntryInRows(t *testing.T) {
	day := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for _, row := range []struct {
		name string
		h    vault.Header
		want string
	}{
		{"a memory", vault.Header{Type: "memory"}, ""},
		{"a finding", vault.Header{Type: "finding", Entry: header.Entry{Severity: "high", File: "src/a.go", Line: "12"}}, "severity=high place=src/a.go:12"},
		{"of a file", vault.Header{Type: "finding", Entry: header.Entry{File: "src/a.go"}}, "place=src/a.go"},
		{"a line that is none", vault.Header{Type: "finding", Entry: header.Entry{File: "a.go", Line: "many"}}, "place=a.go"},
		{"an observation", vault.Header{Type: "observation", Entry: header.Entry{Sessions: []string{"s1", "s2"}, SeenBefore: "3", FirstSeen: day, LastSeen: day.AddDate(0, 0, 1)}}, "level=pending sessions=5: s1, s2 seen=2026-03-04 to 2026-03-05"},
		{"denied", vault.Header{Type: "observation", Entry: header.Entry{Denied: day, DeniedBy: "Ann", DeniedReason: "no"}}, "level=pending"},
		{"resolved with words alone", vault.Header{Type: "blocker", Entry: header.Entry{Resolution: "More memory"}}, "resolved=More memory"},
		{"core", vault.Header{Type: "memory", Entry: header.Entry{Core: day, CoreTargets: []string{"CLAUDE.md"}}}, "level=core core=2026-03-04 CLAUDE.md"},
	} {
		var got []string
		for _, r := range tier.EntryOf(&row.h).Rows() {
			got = append(got, r[0]+"="+r[1])
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s: got %q, want %q", row.name, strings.Join(got, " "), row.want)
		}
	}
}
