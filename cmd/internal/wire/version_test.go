package wire

import (
	"runtime/debug"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
)

// The linker's stamp is a version of semver: its build part says commit, day and changes.
func TestStampIsRead(t *testing.T) {
	for stamp, want := range map[string]app.Build{
		"v0.1.0+385b8d8a.20261128":       {Version: "v0.1.0", Commit: "385b8d8a", Date: "2026-11-28"},
		"v0.1.0-rc.1+385b8d8a.20261128":  {Version: "v0.1.0-rc.1", Commit: "385b8d8a", Date: "2026-11-28"},
		"dev+385b8d8a.20261128.changed":  {Version: "dev", Commit: "385b8d8a", Date: "2026-11-28", Changed: true},
		"v1.2.3+20261128.20261129":       {Version: "v1.2.3", Commit: "20261128", Date: "2026-11-29"}, // a commit of digits
		"v1.2.3+385b8d8a.something.else": {Version: "v1.2.3", Commit: "385b8d8a"},
		"v1.2.3":                         {Version: "v1.2.3"},
		"dev+":                           {Version: "dev"},
		"":                               {},
	} {
		if got := parseStamp(stamp); got != want {
			t.Errorf("%q: got %+v, want %+v", stamp, got, want)
		}
	}
}

// Without a stamp what the go command wrote into the program counts.
func TestBuildIsCompleted(t *testing.T) {
	clone := []debug.BuildSetting{{Key: "vcs.revision", Value: "385b8d8a1f"}, {Key: "vcs.time", Value: "2026-11-28T23:30:00-02:00"}, {Key: "vcs.modified", Value: "true"}}
	for _, row := range []struct {
		name, stamp, module string
		settings            []debug.BuildSetting
		want                app.Build
	}{
		{"go install of a version", "", "v0.1.0", nil, app.Build{Version: "v0.1.0"}},
		{"go build in a clone", "", "v0.1.1-0.20261128233000-385b8d8a1f00+dirty", clone, app.Build{Version: "v0.1.1-0.20261128233000-385b8d8a1f00", Commit: "385b8d8a", Date: "2026-11-29", Changed: true}},
		{"a stamp without a commit", "v9", "v0.1.0", clone, app.Build{Version: "v9", Commit: "385b8d8a", Date: "2026-11-29", Changed: true}},
		{"nothing is known", "", "(devel)", nil, app.Build{}},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: row.module}, Settings: row.settings}
		if got := completeBuild(parseStamp(row.stamp), info); got != row.want {
			t.Errorf("%s: got %+v, want %+v", row.name, got, row.want)
		}
	}
}
