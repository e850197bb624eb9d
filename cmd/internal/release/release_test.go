package release

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// answers is a server that says one thing, and what it was asked.
func answers(t *testing.T, status int, body string, header ...string) (url string, asked *[]*http.Request) {
	t.Helper()
	asked = new([]*http.Request)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r)
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

// Both forms of an answer are read, by one request that tells nothing of who asks.
func TestAsksOnce(t *testing.T) {
	for _, body := range []string{`{"tag_name": "v0.2.0", "name": "x"}`, `{"version": "0.2.0"}`} {
		url, asked := answers(t, 200, body)
		got, err := Source{url}.Ask(t.Context())
		if got != "v0.2.0" || err != nil {
			t.Errorf("%s: got %q, %v", body, got, err)
		}
		if len(*asked) != 1 {
			t.Fatalf("%d requests", len(*asked))
		}
		r := (*asked)[0]
		if r.Method != "GET" || r.UserAgent() != "cp-memory" || r.URL.RawQuery != "" || r.ContentLength > 0 || r.Header.Get("Authorization")+r.Header.Get("Cookie")+r.Header.Get("Referer") != "" {
			t.Errorf("got %+v", r)
		}
	}
}

// What is no answer is one sentence with whom we asked and what to do, and never a version.
func TestFaultsAreTold(t *testing.T) {
	away := httptest.NewServer(nil)
	away.Close()
	get := func(status int, body string, header ...string) string {
		url, _ := answers(t, status, body, header...)
		return url
	}
	for name, row := range map[string]struct{ url, says string }{
		"offline":            {away.URL, "connection refused"},
		"not found":          {get(404, "{}"), `it answered "404 Not Found"`},
		"redirected":         {get(302, "", "Location", "https://example.org"), `it answered "302 Found"`},
		"a web page":         {get(200, "<html>"), "no JSON"},
		"without a version":  {get(200, `{"tag_name": "latest"}`), "names no version"},
		"more than we read":  {get(200, `{"x": "`+strings.Repeat("x", maxAnswer)+`"}`), "no JSON"},
		"a program for tags": {get(200, `{"tag_name": "v1; rm -rf /"}`), "names no version"},
	} {
		got, err := Source{row.url}.Ask(t.Context())
		var e *vault.Error
		if got != "" || !errors.As(err, &e) || e.Code != vault.CodeRemote || e.Hint == "" || !strings.Contains(err.Error(), row.says) || strings.Count(err.Error(), "127.0.0.1") > 2 {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Source{away.URL}).Ask(stopped); vault.CodeOf(err) != vault.CodeRemote {
		t.Errorf("stopped: %v", err)
	}
}

// Nobody on the way chooses the version: only https is asked, and this machine.
func TestOnlySafeAddresses(t *testing.T) {
	for _, url := range []string{"http://example.org/x", "ftp://example.org", "file:///etc/passwd", "example.org", "", "http://localhost.example.org", "https://"} {
		if _, err := (Source{url}).Ask(t.Context()); vault.CodeOf(err) != vault.CodeInvalid {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func TestNewerVersions(t *testing.T) {
	for _, row := range []struct {
		version, program string
		want             bool
	}{{"v0.2.0", "v0.1.0", true}, {"v0.10.0", "v0.9.0", true}, {"v0.1.0", "v0.1.0", false}, {"v0.1.0", "v0.2.0-rc.1", false}, {"v0.2.0", "v0.2.0-rc.1", true}, {"v0.1.0", "dev", true}} {
		if got := IsNewer(row.version, row.program); got != row.want {
			t.Errorf("%+v: got %v", row, got)
		}
	}
}
