package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"
)

// spin keeps a processor busy until its input ends.
func spin([]string) error {
	var ended atomic.Bool
	failed := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, os.Stdin)
		failed <- err
		ended.Store(true)
	}()
	for !ended.Load() {
	}
	return <-failed
}

// crowded runs fn beside three busy processes for each processor.
func (c *corpus) crowded(fn func() (cost, error)) (cost, error) {
	for range 3 * runtime.NumCPU() {
		p := exec.Command(c.self, "spin")
		in, err := p.StdinPipe()
		if err != nil {
			return cost{}, err
		}
		if err := p.Start(); err != nil {
			return cost{}, err
		}
		defer func() { _ = in.Close(); _ = p.Wait() }()
	}
	return fn()
}

// hook is a hook as an agent runs it, with what a user's settings can switch on.
func (c *corpus) hook(event, input string) command {
	h := in(c.dir, c.options.cp, "memory", "hook", event, "--agent", "claude-code", "--config", filepath.Join(c.bencher.dir, "hooks.yaml"))
	h.in = input
	return h
}

// settings writes the user's settings for the hooks.
func (c *corpus) settings() error {
	return os.WriteFile(filepath.Join(c.bencher.dir, "hooks.yaml"), []byte("hooks: {prompt: true}\nauto_capture: true\n"), 0o666)
}

// made waits for the index that a hook has left to the background.
func (c *corpus) made() error {
	for from := time.Now(); time.Since(from) < readiness; time.Sleep(50 * time.Millisecond) {
		_, building := os.Stat(c.index() + ".next")
		if info, err := os.Stat(c.index()); err == nil && building != nil && info.Size() > c.texts/2 {
			return nil
		}
	}
	return fmt.Errorf("no index after %v", readiness)
}

// hooks are the rows of the agents' hooks: an agent waits for them a second at the most, whatever
// else the machine does and whatever state the index is in.
func (c *corpus) hooks() []row {
	const second = time.Second
	start := c.hook("start", `{"session_id":"s","source":"startup"}`)
	prompt := c.hook("prompt", `{"session_id":"s","prompt":"why does the `+markTenth+` of `+markPercent+` restart with `+markPermille+`"}`)
	end := c.hook("end", `{"session_id":"s","last_assistant_message":"The gateway restarts last."}`)
	rows := []row{
		{what: "hook start, watcher live", watch: true, goals: []goal{within(100 * time.Millisecond)}, product: each(start)},
		{what: "hook start, no watcher", goals: []goal{within(second)}, product: each(start)},
		{what: "hook prompt, watcher live", watch: true, goals: []goal{within(second)}, product: each(prompt)},
		{what: "hook prompt, no watcher", goals: []goal{within(second)}, product: each(prompt)},
		{what: "hook end, no watcher", goals: []goal{within(second)}, product: each(end)},
		{what: "hook start beside busy processes", goals: []goal{within(second)}, product: func(int) (cost, error) { return c.crowded(start.run) }},
		{what: "hook prompt beside busy processes", goals: []goal{within(second)}, product: func(int) (cost, error) { return c.crowded(prompt.run) }},
		{what: "hook start without an index", goals: []goal{within(second)}, product: func(int) (cost, error) {
			if err := removeDatabase(c.index()); err != nil {
				return cost{}, err
			}
			took, err := start.run()
			if err != nil {
				return took, err
			}
			return took, c.made()
		}},
	}
	for i := range rows {
		rows[i].needs, rows[i].rounds, rows[i].floor, rows[i].lower, rows[i].each = "hook", c.few(), "version", each(c.version()), c.settings
	}
	return rows
}
