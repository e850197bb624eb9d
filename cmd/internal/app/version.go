package app

import (
	"context"
	"runtime"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/settings"
)

// Build says what the program was made of.
type Build struct {
	Version string
	Commit  string // of its source; empty where nobody knows
	Date    string // of that commit, as 2026-11-28
	Changed bool   // the source was not as the commit has it
	SQLite  string // the version that is linked in
	Schema  int    // the version of index.db
}

// Versions names the parts of the program, and the formats that it knows.
type Versions struct {
	Version  string  `json:"version"`
	Commit   string  `json:"commit"` // empty where nobody knows, as the date
	Date     string  `json:"date"`
	Changed  bool    `json:"changed"`
	Formats  Formats `json:"formats"`
	Go       string  `json:"go"`
	SQLite   string  `json:"sqlite"`
	Git      string  `json:"git"` // empty when there is none, and where nobody asked
	Platform string  `json:"platform"`

	Newest string `json:"newest,omitempty"` // where somebody asked for it
	Update string `json:"update,omitempty"` // the command that gets it, or the page that has it; empty where this is it
}

// Formats are the newest that the program reads and writes; "cp help compatibility" has them.
type Formats struct {
	Vault int `json:"vault"`
	Index int `json:"index"`
}

// Versions returns what is known without asking git, which takes a process.
func (a *App) Versions() Versions {
	return Versions{
		Version: a.Version, Commit: a.Commit, Date: a.Date, Changed: a.Changed,
		Formats: Formats{Vault: settings.Format, Index: a.Schema},
		Go:      runtime.Version(), SQLite: a.SQLite, Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
}

// GitVersion returns git's version, like 2.39.5; empty when git does not run.
func (a *App) GitVersion(ctx context.Context) string {
	said, err := a.Git(ctx, a.Dir, "version")
	if err != nil {
		a.Debugf("git version: %v", err)
		return ""
	}
	words := strings.Fields(strings.TrimPrefix(said, "git version "))
	if len(words) == 0 {
		return ""
	}
	return words[0]
}
