package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"path"
	"reflect"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
)

//go:embed templates/*.html style.css script.js icon.svg
var files embed.FS

// Pages writes pages. It may be used by many at once.
type Pages struct {
	set    *template.Template
	assets map[string]asset // by the last part of their addresses
}

type asset struct {
	kind string
	text []byte
}

// Frame is what is around the subject of each page.
type Frame struct {
	Title    string
	Here     string // the entry of the navigation that the page belongs to
	Project  string
	Query    string   // in the field of the search
	ReadOnly bool     // nothing can be written here
	Notes    []string // what a person should know beside the answer
	Said     string   // what the last form has done
	Op       string   // by which that can be taken back; empty where it cannot
	Tree     []Branch
	Of       string                         // the id of the memory that the page is about
	Vault    string                         // the mark of its vault among those that a server tells of; empty on a page about several
	Stamp    string                         // of the state of the vaults before the page was made
	Base     string                         // before the addresses of what lies in the page's vault
	Within   string                         // the name of the project that the page is about, where the address names one
	Several  bool                           // several projects answer, and each row says of which it is
	Projects []Project                      // that have the page each for itself, where several answer
	Called   func(path, name string) string // how a project is told from the others
	To       func(path string) string       // what stands before the addresses of the project with a path
	Hash     string                         // of its file
	Still    bool                           // the page is being edited: it is never replaced
}

// Project is a project of the family.
type Project struct {
	Name, Path, Href string
	Memories         int
	Here             bool // the page is about it
}

// Branch is a line of the tree.
type Branch struct {
	Base              string // before its address
	ID, Title, Phrase string
	Folder            string // that has no memory of its own, in which it lies
	Count             int    // of children
	Marks             []string
	Code              string // its mark, where it is about code that has changed
	Here, Open        bool
	Children          []Branch
	Before, After     int    // how many siblings stand before the first child that is shown, and behind the last one
	Prev, Next        string // the ends of the addresses of those
}

// New parses the templates, which takes about as long as the start of the program does: it
// belongs into the command that serves them.
func New() (*Pages, error) {
	p := &Pages{assets: map[string]asset{}}
	names := map[string]string{}
	for _, name := range []string{"style.css", "script.js", "icon.svg"} {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		stem, ext, _ := strings.Cut(name, ".")
		names[name] = stem + "-" + hex.EncodeToString(sum[:6]) + "." + ext
		kind := map[string]string{"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}[ext]
		p.assets[names[name]] = asset{kind, text}
	}
	var err error
	p.set, err = template.New("").Funcs(template.FuncMap{
		"asset": func(name string) string { return "/static/" + names[name] },
		"vis":   visible,
		"mark":  markWords,
		"day":   header.FormatDay,
		"when":  when,
		"short": func(commit string) string { return commit[:min(7, len(commit))] },
		"keys":  Keys,
		"n":     formatCount,
		"set":   func(s *string) string { return visibleValue(s) },
		"in":    func(page view, row any) inPage { return inPage{page, row} },
	}).ParseFS(files, "templates/*.html")
	return p, err
}

// visible returns a text of whatever kind with what could hide or turn it made visible.
func visible(v any) string {
	if s, ok := v.(string); ok {
		return prose.Visible(s)
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.String {
		return prose.Visible(r.String())
	} else if r.Kind() == reflect.Pointer && !r.IsNil() {
		return visible(r.Elem().Interface())
	}
	return prose.Visible(fmt.Sprint(v))
}

func visibleValue(s *string) string {
	if s == nil {
		return ""
	}
	return prose.Visible(*s)
}

func when(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// formatCount returns a number with its word.
func formatCount(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// PageNames returns the names of the pages there are: of the templates but for what is around
// each page.
func PageNames() (names []string) {
	all, _ := fs.Glob(files, "templates/*.html")
	for _, file := range all {
		if name := strings.TrimSuffix(path.Base(file), ".html"); name != "frame" {
			names = append(names, name)
		}
	}
	return names
}

// view is what a template gets.
type view struct {
	Frame
	Body any
}

// inPage is a row with the page that it is on.
type inPage struct {
	Page view
	Row  any
}

// At is what stands before the addresses of a project's pages.
func (v view) At(path string) string {
	if v.To == nil {
		return v.Base
	}
	return v.To(path)
}

// Whose is the name of the project of a row.
func (v view) Whose(path, name string) string {
	if v.Called == nil {
		return name
	}
	return v.Called(path, name)
}

// Write writes a page. Nothing is written where the template fails.
func (p *Pages) Write(w io.Writer, name string, f Frame, body any) error {
	var b bytes.Buffer
	if err := p.set.ExecuteTemplate(&b, name+".html", view{f, body}); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}

// Static serves the style sheet and the script, and nothing else.
func (p *Pages) Static(w http.ResponseWriter, r *http.Request) {
	a, ok := p.assets[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", a.kind)
	w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	_, _ = w.Write(a.text)
}
