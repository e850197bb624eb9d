package main_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// clients returns the folder with the programs that "make clients" installs: real clients of
// agents, the protocol's conformance tests and its inspector. A run without them says so.
func clients(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("CP_CLIENTS")
	switch dir {
	case "off":
		t.Skip("CP_CLIENTS=off: they run by themselves")
	case "":
		dir = filepath.Join(top, "bin", "clients")
	}
	bin, err := filepath.Abs(filepath.Join(dir, "node_modules", ".bin"))
	if err == nil {
		_, err = os.Stat(bin)
	}
	if err != nil {
		t.Skipf("NOT RUN: no clients to connect with in %s; `make clients` installs them", dir)
	}
	return bin
}

// withClients returns a program with a vault, and the clients on its PATH with the Node that
// they need.
func withClients(t *testing.T) *program {
	bin := clients(t)
	p := withVault(t)
	for i, v := range p.env {
		if path, is := strings.CutPrefix(v, "PATH="); is {
			p.env[i] = "PATH=" + p.bin + ":" + bin + ":" + path
		}
	}
	p.env = append(p.env, "NO_COLOR=1", "CI=1", "GEMINI_CLI_TRUST_WORKSPACE=true", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1")
	return p
}

// The clients that can be had start the server by what setup has written, and are connected;
// after --remove they know of none.
func TestClientsConnect(t *testing.T) {
	p := withClients(t)
	for _, c := range []struct{ agent, list, connected string }{
		{"claude-code", "claude mcp list", `cp-memory: .*memory mcp.*Connected`},
		{"gemini-cli", "gemini mcp list", `cp-memory: .*memory mcp.*Connected`},
	} {
		t.Run(c.agent, func(t *testing.T) {
			p.must("cp-memory setup " + c.agent + " --only mcp --yes")
			if r := p.sh(c.list + " 2>&1"); !regexp.MustCompile(c.connected).MatchString(r.out) {
				t.Errorf("%s: %+v", c.list, r)
			}
			p.must("cp-memory setup " + c.agent + " --remove --yes")
			if r := p.sh(c.list + " 2>&1"); strings.Contains(r.out, "cp-memory") {
				t.Errorf("after --remove %s: %+v", c.list, r)
			}
		})
	}
}

// The protocol's inspector lists and calls the tools, and tells an error of one.
func TestClientsInspector(t *testing.T) {
	p := withClients(t)
	const inspect = "inspector --cli cp-memory memory mcp --format json --method "
	var listed struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if text := p.must(inspect + "tools/list"); json.Unmarshal([]byte(text), &listed) != nil || len(listed.Result.Tools) != 8 {
		t.Errorf("got %s", text)
	}
	p.must(inspect + `tools/call --tool-name memory_add --tool-arg title=Gateway --tool-arg 'body=It restarts last.' --tool-arg 'summary=When you release'`)
	if text := p.must(inspect + "tools/call --tool-name memory_recall --tool-arg query=gateway --tool-arg limit=3"); !strings.Contains(text, "restarts last") {
		t.Errorf("got %s", text)
	}
	if r := p.sh(inspect + "tools/call --tool-name memory_show --tool-arg id=pf-nobody0"); r.exit != 5 {
		t.Errorf("got %+v", r)
	}
}

// conformance are the scenarios of the protocol's own tests that need no tools but those a
// server has.
const conformance = "tools-list resources-list prompts-list caching dns-rebinding-protection sep-2164-resource-not-found http-header-validation server-initialize ping"

// bearing is a proxy to a server that adds a token to each request. It reads a body whole
// before it sends it on: a transport looks for the body's end after it sent it, and where the
// answer was faster, the body is closed by then and the answer is cut.
func bearing(to *url.URL, token string) http.Handler {
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = to.Scheme, to.Host, r.In.Host
		r.Out.Header.Set("Authorization", "Bearer "+token)
	}, Transport: http.DefaultTransport.(*http.Transport).Clone()}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	})
}

// The server passes the protocol's own tests. They know of no token: a proxy adds it.
func TestClientsConformance(t *testing.T) {
	p := withClients(t)
	const token = "0123456789abcdef"
	at, stop := p.listening(t, token)
	defer stop()
	to, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(bearing(to, token))
	defer proxy.Close()
	for scenario := range strings.FieldsSeq(conformance) {
		t.Run(scenario, func(t *testing.T) {
			if r := p.sh("conformance server --url " + proxy.URL + to.Path + " --scenario " + scenario + " 2>&1"); r.exit != 0 {
				t.Errorf("exit %d\n%s", r.exit, r.out)
			}
		})
	}
}
