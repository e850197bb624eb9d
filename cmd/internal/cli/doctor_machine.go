package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
)

// oldestGit has merge-tree --write-tree.
const oldestGit = "2.38"

// machineChecks are those that need no vault.
func (f face) machineChecks(ctx context.Context) []vault.Check {
	return []vault.Check{
		f.checkGit(ctx),
		{Check: "sqlite", Severity: sevOK, Evidence: "SQLite " + f.SQLite + " with full-text search"},
		f.checkPath(),
	}
}

func (f face) checkGit(ctx context.Context) vault.Check {
	c := vault.Check{Check: "git", Severity: sevOK}
	version := f.gitVersion(ctx)
	switch {
	case version == "":
		c.Severity, c.Evidence, c.Fix = sevError, "the git command does not run", "install git "+oldestGit+" or newer"
	case older(version, oldestGit):
		c.Severity, c.Evidence, c.Fix = sevWarning, "git "+version, "install git "+oldestGit+" or newer"
	default:
		c.Evidence = "git " + version
	}
	return c
}

// older reports whether version a, like 2.39.5, comes before b.
func older(a, b string) bool {
	var x, y [2]int
	fmt.Sscanf(a, "%d.%d", &x[0], &x[1])
	fmt.Sscanf(b, "%d.%d", &y[0], &y[1])
	return x[0] < y[0] || x[0] == y[0] && x[1] < y[1]
}

// checkPath tells which cp a shell finds, and where copying goes.
func (f face) checkPath() vault.Check {
	c := vault.Check{Check: "path", Severity: sevOK}
	self, _ := os.Executable()
	system, err := f.SystemCp()
	first, lerr := exec.LookPath("cp")
	switch {
	case err != nil:
		c.Severity, c.Evidence, c.Fix = sevWarning, "there is no system cp on the PATH: cp copies no files", "add its folder to the PATH"
	case lerr != nil || !sameFile(first, self):
		c.Severity, c.Evidence = sevInfo, fmt.Sprintf("this program is %s; a shell finds %s as cp", self, first)
		c.Fix = "put " + filepath.Dir(self) + " before " + filepath.Dir(first) + " on the PATH, or: alias cpm=" + self
	default:
		c.Evidence = fmt.Sprintf("cp is %s; copying goes to %s", first, system)
	}
	return c
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}
