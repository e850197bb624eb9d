package guard

import (
	"context"
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

const named, plain = "cp-abc.localhost:4711", "127.0.0.1:4711"

// behind counts what got through.
type behind struct{ calls int }

func (b *behind) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	b.calls++
	_, _ = io.WriteString(w, "secret text")
}

// ask sends a request, which change may alter, to a guard that wants the cookie.
func ask(t *testing.T, g *Guard, method, host string, change func(*http.Request)) (status int, got *behind) {
	t.Helper()
	got = new(behind)
	r := httptest.NewRequest(method, "http://x/m/some", nil)
	r.Host = host
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	g.Wrap(got).ServeHTTP(w, r)
	if got.calls == 0 && strings.Contains(w.Body.String(), "secret") {
		t.Error("a refusal told something")
	}
	for _, name := range []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Cache-Control"} {
		if w.Header().Get(name) == "" {
			t.Errorf("%s %s: no header %s", method, host, name)
		}
	}
	for name := range w.Header() {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("the header %s lets another site in", name)
		}
	}
	return w.Code, got
}

// Every pair of host, origin and cookie: only ours with the cookie passes.
func TestHostOriginCookie(t *testing.T) {
	g := New([]string{named, plain}, rand.Reader)
	hosts := map[string]bool{
		named: true, plain: true,
		"cp-abc.localhost": false, "cp-abc.localhost:4712": false, "CP-ABC.localhost:4711": false, "cp-abc.localhost.:4711": false,
		"evil.test:4711": false, "localhost:4711": false, "0.0.0.0:4711": false, "127.1:4711": false, "127.0.0.1": false, "127.0.0.1:4711.evil.test": false,
		"[::1]:4711": false, "": false, "2130706433:4711": false,
	}
	type from struct{ site, origin string }
	writers := map[from]bool{ // whether a POST may come from there
		{"same-origin", ""}: true, {"none", ""}: true, {"same-site", ""}: false, {"cross-site", ""}: false,
		{"", "http://evil.test"}: false, {"", "null"}: false, {"", ""}: true, {"", "http://127.0.0.1:9999"}: false,
		{"cross-site", "http://" + named}: false,
	}
	cookies := map[string]bool{
		"": false, g.cookie + "=": false, g.cookie + "=" + g.key: true, g.cookie + "=x; " + g.cookie + "=" + g.key: true,
		"cp-4712=" + g.key: false, g.cookie + "=" + g.key + "x": false, g.cookie + "=" + strings.ToUpper(g.key): false,
	}
	for host, ours := range hosts {
		for who, may := range writers {
			for cookie, known := range cookies {
				for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
					status, got := ask(t, g, method, host, func(r *http.Request) {
						for name, value := range map[string]string{"Sec-Fetch-Site": who.site, "Origin": who.origin, "Cookie": cookie} {
							if value != "" {
								r.Header.Set(name, value)
							}
						}
					})
					want := ours && known && (may || method == "GET")
					if (got.calls == 1) != want || (status == 200) != want {
						t.Errorf("%s host %q, %+v, cookie %q: %d, through %d times, want %t", method, host, who, cookie, status, got.calls, want)
					}
					if !ours && status != http.StatusMisdirectedRequest {
						t.Errorf("host %q: %d", host, status)
					}
				}
			}
		}
	}
}

func TestALinkLogsInOnce(t *testing.T) {
	g := New([]string{named, plain}, rand.Reader)
	link := g.Link(named)
	follow := func(method, address, cookie string) *http.Response {
		r := httptest.NewRequest(method, address, nil)
		if cookie != "" {
			r.Header.Set("Cookie", cookie)
		}
		w := httptest.NewRecorder()
		g.Wrap(new(behind)).ServeHTTP(w, r)
		return w.Result()
	}
	if got := follow("GET", "http://"+named+"/login?code=wrong", ""); got.StatusCode != http.StatusForbidden || len(got.Cookies()) > 0 {
		t.Fatalf("a wrong code: %d", got.StatusCode)
	}
	if got := follow("HEAD", link, ""); got.StatusCode != http.StatusMethodNotAllowed {
		t.Fatalf("whoever looks at a link without following it: %d", got.StatusCode)
	}
	got := follow("GET", link, "")
	if got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != "/" || len(got.Cookies()) != 1 {
		t.Fatalf("%d to %q with %d cookies", got.StatusCode, got.Header.Get("Location"), len(got.Cookies()))
	}
	c := got.Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Domain != "" || !strings.Contains(c.Name, "4711") || len(c.Value) < 26 {
		t.Errorf("cookie %+v", c)
	}
	if again := follow("GET", link, ""); again.StatusCode != http.StatusForbidden || len(again.Cookies()) > 0 {
		t.Errorf("the second time: %d", again.StatusCode)
	}
	if again := follow("GET", link, c.Name+"="+c.Value); again.StatusCode != http.StatusSeeOther {
		t.Errorf("the second time, with the cookie: %d", again.StatusCode)
	}
	if in := follow("GET", "http://"+named+"/", c.Name+"="+c.Value); in.StatusCode != 200 {
		t.Errorf("inside: %d", in.StatusCode)
	}
}

func TestABodyIsBounded(t *testing.T) {
	g := New([]string{plain}, rand.Reader)
	read := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		}
	})
	for size, want := range map[int64]int{maxBody: 200, maxBody + 1: http.StatusRequestEntityTooLarge} {
		r := httptest.NewRequest("POST", "http://"+plain+"/", io.LimitReader(zeros{}, size))
		r.Header.Set("Cookie", g.cookie+"="+g.key)
		w := httptest.NewRecorder()
		g.Wrap(read).ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%d bytes: %d, want %d", size, w.Code, want)
		}
	}
	if s := g.Server(read); s.ReadHeaderTimeout == 0 || s.MaxHeaderBytes == 0 || s.IdleTimeout == 0 {
		t.Error("a server without limits")
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestListenOnThisMachineAlone(t *testing.T) {
	p, err := Listen(context.Background(), Address{Allow: []string{"localhost:8080"}}, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, l := range p.Listeners {
		if !l.Addr().(*net.TCPAddr).IP.IsLoopback() {
			t.Errorf("listens on %s", l.Addr())
		}
	}
	_, port, _ := net.SplitHostPort(p.Hosts[0])
	if !strings.HasSuffix(p.Hosts[0], ".localhost:"+port) || !slices.Contains(p.Hosts, "127.0.0.1:"+port) || !slices.Contains(p.Hosts, "localhost:8080") {
		t.Errorf("hosts %q", p.Hosts)
	}
	if _, err := Listen(context.Background(), Address{Port: p.Listeners[0].Addr().(*net.TCPAddr).Port}, rand.Reader); err == nil {
		t.Error("a port that is taken was taken again")
	}
}

func TestSocket(t *testing.T) {
	dir := t.TempDir()
	private, open := filepath.Join(dir, "private"), filepath.Join(dir, "open")
	for name, mode := range map[string]os.FileMode{private: 0o700, open: 0o755} {
		if err := os.Mkdir(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	allow := []string{"localhost:8080"}
	for name, a := range map[string]Address{
		"others can enter the folder": {Socket: filepath.Join(open, "s"), Allow: allow},
		"no host is named":            {Socket: filepath.Join(private, "s")},
		"the folder is not there":     {Socket: filepath.Join(dir, "none", "s"), Allow: allow},
		"a host without a port":       {Socket: filepath.Join(private, "s"), Allow: []string{"localhost"}},
	} {
		if _, err := Listen(context.Background(), a, rand.Reader); vault.CodeOf(err) != vault.CodeInvalid && vault.CodeOf(err) != vault.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	a := Address{Socket: filepath.Join(private, "s"), Allow: allow}
	p, err := Listen(context.Background(), a, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(a.Socket)
	if err != nil || info.Mode().Perm() != 0o600 || !slices.Equal(p.Hosts, allow) {
		t.Errorf("%v, %v, hosts %q", info, err, p.Hosts)
	}
	if _, err := Listen(context.Background(), a, rand.Reader); vault.CodeOf(err) != vault.CodeInvalid {
		t.Errorf("twice: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(a.Socket); err == nil {
		t.Error("the socket is left behind")
	}
}
