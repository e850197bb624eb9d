package plumb

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
)

// Settings are git's config as it applies to this work tree, all files,
// includes and variables together. Keys are in lower case but for the middle
// part; the last value counts. Nobody writes into them.
type Settings map[string]string

// known holds git's settings as last read, and the files they came from, and that git works there. A long-lived
// process (watch) reads them again when one of these files has changed.
type known struct {
	last    atomic.Pointer[reading]
	trusted atomic.Bool // git works in this repository
}

type reading struct {
	settings Settings
	own      Settings               // of the repository's own files; nil where those can be read in this process
	files    map[string]os.FileInfo // nil where there was none
}

func (r *reading) isFresh() bool {
	for file, was := range r.files {
		is, err := os.Stat(file)
		switch {
		case err != nil || was == nil:
			if was != nil || err == nil {
				return false
			}
		case !os.SameFile(is, was) || is.Size() != was.Size() || !is.ModTime().Equal(was.ModTime()):
			return false
		}
	}
	return true
}

// Settings reads git's files where they are plain, and else asks git, which alone
// knows where its files are and what they include: once, while they stay as they are.
func (g Git) Settings(ctx context.Context) (Settings, error) {
	r, err := g.readAllSettings(ctx)
	if err != nil {
		return nil, err
	}
	return r.settings, nil
}

// Own returns the settings in the repository's own files, which say how it is
// stored. Like git, it takes them from no other file and follows no include.
func (g Git) Own(ctx context.Context) (Settings, error) {
	if own, ok := g.readOwn(); ok {
		return own, nil
	}
	r, err := g.readAllSettings(ctx)
	if err != nil {
		return nil, err
	}
	return r.own, nil
}

// lately returns what was read last while it holds, else nil.
func (g Git) lately() *reading {
	if last := g.known.last.Load(); last != nil && last.isFresh() {
		return last
	}
	return nil
}

func (g Git) readAllSettings(ctx context.Context) (*reading, error) {
	if last := g.lately(); last != nil {
		return last, nil
	}
	now := &reading{files: make(map[string]os.FileInfo)}
	now.rememberFiles(g.usualFiles()...)
	var ok bool
	if now.settings, ok = g.readSettings(); !ok {
		all, byFile, err := g.askSettings(ctx)
		if err != nil {
			return nil, err
		}
		now.settings, now.own = all, byFile[filepath.Join(g.CommonDir(), "config")]
		if IsTrue(now.own["extensions.worktreeconfig"]) {
			maps.Copy(now.own, byFile[filepath.Join(g.GitDir(), "config.worktree")])
		}
		now.rememberFiles(slices.Collect(maps.Keys(byFile))...)
	}
	g.known.last.Store(now)
	return now, nil
}

// rememberFiles remembers how files are that were not seen before.
func (r *reading) rememberFiles(files ...string) {
	for _, file := range files {
		if _, seen := r.files[file]; !seen {
			r.files[file], _ = os.Stat(file)
		}
	}
}

// usualFiles returns the files in which git may find settings, without what they include.
func (g Git) usualFiles() []string {
	return []string{
		filepath.Join(g.CommonDir(), "config"), filepath.Join(g.GitDir(), "config.worktree"), "/etc/gitconfig",
		filepath.Join(PersonalDir(os.Getenv), "config"), filepath.Join(os.Getenv("HOME"), ".gitconfig"),
	}
}

// askSettings asks git for all settings. byFile has the settings of each file.
func (g Git) askSettings(ctx context.Context) (all Settings, byFile map[string]Settings, err error) {
	fields, err := g.List(ctx, nil, "config", "--list", "--show-origin", "-z")
	all, byFile = Settings{}, make(map[string]Settings)
	for ; len(fields) >= 2; fields = fields[2:] {
		key, value, ok := strings.Cut(fields[1], "\n")
		if !ok {
			value = "true" // a key without "=" is a bool
		}
		all[key] = value
		file, ok := strings.CutPrefix(fields[0], "file:")
		if !ok {
			continue
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(g.Top(), file)
		}
		if byFile[file] == nil {
			byFile[file] = Settings{}
		}
		byFile[file][key] = value
	}
	return all, byFile, err
}

// IsTrue reports whether git takes a config value for true.
func IsTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}
