package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"time"
)

// server is a server for agents that is measured: the product, and its two streams.
type server struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	asked   int
}

// serve starts a server in the corpus and greets it.
func (c *corpus) serve() (*server, error) {
	p := exec.Command(c.options.cp, append(append([]string{"memory"}, c.flags...), "mcp")...)
	p.Dir, p.Env = c.dir, append(environment(), c.env...)
	in, err := p.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s := &server{process: p, in: in, out: bufio.NewReader(out)}
	if err := p.Start(); err != nil {
		return nil, err
	}
	_, err = s.ask("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "bench", "version": "1"}})
	return s, err
}

// ask sends a request and waits for the answer; it returns how long that took.
func (s *server) ask(method string, params any) (time.Duration, error) {
	s.asked++
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.asked, "method": method, "params": params})
	if err != nil {
		return 0, err
	}
	from := time.Now()
	if _, err := s.in.Write(append(b, '\n')); err != nil {
		return 0, err
	}
	line, err := s.out.ReadBytes('\n')
	took := time.Since(from)
	if err == nil && (bytes.Contains(line, []byte(`"error":`)) || bytes.Contains(line, []byte(`"isError":true`))) {
		err = fmt.Errorf("%s: %s", method, line)
	}
	return took, err
}

// stop ends the server by the end of its input.
func (s *server) stop() error {
	_ = s.in.Close()
	return s.process.Wait()
}

// warmCalls are made before those that count, timedCalls are those; what counts is their median.
const warmCalls, timedCalls = 5, 40

// timed calls do so often to become warm, then so often more; it returns how long each of the
// latter took, the shortest first.
func timed(warm, more int, do func(n int) (time.Duration, error)) (took []time.Duration, err error) {
	for n := range warm + more {
		d, err := do(n)
		if err != nil {
			return nil, err
		}
		if n >= warm {
			took = append(took, d)
		}
	}
	slices.Sort(took)
	return took, nil
}

// calls measures a tool of a server that has answered before. Its processor time is that of the
// whole server, its start among it, shared out.
func (c *corpus) calls(tool string, args func(n int) map[string]any) func(int) (cost, error) {
	return func(round int) (cost, error) {
		s, err := c.serve()
		if err != nil {
			return cost{}, err
		}
		took, err := timed(warmCalls, timedCalls, func(n int) (time.Duration, error) {
			return s.ask("tools/call", map[string]any{"name": tool, "arguments": args(round*1000 + n)})
		})
		if err != nil {
			return cost{}, err
		}
		if err := s.stop(); err != nil {
			return cost{}, err
		}
		all := costOf(s.process, 0)
		return cost{Wall: took[len(took)/2], CPU: all.CPU / (warmCalls + timedCalls), Peak: all.Peak}, nil
	}
}

// within is a goal of the wall clock.
func within(limit time.Duration, sizes ...int) goal {
	return goal{value: func(p, _ cost) float64 { return float64(p.Wall) / 1e6 }, limit: float64(limit) / 1e6, unit: "ms wall", sizes: sizes}
}

// serving are the rows of the server for agents: a warm call of each tool beside the command of
// the same name, and how long after its start the server has answered first.
func (c *corpus) serving() []row {
	file := id(c.size / 2)
	rows := []row{{what: "mcp: first answer after the start", floor: "version", goals: []goal{within(30 * time.Millisecond)}, needs: "mcp",
		lower: each(c.version()), product: func(int) (cost, error) {
			from := time.Now()
			s, err := c.serve()
			took := cost{Wall: time.Since(from)}
			if err != nil {
				return took, err
			}
			err = s.stop()
			took.CPU = costOf(s.process, 0).CPU
			return took, err
		}}}
	for _, one := range []struct {
		tool   string
		beside command
		goal   goal
		args   func(n int) map[string]any
	}{
		{"memory_recall", c.cp("recall", markPercent), within(15*time.Millisecond, 1000, 10_000), func(n int) map[string]any { return map[string]any{"query": question(n)} }},
		{"memory_show", c.cp("show", file), within(3*time.Millisecond, 1000, 10_000), func(n int) map[string]any { return map[string]any{"id": id(n % c.size)} }},
		{"memory_tree", c.cp("tree", "--max-depth", "1"), goal{}, func(int) map[string]any { return map[string]any{"max_depth": 1} }},
		{"memory_history", c.cp("log", file), goal{}, func(int) map[string]any { return map[string]any{"id": file} }},
		{"memory_add", c.cp("list", "--limit", "1"), goal{}, func(n int) map[string]any {
			c.added++
			return map[string]any{"title": fmt.Sprintf("Served %d %d", n, c.added), "body": fmt.Sprintf("What a client has learned, number %d.", c.added), "type": "learning"}
		}},
		{"memory_move", c.cp("list", "--limit", "1"), goal{}, func(n int) map[string]any { return map[string]any{"id": id(c.size - 1), "parent": id(level1 + n%2)} }},
		{"memory_retire", c.cp("list", "--limit", "1"), goal{}, func(int) map[string]any {
			c.added++
			return map[string]any{"id": id(c.size - 2 - c.added), "how": "resolved"}
		}},
		{"memory_update", c.cp("list", "--limit", "1"), goal{}, func(n int) map[string]any { return map[string]any{"id": file, "append": fmt.Sprintf("Line %d.", n)} }},
	} {
		if one.goal.value == nil {
			one.goal = within(0, -1) // no goal at any size
		}
		rows = append(rows, row{what: "mcp: a warm " + one.tool + ", watcher live", floor: "a command: " + one.beside.argv[2], goals: []goal{one.goal}, rounds: c.few(), watch: true, needs: "mcp",
			product: c.calls(one.tool, one.args), lower: each(one.beside)})
	}
	return rows
}
