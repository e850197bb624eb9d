package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// browser is a person's browser, as far as it has no script: it follows links, sends forms and
// keeps cookies. "page" has the last page.
type browser struct {
	client *http.Client
	base   string
	page   string
}

// surf starts the memory browser and logs in: surf [FLAG...]. The server ends with the script.
func surf(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: surf [FLAG...]")
	}
	cmd := exec.Command("cp", append([]string{"memory", "browse", "-o", "jsonl"}, args...)...)
	for _, dir := range strings.Split(ts.Getenv("PATH"), ":") {
		if _, err := os.Stat(dir + "/cp"); err == nil {
			cmd.Path, cmd.Err = dir+"/cp", nil
			break
		}
	}
	cmd.Dir, cmd.Env = ts.MkAbs("."), scriptEnv(ts)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	var said bytes.Buffer
	cmd.Stderr = &said
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	var served struct{ Links, Hosts []string }
	if err := json.NewDecoder(out).Decode(&served); err != nil {
		_ = cmd.Wait()
		ts.Fatalf("cp memory browse: %v\n%s", err, said.String())
	}
	jar, err := cookiejar.New(nil)
	ts.Check(err)
	b := &browser{client: &http.Client{Jar: jar, Timeout: time.Minute}}
	link := served.Links[min(1, len(served.Links)-1)] // that of 127.0.0.1, which needs no browser to be found
	if at := flagOf(args, "--socket"); at != "" {
		b.client.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", ts.MkAbs(at))
		}}
	}
	b.base = strings.TrimSuffix(link[:strings.Index(link, "/login")], "/")
	b.ask(ts, "GET", link, nil, 200)
	ts.Setenv("SERVER", b.base)
	*ts.Value(surfer{}).(**browser) = b
}

// surfer is the key of a script's browser.
type surfer struct{}

func flagOf(args []string, name string) string {
	for i, a := range args {
		if a == name && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// scriptEnv returns the environment of a script.
func scriptEnv(ts *testscript.TestScript) (env []string) {
	for _, name := range []string{"HOME", "PATH", "LC_ALL", "TZ", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CEILING_DIRECTORIES", "TMPDIR", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"} {
		if v := ts.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// get reads a page: get PATH STATUS [TEXT...]; each text must be in it, one with a ! before it
// must not.
func pageGet(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: get PATH STATUS [TEXT...]")
	}
	b := (*ts.Value(surfer{}).(**browser))
	b.ask(ts, "GET", b.base+args[0], nil, statusOf(ts, args[1]))
	b.holds(ts, args[2:])
}

// send fills in the first form of a page that goes to its own action, and sends it: send PATH STATUS NAME=VALUE...
// What the form holds already is sent, too, as a browser does. A value of @FILE is the file's
// text, and - leaves a field out.
func pageSend(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: send PATH STATUS [NAME=VALUE...]")
	}
	b := (*ts.Value(surfer{}).(**browser))
	form := b.form(ts, args[0])
	for _, f := range args[2:] {
		name, value, _ := strings.Cut(f, "=")
		if file, ok := strings.CutPrefix(value, "@"); ok {
			value = ts.ReadFile(file)
		}
		if form.Set(name, value); value == "-" {
			form.Del(name)
		}
	}
	b.ask(ts, "POST", b.base+args[0], form, statusOf(ts, args[1]))
}

// seen looks at the page that the last send led to: seen TEXT...
func pageSeen(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: seen [!]TEXT...")
	}
	(*ts.Value(surfer{}).(**browser)).holds(ts, args)
}

func statusOf(ts *testscript.TestScript, s string) int {
	n, err := strconv.Atoi(s)
	ts.Check(err)
	return n
}

func (b *browser) ask(ts *testscript.TestScript, method, address string, form url.Values, want int) {
	r, err := http.NewRequest(method, address, strings.NewReader(form.Encode()))
	ts.Check(err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := b.client.Do(r)
	ts.Check(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	ts.Check(err)
	if b.page = string(text); answer.StatusCode != want {
		ts.Fatalf("%s %s: %d, want %d\n%s", method, address, answer.StatusCode, want, text)
	}
}

func (b *browser) holds(ts *testscript.TestScript, texts []string) {
	for _, text := range texts {
		not := strings.HasPrefix(text, "!")
		if strings.Contains(b.page, strings.TrimPrefix(text, "!")) == not {
			ts.Fatalf("the page %s hold %q:\n%s", map[bool]string{true: "should not", false: "should"}[not], text, b.page)
		}
	}
}

// hiddenField and textField find what a form is filled with.
var (
	hiddenField = regexp.MustCompile(`<input[^>]*name="([^"]+)"[^>]*?value="([^"]*)"`)
	textField   = regexp.MustCompile(`(?s)<textarea[^>]*name="([^"]+)"[^>]*>\n?(.*?)</textarea>`)
)

// form returns what the last page's form for the action is filled with.
func (b *browser) form(ts *testscript.TestScript, action string) url.Values {
	plain, _, _ := strings.Cut(action, "?")
	_, rest, found := strings.Cut(b.page, `<form method="post" action="`+plain+`"`)
	if !found {
		ts.Fatalf("the page has no form for %s:\n%s", plain, b.page)
	}
	text, _, _ := strings.Cut(rest, "</form>")
	form := url.Values{}
	unescape := strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&lt;", "<", "&gt;", ">", "&#43;", "+", "&amp;", "&")
	for _, m := range append(hiddenField.FindAllStringSubmatch(text, -1), textField.FindAllStringSubmatch(text, -1)...) {
		form.Add(m[1], strings.ReplaceAll(unescape.Replace(m[2]), "\n", "\r\n"))
	}
	return form
}
