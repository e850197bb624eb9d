package web

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
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
		if hasConflictMarks(text) != want {
			t.Errorf("%q: got %t", text, !want)
		}
	}
	if got := (editBody{Now: fields{Status: "banana"}}).States(); !slices.Equal(got, append([]string{"banana"}, vault.Statuses...)) {
		t.Error(got)
	}
}

// What a form lacks stays; an empty text or phrase is one that the person has to confirm, and
// labels that were taken out go.
func TestAmendIsWhatTheFormSays(t *testing.T) {
	m := new(tree.Shown)
	m.Title, m.Summary, m.Labels, m.Content = "T", "When", []string{"a", "b"}, "Text.\n"
	m.Status = "open"
	for _, row := range []struct {
		form          string
		empties       int
		body, summary bool // are set
		drops         int
	}{
		{"title=T", 0, false, false, 0},
		{"labels=a", 0, false, false, 1},
		{"labels=", 0, false, false, 2},
		{"body=&summary=", 2, true, true, 0},
		{"body=+&clear=body", 1, true, false, 0},
		{"body=Text.&clear=body", 0, true, false, 0},
		{"summary=When&clear=summary", 0, false, true, 0},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(row.form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if err := r.ParseForm(); err != nil {
			t.Fatal(err)
		}
		b := (&call{r: r}).editing(fieldsOf(m))
		b.Base = fieldsOf(m)
		o := amend(b, m)
		if len(b.Empties()) != row.empties || (o.Body != nil) != row.body || (o.Summary != nil) != row.summary || len(o.RemoveLabels) != row.drops || o.Title != nil || o.Status != nil {
			t.Errorf("%s: %v, %+v", row.form, b.Empties(), o)
		}
	}
}
