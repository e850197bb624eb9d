package render

import "testing"

func TestTyped(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"", "run `cp memory sync`", "run `cp memory sync`"},
		{"cp", "run `cp memory sync`", "run `cp memory sync`"},
		{"cpm", "run `cp memory sync` (cp init)", "run `cpm memory sync` (cpm init)"},
		{"cpm", "cp help x\n  cp memory list\n", "cpm help x\n  cpm memory list\n"},
		{"$1/cp", "Next: cp memory sync", "Next: $1/cp memory sync"},
		{"cpm", "cp cp x, scp host\ncp x 'cp y' cp", "cpm cp x, scp host\ncpm x 'cpm y' cp"},
		{"cpm", "the system's cp, a scp host, cp -a x y", "the system's cp, a scp host, cp -a x y"},
	} {
		if got := Typed(test.name, test.text); got != test.want {
			t.Errorf("%s: %q: got %q, want %q", test.name, test.text, got, test.want)
		}
	}
}
