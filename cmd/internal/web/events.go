package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/cp-memory/cp/cmd/internal/web/live"
)

// pingEvery is how often a silent stream says that it is still there.
const pingEvery = 15 * time.Second

// events streams which vaults have changed, and which memories in them, and no text. The id of
// an event is a stamp; who comes back with it, by Last-Event-ID, or by since= where a page was
// made, is told what they missed.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	if s.Live == nil {
		http.Error(w, "nothing tells of changes here", http.StatusNotFound)
		return
	}
	to := s.Live.Listen(cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("since")))
	if to == nil {
		http.Error(w, "too many pages listen", http.StatusServiceUnavailable)
		return
	}
	defer to.Leave()
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	say := func(text string) bool {
		_, err := fmt.Fprint(w, text)
		return err == nil && control.Flush() == nil
	}
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for open := say("retry: 1000\n\n"); open; {
		select {
		case <-r.Context().Done():
			return
		case _, more := <-to.Wake():
			open = more && say(event(to.News()))
		case <-ping.C:
			open = say(": still here\n\n")
		}
	}
}

// event is news as the stream has it; none are no event.
func event(news []live.News, stamp string) string {
	if len(news) == 0 {
		return ""
	}
	data, err := json.Marshal(news)
	if err != nil {
		panic("web: news that are no JSON: " + err.Error())
	}
	return "id: " + stamp + "\nevent: changed\ndata: " + string(data) + "\n\n"
}
