package web

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault/past"
)

// sayings are what forms have done, told on the pages to which they lead. The address of the
// page has only a number, so nobody can put words into it.
type sayings struct {
	mu   sync.Mutex
	last int
	all  map[int]saying
}

type saying struct{ said, op string }

// mostSayings bounds what is remembered.
const mostSayings = 200

func (s *sayings) addSaying(one saying) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = make(map[int]saying)
	}
	s.last++
	s.all[s.last] = one
	delete(s.all, s.last-mostSayings)
	return s.last
}

func (s *sayings) sayingAt(n int) saying {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[n]
}

// formOutcome returns what the form has done that led here, and the operation.
func (c *call) formOutcome() (said, op string) {
	n, err := strconv.Atoi(c.r.URL.Query().Get("did"))
	if err != nil {
		return "", ""
	}
	one := c.sayings.sayingAt(n)
	return one.said, one.op
}

// goOnDone goes on to a page after a write, which tells what was done and how it is taken back.
// id is the memory that it was about.
func (c *call) goOnDone(ctx context.Context, s *app.Session, to, said, id string) error {
	one := saying{said: said}
	if id != "" {
		if rows, err := s.History().Log(ctx, past.Log{Ref: id, Limit: 1}); err == nil && len(rows) > 0 {
			one.op = rows[0].Op
		}
	}
	for _, note := range c.notes {
		one.said += ". " + note
	}
	http.Redirect(c.w, c.r, to+"?did="+url.QueryEscape(strconv.Itoa(c.sayings.addSaying(one))), http.StatusSeeOther)
	return nil
}
