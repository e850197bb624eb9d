package web

import (
	"context"
	"net/http"
	"slices"

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
	routes  []string // that mux knows
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
		"/{$}": askFamily(home), "/m/{id}": showMemory, "/m/{id}/history": history, "/m/{id}/blame": blame, "/m/{id}/diff": diff,
		"/search": askFamily(search), "/journal": askFamily(journalPage), "/review": askFamily(queuePage), "/review/{id}": showItem, "/findings": askFamily(findingsPage),
		"/changes": askFamily(changes), "/health": askFamily(health), "/graph": askFamily(graphPage), "/map": askFamily(mapPage), "/entities": askFamily(entities), "/entity": askFamily(entity),
	} {
		h := s.pageHandler(show)
		if pattern == "/changes" || pattern == "/health" || pattern == "/map" {
			h = s.alone(h)
		}
		s.addPage("GET", pattern, h)
		if pattern == "/{$}" {
			s.addPage("GET", "/index.json", h)
		} else if pattern != "/m/{id}" && pattern != "/review/{id}" { // an id with .json behind it
			s.addPage("GET", pattern+".json", h)
		}
	}
	s.addRoute("GET /p/{project}", s.pageHandler(askFamily(home)))
	s.addPage("GET", "/tree/{id}", s.pageHandler(showChildren))
	s.addPage("GET", "/at", s.pageHandler(goToLinked))
	s.addPage("GET", "/graph.svg", s.pageHandler(askFamily(graphSVG)))
	s.addPage("GET", "/map.svg", s.alone(s.pageHandler(mapSVG)))
	s.addRoute("GET /jump.json", s.pageHandler(askFamily(jumps)))
	s.addPage("GET", "/file/{path...}", s.pageHandler(servePicture))
	s.addRoute("GET /keys", s.pageHandler(keys))
	s.addRoute("GET /static/{name}", s.pages.Static)
	s.addRoute("GET /events", s.events)
	s.addRoute("GET /p/{project}/{rest...}", s.pageHandler(func(*call, context.Context, *app.Session) error { return nowhere }))
	s.addRoute("GET /", s.pageHandler(func(*call, context.Context, *app.Session) error { return nowhere }))
}

// addRoute has what fits a pattern answered by h.
func (s *Server) addRoute(pattern string, h http.HandlerFunc) {
	s.routes = append(s.routes, pattern)
	s.mux.HandleFunc(pattern, h)
}

// Routes returns the patterns of all that is answered, as [http.ServeMux] takes them.
func (s *Server) Routes() []string { return slices.Clone(s.routes) }

// addPage gives a page its address, and that which it has within a project.
func (s *Server) addPage(method, pattern string, h http.HandlerFunc) {
	s.addRoute(method+" "+pattern, h)
	s.addRoute(method+" /p/{project}"+pattern, h)
}
