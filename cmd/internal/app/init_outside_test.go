package app

import "testing"

// A line is added to a person's settings, and everything else in them stays; a form in
// which it cannot be added is left as it is.
func TestWithVault(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"nothing", "", "vaults:\n  /code: /mem\n"},
		{"other keys", "# mine\nagent: bob # me", "# mine\nagent: bob # me\nvaults:\n  /code: /mem\n"},
		{"another folder", "vaults:\n  /a: /b\nagent: bob\n", "vaults:\n  /code: /mem\n  /a: /b\nagent: bob\n"},
		{"its own indentation", "vaults:\n    /a: /b\n", "vaults:\n    /code: /mem\n    /a: /b\n"},
		{"an empty section", "vaults:\nagent: bob\n", "vaults:\n  /code: /mem\nagent: bob\n"},
		{"the folder again", "vaults:\n  /code: /old\n  /a: /b\n", "vaults:\n  /code: /mem\n  /a: /b\n"},
		{"a comment first", "vaults:\n  # which is whose\n  /a: /b\n", "vaults:\n  /code: /mem\n  # which is whose\n  /a: /b\n"},
		{"the folder by its quoted name", "vaults:\n  '/code': /old\n", "vaults:\n  '/code': /mem\n"},
		{"the folder by another name", "vaults:\n  ~/code: /old\n", "vaults:\n  ~/code: /mem\n"},
		{"the folder by two names", "vaults:\n  ~/code: /old\n  /code: /older\n", "vaults:\n  ~/code: /mem\n  /code: /mem\n"},
		{"a comment on its line", "vaults: # whose\n  /é: /b\n  /code: \"/o#d\"  # for work\n  /c: /d # e\n", "vaults: # whose\n  /é: /b\n  /code: /mem  # for work\n  /c: /d # e\n"},
		{"a folder without a value", "vaults:\n  /code:\n  /a: /b\n", ""},
		{"lines of another system", "agent: bob\r\nvaults:\r\n  /a: /b\r\n  /code: /old # x\r\n", "agent: bob\r\nvaults:\r\n  /a: /b\r\n  /code: /mem # x\r\n"},
		{"a new line among such", "vaults:\r\n  /a: /b\r\nagent: bob", "vaults:\r\n  /code: /mem\r\n  /a: /b\r\nagent: bob\r\n"},
		{"a new section among such", "agent: bob\r\n", "agent: bob\r\nvaults:\r\n  /code: /mem\r\n"},
		{"a value on two lines", "vaults:\n  /code: >-\n    /old\n", ""},
		{"a second document", "agent: bob\n---\nagent: eve\n", ""},
		{"a flow", "vaults: {/a: /b}\n", ""},
		{"no map", "vaults: [a]\n", ""},
		{"no YAML", "vaults: {\n", ""},
	} {
		got, ok := withVault(row.text, "/code", "/mem", func(key string) bool { return key == "/code" || key == "~/code" })
		if ok != (row.want != "") || ok && got != row.want {
			t.Errorf("%s: got %v, %q; want %q", row.name, ok, got, row.want)
		}
	}
}
