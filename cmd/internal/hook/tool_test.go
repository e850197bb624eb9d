package hook

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What agents send after a tool, as it was observed (Claude Code 2.1.197, Codex 0.171.0, Copilot CLI
// 1.0.102, Gemini CLI 0.61.0, opencode 1.18.33) or stands in their sources or documentation (Qwen
// Code 0.15.10, Cline 4.1.13, Cursor), and the files that are asked about.
func TestTheFilesOfATool(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.py", "b c.py", "src/d.py"} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte("x\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	read := func(path string, from, to int) touched { return touched{filepath.Join(dir, path), from, to, false} }
	edit := func(path string) touched { return touched{filepath.Join(dir, path), 0, 0, true} }
	for _, test := range []struct {
		name, agent, input string
		want               []touched
	}{
		{"a read", "claude-code", `{"tool_name":"Read","tool_input":{"file_path":"DIR/a.py"}}`, []touched{read("a.py", 0, 0)}},
		{"a part", "claude-code", `{"tool_name":"Read","tool_input":{"file_path":"DIR/a.py","offset":10,"limit":5}}`, []touched{read("a.py", 10, 14)}},
		{"from a line on", "claude-code", `{"tool_name":"Read","tool_input":{"file_path":"DIR/a.py","offset":10}}`, []touched{read("a.py", 10, toEnd)}},
		{"the first lines", "claude-code", `{"tool_name":"Read","tool_input":{"file_path":"DIR/a.py","limit":5}}`, []touched{read("a.py", 1, 5)}},
		{"numbers that are none", "claude-code", `{"tool_name":"Read","tool_input":{"file_path":"DIR/a.py","offset":-3,"limit":1e300}}`, []touched{read("a.py", 0, 0)}},
		{"an edit", "claude-code", `{"tool_name":"Edit","tool_input":{"file_path":"DIR/a.py","old_string":"x","new_string":"y"},"tool_response":{"originalFile":"x"}}`, []touched{edit("a.py")}},
		{"a notebook", "claude-code", `{"tool_name":"NotebookEdit","tool_input":{"notebook_path":"DIR/n.ipynb","cell_id":"1"}}`, []touched{edit("n.ipynb")}},
		{"a search", "claude-code", `{"tool_name":"Grep","tool_input":{"pattern":"x","path":"DIR/a.py"}}`, nil},
		{"a listing", "claude-code", `{"tool_name":"Glob","tool_input":{"pattern":"*","path":"DIR"}}`, nil},
		{"a command of another agent", "claude-code", `{"tool_name":"Bash","tool_input":{"command":"cat a.py"}}`, nil},
		{"a patch", "codex", `{"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: src/d.py\n*** Move to: src/e.py\n@@\n-x\n+*** Update File: no.py\n*** Delete File: DIR/a.py\n*** Add File: f.py\n+x\n*** End Patch"}}`, []touched{edit("src/d.py"), edit("src/e.py"), edit("a.py"), edit("f.py")}},
		{"a command", "codex", `{"tool_name":"Bash","tool_input":{"command":"cat a.py 'b c.py'"}}`, []touched{read("a.py", 0, 0), read("b c.py", 0, 0)}},
		{"lines of a command", "codex", `{"tool_name":"Bash","tool_input":{"command":"sed -n '10,24p' src/d.py"}}`, []touched{read("src/d.py", 10, 24)}},
		{"a line of a command", "codex", `{"tool_name":"Bash","tool_input":{"command":"sed -n 7p src/d.py"}}`, []touched{read("src/d.py", 7, 7)}},
		{"the head", "codex", `{"tool_name":"Bash","tool_input":{"command":"head -n 3 a.py","workdir":"DIR"}}`, []touched{read("a.py", 1, 3)}},
		{"the head in one word", "codex", `{"tool_name":"Bash","tool_input":{"command":"head -3 a.py"}}`, []touched{read("a.py", 1, 3)}},
		{"the tail", "codex", `{"tool_name":"Bash","tool_input":{"command":"tail -n 3 a.py"}}`, []touched{read("a.py", 0, 0)}},
		{"numbered", "codex", `{"tool_name":"Bash","tool_input":{"command":"nl -ba src/d.py","workdir":"src/.."}}`, []touched{read("src/d.py", 0, 0)}},
		{"a file that is not there", "codex", `{"tool_name":"Bash","tool_input":{"command":"cat gone.py"}}`, nil},
		{"an edit by sed", "codex", `{"tool_name":"Bash","tool_input":{"command":"sed -i s/x/y/ a.py"}}`, nil},
		{"another program", "codex", `{"tool_name":"Bash","tool_input":{"command":"python a.py"}}`, nil},
		{"more than one command", "codex", `{"tool_name":"Bash","tool_input":{"command":"cat a.py; rm a.py"}}`, nil},
		{"a pipe", "codex", `{"tool_name":"Bash","tool_input":{"command":"cat a.py | head"}}`, nil},
		{"a redirection", "codex", `{"tool_name":"Bash","tool_input":{"command":"cat a.py >src/d.py"}}`, nil},
		{"a substitution", "codex", "{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"cat `echo a.py`\"}}", nil},
		{"a variable", "codex", `{"tool_name":"Bash","tool_input":{"command":"cat $HOME/a.py"}}`, nil},
		{"a pattern", "codex", `{"tool_name":"Bash","tool_input":{"command":"cat *.py"}}`, nil},
		{"two lines", "codex", `{"tool_name":"Bash","tool_input":{"command":"cat a.py\nrm a.py"}}`, nil},
		{"an open quote", "codex", `{"tool_name":"Bash","tool_input":{"command":"cat 'a.py"}}`, nil},
		{"sed without a file", "codex", `{"tool_name":"Bash","tool_input":{"command":"sed -n 1p"}}`, nil},
		{"a view", "copilot-cli", `{"toolName":"view","toolArgs":{"path":"DIR/a.py","view_range":[2,4]}}`, []touched{read("a.py", 2, 4)}},
		{"a view to the end, in a text", "copilot-cli", `{"toolName":"view","toolArgs":"{\"path\":\"DIR/a.py\",\"view_range\":[2,-1]}"}`, []touched{read("a.py", 2, toEnd)}},
		{"an edit", "copilot-cli", `{"toolName":"edit","toolArgs":{"path":"DIR/a.py","old_str":"x","new_str":"y"}}`, []touched{edit("a.py")}},
		{"a new file", "copilot-cli", `{"toolName":"create","toolArgs":{"path":"DIR/new.py","file_text":"x"}}`, []touched{edit("new.py")}},
		{"a view of the editor", "copilot-cli", `{"toolName":"str_replace_editor","toolArgs":{"command":"view","path":"a.py"}}`, []touched{read("a.py", 0, 0)}},
		{"an edit of the editor", "copilot-cli", `{"toolName":"str_replace_editor","toolArgs":{"command":"insert","path":"a.py"}}`, []touched{edit("a.py")}},
		{"a patch that is all", "copilot-cli", `{"toolName":"apply_patch","toolArgs":"*** Begin Patch\n*** Update File: a.py\n*** End Patch"}`, []touched{edit("a.py")}},
		{"a read", "gemini-cli", `{"tool_name":"read_file","tool_input":{"file_path":"a.py","start_line":3,"end_line":9}}`, []touched{read("a.py", 3, 9)}},
		{"an edit", "gemini-cli", `{"tool_name":"replace","tool_input":{"file_path":"a.py","old_string":"x","new_string":"y"}}`, []touched{edit("a.py")}},
		{"a folder of files", "gemini-cli", `{"tool_name":"read_many_files","tool_input":{"include":["*.py"]}}`, nil},
		{"a read", "qwen-code", `{"tool_name":"ReadFile","tool_input":{"absolute_path":"DIR/a.py"}}`, []touched{read("a.py", 0, 0)}},
		{"a read", "opencode", `{"tool_name":"read","tool_input":{"filePath":"DIR/a.py","offset":4,"limit":2}}`, []touched{read("a.py", 4, 5)}},
		{"a patch", "opencode", `{"tool_name":"apply_patch","tool_input":{"patchText":"*** Update File: a.py\r\n"}}`, []touched{edit("a.py")}},
		{"a read", "cursor", `{"tool_name":"Read","tool_input":{"file_path":"DIR/a.py"},"tool_output":"x"}`, []touched{read("a.py", 0, 0)}},
		{"an edit", "cline", `{"taskId":"s","postToolUse":{"toolName":"replace_in_file","parameters":{"path":"a.py","diff":"x"},"success":true}}`, []touched{edit("a.py")}},
		{"several reads", "cline", `{"postToolUse":{"toolName":"read_files","parameters":{"files":"[{\"path\":\"a.py\",\"start_line\":2,\"end_line\":3},{\"path\":\"src/d.py\"}]"}}}`, []touched{read("a.py", 2, 3), read("src/d.py", 0, 0)}},
		{"the same file twice", "cline", `{"postToolUse":{"toolName":"read_files","parameters":{"file_paths":"[\"a.py\",\"./a.py\"]"}}}`, []touched{read("a.py", 0, 0)}},
		{"a folder", "copilot-cli", `{"toolName":"view","toolArgs":{"path":"DIR/src"}}`, nil},
		{"a patch of no name", "codex", `{"tool_name":"apply_patch","tool_input":{"command":"*** Update File: \n"}}`, nil},
		{"a path that climbs", "claude-code", `{"tool_name":"Read","tool_input":{"file_path":"DIR/src/../a.py"}}`, []touched{read("a.py", 0, 0)}},
		{"a path with a line end", "claude-code", `{"tool_name":"Read","tool_input":{"file_path":"DIR/a\n.py"}}`, nil},
		{"a path that is none", "claude-code", `{"tool_name":"Read","tool_input":{"file_path":["DIR/a.py"]}}`, nil},
		{"no arguments", "claude-code", `{"tool_name":"Read","tool_input":null}`, nil},
		{"a list of arguments", "claude-code", `{"tool_name":"Read","tool_input":[1]}`, nil},
	} {
		in := Read(strings.NewReader(strings.ReplaceAll(test.input, "DIR", dir)))
		if got := in.findFiles(test.agent, dir); !slices.Equal(got, test.want) {
			t.Errorf("%s, %s: got %+v, want %+v", test.agent, test.name, got, test.want)
		}
	}
}

// A patch of a whole tree asks about a few of its files, and not for a second.
func TestAPatchOfManyFiles(t *testing.T) {
	in := Input{Tool: "apply_patch", Args: `"` + strings.Repeat(`*** Update File: a\n*** Update File: b\n`, 5000) + `"`}
	if got := in.findFiles("codex", "/code"); len(got) != 2 {
		t.Errorf("got %d files", len(got))
	}
	var patch strings.Builder
	for i := range 500 {
		patch.WriteString("*** Add File: f" + strings.Repeat("x", i) + `\n`)
	}
	in.Args = `"` + patch.String() + `"`
	if got := in.findFiles("codex", "/code"); len(got) != maxTouched {
		t.Errorf("got %d files, want %d", len(got), maxTouched)
	}
}

func FuzzTouched(f *testing.F) {
	f.Add([]byte(`{"tool_name":"Read","tool_input":{"file_path":"a.py"}}`))
	f.Add([]byte(`{"tool_name":"Bash","tool_input":{"command":"head -n 3 a"}}`))
	f.Add([]byte(`{"toolName":"view","toolArgs":"{\"path\":\"a\",\"view_range\":[1,2]}"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, one := range Read(strings.NewReader(string(b))).findFiles("codex", "/code") {
			if !filepath.IsAbs(one.path) || strings.ContainsFunc(one.path, isControl) || one.from < 0 || one.to < one.from {
				t.Errorf("%q: got %+v", b, one)
			}
		}
	})
}
