package transfer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/transfer"
)

// folders are patterns, one more than a memory may be bound to.
func folders() string {
	var all []string
	for i := range about.Most + 2 {
		all = append(all, fmt.Sprintf("src/%d/**", i))
	}
	return strings.Join(all, ",")
}

// Each row is a rule of a program, the code that it is bound to, and its phrase.
func TestReadRules(t *testing.T) {
	for _, row := range []struct {
		name, form, file, text string
		code, phrase, notes    string
	}{
		{"a list", "claude-rules", "api.md", "---\npaths:\n  - \"src/api/**/*.ts\"\n  - src/lib/\n---\n# API\n", "src/api/**/*.ts|src/lib/", "When you change src/api/**/*.ts, src/lib/", ""},
		{"a flow list", "claude-rules", "a.md", "---\npaths: [\"a/*.go\", 'b/{x,y}/**']\n---\nx\n", "a/*.go|b/{x,y}/**", "When you change a/*.go, b/{x,y}/**", ""},
		{"one text with commas in braces", "claude-rules", "a.md", "---\npaths: src/**/*.{ts,tsx}, lib/*.go\n---\nx\n", "src/**/*.{ts,tsx}|lib/*.go", "When you change src/**/*.{ts,tsx}, lib/*.go", ""},
		{"a list that is no YAML", "claude-rules", "a.md", "---\r\npaths:\r\n  - **/*.ts\r\n  - {src,lib}/**\r\n---\r\nx\r\n", "**/*.ts|{src,lib}/**", "When you change **/*.ts, {src,lib}/**", ""},
		{"no header", "claude-rules", "sub/a.md", "# All\n", "", "When you work in this project", ""},
		{"two keys", "claude-rules", "a.md", "---\nglobs: src/*.ts\n---\nx\n", "", "When you work in this project", ""},
		{"texts between commas that are no YAML", "cursor-rules", "ts.mdc", "---\ndescription: Styles: of TypeScript\nglobs: **/*.ts,**/*.tsx # both\nalwaysApply: false\n---\nx\n", "**/*.ts|**/*.tsx", "Styles: of TypeScript", ""},
		{"a text in brackets", "cursor-rules", "a.mdc", "---\ndescription:\nglobs: [**/*.py, 'x/y.py']\n---\nx\n", "**/*.py|x/y.py", "When you change **/*.py, x/y.py", ""},
		{"quotes", "cursor-rules", "a.mdc", "---\nglobs: \"a/*\", \"b/*\"\n---\nx\n", "a/*|b/*", "When you change a/*, b/*", ""},
		{"a class alone", "cursor-rules", "a.mdc", "---\nglobs: \"[ab].go\"\n---\nx\n", "[ab].go", "When you change [ab].go", ""},
		{"no patterns", "cursor-rules", "a.mdc", "---\ndescription: When asked\nglobs:\nalwaysApply: true\n---\nx\n", "", "When asked", ""},
		{"no rule", "cursor-rules", "a.md", "x\n", "", "", ""},
		{"everywhere", "copilot-instructions", "x.instructions.md", "---\napplyTo: \"**\"\n---\nx\n", "", "When you work in this project", "x.instructions.md: '**' would bind every file"},
		{"some of them", "copilot-instructions", "deep/x.instructions.md", "---\napplyTo: '**/*.ts,**/*'\n---\nx\n", "**/*.ts", "When you change **/*.ts", "deep/x.instructions.md: '**/*' would bind every file"},
		{"the file for all", "copilot-instructions", "copilot-instructions.md", "# Rules\n", "", "When you work in this project", ""},
		{"what is no binding", "copilot-instructions", "x.instructions.md", "---\napplyTo: '!a/**,../b/*,/c/*,d/[e,f/+(g|h),a\\*'\n---\nx\n", "", "When you work in this project",
			"x.instructions.md: '!a/**' excludes files, which no binding does; '../b/*' lies outside the code repository; '/c/*' lies outside the code repository; the pattern 'd/[e' cannot be read: a bracket or brace is left open; 'f/+(g|h)' is a pattern of a kind that bindings do not have; 'a\\*' is a pattern of a kind that bindings do not have"},
		{"what bindings read otherwise", "copilot-instructions", "x.instructions.md", "---\napplyTo: './a/b.go,c#/*.cs,d:e/*,f%20/*,(g)/**,h.py:10'\n---\nx\n", "a/b.go|c%23/*.cs|d%3Ae/*|f%2520/*|(g)/**|h.py%3A10", "When you change a/b.go, c%23/*.cs, d%3Ae/*, and 3 more", ""},
		{"twice", "copilot-instructions", "x.instructions.md", "---\napplyTo: 'a/*,./a/*'\n---\nx\n", "a/*", "When you change a/*", ""},
		{"too many", "copilot-instructions", "x.instructions.md", "---\napplyTo: '" + folders() + "'\n---\nx\n", strings.Join(strings.Split(folders(), ",")[:about.Most], "|"), "When you change src/0/**, src/1/**, src/2/**, and 47 more", "x.instructions.md: 2 patterns beyond 50 bindings"},
		{"what nobody can read", "cursor-rules", "a.mdc", "---\nglobs: [\n  **/*.ts\n]\n---\nx\n", "", "", "a.mdc: its header cannot be read"},
		{"beside what it says itself", "cursor-rules", "a.mdc", "---\nglobs: src/*\nabout: [\"lib/a.go#L1\"]\n---\nx\n", "lib/a.go#L1|src/*", "When you change src/*", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := read(row.form, []transfer.File{{Rel: row.file, Text: []byte(row.text)}})
			if row.phrase == "" && row.notes == "" {
				if len(b.Items) != 0 || len(b.Left) != 1 {
					t.Errorf("got %d items, %d left out", len(b.Items), len(b.Left))
				}
				return
			}
			if len(b.Items) != 2 || len(b.Left) != 0 {
				t.Fatalf("got %d items, left %v", len(b.Items), b.Left)
			}
			m := vault.ParseText("x.md", b.Items[1].Text)
			if got := strings.Join(m.About, "|"); got != row.code || m.Summary != row.phrase {
				t.Errorf("about %s\nwant  %s\nphrase %q, want %q\n%s", got, row.code, m.Summary, row.phrase, b.Items[1].Text)
			}
			for _, text := range m.About {
				if _, err := about.Parse(text); err != nil {
					t.Errorf("%s is no binding: %v", text, err)
				}
			}
			if got := strings.Join(b.Notes, "\n"); !strings.HasPrefix(got, row.notes) || row.notes == "" && got != "" {
				t.Errorf("notes %s\nwant  %s", got, row.notes)
			}
		})
	}
}
