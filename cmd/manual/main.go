// Command manual writes what a release holds beside the program: its man pages, in section 1 one for
// each command and in section 7 one for each topic of the help, the completions of four shells, and its
// entries in places where servers and plugins are found. It is no part of the program.
//
//	go run ./cmd/manual -version v0.1.0 DIR
//
// makes DIR/man/man1, DIR/man/man7, DIR/completions and DIR/registry. The date in the pages is
// SOURCE_DATE_EPOCH, or today.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/cli"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/vault/disk"
)

// program is the name that packages give it.
const program = "cp-memory"

func main() {
	version := flag.String("version", "dev", "the `version` that the pages name")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: go run ./cmd/manual [-version v0.1.0] DIR")
		os.Exit(2)
	}
	if err := writeAll(flag.Arg(0), *version); err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(1)
	}
}

// writeAll writes all files into the folder; those that are there are replaced.
func writeAll(dir, version string) error {
	pages, err := listPages("cp memory " + version)
	if err != nil {
		return err
	}
	scripts, err := listCompletions()
	if err != nil {
		return err
	}
	entries, err := listRegistry(version)
	if err != nil {
		return err
	}
	maps.Copy(pages, scripts)
	maps.Copy(pages, entries)
	for name, text := range pages {
		path := filepath.Join(dir, name)
		if err := disk.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := disk.Replace(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// commands is the tree of commands as it is under the program's second name. It prints to out.
func commands(out *bytes.Buffer) *cobra.Command {
	a := &app.App{Name: program, Dir: "/", Env: func(string) string { return "" }, Now: time.Now}
	return cli.Root(a, console.Streams{In: new(bytes.Buffer), Out: out, Err: out})
}

// completions are the files of the shells, by the names under which these look for them.
var completions = map[string]string{"bash": program, "zsh": "_" + program, "fish": program + ".fish", "powershell": program + ".ps1"}

// listCompletions has the program print its own.
func listCompletions() (map[string][]byte, error) {
	all := map[string][]byte{}
	for shell, name := range completions {
		var out bytes.Buffer
		root := commands(&out)
		root.SetArgs([]string{"completion", shell})
		if err := root.Execute(); err != nil {
			return nil, err
		}
		all[filepath.Join("completions", shell, name)] = out.Bytes()
	}
	return all, nil
}
