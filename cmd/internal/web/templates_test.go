package web

import (
	"html/template"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/cmd/internal/web/page"
	"github.com/cp-memory/cp/vault/graph"
)

// bodies are what the templates are written for, by their names.
var bodies = map[string]any{
	"blame": blameBody{}, "changes": changesBody{}, "diff": diffBody{}, "edit": editBody{}, "entities": entitiesBody{}, "entity": entityBody{}, "fault": fault{},
	"findings": findingsBody{}, "graph": graphBody{}, "health": healthBody{}, "history": historyBody{}, "home": rooted{}, "item": itemBody{}, "keys": page.Keys(),
	"list": listed{}, "map": mapBody{}, "memory": shown{}, "move": moveBody{}, "new": newBody{}, "plan": planBody{}, "queue": queueBody{}, "tree": page.Branch{},
}

// hostile is in every field. The quotes end an attribute that is not escaped.
const hostile = `x"'><script>hit()</script><img src=x onerror=hit()>{{.}}</textarea></title>`

// Each template writes a page of a body with nothing in it, and of one with the worst in each
// field, where nothing may become markup; alone, in a family, and where nothing can be written.
func TestTemplates(t *testing.T) {
	pages, err := page.New()
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range bodies {
		for _, f := range []page.Frame{{}, worst(page.Frame{Still: true}), worst(page.Frame{Several: true, Called: func(_, name string) string { return name }, To: func(string) string { return "/p/x" }}), {ReadOnly: true}} {
			for _, b := range []any{body, worst(body)} {
				var out strings.Builder
				if err := pages.Write(&out, name, f, b); err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				for _, bad := range []string{"<script>hit", "<img", "ZgotmplZ", `x"'`, "{{.}}</"} {
					if at := strings.Index(out.String(), bad); at >= 0 {
						t.Errorf("%s holds %q: …%s", name, bad, out.String()[max(at-60, 0):min(at+60, out.Len())])
					}
				}
			}
		}
	}
}

// The style sheet gives the pictures of a page the dark colours that those in files have.
func TestPicturesAreDarkInTheDark(t *testing.T) {
	style, err := os.ReadFile("page/style.css")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(style), graph.Dark) {
		t.Errorf("page/style.css lacks\n%s", graph.Dark)
	}
}

// Every template has a body in the list.
func TestEachTemplateIsTested(t *testing.T) {
	for _, name := range page.PageNames() {
		if _, ok := bodies[name]; !ok {
			t.Errorf("the template %s is in no test", name)
		}
	}
	if !slices.Contains(page.PageNames(), "memory") {
		t.Error("no templates are named")
	}
}

// worst returns a value of the same type with the worst in each field. What is HTML already is
// made by other parts, which have tests of their own.
func worst[T any](v T) T {
	into := reflect.New(reflect.TypeOf(any(v))).Elem()
	into.Set(reflect.ValueOf(any(v)))
	spoil(into, 0)
	return into.Interface().(T)
}

func spoil(v reflect.Value, depth int) {
	if depth > 6 || !v.CanSet() || v.Type() == reflect.TypeFor[template.HTML]() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(hostile)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Bool:
		if depth > 1 {
			v.SetBool(true)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		spoil(v.Elem(), depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		spoil(v.Index(0), depth+1)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		spoil(key, depth+1)
		spoil(value, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(1, 0)))
			return
		}
		for i := range v.NumField() {
			spoil(v.Field(i), depth+1)
		}
	}
}

// A read-only note has no link to a form that would be refused, and any other memory has.
func TestReadOnlyNotesHaveNoForms(t *testing.T) {
	pages, err := page.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, readOnly := range []bool{false, true} {
		var body shown
		body.Shown.ID, body.Shown.ReadOnly = "f-x", readOnly
		var out strings.Builder
		if err := pages.Write(&out, "memory", page.Frame{}, body); err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{"/m/f-x/edit", "/new?parent=f-x", "/m/f-x/move", "/m/f-x/delete"} {
			if strings.Contains(out.String(), form) == readOnly {
				t.Errorf("read-only %v: %s", readOnly, form)
			}
		}
	}
}
