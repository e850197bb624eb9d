package guard

import (
	"crypto/subtle"
	"encoding/base32"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// The limits of a request. A form may hold a text three times over, each byte of it as three.
const (
	maxBody    = 40 << 20
	maxHeader  = 16 << 10
	headerTime = 5 * time.Second
	bodyTime   = 30 * time.Second
	idleTime   = 2 * time.Minute
)

// Guard stands before a handler.
type Guard struct {
	hosts  []string
	cookie string
	key    string // what the cookie holds
	random io.Reader

	mu    sync.Mutex
	codes []string // of links that nobody has used yet
}

// New returns a guard for those hosts, with a key that nobody knows yet. The port is in the
// cookie's name, since a browser tells cookies of two ports apart by nothing else.
func New(hosts []string, random io.Reader) *Guard {
	_, port, _ := net.SplitHostPort(hosts[0])
	return &Guard{hosts: hosts, cookie: "cp-" + port, key: token(random, 16), random: random}
}

// token returns so many random bytes as letters and digits.
func token(random io.Reader, bytes int) string {
	b := make([]byte, bytes)
	if _, err := io.ReadFull(random, b); err != nil {
		panic("guard: the system gives no random bytes: " + err.Error())
	}
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b))
}

// Link returns an address at a host that logs a browser in, once.
func (g *Guard) Link(host string) string {
	code := token(g.random, 16)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.codes = append(g.codes, code)
	return "http://" + host + "/login?code=" + code
}

// takeCode reports whether a link with the code is there that nobody has used, and uses it up.
func (g *Guard) takeCode(code string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := slices.IndexFunc(g.codes, func(c string) bool { return sameCode(c, code) })
	if at < 0 {
		return false
	}
	g.codes = slices.Delete(g.codes, at, at+1)
	return true
}

func sameCode(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// Server returns a server that serves the handler behind the guard.
func (g *Guard) Server(behind http.Handler) *http.Server {
	return &http.Server{Handler: g.Wrap(behind), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader}
}

// Wrap returns a handler that lets through what may pass.
func (g *Guard) Wrap(behind http.Handler) http.Handler {
	same := http.NewCrossOriginProtection()
	same.SetDenyHandler(refuseWith(http.StatusForbidden, "another site asked for this"))
	inner := same.Handler(g.requireLink(boundRequest(behind)))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		headers(w.Header())
		switch {
		case !slices.Contains(g.hosts, r.Host):
			refuseWith(http.StatusMisdirectedRequest, "this server has another name")(w, r)
		case r.URL.Path == "/login":
			g.login(w, r)
		default:
			inner.ServeHTTP(w, r)
		}
	})
}

// headers are those of every answer. A page runs our script alone, and nothing leaves it.
func headers(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// refuseWith answers with a status and a sentence.
func refuseWith(status int, why string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, why, status) }
}

// login gives the browser that follows a link the cookie, and goes on to the first page.
func (g *Guard) login(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodGet:
		refuseWith(http.StatusMethodNotAllowed, "follow the link that cp memory browse has printed")(w, r)
	case g.knows(r):
		http.Redirect(w, r, "/", http.StatusSeeOther)
	case !g.takeCode(r.URL.Query().Get("code")):
		refuseWith(http.StatusForbidden, "this link was used already, or is none of this server; Enter in its terminal prints another one")(w, r)
	default:
		http.SetCookie(w, &http.Cookie{Name: g.cookie, Value: g.key, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		http.Redirect(w, r, "/", http.StatusSeeOther)
	}
}

// knows reports whether a request has the cookie.
func (g *Guard) knows(r *http.Request) bool {
	return slices.ContainsFunc(r.CookiesNamed(g.cookie), func(c *http.Cookie) bool { return sameCode(c.Value, g.key) })
}

// requireLink refuses whoever has not followed a link.
func (g *Guard) requireLink(behind http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.knows(r) {
			refuseWith(http.StatusUnauthorized, "follow the link that cp memory browse has printed")(w, r)
			return
		}
		behind.ServeHTTP(w, r)
	})
}

// boundRequest bounds the body of a request, and the time that it may take.
func boundRequest(behind http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime)) // what cannot bound it is a test's
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		}
		behind.ServeHTTP(w, r)
	})
}
