// Command benchagent has agents' own programs do 20 tasks with a memory, without one, and with a file of
// rules that holds the same facts. "make bench-agent" runs it. It counts the calls of our tools, those
// that were refused, wrong arguments, and the tokens that our texts and answers put into the context. A
// task is judged by the vault's state or by what the agent says.
//
// Without MODEL a model on this machine follows a script (script.go). It may use only what stands in the
// conversation: a text of ours that no longer shows an id, or that no longer names an argument, makes a
// task fail. So it shows what an agent can know and do by our texts; it cannot show whether a model
// would think of it. With MODEL a real model is asked, and what passes between it and the agent is counted.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// options are the command line.
type options struct {
	cp      string // the folder of the programs cp and cp-memory
	clients string // the folder of the agents' programs
	only    *regexp.Regexp
	model   string // a real model; empty for the script
	verbose bool
}

func main() {
	o := options{}
	only := flag.String("only", "", "only the runs whose \"client, setting, task\" match this `regexp`")
	flag.StringVar(&o.cp, "cp", "bin", "the `folder` of cp and cp-memory")
	flag.StringVar(&o.clients, "clients", "bin/clients", "the `folder` in which npm has put the clients")
	flag.StringVar(&o.model, "model", "", "ask this real `model`, with the address and the key in ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY, or OPENAI_…")
	flag.BoolVar(&o.verbose, "v", false, "tell what is said")
	flag.Parse()
	if err := bench(o, *only); err != nil {
		fmt.Fprintln(os.Stderr, "benchagent:", err)
		os.Exit(1)
	}
}

func bench(o options, only string) (err error) {
	if o.only, err = regexp.Compile(only); err != nil {
		return err
	}
	if o.cp, err = filepath.Abs(o.cp); err != nil {
		return err
	}
	if o.clients, err = filepath.Abs(filepath.Join(o.clients, "node_modules", ".bin")); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "benchagent.")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var rows []counted
	for _, c := range clients {
		if _, err := os.Stat(filepath.Join(o.clients, c.program)); err != nil {
			fmt.Printf("NOT RUN: there is no %s in %s; `npm install --prefix bin/clients %s` puts it there\n\n", c.program, o.clients, c.pack)
			continue
		}
		for _, s := range settings {
			r, err := (&place{options: o, client: c, setting: s, dir: filepath.Join(dir, c.name, s.name)}).runAll()
			if err != nil {
				return err
			}
			if r.asked > 0 {
				rows = append(rows, r)
			}
		}
	}
	fmt.Print(report(cmp.Or(o.model, "a script"), rows))
	return nil
}
