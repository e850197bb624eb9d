package mcp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
)

// Who has no token, or comes from a page in a browser, is refused before anything is asked.
func TestWhoGetsIn(t *testing.T) {
	server := New(Options{App: &app.App{Env: func(string) string { return "" }}})
	defer server.Close()
	h := server.handler("a-token-of-ours-1", false)
	for _, row := range []struct {
		name, host, origin, auth string
		want                     int
	}{
		{"the token", "127.0.0.1:7777", "", "Bearer a-token-of-ours-1", 200},
		{"another case of the scheme", "localhost:7777", "", "bearer a-token-of-ours-1", 200},
		{"over IPv6", "[::1]:7777", "", "Bearer a-token-of-ours-1", 200},
		{"a page of ours", "127.0.0.1:7777", "http://127.0.0.1:7777", "Bearer a-token-of-ours-1", 200},
		{"no token", "127.0.0.1:7777", "", "", 401},
		{"another token", "127.0.0.1:7777", "", "Bearer a-token-of-ours-2", 401},
		{"the beginning of the token", "127.0.0.1:7777", "", "Bearer a-token", 401},
		{"another scheme", "127.0.0.1:7777", "", "Basic a-token-of-ours-1", 401},
		{"a foreign page", "127.0.0.1:7777", "http://evil.example", "Bearer a-token-of-ours-1", 403},
		{"a page without an origin", "127.0.0.1:7777", "null", "Bearer a-token-of-ours-1", 403},
		{"a name that leads here", "evil.example:7777", "", "Bearer a-token-of-ours-1", 403},
		{"the same as a page sees it", "evil.example:7777", "http://evil.example:7777", "Bearer a-token-of-ours-1", 403},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, Path, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
			r.Host = row.host
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			for name, value := range map[string]string{"Origin": row.origin, "Authorization": row.auth} {
				if value != "" {
					r.Header.Set(name, value)
				}
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != row.want {
				t.Errorf("got %d, want %d: %s", w.Code, row.want, w.Body)
			}
			if row.want == 200 && !strings.Contains(w.Body.String(), "memory_recall") {
				t.Errorf("got %s", w.Body)
			}
		})
	}
}
