package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/cp-memory/cp/testdata/agentmodel"
)

// place is where one client does the tasks in one setting. Each begins with the same home and project.
type place struct {
	options
	client  client
	setting setting
	dir     string

	texts []string // the lines that the agent is told by us in every session, but for what a hook says

	mu   sync.Mutex
	last agentmodel.Conversation // the longest that the model was asked in
}

// sh runs a line of the shell in the project.
func (p *place) sh(line string, env ...string) (string, error) {
	run := exec.Command("bash", "-c", line)
	run.Dir = filepath.Join(p.dir, "project")
	run.Env = append(os.Environ(), append(env, "HOME="+filepath.Join(p.dir, "home"), "PATH="+p.cp+":"+p.clients+":"+os.Getenv("PATH"),
		"XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_STATE_HOME=", "XDG_CACHE_HOME=", "CP_VAULT=", "NO_COLOR=1")...)
	out, err := run.CombinedOutput()
	return string(out), err
}

// prepare makes the home and the project, and keeps them to begin with again.
func (p *place) prepare() error {
	for _, d := range []string{"project", "home"} {
		if err := os.MkdirAll(filepath.Join(p.dir, d), 0o755); err != nil {
			return err
		}
	}
	lines := []string{"set -e", `git config --global user.name Ada; git config --global user.email ada@example.com; git config --global init.defaultBranch main`,
		`git init -q; echo 'package main' >main.go; git add .; git commit -q -m first`}
	if p.setting.memory {
		lines = append(lines, "cp init --prefix pf >/dev/null")
		for _, f := range facts {
			lines = append(lines, f.command())
		}
		lines = append(lines, "cp memory setup --yes "+p.client.name+" >/dev/null")
	}
	if p.setting.file {
		lines = append(lines, "cat >"+p.client.rules+" <<'END'\n"+rulesFile()+"END")
	}
	lines = append(lines, "git add -A; git commit -q --allow-empty -m second")
	if out, err := p.sh(strings.Join(lines, "\n")); err != nil {
		return fmt.Errorf("%s, %s: %w\n%s", p.client.name, p.setting.name, err, out)
	}
	if out, err := p.ask(script{}.think, "hello"); err != nil { // the program makes its files
		return fmt.Errorf("%s: %w\n%s", p.client.name, err, out)
	}
	if p.setting.memory {
		if out, err := p.sh("cp memory handoff " + quote(handedOver)); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	said, err := p.sh("cp -a ../home ../home.0; cp -a ../project ../project.0\n" + ourTexts)
	if p.setting.memory || p.setting.file {
		p.texts = strings.Split(said, "\n")
	}
	return err
}

// ourTexts prints the files of rules and what the server says of itself.
const ourTexts = `cat ~/.claude/CLAUDE.md ~/.config/opencode/AGENTS.md CLAUDE.md AGENTS.md 2>/dev/null | grep -v '^<!--'
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}' |
  cp-memory mcp 2>/dev/null | sed -n 's/.*"instructions":"\(.*\)".*/\1/p' | sed 's/\\n/\n/g; s/\\"/"/g; s/\\u003c/</g; s/\\u003e/>/g'
true`

// command is the line that keeps a fact.
func (f fact) command() string {
	switch {
	case f.kind != "":
		return "cp memory capture " + f.kind + " " + quote(f.title) + " --body " + quote(f.text)
	case f.up != "":
		return "cp memory add-sub " + quote(f.up) + " --title " + quote(f.title) + " --summary " + quote(f.when) + " --body " + quote(f.text)
	}
	return "cp memory add --title " + quote(f.title) + " --summary " + quote(f.when) + " " + quote(f.text)
}

func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// rulesFile is the facts as a file of rules.
func rulesFile() string {
	var b strings.Builder
	for _, f := range facts {
		fmt.Fprintf(&b, "## %s\n\n", f.title)
		if f.when != "" {
			b.WriteString(f.when + ":\n")
		}
		b.WriteString(f.text + "\n\n")
	}
	return b.String()
}

// ask has the client ask the model one thing, and returns what the client says.
func (p *place) ask(think func(agentmodel.Request) agentmodel.Answer, prompt string) (string, error) {
	p.last = agentmodel.Conversation{}
	var handler http.Handler = &agentmodel.Model{Think: func(r agentmodel.Request) agentmodel.Answer {
		p.hear(r)
		return think(r)
	}}
	name := "claude-sonnet-4-5"
	if p.model != "" {
		real, err := url.Parse(os.Getenv(p.client.base))
		if err != nil || real.Host == "" {
			return "", fmt.Errorf("%s names no address", p.client.base)
		}
		handler, name = p.between(real), p.model
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	out, err := p.sh("timeout 300 env "+p.client.ask+" 2>&1 </dev/null", "URL="+server.URL, "MODEL="+name, "PROMPT="+prompt)
	if p.verbose {
		fmt.Fprintf(os.Stderr, "--- %s, %s: %s\n%s\n", p.client.name, p.setting.name, prompt, out)
	}
	return out, err
}

// hear keeps the longest conversation.
func (p *place) hear(r agentmodel.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := r.Conversation(); len(c.Tools) > 0 && len(c.Turns) >= len(p.last.Turns) {
		p.last = c
	}
}

// between hands what is asked on to a real model, and hears it.
func (p *place) between(real *url.URL) http.Handler {
	key := os.Getenv(p.client.key)
	return &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(real)
		if strings.HasSuffix(real.Path, "/v1") { // the client says it as well
			r.Out.URL.Path = strings.TrimSuffix(real.Path, "/v1") + r.In.URL.Path
		}
		r.Out.Header.Del("X-Api-Key")
		r.Out.Header.Set(p.client.header, p.client.scheme+key)
		r.Out.Header.Del("Accept-Encoding")
		if body, err := io.ReadAll(r.In.Body); err == nil {
			p.hear(agentmodel.Request{Path: r.In.URL.Path, Body: string(body)})
			r.Out.Body = io.NopCloser(bytes.NewReader(body))
		}
	}}
}

// runAll does the tasks that the setting has a part in.
func (p *place) runAll() (r counted, err error) {
	r = counted{client: p.client.name, setting: p.setting.name}
	for _, t := range tasks {
		if t.memoryAlone && !p.setting.memory || !p.only.MatchString(p.client.name+", "+p.setting.name+", "+t.name) {
			continue
		}
		if r.asked == 0 {
			if err := p.prepare(); err != nil {
				return r, err
			}
		}
		if out, err := p.sh("cd .. && rm -rf home && cp -a home.0 home && rm -rf project/* project/.[!.]* && cp -a project.0/. project/"); err != nil {
			return r, fmt.Errorf("%w\n%s", err, out)
		}
		answer, err := p.ask(script{t}.think, t.prompt)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s, %s, %s: %v\n%s\n", p.client.name, p.setting.name, t.name, err, answer)
		}
		judged := answer
		if t.check != "" {
			judged, _ = p.sh(t.check)
		}
		solved := regexp.MustCompile(t.want).MatchString(judged) && (t.not == "" || !regexp.MustCompile(t.not).MatchString(judged))
		r.count(t.name, solved, p.last, p.texts)
	}
	return r, nil
}
