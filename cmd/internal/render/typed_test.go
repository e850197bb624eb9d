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
		{"cp-memory", "run `cp memory sync` (cp init)", "run `cp-memory sync` (cp-memory init)"},
		{"cp-memory", "cp help x\n  cp memory list\n  cp memory <id>, `cp memory --help`", "cp-memory help x\n  cp-memory list\n  cp-memory memory <id>, `cp-memory memory --help`"},
		{"/opt/x/cp-memory", "cp memory show x; cp memory", "/opt/x/cp-memory show x; /opt/x/cp-memory memory"},
		{"cp-memory2", "cp memory show x", "cp-memory2 memory show x"},
	} {
		if got := RenameCommands(test.name, test.text); got != test.want {
			t.Errorf("%s: %q: got %q, want %q", test.name, test.text, got, test.want)
		}
	}
}
