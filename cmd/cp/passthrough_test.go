package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// Each row does the same with the system's cp, by its full path, and with ours
// in front of it; folders, output and exit code have to be the same.
func TestTheSystemsCpIsAsItWas(t *testing.T) {
	testlevel.Check(t)
	system, err := exec.LookPath("cp")
	if err != nil {
		t.Skip("no cp on the PATH")
	}
	files := map[string]string{"a": "text", "b": "more", "d/x": "1", "d/e/y": "2", "with space": "s", "memory/m.md": "# m", "status": "file", "-dash": "dash", "help": "h", "old": "old"}
	rows := []struct{ name, line string }{
		{"a file", "CP a c"},
		{"a name with a space", "CP 'with space' 'another one'"},
		{"into a folder", "CP a d"},
		{"several", "CP a b 'with space' d"},
		{"-a", "CP -a d copy"},
		{"-r", "CP -r d copy"},
		{"-R with a slash", "CP -R d/ copy/"},
		{"-v says the same", "CP -v a c"},
		{"-t", "CP -t d a b"},
		{"-n", "CP -n a old"},
		{"-f over a read-only file", "chmod 400 old; CP -f a old"},
		{"-p keeps the time", "touch -d 2020-01-01 a; CP -p a c; stat -c %Y c"},
		{"-- and a dash", "CP -- -dash c"},
		{"-s", "CP -s \"$PWD/a\" link"},
		{"-l", "CP -l a hard; stat -c %h a"},
		{"-i with an answer", "echo n | CP -i a old"},
		{"from stdin", "echo piped | CP /dev/stdin c"},
		{"a missing file", "CP nothing c"},
		{"a folder without -r", "CP d copy"},
		{"no arguments", "CP"},
		{"one argument", "CP a"},
		{"--help", "CP --help"},
		{"--version", "CP --version"},
		{"an unknown option", "CP --nonsense a c"},
		{"a folder named like a command", "CP -r memory backup"},
		{"and the flag behind it", "CP memory -r backup"},
		{"a flag behind a word like one of ours", "CP memory lst -r"},
		{"a folder named like a command, and a file", "mkdir dst; CP memory a dst"},
		{"a file named like a command, to a name like one of its words", "rm -r memory; echo x >memory; CP memory lst"},
		{"a flag that both have", "CP --debug a c"},
		{"a file named like a command", "CP status copy"},
		{"two files named like commands", "CP status help d"},
		{"a path to a name like a command", "CP ./status ./help d"},
		{"as xargs calls it", "ls a b | xargs -I{} CP {} d"},
		{"in find", "find . -name 'm.md' -exec CP {} found ';'"},
	}
	ours := build(t, "cp")
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			want, got := ours.in(t, files), ours.in(t, files)
			theirs := want.sh(strings.ReplaceAll(row.line, "CP", system))
			through := got.sh(strings.ReplaceAll(row.line, "CP", "cp"))
			fix := strings.NewReplacer(system, "cp", want.dir, "DIR", got.dir, "DIR")
			theirs.out, theirs.err = fix.Replace(theirs.out), fix.Replace(theirs.err)
			through.out, through.err = fix.Replace(through.out), fix.Replace(through.err)
			if theirs != through {
				t.Errorf("got %+v\nwant %+v", through, theirs)
			}
			const list = `find . -printf '%P %y %m %l\n' | sort; find . -type f -exec md5sum {} + | sort`
			if a, b := fix.Replace(want.must(list)), fix.Replace(got.must(list)); a != b {
				t.Errorf("the folders differ; got\n%s\nwant\n%s", b, a)
			}
		})
	}
}

// What is ours stays ours, whatever files lie about.
func TestOurOwnCommandsAreOurs(t *testing.T) {
	p := build(t, "cp")
	for _, line := range []string{
		"cp version", "cp help", "cp help format", "cp memory", "cp memory --help", "cp memory list --help", "cp status --help",
		"cp version -o json", "cp init --help", "cp -o json version", "cp -ojson --vault x version", "cp --agent=a help format", "cp --debug --limit 3 version", "cp --no-input memory", "cp completion bash", "cp __complete memory ''",
	} {
		for name, files := range map[string]map[string]string{
			"in an empty folder": nil,
			"among files of the same names": {
				"memory/x.md": "", "version": "1", "help": "", "status": "", "init": "", "completion": "", "__complete": "",
			},
		} {
			t.Run(line+" "+name, func(t *testing.T) {
				if r := p.in(t, files).sh(line); r.exit != 0 || r.out == "" || strings.Contains(r.out, "GNU coreutils") {
					t.Errorf("exit %d\n%s\n%s", r.exit, r.out, r.err)
				}
			})
		}
	}
}

// A line that could copy nothing is ours, whatever it says: the system's cp copies no folder
// without a flag. What the word means in other programs is suggested, and how a folder is copied.
func TestALineThatCopiesNothingIsOurs(t *testing.T) {
	p := build(t, "cp").in(t, map[string]string{"memory/x.md": "", "dst/y": ""})
	for line, hint := range map[string]string{
		"ls": "did you mean `cp memory list` or `cp memory tree`?", "get X": "`cp memory show`", "rm X": "`cp memory delete`", "new x": "`cp memory add`",
		"find x": "`cp memory search` or `cp memory recall`", "view": "`cp memory show`", "write": "`cp memory add` or `cp memory update`", "remove": "`cp memory delete`",
		"forget": "`cp memory delete`", "create": "`cp memory add`", "query": "`cp memory recall`",
		"backup": "cp -r memory", "dst": "cp -r memory", "nothing dst": "cp -r memory",
	} {
		if r := p.sh("cp memory " + line); r.exit != 1 || !strings.Contains(r.err, "unknown command") || !strings.Contains(r.err, hint) {
			t.Errorf("%s: got %+v", line, r)
		}
	}
	if got := p.must("ls dst"); strings.TrimSpace(got) != "y" {
		t.Errorf("something was copied: %s", got)
	}
}

// A word of ours in a wrong spelling is no file to copy a folder to.
func TestAMistypedCommandIsOurs(t *testing.T) {
	p := build(t, "cp").in(t, map[string]string{"memory/x.md": ""})
	for _, line := range []string{"cp memory lst", "cp memory lst -o json", "cp memory lst x y"} {
		if r := p.sh(line); r.exit != 1 || !strings.Contains(r.err, "did you mean `cp memory list`?") {
			t.Errorf("%s: got %+v", line, r)
		}
	}
}

// Under a name of its own it hands nothing over: there is no cp to stand before.
func TestUnderAnotherNameAnUnknownWordIsAnError(t *testing.T) {
	p := build(t, "cpm").in(t, map[string]string{"a": "text"})
	if r := p.sh("cpm a b"); r.exit != 1 || !strings.Contains(r.err, "unknown command") || p.has("b") {
		t.Errorf("got %+v", r)
	}
	if r := p.sh("cpm version"); r.exit != 0 || !strings.HasPrefix(r.out, "cp version ") {
		t.Errorf("got %+v", r)
	}
}

// What is printed to be typed has the name that was typed.
func TestItsHintsUseTheNameItWasCalledBy(t *testing.T) {
	p := build(t, "cpm").in(t, nil)
	if out := p.must("cpm init"); !strings.Contains(out, "Next: cpm memory ") {
		t.Errorf("init: %s", out)
	}
	for line, want := range map[string]string{
		"cpm memory show nothing-here":                     "hint: `cpm memory list` and `cpm memory search` show the ids",
		"cpm memory show nothing-here -o json":             "`cpm memory list`",
		"cpm memory lst":                                   "did you mean `cpm memory list`?",
		"cpm memory list --bogus":                          "see `cpm memory list --help`",
		"cpm help format":                                  "cpm ",
		"cpm memory add --help":                            "\n  cpm memory add --title",
		"cpm help":                                         "Topics (cpm help <topic>)",
		"cpm memory prime":                                 "Note something: cpm memory add",
		"cpm completion bash":                              "__start_cpm",
		p.bin + "/cpm memory lst":                          "did you mean `cpm memory list`?",
		"PATH=/usr/bin:/bin; " + p.bin + "/cpm memory lst": "did you mean `" + p.bin + "/cpm memory list`?",
	} {
		if r := p.sh(line); !strings.Contains(r.out+r.err, want) || strings.Contains(r.out+r.err, "`cp memory") {
			t.Errorf("%s: got\n%s\n%s\nwant %s", line, r.out, r.err, want)
		}
	}
}

func TestWithoutAnotherCpThereIsOneClearLine(t *testing.T) {
	p := build(t, "cp").in(t, map[string]string{"a": "text"})
	r := p.sh("PATH=" + p.bin + "; cp a b")
	if r.exit != 127 || r.err != "cp: there is no other cp on the PATH; this one is the memory tool, see: cp help" {
		t.Errorf("got %+v", r)
	}
}

// Two copies of us, a link to us, ourselves twice and a script that calls us
// do not run in circles.
func TestCopiesOfUsDoNotCallEachOther(t *testing.T) {
	base := build(t, "cp")
	for name, setup := range map[string]string{
		"a second copy":          "/bin/cp BIN/cp two/cp; PATH=$PWD/two:$PATH",
		"a second copy, behind":  "/bin/cp BIN/cp two/cp; PATH=BIN:$PWD/two:/usr/bin:/bin",
		"a link":                 "ln -s BIN/cp two/cp; PATH=$PWD/two:$PATH",
		"a hard link":            "/bin/cp BIN/cp one; ln one two/cp; PATH=$PWD/two:$PATH",
		"ourselves at both ends": "PATH=BIN:/usr/bin:/bin:BIN",
		"copies in turn":         "/bin/cp BIN/cp two/cp; PATH=$PWD/two:BIN:$PWD/two:/usr/bin:/bin",
		"a script":               `printf '#!/bin/sh\nexec BIN/cp "$@"\n' >two/cp; chmod +x two/cp; PATH=$PWD/two:/usr/bin:/bin`,
		"behind the system's":    "PATH=/usr/bin:/bin:BIN; cp() { BIN/cp \"$@\"; }",
		"a folder named cp":      "mkdir two/cp; PATH=BIN:$PWD/two:/usr/bin:/bin",
		"a file not executable":  "echo >two/cp; PATH=BIN:$PWD/two:/usr/bin:/bin",
		"a relative folder":      "printf '#!/bin/sh\necho hijacked\n' >two/cp; chmod +x two/cp; PATH=BIN:two:.:/usr/bin:/bin",
	} {
		t.Run(name, func(t *testing.T) {
			p := base.in(t, map[string]string{"a": "text", "two/keep": ""})
			r := p.sh(strings.ReplaceAll(setup, "BIN", p.bin) + "; timeout 10 true; cp a b")
			if r.exit != 0 || r.out != "" || !p.has("b") || p.read("b") != "text" {
				t.Errorf("got %+v", r)
			}
		})
	}
}

// The words of the pass-through are those of the command line.
func TestTheListOfCommandsIsComplete(t *testing.T) {
	p := build(t, "cp").in(t, nil)
	words := func(line string) []string {
		var names []string
		for row := range strings.Lines(p.must(line)) {
			if name, _, described := strings.Cut(row, "\t"); described {
				names = append(names, name)
			}
		}
		return names
	}
	for _, top := range words("cp __complete ''") {
		if top == "setup" {
			continue // its words are agents: with a file of that name it copies that
		}
		p.write(top, "a file of that name")
		for _, sub := range words("cp __complete " + top + " ''") {
			if r := p.sh("cp " + top + " " + sub + " --help"); r.exit != 0 || !strings.Contains(r.out, "cp "+top) {
				t.Errorf("cp %s %s goes to the system's cp where there is a file %s", top, sub, top)
			}
		}
		if err := os.Remove(filepath.Join(p.dir, top)); err != nil {
			t.Fatal(err)
		}
	}
}
