package passthrough

import (
	"errors"
	"os"
	"slices"
	"syscall"
)

func init() {
	if exit, ours := pass(os.Args); !ours {
		os.Exit(exit)
	}
}

// commands are the words that make a command line ours, each with the words
// that may follow it. Some are kept for commands still to come, so that a
// script written for those never copies files.
var commands = map[string][]string{
	"init":       nil,
	"status":     nil,
	"version":    nil,
	"doctor":     nil,
	"completion": {"bash", "zsh", "fish", "powershell"},
	"help":       {"format", "files", "exit-codes", "json", "agents", "merging", "finding", "generation", "teams", "branches", "vectors", "memory", "shard", "recall", "admin", "init", "status", "version", "doctor", "completion"},
	"memory": {"add", "add-sub", "show", "tree", "list", "search", "edit", "update", "path", "move", "promote", "delete", "sync", "hot", "resolve", "defer", "supersede", "import", "export",
		"prime", "guide", "recall", "context", "batch", "watch", "summarize", "supersede", "log", "changes", "diff", "blame", "restore", "undo", "pull", "push", "help"},
	"shard":        {"show", "list", "edges", "help"},
	"recall":       nil,
	"admin":        {"embed-backfill", "help"},
	"merge-driver": nil,
}

// driver is the word by which git calls us, with the names of three files that
// are called .merge_file_ and a suffix.
const driver = "merge-driver"

// hidden are the words by which a shell's completion script calls us. No file
// is called so.
var hidden = []string{"__complete", "__completeNoDesc"}

// flags are our flags that the system's cp does not have. One of them behind the word of a
// command makes the line ours even if a file has the command's name.
var flags = []string{"-o", "--output", "--vault", "--project", "--agent", "--config", "--limit", "--no-input", "--prefix", "--branch", "--fix", "--yes", "--help", "-h"}

// ours reports whether a command line, without the program's name, is ours. It is not if it
// is empty or starts with a flag or with a word that is no command. If a file has the
// command's name, a word or flag of that command must follow: "cp memory backup" copies
// the folder memory if there is one.
func ours(args []string, exists func(name string) bool) bool {
	if len(args) == 0 {
		return false
	}
	if slices.Contains(hidden, args[0]) {
		return true
	}
	if args[0] == driver && len(args) == 5 && upTo(args[1], '_') == ".merge" {
		return true // git calls us for a merge, and a file called like the command must not be copied over
	}
	next, known := commands[args[0]]
	if !known || len(args) == 1 {
		return known
	}
	return slices.Contains(next, args[1]) || slices.Contains(flags, upTo(args[1], '=')) || !exists(args[0])
}

// exists reports whether there is something of that name, a dangling link included.
func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
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

// base returns the part of path behind the last slash.
func base(path string) string {
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

// pass becomes the system's cp when the command line is not ours, and
// otherwise returns. It returns an exit code when it has to and cannot.
func pass(argv []string) (exit int, mine bool) {
	if len(argv) == 0 || base(argv[0]) != "cp" || ours(argv[1:], exists) {
		return 0, true
	}
	path, err := systemCp(os.Getenv("PATH"), os.Getenv(passed) != "")
	if err != nil {
		os.Stderr.WriteString("cp: " + err.Error() + "\n")
		return 127, false
	}
	err = syscall.Exec(path, argv, append(os.Environ(), passed+"=1"))
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
		case dir == "" || dir[0] != '/' || err != nil || !info.Mode().IsRegular() || syscall.Access(name, executable) != nil:
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

// executable is X_OK of access(2).
const executable = 1
