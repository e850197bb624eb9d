package passthrough

import (
	"errors"
	"os"
	"slices"

	"github.com/cp-memory/cp/vault/disk/sysfile"
)

func init() {
	takeName(os.Args)
	if exit, ours := pass(os.Args); !ours {
		os.Exit(exit)
	}
}

// driver is the word by which git calls us, with the names of three files that
// are called .merge_file_ and a suffix.
const driver = "merge-driver"

// hidden are the words by which a shell's completion script calls us. No file
// is called so.
var hidden = []string{"__complete", "__completeNoDesc"}

// flags are our flags that the system's cp does not have. One of them behind the word of a
// command makes the line ours even if a file has the command's name.
var flags = []string{"-o", "--output", "--vault", "--project", "--agent", "--config", "--limit", "--all", "--no-input", "--prefix", "--branch", "--fix", "--yes", "--help", "-h"}

// ours reports whether a command line, without the program's name, is ours. Flags of ours
// may stand before the command; the system's cp knows none of them but --debug. A line is
// not ours if it is empty or its first word is no command. If a file has the command's
// name, a word or flag of that command must follow: "cp memory backup" copies memory if it
// is a file. If it is a folder, a line is ours that copies nothing.
func ours(args []string, at func(name string) (there, folder bool)) bool {
	rest, flagged := pastFlags(args)
	if len(rest) == 0 {
		return flagged
	}
	if slices.Contains(hidden, rest[0]) {
		return true
	}
	if rest[0] == driver && len(rest) == 5 && upTo(rest[1], '_') == ".merge" {
		return true // git calls us for a merge, and a file called like the command must not be copied over
	}
	next, known := commands[rest[0]]
	if !known || len(rest) == 1 || flagged {
		return known || flagged
	}
	there, folder := at(rest[0])
	return !there || slices.Contains(next, rest[1]) || slices.Contains(flags, upTo(rest[1], '=')) || folder && copiesNothing(rest[1:], at)
}

// copiesNothing reports whether the system's cp would copy nothing with these words behind a
// folder: without a flag it copies no folder, and each of them but the last is none or a folder.
func copiesNothing(args []string, at func(name string) (there, folder bool)) bool {
	for i, a := range args {
		if a != "" && a[0] == '-' && !slices.Contains(flags, upTo(a, '=')) {
			return false
		}
		if there, folder := at(a); there && !folder && i < len(args)-1 {
			return false
		}
	}
	return true
}

// pastFlags returns what follows the flags of ours with which a line begins, and whether
// one of them is unknown to the system's cp.
func pastFlags(args []string) (rest []string, flagged bool) {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		name := upTo(args[0], '=')
		valued, ours := globals[name]
		switch {
		case !ours && name[:2] == "-o": // and its value
			valued, ours = false, true
		case !ours:
			return args, flagged
		case len(name) < len(args[0]): // the value stands behind the =
			valued = false
		}
		flagged = flagged || name != "--debug"
		args = args[1:]
		if valued && len(args) > 0 {
			args = args[1:]
		}
	}
	return args, flagged
}

// exists reports whether there is something of that name, a dangling link included, and
// whether it is a folder.
func exists(name string) (there, folder bool) {
	info, err := os.Lstat(name)
	return err == nil, err == nil && info.IsDir()
}

// upTo returns s up to the first c, or all of it.
func upTo(s string, c byte) string {
	for i := range len(s) {
		if s[i] == c {
			return s[:i]
		}
	}
	return s
}

// lastPart returns the part of path behind the last slash.
func lastPart(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}

// passed marks the environment of the program that we became. If we see it ourselves, that
// program was a script that called us again.
const passed = "CP_PASSED"

// calledAs is where the environment says under which name a shell's alias calls us: "cp" has the
// meaning that it has on a PATH, also where the file is called cp-memory. What we start does
// not see it.
const calledAs = "CP_CALLED_AS"

// takeName gives the command line the name that the environment says.
func takeName(argv []string) {
	if len(argv) > 0 && os.Getenv(calledAs) == "cp" {
		argv[0] = "cp"
		os.Unsetenv(calledAs)
	}
}

// pass becomes the system's cp when the command line is not ours, and
// otherwise returns. It returns an exit code when it has to and cannot.
func pass(argv []string) (exit int, mine bool) {
	if len(argv) == 0 || lastPart(argv[0]) != "cp" || ours(argv[1:], exists) {
		return 0, true
	}
	path, err := systemCp(os.Getenv("PATH"), os.Getenv(passed) != "")
	if err != nil {
		os.Stderr.WriteString("cp: " + err.Error() + "\n")
		return 127, false
	}
	err = sysfile.Become(path, argv, passed+"=1")
	os.Stderr.WriteString("cp: cannot run " + path + ": " + err.Error() + "\n")
	return 126, false
}

var errNoCp = errors.New("there is no other cp on the PATH; this one is the memory tool, see: cp help")

// System returns the cp that a command line which is not ours is handed to.
func System() (path string, err error) { return systemCp(os.Getenv("PATH"), false) }

// systemCp returns the next cp on the PATH that is not this program: the first one behind
// our own place there, so that two copies of us do not call each other, else the first one
// before it. again says that such a cp called us; then only the usual places count. Relative
// folders on the PATH are skipped.
func systemCp(path string, again bool) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	me, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	if again {
		path = "/usr/bin:/bin"
	}
	var before, behind string
	seen := false
	for path != "" && behind == "" {
		dir := upTo(path, ':')
		path = path[min(len(dir)+1, len(path)):]
		name := dir + "/cp"
		info, err := os.Stat(name)
		switch {
		case dir == "" || dir[0] != '/' || err != nil || !info.Mode().IsRegular() || sysfile.CanRun(name) != nil:
		case os.SameFile(info, me):
			seen = true
		case seen:
			behind = name
		case before == "":
			before = name
		}
	}
	switch {
	case behind != "":
		return behind, nil
	case before != "":
		return before, nil
	}
	return "", errNoCp
}
