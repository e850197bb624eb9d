package prose

import (
	"strings"
	"testing"
)

func TestTorn(t *testing.T) {
	for text, want := range map[string]string{
		"Plain.\n\n- a\n- b\n":                                    "",
		"A regular expression: `a\\nb` and `c\\n`\nis":            "",
		`One \n alone.`:                                           "",
		`## Steps\n\n1. one\n2. two`:                              `\n written out`,
		"Real text.</body>":                                       "ends in </body>",
		"Real text.</body>\n":                                     "ends in </body>",
		"<body>All of it</body>":                                  "",
		"Press <kbd>Ctrl</kbd>":                                   "",
		"Text.</body>\n<parameter name=\"summary\">When it leaks": `<parameter name=`,
		"Text.\n</invoke>\n":                                      "holds </invoke>",
		"A parameter of <T>":                                      "",
		"":                                                        "",
	} {
		got := strings.Join(Torn(text), "; ")
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
