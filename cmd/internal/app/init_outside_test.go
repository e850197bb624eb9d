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
		{"a flow", "vaults: {/a: /b}\n", ""},
		{"no map", "vaults: [a]\n", ""},
		{"no YAML", "vaults: {\n", ""},
	} {
		got, ok := withVault(row.text, "/code", "/mem")
		if ok != (row.want != "") || ok && got != row.want || !ok && got != row.text {
			t.Errorf("%s: got %v, %q; want %q", row.name, ok, got, row.want)
		}
	}
}
