package plumb

import (
	"bytes"
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

// known is what was last read of git's settings, and of which files. A long-lived
// process (watch) reads them again when one of these is another one.
type known struct {
	last atomic.Pointer[reading]
}

type reading struct {
	settings Settings
	files    map[string]os.FileInfo // nil where there was none
}

func (r *reading) fresh() bool {
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
	if last := g.known.last.Load(); last != nil && last.fresh() {
		return last.settings, nil
	}
	now := &reading{files: make(map[string]os.FileInfo)}
	now.note(g.usualFiles()...)
	s, ok := g.readSettings()
	if !ok {
		var origins []string
		var err error
		if s, origins, err = g.askSettings(ctx); err != nil {
			return nil, err
		}
		now.note(origins...)
	}
	now.settings = s
	g.known.last.Store(now)
	return s, nil
}

// note remembers how files are that were not seen before.
func (r *reading) note(files ...string) {
	for _, file := range files {
		if _, seen := r.files[file]; !seen {
			r.files[file], _ = os.Stat(file)
		}
	}
}

// usualFiles are those in which git may find settings, without what they include.
func (g Git) usualFiles() []string {
	return []string{
		filepath.Join(g.CommonDir(), "config"), filepath.Join(g.GitDir(), "config.worktree"), "/etc/gitconfig",
		filepath.Join(PersonalDir(os.Getenv), "config"), filepath.Join(os.Getenv("HOME"), ".gitconfig"),
	}
}

// askSettings also returns the files in which git found them.
func (g Git) askSettings(ctx context.Context) (Settings, []string, error) {
	out, err := g.Run(ctx, nil, "config", "--list", "--show-origin", "-z")
	if err != nil {
		return nil, nil, err
	}
	s, files := Settings{}, make(map[string]string)
	for len(out) > 0 {
		var origin, item []byte
		origin, out, _ = bytes.Cut(out, []byte{0})
		item, out, _ = bytes.Cut(out, []byte{0})
		key, value, ok := strings.Cut(string(item), "\n")
		if !ok {
			value = "true" // a key without "=" is a bool
		}
		s[key] = value
		if file, ok := strings.CutPrefix(string(origin), "file:"); ok && files[file] == "" {
			files[file] = file
			if !filepath.IsAbs(file) {
				files[file] = filepath.Join(g.Top(), file)
			}
		}
	}
	return s, slices.Collect(maps.Values(files)), nil
}

// IsTrue reports whether git takes a config value for true.
func IsTrue(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}
