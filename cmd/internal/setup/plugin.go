package setup

import (
	"bytes"
	"embed"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/guide"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// prompts are the commands of the plugin.
//
//go:embed text/commands/*.md
var prompts embed.FS

// version is the part of a program's version that a plugin may have.
func version(of string) string {
	v := strings.TrimPrefix(of, "v")
	if v == "" || v[0] < '0' || v[0] > '9' {
		return "0.0.0"
	}
	return v
}

// Plugin returns the files of a plugin folder by their paths in it: the server, the skill and
// the commands. Claude Code, Codex, Copilot CLI and Gemini CLI install it as it is. It holds
// no hook, since the agents do not agree on the unit of its timeout, and Copilot CLI runs one that
// is there for Claude Code and drops what it says. run starts the server; without it, that is the
// program on the PATH.
func Plugin(programVersion string, run ...string) map[string]string {
	if len(run) == 0 {
		run = []string{Name, "memory", "mcp"}
	}
	server := `{"` + Name + `":{"command":` + string(compactJSON(run[0])) + `,"args":` + string(compactJSON(run[1:])) + `}}`
	about := `"A memory of notes in git: what earlier sessions found out, and when one needs it"`
	v := string(compactJSON(version(programVersion)))
	files := map[string]string{
		".claude-plugin/marketplace.json": pretty(`{"name":"cp-memory","owner":{"name":"cp memory"},"metadata":{"description":` + about + `},"plugins":[{"name":"cp-memory","source":"./cp-memory","description":` + about + `}]}`),
		"cp-memory/.claude-plugin/plugin.json": pretty(`{"name":"cp-memory","version":` + v + `,"description":` + about +
			`,"author":{"name":"cp memory"},"mcpServers":` + server + `}`),
		"cp-memory/gemini-extension.json":  pretty(`{"name":"cp-memory","version":` + v + `,"mcpServers":` + server + `,"contextFileName":"MEMORY.md"}`),
		"cp-memory/MEMORY.md":              guide.Rules(guide.Ways{Tools: true}),
		"cp-memory/skills/memory/SKILL.md": guide.Skill(guide.Ways{Tools: true}),
	}
	all, _ := prompts.ReadDir("text/commands")
	for _, f := range all {
		text, _ := prompts.ReadFile("text/commands/" + f.Name())
		files["cp-memory/commands/"+f.Name()] = string(text)
		files["cp-memory/commands/"+strings.TrimSuffix(f.Name(), ".md")+".toml"] = command(string(text))
	}
	return files
}

// command is a prompt as Gemini CLI reads it.
func command(text string) string {
	about, body := "", text
	if rest, ok := strings.CutPrefix(text, "---\ndescription: "); ok {
		about, rest, _ = strings.Cut(rest, "\n")
		_, body, _ = strings.Cut(rest, "---\n")
	}
	body = strings.ReplaceAll(strings.TrimSpace(body), "$ARGUMENTS", "{{args}}")
	return "description = " + string(compactJSON(about)) + "\nprompt = " + string(compactJSON(body)) + "\n"
}

func pretty(text string) string {
	return string(indent([]byte(text))) + "\n"
}

// WritePlugin writes the plugin into a folder, which must be new or empty.
func WritePlugin(dir, programVersion string) (files []string, err error) {
	all := Plugin(programVersion)
	if exists(dir) {
		if gone, err := isEmptyFolder(dir); err != nil || !gone {
			return nil, vault.Errorf(vault.CodeInvalid, "name a new folder", "%s is not empty; nothing was written", dir)
		}
	}
	for _, name := range sortKeys(all) {
		at := filepath.Join(dir, filepath.FromSlash(name))
		err := disk.MkdirAll(filepath.Dir(at), 0o777)
		if err == nil {
			err = disk.WriteSync(at, []byte(all[name]), 0o666)
		}
		if err != nil {
			return files, vault.Errorf(vault.CodeIO, "", "%s cannot be written: %w", at, disk.Cause(err))
		}
		files = append(files, name)
	}
	return files, nil
}

func indent(text []byte) []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, text, "", "  ")
	return b.Bytes()
}

func sortKeys(all map[string]string) []string { return slices.Sorted(maps.Keys(all)) }

// isEmptyFolder reports whether a folder holds nothing.
func isEmptyFolder(dir string) (bool, error) {
	names, err := os.ReadDir(dir)
	return len(names) == 0, err
}
