package setup

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
)

// Name is what the server is called in every agent's settings.
const Name = "cp-memory"

// Source is how somebody gets the program who has only a project's settings.
const Source = "go install -tags sqlite_fts5 github.com/cp-memory/cp/cmd/cp-memory@latest"

// entry is a server as an agent's settings have it, in the order in which it is written.
type entry []pair

type pair struct {
	key   string
	value any
	loose bool // a person may set it otherwise
}

// keys are those on the way to the servers of a shape.
func (s Shape) keys() []string {
	switch s {
	case VSCode:
		return []string{"servers"}
	case Zed:
		return []string{"context_servers"}
	case Opencode:
		return []string{"mcp"}
	case TOML:
		return []string{"mcp_servers"}
	case Goose:
		return []string{"extensions"}
	case Amp:
		return []string{"amp.mcpServers"}
	}
	return []string{"mcpServers"}
}

// passed are the variables of a person's environment that the server needs. Codex passes only
// those that are named.
var passed = [...]string{"CP_AGENT", "CP_PROJECT", "CP_VAULT"}

// serverEntry returns the server's entry. It holds no value of a variable: a vault that stands in
// the settings of an agent would be used in every project. A committed one says how to get the
// program.
func (s Shape) serverEntry(command string, args []string, committed bool) entry {
	env := map[string]string{}
	if committed {
		env["CP_MEMORY_FROM"] = Source
	}
	switch s {
	case Zed:
		return entry{{"command", command, false}, {"args", args, false}, {"env", env, true}}
	case Copilot:
		return entry{{"type", "local", false}, {"command", command, false}, {"args", args, false}, {"env", env, true}, {"tools", []string{"*"}, true}}
	case Opencode:
		return entry{{"type", "local", false}, {"command", append([]string{command}, args...), false}, {"enabled", true, true}, {"environment", env, true}}
	case TOML:
		return entry{{"command", command, false}, {"args", args, false}, {"env_vars", passed, true}, {"startup_timeout_sec", 10, true}}
	case Goose:
		return entry{{"name", Name, false}, {"type", "stdio", false}, {"cmd", command, false}, {"args", args, false}, {"envs", env, true}, {"enabled", true, true}, {"timeout", 300, true}}
	}
	return entry{{"type", "stdio", false}, {"command", command, false}, {"args", args, false}, {"env", env, true}}
}

// json writes the entry.
func (e entry) json() []byte {
	var b bytes.Buffer
	for i, p := range e {
		b.WriteByte("{,"[min(i, 1)])
		b.Write(compactJSON(p.key))
		b.WriteByte(':')
		b.Write(compactJSON(p.value))
	}
	b.WriteByte('}')
	return b.Bytes()
}

// toml writes the entry as a table.
func (e entry) toml() []string {
	lines := []string{"[mcp_servers." + Name + "]"}
	for _, p := range e {
		lines = append(lines, p.key+" = "+string(compactJSON(p.value))) // strings, lists and numbers are written as in JSON
	}
	return lines
}

// compactJSON is a value as JSON on one line, its letters as they are.
func compactJSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n")
}

// agrees reports whether an entry that is there says what this one says. What a person may
// set otherwise is not compared.
func (e entry) agrees(there any) bool {
	said, ok := there.(map[string]any)
	if !ok {
		return false
	}
	for _, p := range e {
		if p.loose {
			continue
		}
		if !bytes.Equal(compactJSON(said[p.key]), compactJSON(p.value)) {
			return false
		}
	}
	return true
}

// isOurs reports whether an entry that is there calls this program, under any name, in this or
// an earlier form.
func isOurs(there any) bool {
	words := startedBy(there)
	if len(words) == 0 || !slices.Contains(words[1:], "mcp") {
		return false
	}
	return slices.Contains(words[1:], "memory") || filepath.Base(strings.TrimSuffix(words[0], ".exe")) == Name
}

// startedBy returns the program that an entry starts, with its arguments.
func startedBy(there any) (words []string) {
	said, _ := there.(map[string]any)
	for _, key := range []string{"command", "cmd", "args"} {
		switch v := said[key].(type) {
		case string:
			words = append(words, v)
		case []any:
			for _, one := range v {
				word, _ := one.(string)
				words = append(words, word)
			}
		}
	}
	return words
}

// saysOfEntry is what an entry says of itself.
func saysOfEntry(there any) (s said) {
	if words := startedBy(there); len(words) > 0 {
		s.program = words[0]
	}
	return s
}
