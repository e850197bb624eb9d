// Command testlog turns the events of go test -json into what a person wants to see: each
// package when it begins and when it is done, each long test by its name, of what fails all
// that it printed, and once a minute what still runs.
//
//	go test -json ./... | testlog
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// event is a line of go test -json: see "go doc test2json".
type event struct{ Action, Package, Test, Output string }

// long is the package whose tests are named when they begin: they run the program.
const long = "/cmd/cp"

// quiet is how long nothing may be said.
const quiet = time.Minute

func main() {
	events := make(chan event)
	go read(os.Stdin, events)
	l := &log{out: os.Stdout, said: make(map[string]*strings.Builder), runs: make(map[string]time.Time)}
	tick := time.NewTimer(quiet)
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return
			}
			if l.add(e, time.Now()) {
				tick.Reset(quiet)
			}
		case now := <-tick.C:
			l.still(now)
			tick.Reset(quiet)
		}
	}
}

// read sends the events of in. A line that is none is one of go's own.
func read(in io.Reader, events chan<- event) {
	defer close(events)
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		var e event
		if json.Unmarshal([]byte(line), &e) != nil {
			e = event{Action: "build-output", Output: line}
		}
		if line != "" {
			events <- e
		}
		if err != nil {
			return
		}
	}
}

type log struct {
	out     io.Writer
	said    map[string]*strings.Builder // by test
	runs    map[string]time.Time        // since when
	stories int                         // done
}

// add notes an event, and reports whether something was said.
func (l *log) add(e event, now time.Time) bool {
	key := e.Package + " " + e.Test
	switch {
	case e.Action == "start":
		return l.say("begins %s\n", e.Package)
	case e.Action == "run":
		l.said[key], l.runs[key] = new(strings.Builder), now
		return strings.HasSuffix(e.Package, long) && !strings.Contains(e.Test, "/") && l.say("  runs %s\n", e.Test)
	case e.Action == "output" && l.said[key] != nil:
		l.said[key].WriteString(e.Output)
	case e.Action == "output" && e.Output != "PASS\n", e.Action == "build-output":
		return l.say("%s", e.Output)
	case l.said[key] != nil && slices.Contains([]string{"pass", "skip", "fail"}, e.Action):
		text := l.said[key].String()
		delete(l.said, key)
		delete(l.runs, key)
		if e.Action != "pass" && !strings.Contains(text, "only in make ") {
			return l.say("%s", text)
		}
		return strings.HasPrefix(e.Test, "TestScript/") && l.story()
	}
	return false
}

// story counts one that is done.
func (l *log) story() bool {
	l.stories++
	return l.stories%20 == 0 && l.say("  %d stories are done\n", l.stories)
}

func (l *log) say(format string, args ...any) bool {
	fmt.Fprintf(l.out, format, args...)
	return true
}

// still names what has run longest.
func (l *log) still(now time.Time) {
	keys := make([]string, 0, len(l.runs))
	for key := range l.runs {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int { return l.runs[a].Compare(l.runs[b]) })
	for _, key := range keys[:min(len(keys), 3)] {
		l.say("  still runs: %s, %.0f s\n", key, now.Sub(l.runs[key]).Seconds())
	}
	if len(keys) == 0 {
		l.say("  still compiles\n")
	}
}
