package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// cost is what a process, with all it waited for, took.
type cost struct {
	CPU  time.Duration `json:"cpu_ns"` // user and system
	Wall time.Duration `json:"wall_ns"`
	Peak int64         `json:"peak_bytes"` // the largest resident set of any of them
}

func (c cost) plus(d cost) cost {
	return cost{CPU: c.CPU + d.CPU, Wall: c.Wall + d.Wall, Peak: max(c.Peak, d.Peak)}
}

// median takes each figure's median by itself.
func median(all []cost) cost {
	if len(all) == 0 {
		return cost{}
	}
	return cost{
		CPU:  middle(all, func(c cost) int64 { return int64(c.CPU) }, time.Duration(0)),
		Wall: middle(all, func(c cost) int64 { return int64(c.Wall) }, time.Duration(0)),
		Peak: middle(all, func(c cost) int64 { return c.Peak }, int64(0)),
	}
}

func middle[T ~int64](all []cost, of func(cost) int64, _ T) T {
	values := make([]int64, len(all))
	for i, c := range all {
		values[i] = of(c)
	}
	slices.Sort(values)
	n := len(values)
	return T((values[(n-1)/2] + values[n/2]) / 2)
}

// command is one process to measure.
type command struct {
	dir  string
	argv []string
	in   string // its standard input
	env  []string
}

// in returns a command in dir.
func in(dir string, argv ...string) command { return command{dir: dir, argv: argv} }

// start begins the process; its output goes nowhere.
func (c command) start() (running *exec.Cmd, said *bytes.Buffer, err error) {
	p := exec.Command(c.argv[0], c.argv[1:]...)
	said = &bytes.Buffer{}
	p.Dir, p.Env, p.Stderr = c.dir, append(environment(), c.env...), said
	if c.in != "" {
		p.Stdin = strings.NewReader(c.in)
	}
	return p, said, p.Start()
}

// run waits for the process and returns what it took. That it fails is an error.
func (c command) run() (cost, error) {
	from := time.Now()
	p, said, err := c.start()
	if err == nil {
		err = p.Wait()
	}
	wall := time.Since(from)
	if err != nil {
		return cost{}, fmt.Errorf("%s: %w\n%s", strings.Join(c.argv, " "), err, bytes.TrimSpace(said.Bytes()))
	}
	return costOf(p, wall), nil
}

func costOf(p *exec.Cmd, wall time.Duration) cost {
	c := cost{CPU: p.ProcessState.UserTime() + p.ProcessState.SystemTime(), Wall: wall}
	if r, ok := p.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.Peak = int64(r.Maxrss) << 10
	}
	return c
}

// sequence runs commands one after the other and adds up what they took.
func sequence(all ...command) (total cost, err error) {
	for _, c := range all {
		one, err := c.run()
		if err != nil {
			return total, err
		}
		total = total.plus(one)
	}
	return total, nil
}

// together runs lists of commands side by side; the wall clock is that of all.
func together(lists [][]command) (total cost, err error) {
	from := time.Now()
	type outcome struct {
		cost
		err error
	}
	done := make(chan outcome)
	for _, list := range lists {
		go func() {
			c, err := sequence(list...)
			done <- outcome{c, err}
		}()
	}
	for range lists {
		o := <-done
		total = total.plus(o.cost)
		if err == nil {
			err = o.err
		}
	}
	total.Wall = time.Since(from)
	return total, err
}

// environment is the same for every process: no settings of the person, none of git's.
func environment() []string {
	var keep []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "CP_") && name != "HOME" && name != "GODEBUG" {
			keep = append(keep, kv)
		}
	}
	return append(keep, "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
}
