package splice_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/setup/splice"
)

var (
	server = []byte(`{"type":"stdio","command":"/bin/cp-memory","args":["memory","mcp"],"env":{}}`)
	path   = []string{"mcpServers", "cp-memory"}
)

// documents are settings files of every layout that people and programs leave.
var documents = []struct{ name, text, with string }{
	{"an empty object", "{}", "{\n  \"mcpServers\": {\n    \"cp-memory\": {\n      \"type\": \"stdio\",\n      \"command\": \"/bin/cp-memory\",\n      \"args\": [\n        \"memory\",\n        \"mcp\"\n      ],\n      \"env\": {}\n    }\n  }\n}"},
	{"one line", `{"a":1}`, `{"a":1,"mcpServers":{"cp-memory":` + string(server) + `}}`},
	{"one line with blanks", `{ "a": 1 }`, `{ "a": 1, "mcpServers": {"cp-memory":` + string(server) + `} }`},
	{"one line, servers", `{"mcpServers":{"x":{}}}`, `{"mcpServers":{"x":{},"cp-memory":` + string(server) + `}}`},
	{"two blanks", "{\n  \"a\": 1\n}\n", ""},
	{"tabs", "{\n\t\"a\": 1,\n\t\"mcpServers\": {\n\t\t\"x\": {}\n\t}\n}\n", "{\n\t\"a\": 1,\n\t\"mcpServers\": {\n\t\t\"x\": {},\n\t\t\"cp-memory\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"/bin/cp-memory\",\n\t\t\t\"args\": [\n\t\t\t\t\"memory\",\n\t\t\t\t\"mcp\"\n\t\t\t],\n\t\t\t\"env\": {}\n\t\t}\n\t}\n}\n"},
	{"CRLF", "{\r\n    \"a\": 1\r\n}\r\n", ""},
	{"a byte order mark", "\ufeff{\n  \"a\": 1\n}", ""},
	{"comments", "// mine\n{\n  // of a\n  \"a\": 1, // one\n  /* of b */ \"b\": 2 // two\n  // the end\n}\n// after\n", ""},
	{"a trailing comma", "{\n  \"a\": 1,\n}\n", ""},
	{"a trailing comma and comments", "{\n  \"mcpServers\": {\n    // of x\n    \"x\": {}, // x\n    // last\n  },\n}\n", ""},
	{"a list", "{\n  \"a\": [\n    1,\n    2\n  ]\n}", ""},
}

func TestDeleteTakesOutWhatSetPutIn(t *testing.T) {
	for _, d := range documents {
		with, err := splice.Set([]byte(d.text), path, server)
		if err != nil {
			t.Fatalf("%s: %v", d.name, err)
		}
		if d.with != "" && string(with) != d.with {
			t.Errorf("%s: got\n%s\nwant\n%s", d.name, with, d.with)
		}
		if strings.Contains(d.text, "\r\n") && bytes.Count(with, []byte("\n")) != bytes.Count(with, []byte("\r\n")) {
			t.Errorf("%s: a line ends otherwise: %q", d.name, with)
		}
		got, err := splice.Get(with, path)
		if err != nil || !same(got, server) {
			t.Errorf("%s: got %s, %v", d.name, got, err)
		}
		again, err := splice.Set(with, path, server)
		if err != nil || !bytes.Equal(again, with) {
			t.Errorf("%s: set twice: got\n%s\nwant\n%s (%v)", d.name, again, with, err)
		}
		back, err := splice.Delete(with, path)
		if err != nil || string(back) != d.text {
			t.Errorf("%s: got %q back, want %q (%v)", d.name, back, d.text, err)
		}
	}
}

func TestAppendAndDeleteInAList(t *testing.T) {
	hook := []byte(`{"matcher":"startup","hooks":[{"type":"command","command":"cp-memory hook start","timeout":5}]}`)
	for _, text := range []string{
		"{}", `{"hooks":{"SessionStart":[{"hooks":[]}]}}`, "{\n  \"hooks\": {\n    \"Stop\": [] // none\n  },\n}\n",
		"{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"hooks\": []\n      }, // theirs\n    ]\n  }\n}\n",
	} {
		with, err := splice.Append([]byte(text), []string{"hooks", "SessionStart"}, hook)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		at := "0"
		if strings.Contains(text, `"SessionStart"`) {
			at = "1"
		}
		back, err := splice.Delete(with, []string{"hooks", "SessionStart", at})
		if err != nil || string(back) != text {
			t.Errorf("got %q back, want %q (%v)", back, text, err)
		}
	}
}

func TestWhatCannotBeChangedIsAnError(t *testing.T) {
	for _, text := range []string{`{`, `[]`, `{"mcpServers":[]}`, `{"mcpServers":null}`, `{"mcpServers":{},"mcpServers":{}}`, `{"a":1}}`, "\xff", `"x"`} {
		if with, err := splice.Set([]byte(text), path, server); err == nil {
			t.Errorf("%s: got %s, want an error", text, with)
		}
	}
}

func same(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && x.String() == y.String()
}

func TestRegionsOfTOML(t *testing.T) {
	lines := []string{"[mcp_servers.cp-memory]", `command = "cp-memory"`, `args = ["memory", "mcp"]`}
	for _, text := range []string{"", "# mine\n", "model = \"x\"", "a = 1\r\n[mcp_servers.other]\r\ncommand = \"y\"\r\n", "\ufeffa = 1\n", "a = 1\n\n\n"} {
		with, err := splice.SetTOML([]byte(text), lines, "mcp_servers", "cp-memory")
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if strings.Contains(text, "\r\n") && bytes.Count(with, []byte("\n")) != bytes.Count(with, []byte("\r\n")) {
			t.Errorf("%q: a line ends otherwise: %q", text, with)
		}
		again, err := splice.SetTOML(with, lines, "mcp_servers", "cp-memory")
		if err != nil || !bytes.Equal(with, again) {
			t.Errorf("%q: set twice: got %q, want %q (%v)", text, again, with, err)
		}
		back, err := splice.DeleteTOML(with, "mcp_servers", "cp-memory")
		if err != nil || string(back) != text {
			t.Errorf("got %q back, want %q (%v)", back, text, err)
		}
	}
	for _, text := range []string{"a = ", "mcp_servers = {}", "[mcp_servers.cp-memory]\ncommand = \"npx\"\n", "# >>> cp-memory\n", "# <<< cp-memory\n", "[[mcp_servers]]\n"} {
		if with, err := splice.SetTOML([]byte(text), lines, "mcp_servers", "cp-memory"); err == nil {
			t.Errorf("%q: got %q, want an error", text, with)
		}
	}
}

func TestSetYAML(t *testing.T) {
	value := []byte(`{"name":"cp-memory","type":"stdio","cmd":"/bin/cp-memory","args":["memory","mcp"],"timeout":300}`)
	for _, text := range []string{
		"", "# mine\n", "a: 1", "a: 1\r\nb: 2\r\n", "extensions:\n  developer:\n    enabled: true\nother: 1\n", "extensions:\n    # of dev\n    developer: {enabled: true}\n",
		"extensions:\n", "extensions:", "extensions: {}\n", "extensions: {developer: {enabled: true}}\n", "\ufeffé: 1\nextensions: {é: {}}", "a: 1\nextensions: {developer: {enabled: true}} # mine\n",
	} {
		with, err := splice.SetYAML([]byte(text), "extensions", "cp-memory", value)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		said, err := splice.GetYAML(with, "extensions", "cp-memory", "cmd")
		if err != nil || said != "/bin/cp-memory" {
			t.Errorf("%q: got %v, %v", text, said, err)
		}
		again, err := splice.SetYAML(with, "extensions", "cp-memory", value)
		if err != nil || !bytes.Equal(with, again) {
			t.Errorf("%q: set twice: got %q, want %q (%v)", text, again, with, err)
		}
		back, err := splice.DeleteYAML(with, "extensions", "cp-memory")
		if err != nil || string(back) != text {
			t.Errorf("got %q back, want %q (%v)", back, text, err)
		}
	}
	for _, text := range []string{"a: [", "a: 1\n---\nb: 2\n", "extensions: []\n", "- a\n", "extensions:\n  cp-memory:\n    cmd: npx\n", "{a: 1}\n"} {
		if with, err := splice.SetYAML([]byte(text), "extensions", "cp-memory", value); err == nil {
			t.Errorf("%q: got %q, want an error", text, with)
		}
	}
}

func FuzzSet(f *testing.F) {
	for _, d := range documents {
		f.Add([]byte(d.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		was, err := splice.Get(text, path)
		if err != nil || was != nil {
			return
		}
		with, err := splice.Set(text, path, server)
		if err != nil {
			return
		}
		if got, err := splice.Get(with, path); err != nil || !same(got, server) {
			t.Fatalf("%q: got %s, %v", text, got, err)
		}
		if again, err := splice.Set(with, path, server); err != nil || !bytes.Equal(again, with) {
			t.Fatalf("%q: set twice: %q, want %q (%v)", text, again, with, err)
		}
		if back, err := splice.Delete(with, path); err == nil && bytes.Contains(text, []byte("{")) && !bytes.Equal(bytes.Join(bytes.Fields(back), nil), bytes.Join(bytes.Fields(text), nil)) &&
			!bytes.Contains(text, []byte(`"mcpServers"`)) {
			t.Fatalf("%q: got %q back", text, back)
		}
	})
}
