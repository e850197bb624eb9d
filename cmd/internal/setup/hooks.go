package setup

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/setup/splice"
	"github.com/cp-memory/cp/vault"
)

// seconds is how long an agent waits for a hook. Ours ends within one.
const seconds = 5

// dialect is how an agent enters hooks.
type dialect struct {
	events  map[string]string // our names of events to the agent's
	matches map[string]string // by our names of events: of which sources or tools; none for all
	flat    bool              // an event's list holds the hooks themselves
	timeout string            // the key, and how many of it a second has
	unit    int
	version int    // of the file; 0 without one
	off     string // the key by which no hook runs
}

// starts are the sources of a start: a conversation that was compacted is one too.
const starts = "startup|resume|clear|compact"

// The dialects. A file that a tool has read or changed is told of after the tool, since no agent
// takes the text sooner; the tools are those that package hook knows.
var (
	claude  = dialect{events: claudeEvents, matches: map[string]string{"start": starts, "file": "Read|Edit|MultiEdit|Write|NotebookEdit"}, timeout: "timeout", unit: 1, off: "disableAllHooks"}
	codex   = dialect{events: claudeEvents, matches: map[string]string{"start": starts, "file": "apply_patch|Bash"}, timeout: "timeout", unit: 1, off: "disableAllHooks"}
	qwen    = dialect{events: claudeEvents, matches: map[string]string{"start": starts, "file": "^(read_file|edit|write_file|ReadFile|Edit|WriteFile)$"}, timeout: "timeout", unit: 1, off: "disableAllHooks"}
	gemini  = dialect{events: map[string]string{"start": "SessionStart", "prompt": "BeforeAgent", "end": "SessionEnd", "file": "AfterTool"}, matches: map[string]string{"file": "^(read_file|replace|write_file)$"}, timeout: "timeout", unit: 1000}
	copilot = dialect{events: map[string]string{"start": "sessionStart", "prompt": "userPromptSubmitted", "end": "sessionEnd", "file": "postToolUse", "compact": "preCompact"}, flat: true, timeout: "timeoutSec", unit: 1, version: 1, off: "disableAllHooks"}
	factory = dialect{events: map[string]string{"start": "SessionStart", "prompt": "UserPromptSubmit", "end": "SessionEnd"}, timeout: "timeout", unit: 1}
	cursor  = dialect{events: map[string]string{"start": "sessionStart", "end": "sessionEnd", "file": "postToolUse", "compact": "preCompact"}, matches: map[string]string{"file": "Read|Write"}, flat: true, timeout: "timeout", unit: 1, version: 1}
)

var claudeEvents = map[string]string{"start": "SessionStart", "prompt": "UserPromptSubmit", "end": "SessionEnd", "file": "PostToolUse"}

// dialects are those of the agents whose hooks are entered in JSON. No agent takes text before a
// conversation is compacted, so that is entered only where the start is not told of it: what was
// told of files is told anew then. Gemini CLI calls it before each request to its model.
var dialects = map[string]dialect{
	"claude-code": claude, "codex": codex, "qwen-code": qwen, "gemini-cli": gemini,
	"copilot-cli": copilot, "vscode": copilot, "cursor": cursor, "factory": factory,
}

// hookEvents are the events that a place asks for.
func (p Place) hookEvents() []string {
	all := []string{"start"}
	if p.Prompts {
		all = append(all, "prompt")
	}
	if p.Captures {
		all = append(all, "end")
	}
	if !p.NoFiles {
		all = append(all, "file", "compact")
	}
	return all
}

// hooks are the events of one agent in its JSON settings.
type hooks struct {
	dialect
	agent   string
	command string // of the program, as a shell reads it
	tools   bool   // the agent has our tools
	lookup  bool   // it may be missing, and is looked for first
	wanted  []string
}

// hookCommand is what the agent runs for an event.
func (h hooks) hookCommand(event string) string {
	line := h.command + " hook " + event + " --agent " + h.agent
	if h.tools {
		line += " --tools"
	}
	if h.lookup {
		return "! command -v " + h.command + " >/dev/null 2>&1 || " + line
	}
	return line
}

// withTools is the form for an agent with our tools, which is as good for one without them: the
// file may be shared.
func (h hooks) withTools() hooks {
	h.tools = true
	return h
}

// element is the entry of an event.
func (h hooks) element(event string) []byte {
	run := `{"type":"command","command":` + string(compactJSON(h.hookCommand(event))) + `,` + string(compactJSON(h.timeout)) + `:` + strconv.Itoa(seconds*h.unit) + `}`
	if !h.flat {
		run = `{"hooks":[` + run + `]}`
	}
	if tools := h.matches[event]; tools != "" {
		run = `{"matcher":` + string(compactJSON(tools)) + `,` + run[1:]
	}
	return []byte(run)
}

// place is one of our commands in the settings.
type place struct {
	path []string
	line string
	own  bool // nothing else is in the entry
}

// findCommands returns our commands for an event of the agent, the last first.
func (h hooks) findCommands(text []byte, event string) (all []place, err error) {
	raw, err := splice.Get(text, []string{"hooks", event})
	if err != nil {
		return nil, err
	}
	list, _ := parseJSON(raw).([]any)
	at := func(path ...string) []string { return append([]string{"hooks", event}, path...) }
	for i := len(list) - 1; i >= 0; i-- {
		one, _ := list[i].(map[string]any)
		if line, ok := one["command"].(string); ok && programOfHook(line) != "" {
			all = append(all, place{at(strconv.Itoa(i)), line, true})
		}
		inner, _ := one["hooks"].([]any)
		for j := len(inner) - 1; j >= 0; j-- {
			in, _ := inner[j].(map[string]any)
			if line, ok := in["command"].(string); ok && programOfHook(line) != "" {
				path := at(strconv.Itoa(i), "hooks", strconv.Itoa(j))
				all = append(all, place{path, line, len(inner) == 1})
			}
		}
	}
	return all, nil
}

// programOfHook is the program of a command that calls our hook; empty for another command. In
// Copilot's files one hook serves two agents.
func programOfHook(line string) string {
	call, rest, ok := strings.Cut(line, " hook ")
	if !ok || !strings.Contains(rest, "--agent ") {
		return ""
	}
	if i := strings.LastIndex(call, "|| "); i >= 0 {
		call = call[i+len("|| "):]
	}
	call, verb := strings.CutSuffix(call, " memory")
	program := strings.ReplaceAll(strings.Trim(call, `'"`), `'\''`, `'`)
	if name := filepath.Base(program); verb || name == Name || name == "cp" {
		return program
	}
	return ""
}

func (h hooks) state(text []byte) (State, error) {
	found, right := 0, 0
	for ours, event := range h.events {
		there, err := h.findCommands(text, event)
		if err != nil {
			return Broken, err
		}
		found += len(there)
		for _, at := range there {
			if h.wants(ours) && (at.line == h.hookCommand(ours) || at.line == h.withTools().hookCommand(ours)) {
				right++
			}
		}
	}
	switch {
	case found == 0:
		return Missing, nil
	case found == right && right == len(h.knownEvents()):
		return Current, nil
	}
	return Stale, nil
}

func (h hooks) wants(event string) bool {
	for _, w := range h.knownEvents() {
		if w == event {
			return true
		}
	}
	return false
}

// knownEvents are the wanted events that the agent has.
func (h hooks) knownEvents() (all []string) {
	for _, event := range h.wanted {
		if h.events[event] != "" {
			all = append(all, event)
		}
	}
	return all
}

func (h hooks) apply(text []byte) ([]byte, error) {
	if s, err := h.state(text); err != nil || s == Current {
		return text, err
	}
	text, err := h.removeCommands(text)
	if err != nil {
		return nil, err
	}
	if v, err := splice.Get(text, []string{"version"}); h.version > 0 && v == nil && err == nil {
		if text, err = splice.Set(text, []string{"version"}, compactJSON(h.version)); err != nil {
			return nil, err
		}
	}
	for _, event := range h.knownEvents() {
		if text, err = splice.Append(text, []string{"hooks", h.events[event]}, h.element(event)); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// removeCommands takes our commands out.
func (h hooks) removeCommands(text []byte) ([]byte, error) {
	for _, event := range h.events {
		there, err := h.findCommands(text, event)
		if err != nil {
			return nil, err
		}
		for _, at := range there {
			path := at.path
			if at.own && len(path) > 3 {
				path = path[:3] // with its matcher
			}
			if text, err = splice.Delete(text, path); err != nil {
				return nil, err
			}
		}
	}
	return text, nil
}

func (h hooks) remove(text []byte) ([]byte, error) { return h.removeCommands(text) }

func (h hooks) snippet() string {
	out, _ := h.apply([]byte("{}\n"))
	return string(out)
}

func (h hooks) says(text []byte) (s said) {
	for _, event := range h.events {
		there, _ := h.findCommands(text, event)
		for _, at := range there {
			s.program = programOfHook(at.line)
		}
	}
	if raw, err := splice.Get(text, []string{h.off}); h.off != "" && err == nil && string(raw) == "true" {
		s.off = h.off
	}
	return s
}

func (hooks) form() form { return form{blank: "{}\n", settings: true} }

// parseJSON is a JSON value as Go's.
func parseJSON(raw json.RawMessage) (v any) {
	_ = json.Unmarshal(raw, &v)
	return v
}

// whole is a file that is ours from beginning to end. Its last line holds a digest, which
// tells an edited file from an older one.
type whole struct {
	text string // without the digest
	also string // another text that is as good
	mark string // begins the line of the digest, with what ends it after a space: "<!-- -->"
}

func (w whole) state(text []byte) (State, error) {
	body, sum, marked := w.splitSum(text)
	switch {
	case len(text) == 0:
		return Missing, nil
	case !marked || sum != digest(body):
		return Other, vault.Errorf(vault.CodeConflict, "move it away, then run the command again", "it is there already, and not as this program wrote it")
	case body == w.text || body == w.also:
		return Current, nil
	}
	return Stale, nil
}

func (w whole) apply([]byte) ([]byte, error) {
	return []byte(w.text + w.markLine(digest(w.text))), nil
}

func (w whole) remove([]byte) ([]byte, error) { return nil, nil }

func (w whole) snippet() string { return w.text }

func (whole) says([]byte) said { return said{} }

func (whole) form() form { return form{} }

func (w whole) markLine(sum string) string {
	open, shut, _ := strings.Cut(w.mark, " ")
	return strings.TrimRight(open+" cp-memory "+sum+" "+shut, " ") + "\n"
}

func (w whole) splitSum(text []byte) (body, sum string, marked bool) {
	s := strings.TrimSuffix(string(text), "\n")
	i := strings.LastIndexByte(s, '\n') + 1
	open, _, _ := strings.Cut(w.mark, " ")
	words := strings.Fields(s[i:])
	if len(words) < 3 || words[0] != open || words[1] != Name {
		return "", "", false
	}
	return s[:i], words[2], true
}
