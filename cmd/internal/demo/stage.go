package demo

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/disk"
)

// sample is the handbook; make demo copies it, too.
//
//go:embed all:sample
var sample embed.FS

// vaultName is the folder of the handbook in that of the demo.
const vaultName = "handbook"

// gitSettings are git's in the demo's home.
const gitSettings = `[user]
	name = Demo Person
	email = demo@example.com
[init]
	defaultBranch = main
[core]
	quotePath = false
`

// stage is a demo on its way.
type stage struct {
	f       console.Console
	program string // its path
	name    string // by which it is called
	dir     string // the handbook
	env     []string
	shown   Shown
}

// setStage writes the sample and a home into a folder.
func setStage(f console.Console, dir string) (*stage, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	st := &stage{f: f, program: self, name: "cp", dir: filepath.Join(dir, vaultName), shown: Shown{Commands: []Ran{}}}
	if render.IsBareName(filepath.ToSlash(f.Name)) {
		st.name = "cp-memory"
	}
	home := filepath.Join(dir, "home")
	if err := disk.MakeFolders(home, 0o777); err != nil {
		return nil, err
	}
	settings := filepath.Join(home, ".gitconfig")
	if err := disk.Write(settings, []byte(gitSettings), 0o666); err != nil {
		return nil, err
	}
	st.env = append(withoutOwnSettings(os.Environ()), "HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"), "XDG_CACHE_HOME="+filepath.Join(home, ".cache"),
		"GIT_CONFIG_GLOBAL="+settings, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+dir, "CP_AGENT=demo", "PAGER=cat")
	return st, writeSample(st.dir)
}

// withoutOwnSettings returns an environment without what is a person's own for git and for us.
func withoutOwnSettings(env []string) (kept []string) {
	for _, v := range env {
		if !strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "CP_") && !strings.HasPrefix(v, "XDG_") {
			kept = append(kept, v)
		}
	}
	return kept
}

// writeSample writes the handbook into a folder.
func writeSample(dir string) error {
	return fs.WalkDir(sample, "sample", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(name, "sample")))
		if d.IsDir() {
			return disk.MakeFolders(to, 0o777)
		}
		text, err := sample.ReadFile(name)
		if err != nil {
			return err
		}
		return disk.Write(to, text, 0o666)
	})
}
