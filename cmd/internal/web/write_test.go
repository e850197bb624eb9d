package web

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
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

// What is left of the marks of a conflict is not committed unnoticed; text like them is text.
func TestUndecided(t *testing.T) {
	for text, want := range map[string]bool{
		"a\n<<<<<<< yours\nb\n=======\nc\n>>>>>>> theirs\nd\n":          true,
		"a\r\n<<<<<<< yours\r\nb\r\n=======\r\nc\r\n>>>>>>> theirs\r\n": true,
		"a\n<<<<<<< yours\nb\n":                              true,
		"b\n>>>>>>>>> theirs\n":                              true,
		"<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> origin/main\n": true,
		"Heading\n=======\n":                                 false,
		"text <<<<<<< yours\n":                               false,
		">>> theirs\n":                                       false,
		"":                                                   false,
	} {
		if undecided(text) != want {
			t.Errorf("%q: got %t", text, !want)
		}
	}
	if got := (editBody{Now: fields{Status: "banana"}}).States(); !slices.Equal(got, append([]string{"banana"}, vault.Statuses...)) {
		t.Error(got)
	}
}
