package plumb

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
)

// Excludes returns the path of the person's own ignore file (core.excludesFile) and whether
// names that differ in case alone are the same (core.ignoreCase). Each read of a vault asks.
// So where the settings are not known yet, all are read only if a file beside the
// repository's has a word about these.
func (g Git) Excludes(ctx context.Context) (file string, fold bool, err error) {
	s, err := g.excludes(ctx)
	if err != nil {
		return "", false, err
	}
	file, set := s["core.excludesfile"]
	switch {
	case !set:
		file = filepath.Join(PersonalDir(os.Getenv), "ignore")
	case strings.HasPrefix(file, "~/"):
		file = filepath.Join(os.Getenv("HOME"), file[2:])
	case file != "" && !filepath.IsAbs(file):
		file = filepath.Join(g.Top(), file)
	}
	return file, IsTrue(s["core.ignorecase"]), nil
}

// excludes returns settings that hold at least these two.
func (g Git) excludes(ctx context.Context) (Settings, error) {
	if last := g.lately(); last != nil {
		return last.settings, nil
	}
	if s, ok := g.readOwn(); ok && !g.sayExcludes() {
		return s, nil
	}
	return g.Settings(ctx)
}

// sayExcludes reports whether the person's or the machine's files, or variables, may name an
// ignore file. What they include is read as far as it is named plainly.
func (g Git) sayExcludes() bool {
	if os.Getenv("GIT_CONFIG_COUNT") != "" || os.Getenv("GIT_CONFIG_GLOBAL") != "" || os.Getenv("GIT_CONFIG_SYSTEM") != "" {
		return true
	}
	for _, file := range g.usualFiles()[2:] { // but the repository's
		if saysExcludes(file, 3) {
			return true
		}
	}
	return false
}

func saysExcludes(file string, depth int) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	low := bytes.ToLower(text)
	if bytes.Contains(low, []byte("excludesfile")) || bytes.Contains(low, []byte("ignorecase")) || depth == 0 {
		return true
	}
	if !bytes.Contains(low, []byte("include")) {
		return false
	}
	for line := range strings.Lines(string(text)) {
		key, to, _ := strings.Cut(line, "=")
		if !strings.HasSuffix(strings.ToLower(strings.TrimSpace(key)), "path") {
			continue
		}
		to = strings.Trim(strings.TrimSpace(to), `"`)
		if rest, home := strings.CutPrefix(to, "~/"); home {
			to = filepath.Join(os.Getenv("HOME"), rest)
		} else if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(file), to)
		}
		if saysExcludes(to, depth-1) {
			return true
		}
	}
	return false
}
