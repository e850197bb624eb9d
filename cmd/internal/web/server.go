package web

import (
	"context"
	"net/http"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/web/live"
	"github.com/cp-memory/cp/cmd/internal/web/markdown"
	"github.com/cp-memory/cp/cmd/internal/web/page"
	"github.com/cp-memory/cp/vault/doctor"
)

// Options say what is shown.
type Options struct {
	App      *app.App
	About    registry.About // the project that is served
	Project  string
	ReadOnly bool
	Live     *live.Feed                // tells of changes; nil tells of none
	Caution  func(vault string) string // what is on the pages of a vault: that it is not watched, say; nil is nothing
	Writable func(vault string) bool   // whether a vault's folder can be written; nil says that each can
	Checks   func() []doctor.Finding   // what doctor says beyond the vaults; nil is nothing
}

// atOnce bounds how many requests have the vault open at a time.
const atOnce = 8

// Server answers requests.
type Server struct {
	Options
	pages   *page.Pages
	text    *markdown.Renderer
	jump    titles
	family  known
	sayings sayings
	open    chan struct{}
	whole   chan struct{} // who looks at every memory
	mux     *http.ServeMux
}

// New returns the server of a vault. It opens nothing.
func New(o Options) (*Server, error) {
	pages, err := page.New()
	if err != nil {
		return nil, err
	}
	s := &Server{Options: o, pages: pages, text: markdown.New(), open: make(chan struct{}, atOnce), whole: make(chan struct{}, 1), mux: http.NewServeMux()}
	s.reads()
	if !o.ReadOnly {
		s.writes()
	}
	return s, nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// reads are the addresses that only show. Each page is there as JSON, too.
func (s *Server) reads() {
	for pattern, show := range map[string]show{
		"/{$}": over(home), "/m/{id}": memory, "/m/{id}/history": history, "/m/{id}/blame": blame, "/m/{id}/diff": diff,
		"/search": over(search), "/journal": over(journalPage), "/review": over(queuePage), "/review/{id}": item, "/findings": over(findingsPage),
		"/changes": over(changes), "/health": over(health), "/graph": over(graphPage), "/map": over(mapPage), "/entities": over(entities), "/entity": over(entity),
	} {
		h := s.page(show)
		if pattern == "/changes" || pattern == "/health" || pattern == "/map" {
			h = s.alone(h)
		}
		s.each("GET", pattern, h)
		if pattern == "/{$}" {
			s.each("GET", "/index.json", h)
		} else if pattern != "/m/{id}" && pattern != "/review/{id}" { // an id with .json behind it
			s.each("GET", pattern+".json", h)
		}
	}
	s.mux.HandleFunc("GET /p/{project}", s.page(over(home)))
	s.each("GET", "/tree/{id}", s.page(below))
	s.each("GET", "/at", s.page(at))
	s.each("GET", "/graph.svg", s.page(over(graphSVG)))
	s.each("GET", "/map.svg", s.alone(s.page(mapSVG)))
	s.mux.HandleFunc("GET /jump.json", s.page(over(jumps)))
	s.each("GET", "/file/{path...}", s.page(file))
	s.mux.HandleFunc("GET /keys", s.page(keys))
	s.mux.HandleFunc("GET /static/{name}", s.pages.Static)
	s.mux.HandleFunc("GET /events", s.events)
	s.mux.HandleFunc("GET /p/{project}/{rest...}", s.page(func(*call, context.Context, *app.Session) error { return nowhere }))
	s.mux.HandleFunc("GET /", s.page(func(*call, context.Context, *app.Session) error { return nowhere }))
}

// each gives a page its address, and that which it has within a project.
func (s *Server) each(method, pattern string, h http.HandlerFunc) {
	s.mux.HandleFunc(method+" "+pattern, h)
	s.mux.HandleFunc(method+" /p/{project}"+pattern, h)
}
