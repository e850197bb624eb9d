package hook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// touched is a file that an agent's tool has read or changed.
type touched struct {
	path     string // absolute
	from, to int    // the lines that were read, from 1; 0 for all of it
	edited   bool
}

// maxTouched bounds the files of one call that are asked about. A patch may name hundreds.
const maxTouched = 20

// toEnd stands for the last line of a file.
const toEnd = 1 << 30

// deed is what a tool does with files.
type deed int

const (
	reads deed = iota + 1
	edits
	patches // its text names the files
	views   // or edits, by its command
	shells
)

// deeds are the tools that read or change files that they name, by their names in small letters
// and without underscores. What searches or lists is not here: it would tell of every file.
var deeds = map[string]deed{
	"read": reads, "readfile": reads, "readfiles": reads, "view": reads,
	"edit": edits, "multiedit": edits, "write": edits, "notebookedit": edits, // Claude Code, opencode, Cursor
	"editfile": edits, "writefile": edits, "replace": edits, // Gemini CLI, Qwen Code
	"create": edits, "createfile": edits, "replacestringinfile": edits, "insert": edits, // Copilot
	"writetofile": edits, "replaceinfile": edits, "editor": edits, // Cline
	"strreplaceeditor": views, "applypatch": patches, "patch": patches, "bash": shells,
}

// The keys under which tools have a path.
var pathKeys = []string{"file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file"}

// findFiles returns the files that the tool of an agent has read or changed, each once; dir is where
// relative paths begin. Only Codex reads files by a shell.
func (in Input) findFiles(agent, dir string) (all []touched) {
	args := arguments(in.Args)
	what := deeds[strings.ReplaceAll(strings.ToLower(in.Tool), "_", "")]
	switch {
	case what == shells && agent == "codex":
		dir = below(dir, args.textAt("workdir"))
		all = readByShell(args.textAt("command"), dir)
	case what == patches:
		all = patchedFiles(args.textAt("command", "input", "patch", "patchText", "patch_text"))
	case what == views && args.textAt("command") != "view", what == edits:
		all = args.listFiles(true)
	case what == views, what == reads:
		all = args.listFiles(false)
	}
	return distinct(all, dir)
}

// distinct makes the paths absolute and leaves out what is no path of a file, and what was
// named before.
func distinct(all []touched, dir string) (kept []touched) {
	seen := map[string]bool{}
	for _, t := range all {
		named := t.path != ""
		t.path = filepath.Clean(below(dir, t.path))
		if !named || !filepath.IsAbs(t.path) || strings.ContainsFunc(t.path, isControl) || seen[t.path] || isFolder(t.path) || len(kept) == maxTouched {
			continue
		}
		seen[t.path] = true
		kept = append(kept, t)
	}
	return kept
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// below is a path as it is seen from a folder.
func below(dir, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return firstNonEmpty(path, dir)
	}
	return filepath.Join(dir, path)
}

// args are the arguments of a tool.
type args map[string]json.RawMessage

// arguments reads the arguments of a tool: an object, the text of one, or a text that is all of it.
func arguments(raw string) (a args) {
	var text string
	if json.Unmarshal([]byte(raw), &text) == nil {
		raw = text
	}
	if json.Unmarshal([]byte(raw), &a) != nil && text != "" {
		whole, _ := json.Marshal(text)
		a = args{"input": whole}
	}
	return a
}

// textAt returns the first of the values that is a text.
func (a args) textAt(names ...string) string {
	for _, name := range names {
		var s string
		if json.Unmarshal(a[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// value reads a value, which may stand in a text, into v.
func (a args) value(name string, v any) bool {
	var text string
	if json.Unmarshal(a[name], &text) == nil {
		return json.Unmarshal([]byte(text), v) == nil
	}
	return json.Unmarshal(a[name], v) == nil
}

// number returns the first of the values that is a number above 0.
func (a args) number(names ...string) int {
	for _, name := range names {
		var n float64
		if a.value(name, &n) && n >= 1 && n < toEnd {
			return int(n)
		}
	}
	return 0
}

// listFiles returns the files that the arguments name: one, or a list of them.
func (a args) listFiles(edited bool) (all []touched) {
	if path := a.textAt(pathKeys...); path != "" {
		t := touched{path: path, edited: edited}
		if !edited {
			t.from, t.to = a.lines()
		}
		return []touched{t}
	}
	var each []args
	if a.value("files", &each) {
		for _, one := range each {
			if one.textAt(pathKeys...) != "" {
				all = append(all, one.listFiles(edited)...)
			}
		}
		return all
	}
	var paths []string
	_ = a.value("file_paths", &paths)
	for _, path := range paths {
		all = append(all, touched{path: path, edited: edited})
	}
	return all
}

// lines returns the lines that are asked for; 0, 0 are all.
func (a args) lines() (from, to int) {
	var pair []float64
	if a.value("view_range", &pair) && len(pair) == 2 && pair[0] >= 1 && pair[0] < toEnd {
		from, to = int(pair[0]), toEnd
		if pair[1] >= pair[0] && pair[1] < toEnd {
			to = int(pair[1])
		}
		return from, to
	}
	from, to = a.number("offset", "start_line", "startLine"), a.number("end_line", "endLine")
	if n := a.number("limit"); n > 0 {
		to = max(from, 1) + n - 1
	}
	if from == 0 && to == 0 {
		return 0, 0
	}
	if to == 0 {
		to = toEnd
	}
	return max(from, 1), max(from, to)
}

// patchedFiles returns the files that a patch names in the form of apply_patch. It counts no lines.
func patchedFiles(patch string) (all []touched) {
	for line := range strings.Lines(patch) {
		for _, head := range [...]string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
			if path, ok := strings.CutPrefix(line, head); ok {
				all = append(all, touched{path: strings.TrimSpace(path), edited: true})
			}
		}
	}
	return all
}
