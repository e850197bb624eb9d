package web

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/web/jump"
	"github.com/cp-memory/cp/cmd/internal/web/markdown"
	"github.com/cp-memory/cp/cmd/internal/web/page"
)

// Options say what is shown.
type Options struct {
	App      *app.App
	Project  string
	ReadOnly bool
	Live     *Live         // tells of changes; nil tells of none
	Caution  func() string // what is on every page: that the vault is not watched, say; nil is nothing
}

// atOnce bounds how many requests have the vault open at a time.
const atOnce = 8

// Server answers requests.
type Server struct {
	Options
	pages   *page.Pages
	text    *markdown.Renderer
	jump    jump.Index
	sayings sayings
	open    chan struct{}
	mux     *http.ServeMux

	refilling  sync.Mutex // guards what follows: how the index of titles is made anew
	refillTook time.Duration
	refillsNow bool
}

// New returns the server of a vault. It opens nothing.
func New(o Options) (*Server, error) {
	pages, err := page.New()
	if err != nil {
		return nil, err
	}
	s := &Server{Options: o, pages: pages, text: markdown.New(), open: make(chan struct{}, atOnce), mux: http.NewServeMux()}
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
		"/{$}": home, "/m/{id}": memory, "/m/{id}/history": history, "/m/{id}/blame": blame, "/m/{id}/diff": diff,
		"/search": search, "/journal": journalPage, "/review": queue, "/review/{id}": item, "/findings": findingsPage,
		"/changes": changes, "/health": health, "/graph": graphPage, "/map": mapPage, "/entities": entities, "/entity": entity,
	} {
		s.mux.HandleFunc("GET "+pattern, s.page(show))
		if pattern == "/{$}" {
			s.mux.HandleFunc("GET /index.json", s.page(show))
		} else if pattern != "/m/{id}" && pattern != "/review/{id}" { // an id with .json behind it
			s.mux.HandleFunc("GET "+pattern+".json", s.page(show))
		}
	}
	s.mux.HandleFunc("GET /tree/{id}", s.page(branch))
	s.mux.HandleFunc("GET /at", s.page(at))
	s.mux.HandleFunc("GET /graph.svg", s.page(graphSVG))
	s.mux.HandleFunc("GET /map.svg", s.page(mapSVG))
	s.mux.HandleFunc("GET /jump.json", s.page(jumps))
	s.mux.HandleFunc("GET /file/{path...}", s.page(file))
	s.mux.HandleFunc("GET /keys", s.page(keys))
	s.mux.HandleFunc("GET /static/{name}", s.pages.Static)
	s.mux.HandleFunc("GET /events", s.events)
	s.mux.HandleFunc("GET /", s.page(func(*call, context.Context, *app.Session) error { return nowhere }))
}
