package cli

import (
	"context"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
)

// versions is what the program is made of.
type versions struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	SQLite   string `json:"sqlite"`
	Git      string `json:"git"` // empty when there is none
	Platform string `json:"platform"`
}

func (f face) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := versions{Version: f.Version}
			if format, _ := render.ParseFormat(f.Flags.Output); format != render.Text {
				v = f.versions(cmd.Context()) // what only programs are told takes a process
			}
			return f.answer(v, func(s render.Screen) { s.Printf("cp version %s\n", v.Version) })
		},
	}
}

func (f face) versions(ctx context.Context) versions {
	return versions{
		Version:  f.Version,
		Go:       runtime.Version(),
		SQLite:   f.SQLite,
		Git:      f.gitVersion(ctx),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
}

// gitVersion returns git's version, like 2.39.5; empty when git does not run.
func (f face) gitVersion(ctx context.Context) string {
	said, err := f.Git(ctx, f.Dir, "version")
	if err != nil {
		f.Debugf("git version: %v", err)
		return ""
	}
	words := strings.Fields(strings.TrimPrefix(said, "git version "))
	if len(words) == 0 {
		return ""
	}
	return words[0]
}
