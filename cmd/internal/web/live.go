package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
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

// Live tells the pages which vaults have changed. It looks at the generation of each vault's
// mirror, which a watcher keeps current and every write raises, so it sees the writes of all
// programs; it reads no text.
type Live struct {
	mu   sync.Mutex
	now  map[string]string // the generations of the vaults, by their marks
	subs map[*listener]bool
	over bool
}

// listener is a page that is told.
type listener struct {
	wake chan struct{}   // closed at the end
	news map[string]bool // the marks of the vaults that have changed since it was told
}

// NewLive returns one that nobody listens to.
func NewLive() *Live { return &Live{now: map[string]string{}, subs: map[*listener]bool{}} }

// vaultMark is a name for a vault that says nothing of where it lies.
func vaultMark(root string) string {
	sum := sha256.Sum256([]byte(root))
	return hex.EncodeToString(sum[:4])
}

// Run looks at a vault until ctx ends. It opens it anew now and then: an index that was set
// aside is no longer the vault's.
func (l *Live) Run(ctx context.Context, a *app.App) {
	quiet := *a
	quiet.Warn, quiet.Progress = nil, nil
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
		l.tell(vaultMark(s.Root), fmt.Sprintf("%d.%d", g.Epoch, g.Number))
	}
	return nil
}

// idle reports whether nobody listens.
func (l *Live) idle() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.subs) == 0
}

// tell tells all who listen of a vault's generation that is new. Who has not taken the last
// news yet gets both at once.
func (l *Live) tell(vault, g string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	was, known := l.now[vault]
	if was == g {
		return
	}
	if l.now[vault] = g; !known {
		return // a vault that is looked at for the first time
	}
	for to := range l.subs {
		to.news[vault] = true
		select {
		case to.wake <- struct{}{}:
		default:
		}
	}
}

// stamp is the state of all vaults.
func (l *Live) stamp() string {
	sum := sha256.New()
	for _, v := range slices.Sorted(maps.Keys(l.now)) {
		fmt.Fprintln(sum, v, l.now[v])
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// listen returns what tells of new generations, and the state that is known; empty where
// nothing is. It is nil where too many listen.
func (l *Live) listen() (to *listener, now string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.subs) >= mostLive || l.over {
		return nil, ""
	}
	to = &listener{wake: make(chan struct{}, 1), news: map[string]bool{}}
	l.subs[to] = true
	if len(l.now) > 0 {
		now = l.stamp()
	}
	return to, now
}

// take returns the marks of the vaults that have changed, and the state that is known.
func (l *Live) take(to *listener) (vaults []string, now string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	vaults = slices.Sorted(maps.Keys(to.news))
	clear(to.news)
	return vaults, l.stamp()
}

// End ends all streams, so that a server which stops waits for none.
func (l *Live) End() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	for to := range l.subs {
		close(to.wake)
	}
	clear(l.subs)
}

func (l *Live) leave(to *listener) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.subs, to)
}

// events streams that vaults have changed: their marks, and no text. No mark is all of them.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	if s.Live == nil {
		http.Error(w, "nothing tells of changes here", http.StatusNotFound)
		return
	}
	to, now := s.Live.listen()
	if to == nil {
		http.Error(w, "too many pages listen", http.StatusServiceUnavailable)
		return
	}
	defer s.Live.leave(to)
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	say := func(text string) bool {
		_, err := fmt.Fprint(w, text)
		return err == nil && control.Flush() == nil
	}
	open := say("retry: 1000\n\n")
	if seen := r.Header.Get("Last-Event-ID"); open && seen != "" && seen != now && now != "" {
		open = say(event(now, nil))
	}
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for open {
		select {
		case <-r.Context().Done():
			return
		case _, more := <-to.wake:
			vaults, g := s.Live.take(to)
			open = more && say(event(g, vaults))
		case <-ping.C:
			open = say(": still here\n\n")
		}
	}
}

func event(stamp string, vaults []string) string {
	return "id: " + stamp + "\nevent: changed\ndata: " + strings.Join(vaults, ",") + "\n\n"
}
