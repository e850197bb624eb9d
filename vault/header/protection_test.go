package header_test

import (
	"testing"

	"github.com/cp-memory/cp/vault/header"
)

// A header protects a memory in each way that YAML has for it, and where nobody can say what it
// means; it then says so.
func TestWhatProtects(t *testing.T) {
	for text, want := range map[string]struct {
		protection string
		told       bool
	}{
		"title: A\n":                            {"", false},
		"protected: true\n":                     {header.Protected, false},
		"protected: True # ours\n":              {header.Protected, false},
		"protected: \"yes\"\n":                  {header.Protected, false},
		"protected: append\n":                   {header.AppendOnly, false},
		"protected: 'APPEND'\n":                 {header.AppendOnly, false},
		"protected: false\n":                    {"", false},
		"protected: off\n":                      {"", false},
		"protected: maybe\n":                    {header.Protected, true},
		"protected:\n":                          {header.Protected, true},
		"protected: null\n":                     {header.Protected, true},
		"protected: [a, b]\n":                   {header.Protected, true},
		"protected: {from: agents}\n":           {header.Protected, true},
		"protected: append-only\n":              {header.Protected, true},
		"read_only: true\n":                     {header.Protected, false},
		"read_only: false\n":                    {"", false},
		"read_only: some day\n":                 {header.Protected, true},
		"read_only: true\nprotected: false\n":   {"", false},
		"read_only: false\nprotected: append\n": {header.AppendOnly, false},
		"title: [a\nprotected: true\n":          {header.Protected, false},
		"title: [a\nprotected: append # mine\n": {header.AppendOnly, false},
		"title: [a\nread_only: \"true\"\n":      {header.Protected, false},
		"title: [a\nprotected: false\n":         {"", false},
		"protected: true\nprotected: false\n":   {header.Protected, false},
		"<<<<<<< ours\nprotected: false\n=======\nprotected: append\n>>>>>>> theirs\n": {header.AppendOnly, false},
	} {
		h, _ := header.Split([]byte("---\n" + text + "---\nText.\n"))
		protection, wrong, line := header.ProtectionOf(h)
		if protection != want.protection || (wrong != "") != want.told || (line > 0) != want.told {
			t.Errorf("%q: got %q, %q in line %d, want %q, told %t", text, protection, wrong, line, want.protection, want.told)
		}
		if v, _ := read(text); v.Protected != want.protection {
			t.Errorf("%q: read as %q, want %q", text, v.Protected, want.protection)
		}
	}
}
