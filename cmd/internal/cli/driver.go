package cli

import (
	"context"
	"os"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// The keys of a clone's config that make git call us.
const (
	driverName = "merge.cp-memory.name"
	driverKey  = "merge.cp-memory.driver"
)

// driverLine is the command that git is to run: this program by its absolute
// path, quoted for the shell, and percent signs for git.
func driverLine() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", vault.Errorf(vault.CodeIO, "", "cannot find out where this program lies: %w", err)
	}
	quoted := "'" + strings.ReplaceAll(self, "'", `'\''`) + "'"
	return strings.ReplaceAll(quoted, "%", "%%") + " merge-driver %O %A %B %P", nil
}

// driverProgram is the program that a driver's command begins with.
func driverProgram(line string) string {
	quoted, ok := strings.CutPrefix(line, "'")
	if !ok {
		program, _, _ := strings.Cut(line, " ")
		return program
	}
	program, _, _ := strings.Cut(strings.ReplaceAll(quoted, `'\''`, "\x00"), "'")
	return strings.ReplaceAll(strings.ReplaceAll(program, "\x00", "'"), "%%", "%")
}

// installDriver makes git in this clone merge memories with this program.
func (f face) installDriver(ctx context.Context, dir string) error {
	line, err := driverLine()
	if err != nil {
		return err
	}
	for _, pair := range [][2]string{{driverName, "memories: front matter by key, pointers by id, prose by line"}, {driverKey, line}} {
		if said, err := f.Git(ctx, dir, "config", "--get", pair[0]); err == nil && said == pair[1] {
			continue
		}
		if _, err := f.Git(ctx, dir, "config", "--local", "--replace-all", pair[0], pair[1]); err != nil {
			return err
		}
	}
	return nil
}

// runs reports whether there is such a program.
func runs(program string) bool {
	info, err := os.Stat(program)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
