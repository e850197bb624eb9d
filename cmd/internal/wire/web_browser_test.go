package wire

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/cli/agents"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/cmd/internal/web"
	"github.com/cp-memory/cp/cmd/internal/web/guard"
	"github.com/cp-memory/cp/cmd/internal/web/live"
	"github.com/cp-memory/cp/vault/doctor"
)

// browser is a person's browser before the memory browser, which serves a folder of a machine as
// "cp memory browse" does. It has no script: it follows links, fills in forms and keeps cookies.
type browser struct {
	*machine
	http.Client
	served *web.Server
	live   *live.Feed
	link   string // that logs a browser in, once
	host   string
}

// serveFolder serves the folder until the test ends. The browser has followed the link.
func (m *machine) serveFolder(name string, readOnly bool) *browser {
	m.Helper()
	a := m.program(name)
	b := &browser{machine: m, live: live.New()}
	var err error
	b.served, err = web.New(web.Options{App: a, Project: name, ReadOnly: readOnly, Live: b.live,
		Checks: func() []doctor.Finding { return agents.Findings(console.New(a, console.Streams{})) }})
	if err != nil {
		m.Fatal(err)
	}
	server := httptest.NewUnstartedServer(nil)
	b.host = server.Listener.Addr().String()
	g := guard.New([]string{b.host}, rand.Reader)
	server.Config = g.Server(b.served)
	server.Start()
	b.followVault(a, name)
	m.Cleanup(func() { b.live.End(); server.Close() })
	b.link = g.Link(b.host)
	b.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if b.Jar, err = cookiejar.New(nil); err != nil {
		m.Fatal(err)
	}
	if got := b.send("GET", strings.TrimPrefix(b.link, "http://"+b.host), nil); got.status != http.StatusSeeOther || got.to != "/" {
		m.Fatalf("the link answers with %d, and leads to %q", got.status, got.to)
	}
	return b
}

// followVault has the feed tell of a vault's changes, and keeps it open meanwhile, as the command does.
func (b *browser) followVault(a *app.App, name string) {
	ctx, end := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.live.Run(ctx, a, settings.Flags{}.ForVault(b.at(name)))
	}()
	b.Cleanup(func() { end(); <-done })
}

// answer is what a browser gets: text is empty where it is sent to another address.
type webAnswer struct {
	status   int
	to, text string
	header   http.Header
}

// send sends a request; fields are those of a form. change may alter it.
func (b *browser) send(method, path string, fields url.Values, change ...func(*http.Request)) webAnswer {
	b.Helper()
	var body io.Reader
	if fields != nil {
		body = strings.NewReader(fields.Encode())
	}
	r, err := http.NewRequestWithContext(b.Context(), method, "http://"+b.host+path, body)
	if err != nil {
		b.Fatal(err)
	}
	if fields != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for _, do := range change {
		do(r)
	}
	got, err := b.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		b.Fatal(err)
	}
	a := webAnswer{got.StatusCode, got.Header.Get("Location"), string(text), got.Header}
	if a.to != "" {
		a.text = ""
	}
	return a
}

// cookieName is the name of the cookie that logs the browser in.
func (b *browser) cookieName() string {
	return b.Jar.Cookies(&url.URL{Scheme: "http", Host: b.host, Path: "/"})[0].Name
}

// lacks returns what a text should hold and does not, or holds and should not. what are the
// parts, with a bar between them; one with a ! before it must not stand there.
func lacks(text, what string) (all []string) {
	for part := range strings.SplitSeq(what, "|") {
		bare, not := strings.CutPrefix(part, "!")
		if strings.Contains(text, bare) == not {
			all = append(all, part)
		}
	}
	return all
}

// sentForm is a form that a page sends by POST.
type sentForm struct {
	action string
	fields url.Values // as the page fills them in, without what a button or a box adds
	names  []string   // of all fields
}

// postForms returns the forms of a page that are sent by POST.
func postForms(page string) (all []sentForm) {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return nil
	}
	for n := range root.Descendants() {
		if n.Data != "form" || attribute(n, "method") != "post" {
			continue
		}
		f := sentForm{action: attribute(n, "action"), fields: url.Values{}}
		for field := range n.Descendants() {
			if name := attribute(field, "name"); name != "" && field.Type == html.ElementNode {
				f.names = append(f.names, name)
				f.fill(field, name)
			}
		}
		all = append(all, f)
	}
	return all
}

// fill fills in what a field says by itself.
func (f *sentForm) fill(field *html.Node, name string) {
	switch {
	case field.Data == "button":
	case field.Data == "textarea":
		text := ""
		for n := range field.ChildNodes() {
			text += n.Data
		}
		f.fields.Set(name, text)
	case field.Data == "select":
		for n := range field.Descendants() {
			if n.Data == "option" && (!f.fields.Has(name) || has(n, "selected")) {
				f.fields.Set(name, optionValue(n))
			}
		}
	case attribute(field, "type") != "checkbox" || has(field, "checked"):
		f.fields.Add(name, attribute(field, "value"))
	}
}

// optionValue is what an option of a choice sends: its value, else its text.
func optionValue(n *html.Node) string {
	if has(n, "value") || n.FirstChild == nil {
		return attribute(n, "value")
	}
	return n.FirstChild.Data
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
