package wire

import (
	"cmp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/index/sqlite"
)

// programBuild says what the program was made of: by the linker's stamp, else by what Go wrote
// into it.
func programBuild(stamp string) app.Build {
	b := parseStamp(stamp)
	if info, ok := debug.ReadBuildInfo(); ok && b.Commit == "" {
		b = completeBuild(b, info)
	}
	b.Version, b.SQLite, b.Schema = cmp.Or(b.Version, "dev"), sqlite.Library(), index.Schema()
	return b
}

// parseStamp reads v0.1.0+385b8d8a.20261128.changed, a version of semver: what stands behind the plus
// is the commit, its day, and whether the source was changed since. Nothing of it must be there.
func parseStamp(stamp string) (b app.Build) {
	version, rest, _ := strings.Cut(stamp, "+")
	b.Version = version
	for i, part := range strings.Split(rest, ".") {
		switch day, err := time.Parse("20060102", part); {
		case part == "changed":
			b.Changed = true
		case i == 0:
			b.Commit = part
		case err == nil:
			b.Date = day.Format(time.DateOnly)
		}
	}
	return b
}

// completeBuild adds what the go command knows: the module's version after "go install", and the
// commit where it built a clone.
func completeBuild(b app.Build, info *debug.BuildInfo) app.Build {
	known := map[string]string{}
	for _, s := range info.Settings {
		known[s.Key] = s.Value
	}
	if module := parseStamp(info.Main.Version); b.Version == "" && info.Main.Version != "(devel)" {
		b.Version = module.Version
	}
	b.Commit = known["vcs.revision"][:min(8, len(known["vcs.revision"]))]
	b.Changed = known["vcs.modified"] == "true"
	if at, err := time.Parse(time.RFC3339, known["vcs.time"]); err == nil {
		b.Date = at.UTC().Format(time.DateOnly)
	}
	return b
}
