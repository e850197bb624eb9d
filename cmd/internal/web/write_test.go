package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A form that cannot be read is the sender's mistake, and said so.
func TestFormsThatCannotBeRead(t *testing.T) {
	for _, row := range []struct {
		body string
		most int64
		want int
	}{{"%", 100, 400}, {"a=%zz", 100, 400}, {"title=x;body=y", 100, 400}, {"body=long", 4, 413}} {
		r := httptest.NewRequest(http.MethodPost, "/new", strings.NewReader(row.body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Body = http.MaxBytesReader(httptest.NewRecorder(), r.Body, row.most)
		if err := r.ParseForm(); err == nil || statusOf(unreadable(err)) != row.want {
			t.Errorf("%s: %v, %d, want %d", row.body, err, statusOf(unreadable(err)), row.want)
		}
	}
}
