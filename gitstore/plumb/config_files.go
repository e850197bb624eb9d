package plumb

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// readSettings reads git's config files in this process, which spares every command a
// process of git's. It does so only if there is no doubt which files git would read and
// what it would find there. ok is false if a file includes another one, variables set
// keys, git lies in no usual place, or a line is not of the plain kind.
func (g Git) readSettings() (s Settings, ok bool) {
	files, ok := globalFiles(os.Getenv)
	own, plain := g.readOwn()
	if !ok || !plain {
		return nil, false
	}
	s = Settings{}
	for _, file := range files {
		if !s.readFile(file) {
			return nil, false
		}
	}
	maps.Copy(s, own)
	return s, true
}

// readOwn reads the repository's own files as readSettings does.
func (g Git) readOwn() (s Settings, ok bool) {
	s = Settings{}
	ok = s.readFile(filepath.Join(g.CommonDir(), "config")) &&
		(!IsTrue(s["extensions.worktreeconfig"]) || s.readFile(filepath.Join(g.GitDir(), "config.worktree")))
	return s, ok
}

// globalFiles lists the config files of the machine and of the person, in the
// order in which git reads them.
func globalFiles(env func(string) string) (files []string, ok bool) {
	home, dir := env("HOME"), SystemDir()
	if home == "" || dir == "" || env("GIT_CONFIG_COUNT") != "" {
		return nil, false
	}
	switch system := env("GIT_CONFIG_SYSTEM"); {
	case env("GIT_CONFIG_NOSYSTEM") != "" && !IsTrue(env("GIT_CONFIG_NOSYSTEM")):
		return nil, false // a word that git may take for true
	case IsTrue(env("GIT_CONFIG_NOSYSTEM")):
	case system != "":
		files = append(files, system)
	default:
		files = append(files, filepath.Join(dir, "gitconfig"))
	}
	if global := env("GIT_CONFIG_GLOBAL"); global != "" {
		return append(files, global), true
	}
	return append(files, filepath.Join(PersonalDir(env), "config"), filepath.Join(home, ".gitconfig")), true
}

// PersonalDir returns the folder of a person's git files beside ~/.gitconfig.
func PersonalDir(env func(string) string) string {
	if xdg := env("XDG_CONFIG_HOME"); xdg != "" {
		return filepath.Join(xdg, "git")
	}
	return filepath.Join(env("HOME"), ".config", "git")
}

// SystemDir returns the folder in which the system's git keeps the machine's settings, or
// "" for a git that was built for another place.
func SystemDir() string {
	git, err := exec.LookPath("git")
	if err == nil {
		git, err = filepath.EvalSymlinks(git)
	}
	if err != nil || runtime.GOOS != "linux" || git != "/usr/bin/git" {
		return ""
	}
	return "/etc"
}

// readFile adds the keys of one file; a missing one has none.
func (s Settings) readFile(path string) bool {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return err == nil && s.parseConfig(string(text))
}

// parseConfig adds the keys of a config file's text. It returns false for lines that versions of
// git could read in different ways.
func (s Settings) parseConfig(text string) bool {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	section := ""
	for line := range strings.Lines(text) {
		line = strings.Trim(line, " \t\n")
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
		case line[0] == '[':
			name, rest, ok := sectionName(line)
			if !ok || rest != "" || strings.HasPrefix(name, "include.") || strings.HasPrefix(name, "includeif.") {
				return false
			}
			section = name
		case !s.parseKey(section, line):
			return false
		}
	}
	return true
}

// sectionName reads [name] and [name "part"]. name ends with a dot; rest is the text
// behind the section.
func sectionName(line string) (name, rest string, ok bool) {
	head, rest, ok := strings.Cut(line[1:], "]")
	kind, part, sub := strings.Cut(head, " ")
	if !ok || !plainKey(kind) {
		return "", "", false
	}
	name = strings.ToLower(kind) + "."
	if !sub {
		return name, rest, true
	}
	part = strings.TrimLeft(part, " \t")
	if len(part) < 2 || part[0] != '"' || part[len(part)-1] != '"' || strings.ContainsAny(part[1:len(part)-1], "\"\\") {
		return "", "", false
	}
	return name + part[1:len(part)-1] + ".", rest, true
}

// parseKey reads "key = value" and "key". It leaves values with quotes, escapes, continued
// lines and tabs to git, except for a value that is quoted as a whole.
func (s Settings) parseKey(section, line string) bool {
	key, value, set := strings.Cut(line, "=")
	key, value = strings.Trim(key, " \t"), strings.Trim(value, " \t")
	if section == "" || !plainKey(key) {
		return false
	}
	if n := len(value); n >= 2 && value[0] == '"' && value[n-1] == '"' {
		value = value[1 : n-1]
		if strings.ContainsAny(value, "\"\\") {
			return false
		}
	} else if strings.ContainsAny(value, "\"\\#;\t") {
		return false
	}
	if !set {
		value = "true"
	}
	s[section+strings.ToLower(key)] = value
	return true
}

// plainKey reports whether s can be a key or a section's name.
func plainKey(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if (c < 'a' || c > 'z') && (i == 0 || s[i] != '-' && (s[i] < '0' || s[i] > '9')) {
			return false
		}
	}
	return s != ""
}
