package main_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// withVault returns a program with a vault that servers work on.
func withVault(t *testing.T) *program {
	p := build(t, "cp-memory").in(t, nil)
	p.must("cp-memory init --prefix pf")
	return p
}

// command is the program as a client starts it.
func (p *program) command(args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(p.bin, "cp-memory"), args...)
	c.Dir, c.Env = p.dir, p.env
	return c
}

// connect starts a server and connects a client of the SDK.
func (p *program) connect(ctx context.Context) (*sdk.ClientSession, *exec.Cmd, error) {
	server := p.command("memory", "mcp")
	s, err := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil).Connect(ctx, &sdk.CommandTransport{Command: server}, nil)
	return s, server, err
}

// answered calls a tool and returns its text.
func answered(ctx context.Context, s *sdk.ClientSession, tool string, args map[string]any) (string, error) {
	r, err := s.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return "", err
	}
	text := r.Content[0].(*sdk.TextContent).Text
	if r.IsError {
		return "", fmt.Errorf("%s", text)
	}
	return text, nil
}

// Whatever a client sends, the server answers what can be answered, ends when its input does,
// and leaves a vault in which nothing is half written.
func TestMCPWhateverIsSent(t *testing.T) {
	p := withVault(t)
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"hand","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	const ping = `{"jsonrpc":"2.0","id":"last","method":"ping"}` + "\n"
	call := func(arguments string) string {
		return `{"jsonrpc":"2.0","id":"call","method":"tools/call","params":{"name":"memory_add","arguments":` + arguments + "}}\n"
	}
	good := call(`{"title":"T","body":"B","summary":"S"}`)
	for _, row := range []struct {
		name, in string
		want     []string // patterns of lines
	}{
		{"nothing", "", nil},
		{"garbage", hello + "garbage\n\x00\xff\n" + ping, []string{`-32700.*not JSON`, `"id":"last"`}},
		{"half a line", hello + good[:40], []string{`-32700.*not JSON`}},
		{"a call and the end", hello + good, []string{`"id":"call".*Created pf-`}},
		{"100 MB", hello + strings.Repeat("x", 100<<20) + "\n" + ping, []string{`-32600.*longer than 24 MiB`, `"id":"last"`}},
		{"a body of 5 MB", hello + call(`{"title":"T","body":"`+strings.Repeat("x", 5<<20)+`","summary":"S"}`) + ping, []string{`"id":"call".*isError":true`, `"id":"last"`}},
		{"unknown fields", hello + strings.Replace(good, `"params"`, `"colour":"red","params"`, 1), []string{`"id":"call"`}},
		{"an unknown argument", hello + call(`{"title":"T","body":"B","summary":"S","colour":"red"}`), []string{`"id":"call".*no parameter.*isError":true`}},
		{"wrong types", hello + call(`[1,2]`) + call(`"x"`) + call(`{"title":7}`), []string{`"id":"call"`}},
		{"an unknown method", hello + `{"jsonrpc":"2.0","id":"x","method":"memory/burn"}` + "\n" + ping, []string{`"id":"x".*-32601|-32601.*"id":"x"`, `"id":"last"`}},
		{"no parameters", hello + `{"jsonrpc":"2.0","id":"x","method":"tools/call"}` + "\n" + ping, []string{`"error".*"id":"x"|"id":"x".*"error"`, `"id":"last"`}},
		{"an answer that nobody asked for", hello + `{"jsonrpc":"2.0","id":77,"result":{}}` + "\n" + ping, []string{`"id":"last"`}},
		{"deeply nested", hello + call(strings.Repeat(`{"a":`, 5000)+"1"+strings.Repeat("}", 5000)) + ping, []string{`"id":"last"`}},
		{"a call that is cancelled", hello + good + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"call"}}` + "\n" + ping, []string{`"id":"last"`}},
		{"a call before hello", good, []string{`"id":"call"`}},
	} {
		t.Run(row.name, func(t *testing.T) {
			server := p.command("mcp")
			server.Stdin = strings.NewReader(row.in)
			out, err := server.Output()
			if err != nil {
				t.Errorf("it ends with %v", err)
			}
			for line := range bytes.Lines(out) {
				if !json.Valid(line) {
					t.Errorf("no JSON on stdout: %.200q", line)
				}
			}
			for _, want := range row.want {
				if !regexp.MustCompile(want).Match(out) {
					t.Errorf("no line is like %s: %.2000s", want, out)
				}
			}
		})
	}
	p.must("cp-memory doctor")
	p.must("git fsck --strict && test -z \"$(git status --porcelain)\"")
}

// The server that watches is killed; the other one takes its place.
func TestMCPAnotherOneWatches(t *testing.T) {
	p := withVault(t)
	ctx := t.Context()
	type one struct {
		*sdk.ClientSession
		*exec.Cmd
	}
	var both []one
	for range 2 {
		s, server, err := p.connect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		both = append(both, one{s, server})
		p.watcherIs(t, s, both[0].Process.Pid)
	}
	if err := both[0].Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.watcherIs(t, both[1].ClientSession, both[1].Process.Pid)
	if text, err := answered(ctx, both[1].ClientSession, "memory_add", map[string]any{"title": "T", "body": "B", "summary": "S"}); err != nil {
		t.Errorf("%s, %v", text, err)
	}
}

// watcherIs calls the server until the watcher of the vault is that process.
func (p *program) watcherIs(t *testing.T, s *sdk.ClientSession, pid int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		if _, err := answered(t.Context(), s, "memory_tree", nil); err != nil {
			t.Fatal(err)
		}
		var status struct{ Watcher struct{ PID int } }
		text := p.must("cp-memory status -o json")
		if err := json.Unmarshal([]byte(text), &status); err != nil {
			t.Fatal(err)
		}
		if status.Watcher.PID == pid {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the watcher is %d, not %d", status.Watcher.PID, pid)
		}
	}
}

// Over HTTP and at a socket the same server answers those who have the token.
func TestMCPOverHTTP(t *testing.T) {
	p := withVault(t)
	const token = "0123456789abcdef"
	p.write("token", token+"\n")
	socket := filepath.Join(t.TempDir(), "s")
	for _, row := range []struct {
		name string
		args []string
		dial func(context.Context) (net.Conn, error)
	}{
		{"an address", []string{"--http", "127.0.0.1:0"}, nil},
		{"a socket", []string{"--socket", socket}, func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			server := p.command(append([]string{"mcp", "--token-file", "token"}, row.args...)...)
			url, stderr := began(t, server)
			transport := http.DefaultTransport.(*http.Transport).Clone()
			if row.dial != nil {
				url = "http://localhost/mcp"
				transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) { return row.dial(ctx) }
				if info, err := os.Stat(socket); err != nil || info.Mode().Perm() != 0o600 {
					t.Errorf("the socket: %v, %v", info, err)
				}
			}
			client := &http.Client{Transport: withToken{transport, token}}
			s, err := sdk.NewClient(&sdk.Implementation{Name: "web", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: client, MaxRetries: -1}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := answered(t.Context(), s, "memory_add", map[string]any{"title": row.name, "body": "B" + row.name, "summary": "S"}); err != nil {
				t.Errorf("%s, %v", text, err)
			}
			_ = s.Close()
			transport.CloseIdleConnections()
			if r, err := (&http.Client{Transport: transport}).Post(url, "application/json", strings.NewReader("{}")); err != nil || r.StatusCode != 401 {
				t.Errorf("without a token: %v, %v", r, err)
			}
			transport.CloseIdleConnections()
			_ = server.Process.Signal(os.Interrupt)
			_, _ = io.Copy(io.Discard, stderr)
			if err := server.Wait(); err != nil {
				t.Errorf("it ends with %v", err)
			}
		})
	}
	for _, bad := range []string{"--http 0.0.0.0:7", "--http example.org:80", "--http 127.0.0.1", "--http 127.0.0.1:0 --socket x", "--socket " + filepath.Join(p.dir, "no/such"), "--http 127.0.0.1:0 --token-file nowhere"} {
		if r := p.sh("cp-memory mcp " + bad); r.exit != 1 || r.out != "" {
			t.Errorf("%s: %+v", bad, r)
		}
	}
	if r := p.sh("cp-memory mcp --http 127.0.0.1:0", "CP_MCP_TOKEN=short"); r.exit != 1 || !strings.Contains(r.err, "at least 16 characters") {
		t.Errorf("%+v", r)
	}
}

// began starts a server. It returns the address that it tells, if it is one of the net, and
// what else it will tell.
func began(t *testing.T, server *exec.Cmd) (url string, stderr io.Reader) {
	t.Helper()
	pipe, err := server.StderrPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	rest := bufio.NewReader(pipe)
	line, err := rest.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`http://\S+`).FindString(line), rest
}

// listening starts a server at an address, and returns where it answers.
func (p *program) listening(t *testing.T, token string) (at string, stop func()) {
	t.Helper()
	server := p.command("mcp", "--http", "127.0.0.1:0")
	server.Env = append(server.Env[:len(server.Env):len(server.Env)], "CP_MCP_TOKEN="+token)
	at, stderr := began(t, server)
	go func() { _, _ = io.Copy(io.Discard, stderr) }() // until the process ends
	return at, func() { _ = server.Process.Signal(os.Interrupt); _ = server.Wait() }
}

// withToken sends a token along.
type withToken struct {
	http.RoundTripper
	token string
}

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+w.token)
	return w.RoundTripper.RoundTrip(r)
}

// Sixteen clients with a server each and eight writers on the command line work on one vault,
// and some of them are killed. What was acknowledged is there once; what was not is there once
// at the most. Some seconds are for every run of the tests; CP_MCP says how long else.
func TestMCPManyClients(t *testing.T) {
	long, err := time.ParseDuration(cmp.Or(os.Getenv("CP_MCP"), "6s"))
	if err != nil {
		t.Fatal(err)
	}
	testlevel.Check(t)
	c := &crowd{program: withVault(t), acked: map[string]bool{}, tried: map[string]bool{}}
	keepFailed(t, c.dir)
	c.parent = regexp.MustCompile(`pf-\w+`).FindString(c.must("cp-memory add --title Parent --summary When 'All lie below.'"))
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() { c.client(ctx, i) })
	}
	for i := range 8 {
		wg.Go(func() { c.writer(ctx, i) })
	}
	wg.Wait()
	t.Logf("%d writes acknowledged of %d, %d kills, %d reads", len(c.acked), len(c.tried), c.kills.Load(), c.reads.Load())
	c.check()
}

// crowd is what many do to one vault.
type crowd struct {
	*program
	parent       string
	kills, reads atomic.Int64

	mu           sync.Mutex
	acked, tried map[string]bool // titles
}

func (c *crowd) try(title string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tried[title] = true
}

func (c *crowd) ack(title string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.acked[title] = true
}

// client has one server after the other; it kills one of three.
func (c *crowd) client(ctx context.Context, i int) {
	r := rand.New(rand.NewPCG(uint64(i), 1))
	for round := 0; ctx.Err() == nil; round++ {
		s, server, err := c.connect(ctx)
		if err != nil {
			if ctx.Err() == nil {
				c.t.Errorf("client %d: %v", i, err)
			}
			return
		}
		kill := time.AfterFunc(time.Hour, func() {})
		if (i+round)%3 == 2 {
			kill = time.AfterFunc(time.Duration(r.IntN(1500))*time.Millisecond, func() { c.kills.Add(1); _ = server.Process.Kill() })
		}
		for n := range 12 {
			if !c.one(ctx, s, fmt.Sprintf("client %d round %d memory %d", i, round, n), r) {
				break
			}
		}
		kill.Stop()
		_ = s.Close()
	}
}

// one makes a write and a read, and reports whether the server lives.
func (c *crowd) one(ctx context.Context, s *sdk.ClientSession, title string, r *rand.Rand) bool {
	args := map[string]any{"title": title, "body": "It says " + title + ".", "type": "learning"}
	if r.IntN(2) == 0 {
		args = map[string]any{"title": title, "body": "It says " + title + ".", "summary": "When " + title, "parent": c.parent}
	}
	c.try(title)
	text, err := answered(context.WithoutCancel(ctx), s, "memory_add", args)
	switch {
	case err == nil && regexp.MustCompile("Created|Captured|saved;|Already").MatchString(text):
		c.ack(title)
	case err == nil:
		c.t.Errorf("%s: %s", title, text)
	case !strings.HasPrefix(err.Error(), "Error: "): // the server is gone
		return false
	}
	if _, err := answered(context.WithoutCancel(ctx), s, "memory_recall", map[string]any{"query": title, "type": []string{"*"}}); err == nil {
		c.reads.Add(1)
	}
	return ctx.Err() == nil
}

// writer writes on the command line; it kills every fifth.
func (c *crowd) writer(ctx context.Context, i int) {
	for n := 0; ctx.Err() == nil; n++ {
		title := fmt.Sprintf("writer %d memory %d", i, n)
		run := c.command("add-sub", c.parent, "--title", title, "--summary", "When "+title, "--body", "It says "+title+".")
		c.try(title)
		if err := run.Start(); err != nil {
			c.t.Error(err)
			return
		}
		kill := time.AfterFunc(time.Hour, func() {})
		if n%5 == 4 {
			kill = time.AfterFunc(time.Duration(n%40)*5*time.Millisecond, func() { c.kills.Add(1); _ = run.Process.Kill() })
		}
		if err := run.Wait(); err == nil || run.ProcessState.ExitCode() == 75 {
			c.ack(title)
		}
		kill.Stop()
	}
}

// check compares what is there with what was acknowledged.
func (c *crowd) check() {
	c.t.Helper()
	c.must("cp-memory sync")
	counts := map[string]int{}
	for line := range strings.Lines(c.must(`cp-memory list --all -o jsonl --type '*'`)) {
		var row struct{ Title string }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			c.t.Fatal(err)
		}
		counts[row.Title]++
	}
	if len(c.acked) == 0 {
		c.t.Error("nothing was written")
	}
	for title := range c.tried {
		if n := counts[title]; n > 1 || n == 0 && c.acked[title] {
			c.t.Errorf("%s is there %d times; acknowledged: %t", title, n, c.acked[title])
		}
	}
	c.must("cp-memory doctor")
	c.must(`git fsck --strict && test -z "$(git status --porcelain)"`)
}
