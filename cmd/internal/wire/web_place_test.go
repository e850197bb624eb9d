package wire

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// place is where a browser looks: at a vault of the machine, whose pages have base before them.
type place struct {
	*browser
	folder, base string
	words        map[string]string // what stands for {word} in rows
}

// newPlace serves a folder, of which a browser looks at the vault in another one.
func (m *machine) newPlace(served, folder, base string) *place {
	m.Helper()
	p := &place{m.serveFolder(served, false), folder, base, nil}
	if folder != served {
		p.followVault(m.program(folder), folder)
	}
	rev := strings.TrimSpace(m.git(folder, "log", "--format=%h", "--diff-filter=A", "--", "operations/gateway.md"))
	style := regexp.MustCompile(`/static/(style-\w+\.css)`).FindStringSubmatch(p.send("GET", "/keys", nil).text)
	p.words = map[string]string{"base": base, "rev": rev, "style": style[1]}
	return p
}

// fillIn puts in what stands for words.
func (p *place) fillIn(text string) string {
	for word, is := range p.words {
		text = strings.ReplaceAll(text, "{"+word+"}", is)
	}
	return text
}

// checkPage asks for a page and compares it with the row.
func (p *place) checkPage(r webRow, base string) {
	p.Helper()
	path := base + p.fillIn(r.path)
	got := p.send("GET", strings.ReplaceAll(path, "^", "%5E"), nil)
	if bad := lacks(got.to+got.text, p.fillIn(r.want)); got.status != r.status || bad != nil {
		p.Errorf("%s: %d, want %d; not as wanted: %q\n%s", path, got.status, r.status, bad, got.to+mainOf(got.text))
	}
	if strings.HasSuffix(strings.Split(path, "?")[0], ".json") && got.to == "" && !strings.HasPrefix(got.header.Get("Content-Type"), "application/json") {
		p.Errorf("%s is %s", path, got.header.Get("Content-Type"))
	}
}

// mainOf is a page without what is around its text.
func mainOf(page string) string {
	_, text, found := strings.Cut(page, `<main id="main"`)
	if !found {
		return page
	}
	text, _, _ = strings.Cut(text, "</main>")
	return text
}

// checkPages asks for the pages of all rows.
func (p *place) checkPages(rows []webRow, base string) {
	p.Helper()
	for _, r := range rows {
		p.checkPage(r, base)
	}
}

// Nobody without the cookie gets a page, nobody by another name of the server or from another
// site, and no address takes a method that it does not know.
func (b *browser) checkDoors(t *testing.T) {
	b.Helper()
	stranger := *b
	stranger.Jar = nil
	if got := stranger.send("GET", strings.TrimPrefix(b.link, "http://"+b.host), nil); got.status != http.StatusForbidden {
		t.Errorf("the link a second time: %d", got.status)
	}
	for _, route := range b.served.Routes() {
		method, path, _ := strings.Cut(route, " ")
		path = word.ReplaceAllString(path, "x")
		for _, row := range []struct {
			who    *browser
			method string
			status int
			change func(*http.Request)
		}{
			{&stranger, method, http.StatusUnauthorized, nil},
			{&stranger, method, http.StatusUnauthorized, func(r *http.Request) {
				r.AddCookie(&http.Cookie{Name: b.cookieName(), Value: "wrong"})
			}},
			{b, method, http.StatusMisdirectedRequest, func(r *http.Request) { r.Host = "evil.test" }},
			{b, "POST", http.StatusForbidden, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }},
			{b, "DELETE", http.StatusMethodNotAllowed, nil},
		} {
			change := row.change
			if change == nil {
				change = func(*http.Request) {}
			}
			if got := row.who.send(row.method, path, nil, change); got.status != row.status || strings.Contains(got.text, "<html") {
				t.Errorf("%s %s: %d, want %d", row.method, path, got.status, row.status)
			}
		}
	}
}

// word is what stands in a route for any word.
var word = regexp.MustCompile(`\{[^}]*\}`)
