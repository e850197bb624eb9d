package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// has reports whether the build has a memory command of that name.
func (c *corpus) has(name string) bool {
	_, err := in(c.dir, c.options.cp, "help", "memory", name).run()
	return err == nil
}

// readiness bounds how long a watcher may take for its first look.
const readiness = 2 * time.Minute

// silence is how long readers leave a watcher alone that did not answer at once, as a new one of
// a large vault does not when it is first asked.
const silence = 4 * time.Second

// watch starts a watcher of the corpus and waits until it answers; stop is nil
// where the build has none.
func (c *corpus) watch() (stop func(), err error) {
	if !c.has("watch") {
		return nil, nil
	}
	running, said, err := c.cp("watch").start()
	if err != nil {
		return nil, err
	}
	stop = func() {
		_ = running.Process.Signal(os.Interrupt)
		_ = running.Wait() // it ends by the signal
	}
	for from := time.Now(); time.Since(from) < readiness; time.Sleep(50 * time.Millisecond) {
		live, err := c.watched()
		if err != nil {
			stop()
			return nil, err
		}
		if live {
			_, err := c.cp("list", "--limit", "1").run()
			time.Sleep(silence)
			return stop, err
		}
	}
	stop()
	return nil, fmt.Errorf("no watcher after %v: %s", readiness, bytes.TrimSpace(said.Bytes()))
}

// watched reports whether the program knows of a watcher.
func (c *corpus) watched() (bool, error) {
	status := exec.Command(c.options.cp, "status", "-o", "json")
	status.Dir, status.Env = c.dir, environment()
	out, err := status.Output()
	var answer struct {
		Watcher *json.RawMessage `json:"watcher"`
	}
	if err := errors.Join(err, json.Unmarshal(out, &answer)); err != nil {
		return false, err
	}
	return answer.Watcher != nil, nil
}
