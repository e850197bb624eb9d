package web

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/web/page"
	"github.com/cp-memory/cp/vault"
)

// sent returns what becomes of a form: whether it was taken, the error, and the text that comes
// back.
func sent(f form, fields url.Values) (taken bool, kept string, err error) {
	f.do = func(*call, context.Context, *app.Session) error { taken = true; return nil }
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(fields.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	c := &call{r: r}
	err = f.parseAndDo(c, context.Background(), nil)
	return taken, c.kept, err
}

// Whatever writes says which fields it may have. One more, or one in another spelling, is
// refused with the near name, and the text that was typed comes back.
func TestEachFormKnowsItsFields(t *testing.T) {
	for pattern, f := range forms() {
		dos := slices.Sorted(maps.Keys(f.by))
		if f.by == nil {
			dos = []string{""}
		}
		if len(f.fields) == 0 {
			t.Errorf("%s has no list of its fields", pattern)
		}
		for _, do := range dos {
			all := url.Values{}
			for _, name := range f.allowedFields(do) {
				all.Set(name, "x")
			}
			if f.by != nil {
				all.Set("do", do)
			}
			if taken, _, err := sent(f, all); !taken || err != nil {
				t.Errorf("%s does not take its own fields: %v", pattern, err)
			}
			for _, name := range f.allowedFields(do) {
				for _, wrong := range []string{name + "x", strings.ToUpper(name)} {
					more := maps.Clone(all)
					more.Set(wrong, "typed")
					taken, kept, err := sent(f, more)
					said := faultOf(err)
					if taken || vault.CodeOf(err) != vault.CodeInvalid || !strings.Contains(said.Message, `"`+wrong+`"`) || !strings.Contains(said.Hint, `did you mean "`) || !strings.Contains(said.Hint, name) || kept == "" {
						t.Errorf("%s %s with %q: taken %v, %q, %+v", pattern, do, wrong, taken, kept, said)
					}
				}
			}
		}
		if f.by != nil {
			if taken, kept, err := sent(f, url.Values{"do": {"prevew"}, "body": {"Typed."}}); taken || vault.CodeOf(err) != vault.CodeInvalid || kept != "Typed." {
				t.Errorf("%s takes a do that there is not: %v, %q", pattern, err, kept)
			}
		}
	}
}

// All that is posted goes by the table of the forms.
func TestNothingIsPostedPastTheForms(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	posts := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") {
			posts += strings.Count(string(text), `"POST`) + strings.Count(string(text), "MethodPost")
		}
	}
	if posts != 1 {
		t.Errorf("%d places register what is posted, want the one in writes", posts)
	}
}

// The fields of the pages' forms are those that are taken.
func TestPagesSendKnownFields(t *testing.T) {
	pages, err := page.New()
	if err != nil {
		t.Fatal(err)
	}
	posted, named := regexp.MustCompile(`(?s)<form method="post" action="([^"]*)".*?</form>`), regexp.MustCompile(` name="([a-z_]+)"`)
	seen := make(map[string]bool)
	chosen := map[string]any{"new": newBody{Secret: true}, "edit": editBody{Secret: true, Edits: true, Marked: true}, "item": itemBody{Placed: true}, "fault": fault{Gone: true}}
	for name, body := range bodies {
		for _, b := range []any{body, worst(body), either(chosen[name], body)} {
			var out strings.Builder
			if err := pages.Write(&out, name, page.Frame{}, b); err != nil {
				t.Fatal(err)
			}
			for _, found := range posted.FindAllStringSubmatch(out.String(), -1) {
				for pattern, f := range forms() {
					if last := pattern[strings.LastIndex(pattern, "/"):]; last != "/{id}" && !strings.HasSuffix(found[1], last) || last == "/{id}" && !strings.Contains(found[1], "/review/") {
						continue
					}
					known := slices.Clone(f.fields)
					for do := range f.by {
						known = append(known, f.allowedFields(do)...)
					}
					for _, field := range named.FindAllStringSubmatch(found[0], -1) {
						if seen[pattern+" "+field[1]] = true; !slices.Contains(known, field[1]) {
							t.Errorf("a form of the page %s sends %q to %s, which does not know it", name, field[1], pattern)
						}
					}
				}
			}
		}
	}
	for _, field := range []string{"/new parent", "/new root", "/new secret", "/m/{id}/edit body", "/m/{id}/edit secret", "/m/{id}/move root", "/review/{id} into", "/review/{id} learned"} {
		if !seen[field] {
			t.Errorf("no page has the field %s", field)
		}
	}
}

// either returns a unless there is none.
func either(a, b any) any {
	if a != nil {
		return a
	}
	return b
}
