package background

import (
	"os"
	"os/exec"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// Start starts this program once more, in the folder dir and with these arguments, and does
// not wait for it. It has a session of its own, so that neither an interrupt nor the end of a
// terminal reaches it, and none of our files: its three streams lead nowhere.
func Start(dir string, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return vault.Errorf(vault.CodeIO, "", "the program's own file is not known: %w", err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = dir
	sysfile.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return vault.Errorf(vault.CodeIO, "", "cannot start %s: %w", self, err)
	}
	return cmd.Process.Release()
}
