package gitstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"

	"github.com/cp-memory/cp/gitstore/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// format is what the repository's own config file says of how it is stored.
// Like git, it takes this from no other file and follows no include.
type format struct {
	bare     bool
	worktree string // core.worktree, absolute; usually empty
	ids      object.IDs
	reftable bool
	shared   bool   // core.sharedRepository: other people write here, whatever the umask
	strange  string // what the native engine cannot handle; empty when it can
}

// plainExtensions are those that change nothing about objects, refs or the index.
var plainExtensions = [...]string{"noop", "noop-v1", "preciousobjects", "worktreeconfig", "relativeworktrees"}

// readFormat reads the format of a repository; a missing config is a plain one.
func readFormat(gitDir, commonDir string) (format, error) {
	var f format
	cfg, err := readConfigFile(filepath.Join(commonDir, "config"))
	if err != nil {
		return f, err
	}
	f.readExtensions(cfg)
	for _, remote := range cfg.Section("remote").Subsections {
		if plumb.IsTrue(option(remote.Options, "promisor")) {
			f.strange = "a partial clone: objects may be at " + remote.Name
		}
	}
	core := cfg.Section("core")
	f.bare, f.worktree = plumb.IsTrue(option(core.Options, "bare")), option(core.Options, "worktree")
	f.shared = !slices.Contains([]string{"", "umask", "false", "no", "off", "0"}, strings.ToLower(option(core.Options, "sharedrepository")))
	if plumb.IsTrue(option(cfg.Section("extensions").Options, "worktreeconfig")) {
		own, err := readConfigFile(filepath.Join(gitDir, "config.worktree"))
		if err != nil {
			return f, err
		}
		if w := option(own.Section("core").Options, "worktree"); w != "" {
			f.worktree = w
		}
		if b := option(own.Section("core").Options, "bare"); b != "" {
			f.bare = plumb.IsTrue(b)
		}
	}
	if f.worktree != "" && !filepath.IsAbs(f.worktree) {
		f.worktree = filepath.Join(gitDir, f.worktree)
	}
	return f, nil
}

func (f *format) readExtensions(cfg *config.Config) {
	for _, o := range cfg.Section("extensions").Options {
		key, value := strings.ToLower(o.Key), strings.ToLower(o.Value)
		switch {
		case key == "objectformat":
			f.ids.SHA256 = value == "sha256"
		case key == "refstorage":
			f.reftable = value != "files"
		case slices.Contains(plainExtensions[:], key):
			continue
		}
		if !(key == "objectformat" && value == "sha1") && !(key == "refstorage" && value == "files") {
			f.strange = fmt.Sprintf("the extension %s=%s", key, value)
		}
	}
}

// readConfigFile parses one config file; a missing one is empty.
func readConfigFile(path string) (*config.Config, error) {
	cfg := config.New()
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return cfg, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := config.NewDecoder(file).Decode(cfg); err != nil {
		return nil, vault.Errorf(vault.CodeConfig, "run: git config --file "+path+" --list", "cannot read %s: %w", path, err)
	}
	return cfg, nil
}

// option returns the last value of key, in any case.
func option(options config.Options, key string) string {
	for _, o := range slices.Backward(options) {
		if strings.EqualFold(o.Key, key) {
			return o.Value
		}
	}
	return ""
}
