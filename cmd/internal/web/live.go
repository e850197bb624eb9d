package web

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
)

// How often the mirror is asked whether it is another one, how often a silent stream says that
// it is still there, and how many streams there may be.
const (
	askEvery  = 100 * time.Millisecond
	pingEvery = 15 * time.Second
	mostLive  = 64
)

// Live tells the pages that the vault has changed. It looks at the generation of the vault's
// mirror, which a watcher keeps current and every write raises, so it sees the writes of all
// programs; it reads no text.
type Live struct {
	mu   sync.Mutex
	now  string // the generation
	subs map[chan string]bool
	over bool
}

// NewLive returns one that nobody listens to.
func NewLive() *Live { return &Live{subs: make(map[chan string]bool)} }

// Run looks at the vault until ctx ends. It opens it anew now and then: an index that was set
// aside is no longer the vault's.
func (l *Live) Run(ctx context.Context, a *app.App) {
	quiet := *a
	quiet.Warn, quiet.Progress = nil, nil
	defer l.end()
	for ctx.Err() == nil {
		_ = quiet.With(ctx, func(s *app.Session) error { return l.look(ctx, s, time.Now().Add(10*time.Second)) })
		select {
		case <-ctx.Done():
		case <-time.After(askEvery):
		}
	}
}

// look tells of each new generation until then.
func (l *Live) look(ctx context.Context, s *app.Session, until time.Time) error {
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for time.Now().Before(until) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		if l.idle() {
			continue
		}
		g, err := s.Mirror.Generation(ctx)
		if err != nil {
			return err
		}
		l.tell(fmt.Sprintf("%d.%d", g.Epoch, g.Number))
	}
	return nil
}

// idle reports whether nobody listens.
func (l *Live) idle() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.subs) == 0
}

// tell tells all who listen of a generation that is new. Who has not taken the last one yet
// gets this one in its place.
func (l *Live) tell(g string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if g == l.now {
		return
	}
	l.now = g
	for to := range l.subs {
		select {
		case <-to:
		default:
		}
		to <- g
	}
}

// listen returns what tells of new generations, and the one that is known. It is nil where too
// many listen.
func (l *Live) listen() (news chan string, now string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.subs) >= mostLive || l.over {
		return nil, ""
	}
	news = make(chan string, 1)
	l.subs[news] = true
	return news, l.now
}

// end ends all streams, so that a server which stops waits for none.
func (l *Live) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	for to := range l.subs {
		close(to)
	}
	clear(l.subs)
}

func (l *Live) leave(news chan string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.subs, news)
}

// events streams that the vault has changed: the generation, and no text.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	if s.Live == nil {
		http.Error(w, "nothing tells of changes here", http.StatusNotFound)
		return
	}
	news, now := s.Live.listen()
	if news == nil {
		http.Error(w, "too many pages listen", http.StatusServiceUnavailable)
		return
	}
	defer s.Live.leave(news)
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	say := func(text string) bool {
		_, err := fmt.Fprint(w, text)
		return err == nil && control.Flush() == nil
	}
	open := say("retry: 1000\n\n")
	if seen := r.Header.Get("Last-Event-ID"); open && seen != "" && seen != now && now != "" {
		open = say(event(now))
	}
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for open {
		select {
		case <-r.Context().Done():
			return
		case g, more := <-news:
			open = more && say(event(g))
		case <-ping.C:
			open = say(": still here\n\n")
		}
	}
}

func event(g string) string { return "id: " + g + "\nevent: changed\ndata: " + g + "\n\n" }
