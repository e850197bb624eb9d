package render

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
)

func written(t *testing.T, f Format, v any) string {
	t.Helper()
	var b strings.Builder
	if err := Value(&b, f, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFormats(t *testing.T) {
	if _, err := ParseFormat("xml"); vault.CodeOf(err) != vault.CodeInvalid {
		t.Errorf("xml: %v", err)
	}
	for _, name := range []string{"", "text", "json", "yaml", "jsonl"} {
		if _, err := ParseFormat(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestValues(t *testing.T) {
	type row struct {
		ID    string  `json:"id"`
		Title string  `json:"title"`
		Up    *string `json:"up"`
	}
	rows := []row{{"pf-1", "a <b> & \"c\"", nil}, {"pf-2", "yes", nil}}
	var none []row
	for _, test := range []struct {
		name string
		f    Format
		v    any
		want string
	}{
		{"an empty list is [] and never null", JSON, none, "[]\n"},
		{"also in YAML", YAML, none, "[]\n"},
		{"JSON lines of nothing are nothing", JSONL, none, ""},
		{"two spaces, no HTML escapes", JSON, rows[0], "{\n  \"id\": \"pf-1\",\n  \"title\": \"a <b> & \\\"c\\\"\",\n  \"up\": null\n}\n"},
		{"a line per row", JSONL, rows, "{\"id\":\"pf-1\",\"title\":\"a <b> & \\\"c\\\"\",\"up\":null}\n{\"id\":\"pf-2\",\"title\":\"yes\",\"up\":null}\n"},
		{"YAML has the keys and the order of JSON", YAML, rows, "- id: pf-1\n  title: a <b> & \"c\"\n  up: null\n- id: pf-2\n  title: \"yes\"\n  up: null\n"},
		{"what could steer a terminal is escaped", JSON, "a\x1b\u202e\u009b\U000e0041", `"a\u001b\u202e\u009b\udb40\udc41"` + "\n"},
		{"in YAML too", YAML, "a\x1b\u202e", `"a\e\U0000202E"` + "\n"},
		{"many lines in YAML stay readable", YAML, map[string]string{"content": "one\ntwo\n"}, "content: |\n  one\n  two\n"},
	} {
		if got := written(t, test.f, test.v); got != test.want {
			t.Errorf("%s:\ngot  %q\nwant %q", test.name, got, test.want)
		}
	}
}

// Any text must come back from both formats as it went in.
func FuzzFormatsRoundTrip(f *testing.F) {
	for _, s := range []string{"", "yes", "0x1f", "1:30", "~", "- a", "a: b #c", "a\n b\n", " x\n", "\t", "\t\n", "é\u0085\u2028\ufeff", "🏴\U000e0067", "null", "2026-01-01", "a\r\nb", "'", `"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		in := map[string]any{"text": strings.ToValidUTF8(s, "?"), "list": []any{strings.ToValidUTF8(s, "?")}}
		for format, decode := range map[Format]func([]byte, any) error{JSON: json.Unmarshal, YAML: yaml.Unmarshal} {
			doc := written(t, format, in)
			if strings.ContainsFunc(doc, prose.IsSteering) {
				t.Errorf("%s lets through %q", format, doc)
			}
			var out map[string]any
			if err := decode([]byte(doc), &out); err != nil || !reflect.DeepEqual(out, in) {
				t.Errorf("%s: %q came back as %q (%v)\n%s", format, in, out, err, doc)
			}
		}
	})
}
