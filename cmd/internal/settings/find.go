package settings

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// findVault returns the vault's folder: absolute, links resolved, marked.
func findVault(f Flags, p Place, near, user file) (string, error) {
	switch {
	case f.Vault != "":
		return p.vaultOrBranchIn(Absolute(f.Vault, p))
	case p.Env("CP_VAULT") != "":
		return p.vaultOrBranchIn(Absolute(p.Env("CP_VAULT"), p))
	}
	for dir := range upwards(p.Dir) {
		if IsVault(dir) {
			return resolveVaultLinks(dir)
		}
		if root, err := p.onBranch(dir); err != nil || root != "" {
			return root, err
		}
		if near.vault != "" && dir == filepath.Dir(near.path) {
			return vaultIn(near.vault)
		}
		if to := user.mappedVault(dir); to != "" {
			return vaultIn(to)
		}
	}
	if user.vault != "" {
		return vaultIn(user.vault)
	}
	return "", vault.Errorf(vault.CodeNoVault, "Run `cp init` to configure.", "there is no memory vault here or above %s", p.Dir)
}

// mappedVault returns the vault that the user's own file maps a folder to; empty for none.
func (u file) mappedVault(dir string) string {
	if len(u.Vaults) == 0 {
		return ""
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil && u.Vaults[dir] == "" {
		return u.Vaults[real]
	}
	return u.Vaults[dir]
}

// onBranch returns the vault on a branch of the repository whose .git is in dir; empty for
// none.
func (p Place) onBranch(dir string) (string, error) {
	if p.Branch == nil {
		return "", nil
	}
	root, err := p.Branch(dir)
	if err != nil || root == "" || IsVault(root) {
		return root, err
	}
	return "", vault.Errorf(vault.CodeNoVault, "cp init", "the vault %s is not finished: it has no .cp/vault.yaml", root)
}

// vaultOrBranchIn does what the function of that name does, and knows the vault on a branch of the
// repository in dir, and that which dir was.
func (p Place) vaultOrBranchIn(dir string) (string, error) {
	for up := range upwards(dir) {
		if IsVault(dir) {
			break
		}
		if root, err := p.onBranch(up); err != nil || root != "" && (root == dir || up == dir) {
			return root, err
		}
	}
	return vaultIn(dir)
}

// vaultIn returns the vault in dir: dir itself if it is marked, else the one that its
// .cp.yaml names.
func vaultIn(dir string) (string, error) {
	if IsVault(dir) {
		return resolveVaultLinks(dir)
	}
	f, err := readNear(dir)
	if err != nil {
		return "", err
	}
	if f.vault != "" && IsVault(f.vault) {
		return resolveVaultLinks(f.vault)
	}
	if _, err := os.Stat(dir); err != nil {
		return "", vault.Errorf(vault.CodeNoVault, "check the path, or run `cp init` to make a vault there", "there is no folder %s", dir)
	}
	return "", vault.Errorf(vault.CodeNoVault, "Run `cp init` to configure.", "%s is not a memory vault: it has no .cp/vault.yaml", dir)
}

// IsVault reports whether dir is a vault: it holds a regular file
// .cp/vault.yaml, and neither is reached through a symbolic link, behind which
// the index would be written outside the vault.
func IsVault(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ".cp"))
	if err != nil || !info.IsDir() {
		return false
	}
	info, err = os.Lstat(filepath.Join(dir, ".cp", "vault.yaml"))
	return err == nil && info.Mode().IsRegular()
}

// Above returns the nearest vault that dir is or lies in. ok is false if there is none.
func Above(dir string) (string, bool) {
	for d := range upwards(dir) {
		if IsVault(d) {
			return d, true
		}
	}
	return "", false
}

// readNearest reads the nearest .cp.yaml, walking up from the working directory.
func readNearest(p Place) (file, error) {
	for dir := range upwards(p.Dir) {
		f, err := readNear(dir)
		if err != nil || f.path != "" {
			return f, err
		}
	}
	return file{}, nil
}

// readNear reads dir's .cp.yaml. Its vault has to lie in dir: the file comes
// from others, and a vault is written to.
func readNear(dir string) (file, error) {
	f, err := parseFile(filepath.Join(dir, ".cp.yaml"), nearKeys, shared)
	if err != nil || f.Vault == "" {
		return f, err
	}
	inside, ok := beneath(dir, f.Vault)
	if !ok {
		f.warnings = append(f.warnings, f.path+": vault leads out of the folder and is not taken from a shared file; use --vault, CP_VAULT or ~/.cp/config.yaml")
		return f, nil
	}
	f.vault = inside
	return f, nil
}

// beneath returns the place of rel in dir, links resolved, and reports whether it is
// inside dir. A path that does not exist yet is judged by its name alone.
func beneath(dir, rel string) (string, bool) {
	if !filepath.IsLocal(filepath.FromSlash(rel)) {
		return "", false
	}
	top, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", false
	}
	path, err := filepath.EvalSymlinks(filepath.Join(top, filepath.FromSlash(rel)))
	if os.IsNotExist(err) {
		return filepath.Join(top, filepath.FromSlash(rel)), true
	}
	back, rerr := filepath.Rel(top, path)
	return path, err == nil && rerr == nil && filepath.IsLocal(back)
}

// ReadVaultName returns the vault that the .cp.yaml in dir names; empty when it names none.
func ReadVaultName(dir string) (string, error) {
	f, err := readNear(dir)
	return f.vault, err
}

// upwards yields dir and the folders above it.
func upwards(dir string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for yield(dir) {
			up := filepath.Dir(dir)
			if up == dir {
				return
			}
			dir = up
		}
	}
}

// FindMappedVault returns the vault that the user's own file maps a folder to, or that the
// .cp.yaml in it names; empty for none.
func FindMappedVault(dir string, f Flags, p Place) (string, error) {
	root, err := ReadVaultName(dir)
	if root != "" || err != nil {
		return root, err
	}
	user, err := readUserFile(f, p)
	return user.mappedVault(dir), err
}

// Absolute returns a path as a person gives it: ~ is the home folder, and
// anything relative counts from the working directory.
func Absolute(path string, p Place) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') {
		path = filepath.Join(home(p), rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.Dir, path)
	}
	return filepath.Clean(path)
}

func resolveVaultLinks(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", vault.Errorf(vault.CodeIO, "", "cannot open the vault %s: %w", dir, disk.Cause(err))
	}
	return real, nil
}
