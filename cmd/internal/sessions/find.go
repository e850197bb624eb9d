package sessions

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/cmd/internal/setup"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/transcript"
)

// latest stands for the session of the working directory that was written last.
const latest = "latest"

// readSession reads the session that o names. file is where it was found.
func (r Room) readSession(ctx context.Context, o Observe) (s transcript.Session, file string, err error) {
	agent := o.Agent
	if agent == "cursor" {
		return s, "", vault.Errorf(vault.CodeInvalid, agentsHint(), "sessions of cursor cannot be read: their form was not tried")
	}
	if !transcript.CanReadAgent(agent) { // the name is a writer's
		agent = ""
	}
	file = o.From
	if o.From == latest {
		if agent, file, err = r.latest(agent); err != nil {
			return s, "", err
		}
	}
	path, id, _ := strings.Cut(file, "#")
	path = r.App.Abs(path)
	if agent == "opencode" || agent == "" && strings.HasSuffix(path, ".db") {
		dir := ""
		if o.From == latest {
			dir = r.App.Dir
		}
		s, err = r.App.ReadOpenCode(ctx, path, id, dir)
	} else {
		s, err = readLineFile(ctx, path, agent)
	}
	if err != nil {
		return s, "", err
	}
	if s.ID = cmp.Or(s.ID, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))); vault.CheckLine("session", s.ID) != nil {
		return s, "", vault.Errorf(vault.CodeDamaged, agentsHint(), "the session in '%s' has no name that can be written down", path)
	}
	return s, path, nil
}

// maxBytes bounds a transcript.
const maxBytes = 1 << 30

// readLineFile reads a file of lines.
func readLineFile(ctx context.Context, path, agent string) (s transcript.Session, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, vault.Errorf(vault.CodeNotFound, agentsHint(), "there is no file '%s'", path)
	case err != nil:
		return s, vault.Errorf(vault.CodeIO, "", "cannot read '%s': %w", path, disk.Cause(err))
	case !info.Mode().IsRegular():
		return s, vault.Errorf(vault.CodeInvalid, agentsHint(), "'%s' is no regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return s, vault.Errorf(vault.CodeIO, "", "cannot read '%s': %w", path, disk.Cause(err))
	}
	defer func() { _ = f.Close() }()
	in := bufio.NewReaderSize(io.LimitReader(f, maxBytes), 1<<20)
	if agent == "" {
		begin, _ := in.Peek(1 << 20)
		if agent = transcript.Guess(bytes.Split(begin, []byte("\n"))); agent == "" {
			return s, vault.Errorf(vault.CodeInvalid, agentsHint(), "'%s' is no session of an agent that is known", path)
		}
	}
	reader := transcript.NewReader(agent)
	for ctx.Err() == nil {
		line, err := nextLine(in)
		reader.TakeLine(line)
		if errors.Is(err, io.EOF) {
			return reader.Session(), nil
		}
		if err != nil {
			return s, vault.Errorf(vault.CodeIO, "", "cannot read '%s': %w", path, disk.Cause(err))
		}
	}
	return s, context.Cause(ctx)
}

// nextLine returns the next line. Of one that is too long it keeps enough to be told from others.
func nextLine(in *bufio.Reader) (line []byte, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		if len(line) <= transcript.MaxLine {
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// latest returns the file of an agent, or of any, that was written last for a session in the
// working directory.
func (r Room) latest(agent string) (of, path string, err error) {
	home := r.App.Env("HOME")
	if !filepath.IsAbs(home) {
		return "", "", vault.Errorf(vault.CodeNotFound, agentsHint(), "HOME names no folder, so that no session can be looked for")
	}
	dirs := sessionFolders(r.App.Dir, r.Root)
	best := time.Time{}
	for _, name := range []string{"claude", "codex", "copilot", "gemini", "opencode", "qwen"} {
		if agent != "" && agent != name {
			continue
		}
		for _, f := range candidates(home, name, dirs, r.App.Env) {
			if f.at.After(best) {
				of, path, best = name, f.path, f.at
			}
		}
	}
	if path == "" {
		return "", "", vault.Errorf(vault.CodeNotFound, agentsHint(), "no session of %s was found for %s", cmp.Or(agent, "an agent"), r.App.Dir)
	}
	return of, path, nil
}

// sessionFolders returns the folders that a session may have been held in: the working directory and
// those above it, down to the vault's.
func sessionFolders(dir, root string) (dirs []string) {
	const most = 8
	for range most {
		dirs = append(dirs, dir)
		up := filepath.Dir(dir)
		if dir == root || up == dir {
			break
		}
		dir = up
	}
	if real, err := filepath.EvalSymlinks(dirs[0]); err == nil && real != dirs[0] {
		dirs = append(dirs, real)
	}
	return dirs
}

// found is a file with the time of its last write.
type found struct {
	path string
	at   time.Time
}

// maxFound bounds the files whose beginning is read to learn the folder of their session.
const maxFound = 50

// candidates returns the files of an agent that belong to one of the folders.
func candidates(home, agent string, dirs []string, env func(string) string) (all []found) {
	switch agent {
	case "claude":
		base := cmp.Or(env("CLAUDE_CONFIG_DIR"), filepath.Join(home, ".claude"))
		for _, dir := range dirs {
			all = append(all, glob(filepath.Join(base, "projects", setup.ProjectFolder(dir), "*.jsonl"))...)
		}
	case "qwen":
		for _, dir := range dirs {
			all = append(all, glob(filepath.Join(home, ".qwen", "projects", setup.ProjectFolder(dir), "chats", "*.jsonl"))...)
		}
	case "gemini":
		for _, name := range projectNames(filepath.Join(home, ".gemini", "projects.json"), dirs) {
			all = append(all, glob(filepath.Join(home, ".gemini", "tmp", name, "chats", "session-*.jsonl"))...)
		}
	case "codex":
		base := cmp.Or(env("CODEX_HOME"), filepath.Join(home, ".codex"))
		all = latestIn(glob(filepath.Join(base, "sessions", "*", "*", "*", "rollout-*.jsonl")), agent, dirs)
	case "copilot":
		all = latestIn(glob(filepath.Join(home, ".copilot", "session-state", "*", "events.jsonl")), agent, dirs)
	case "opencode":
		data := cmp.Or(env("XDG_DATA_HOME"), filepath.Join(home, ".local", "share"))
		all = glob(filepath.Join(data, "opencode", "opencode.db"))
	}
	return all
}

// glob returns the files of a pattern, the latest first.
func glob(pattern string) (all []found) {
	paths, err := filepath.Glob(pattern)
	if err != nil { // a name with a bracket
		return nil
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			all = append(all, found{path, info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b found) int { return b.at.Compare(a.at) })
	return all
}

// latestIn returns the latest of the files whose session was held in one of the folders.
func latestIn(all []found, agent string, dirs []string) []found {
	for _, f := range all[:min(len(all), maxFound)] {
		if slices.Contains(dirs, heldIn(f.path, agent)) {
			return []found{f}
		}
	}
	return nil
}

// heldIn returns the folder that the first lines of a session name.
func heldIn(path, agent string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	const enough = 256 << 10
	begin, err := io.ReadAll(io.LimitReader(f, enough))
	if err != nil {
		return ""
	}
	r := transcript.NewReader(agent)
	for line := range bytes.Lines(begin) {
		r.TakeLine(line)
	}
	return r.Session().Dir
}

// projectNames returns the names that Gemini gives to the folders.
func projectNames(path string, dirs []string) (names []string) {
	var file struct {
		Projects map[string]string `json:"projects"`
	}
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &file) != nil {
		return nil
	}
	for _, dir := range dirs {
		if name := file.Projects[dir]; name != "" && filepath.IsLocal(name) {
			names = append(names, name)
		}
	}
	return names
}
