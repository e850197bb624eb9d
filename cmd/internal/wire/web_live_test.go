package wire

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

// checkEvents listens to what has changed, changes a memory, and hears of it.
func (p *place) checkEvents() {
	p.Helper()
	for p.live.Stamp() == "" {
		p.send("GET", "/keys", nil) // until the vault is known
	}
	ctx, end := context.WithTimeout(p.Context(), time.Minute)
	defer end()
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+p.host+"/events", nil)
	if err != nil {
		p.Fatal(err)
	}
	got, err := p.Do(r)
	if err != nil {
		p.Fatal(err)
	}
	defer got.Body.Close()
	if kind := got.Header.Get("Content-Type"); got.StatusCode != 200 || kind != "text/event-stream" {
		p.Errorf("/events: %d, %s", got.StatusCode, kind)
	}
	p.cp(p.folder, "memory", "update", "pf-decision", "--append", "Somebody wrote.")
	heard := ""
	for lines := bufio.NewScanner(got.Body); lines.Scan() && !strings.Contains(heard, "pf-decision"); {
		heard += lines.Text() + "\n"
	}
	if bad := lacks(heard, `retry: 1000|event: changed|"project":"alone"|"pf-decision"|!Somebody wrote`); bad != nil {
		p.Errorf("/events: not as wanted: %q\n%s", bad, heard)
	}
}

// What is served read only has no address that writes, and no page that leads to one.
func TestWebReadOnly(t *testing.T) {
	m := newMachine(t)
	m.vault("v")
	id := m.add("v", "Gateway", "If it hangs", "Restart it.")
	p := &place{m.serveFolder("v", true), "v", "", map[string]string{"id": id}}
	for _, route := range p.served.Routes() {
		if !strings.HasPrefix(route, "GET ") {
			t.Errorf("there is %s", route)
		}
	}
	p.checkPages([]webRow{
		{"/", 200, `Read only|Gateway|!Add a memory`},
		{"/m/{id}", 200, `Restart it|!/edit|!/new|!/delete`},
		{"/m/{id}/history", 200, `!/restore|!/undo`},
		{"/m/{id}/edit", 404, `no such page`},
		{"/new", 404, `no such page`},
	}, "")
	before := p.head()
	for _, path := range []string{"/new", "/undo", "/m/" + id + "/edit", "/review/" + id} {
		if got := p.send("POST", path, map[string][]string{"title": {"x"}, "root": {"yes"}}); got.status != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	if p.head() != before {
		t.Error("something was written")
	}
}
