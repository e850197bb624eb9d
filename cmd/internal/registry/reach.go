package registry

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/family"
)

// patience is how long the disks of other projects are waited for, all together: one that is
// asleep wakes within it, and one that is gone is not to be in the way of an answer. A vault
// that answers and then takes long, since it is large and was never indexed, is waited for.
const patience = 5 * time.Second

var (
	errGone = errors.New("it is gone; `cp project prune` forgets it")
	errSlow = errors.New("its disk did not answer within " + patience.String())
)

// away is the error of a vault that a link leads to: it is another project, at the path where it
// lies.
type away struct{ root string }

func (a away) Error() string {
	return "a link leads to " + a.root + " now; `cp project add` puts that on the list, `cp project prune` forgets this one"
}

// isBehindLink reports whether a link leads to the vault of a project.
func isBehindLink(p family.Project) bool {
	real, err := filepath.EvalSymlinks(p.Vault)
	return err == nil && real != p.Vault
}

// isLost reports whether a project is to be forgotten: its vault is gone, or behind a link. err is
// that of [checkVault].
func isLost(p family.Project, err error) bool {
	return errors.Is(err, errGone) || err == nil && isBehindLink(p)
}

// probes bounds the disks that are asked at once.
const probes = 64

// checkVault returns why the vault of a project cannot be opened: nil, errGone, or what the disk says.
// What only may not be read is not gone.
func checkVault(p family.Project) error {
	if settings.IsVault(p.Vault) {
		return nil
	}
	_, err := os.Lstat(filepath.Join(p.Vault, ".cp", "vault.yaml"))
	switch {
	case err == nil:
		return errors.New(".cp/vault.yaml is no plain file in a plain folder")
	case errors.Is(err, fs.ErrNotExist) || sysfile.IsNotDir(err):
		return errGone
	}
	return disk.Cause(err)
}

// probeAll finds which vaults are there. The error of one is nil, errSlow, or that of [checkVault]. A
// disk that does not answer keeps a goroutine until the program ends: the system takes no such
// question back.
func probeAll(all []family.Project) []error {
	type answer struct {
		at  int
		err error
	}
	out := make([]error, len(all))
	answers := make(chan answer, len(all))
	room := make(chan struct{}, probes)
	for i := range all {
		out[i] = errSlow
	}
	go func() {
		for i, p := range all {
			room <- struct{}{}
			go func() {
				answers <- answer{i, vault.Guard("looking for "+p.Name, nil, func() error { return checkVault(p) })}
				<-room
			}()
		}
	}()
	late := time.NewTimer(patience)
	defer late.Stop()
	for range all {
		select {
		case a := <-answers:
			out[a.at] = a.err
		case <-late.C:
			return out
		}
	}
	return out
}

// Reachable returns those of the vaults that are there.
func Reachable(all []family.Project) (yes []family.Project) {
	for i, err := range probeAll(all) {
		if err == nil {
			yes = append(yes, all[i])
		}
	}
	return yes
}

// inTime returns what fn finds, unless the disk takes longer than the patience. A panic of fn
// goes on here.
func inTime[T any](fn func() T) (found T, ok bool) {
	answer, fault := make(chan T, 1), make(chan error, 1)
	go func() {
		if err := vault.Guard("looking for a vault", nil, func() error { answer <- fn(); return nil }); err != nil {
			fault <- err
		}
	}()
	select {
	case err := <-fault:
		goOn(err)
		return found, false
	case found = <-answer:
		return found, true
	case <-time.After(patience):
		return found, false
	}
}

// Unavailable says that a project did not answer.
func Unavailable(p family.Project, err error) string {
	return fmt.Sprintf("the project %s (%s) does not answer: %v", p.Name, p.Path, err)
}
