package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// One request at a time looks at the whole vault, each gets its answer, and who has gone away
// waits no longer.
func TestOneLooksAtTheWholeVaultAtATime(t *testing.T) {
	s := &Server{whole: make(chan struct{}, 1)}
	var now, most, all atomic.Int32
	h := s.alone(func(http.ResponseWriter, *http.Request) {
		most.Store(max(most.Load(), now.Add(1)))
		for range 1000 {
			runtime.Gosched()
		}
		all.Add(1)
		now.Add(-1)
	})
	var tabs sync.WaitGroup
	for range 8 {
		tabs.Go(func() { h(httptest.NewRecorder(), httptest.NewRequest("GET", "/health", nil)) })
	}
	tabs.Wait()
	if most.Load() != 1 || all.Load() != 8 {
		t.Errorf("%d at a time, %d in all; want 1 and 8", most.Load(), all.Load())
	}
	s.whole <- struct{}{}
	gone := httptest.NewRequest("GET", "/health", nil)
	ctx, cancel := context.WithCancel(gone.Context())
	cancel()
	h(httptest.NewRecorder(), gone.WithContext(ctx))
	if all.Load() != 8 {
		t.Error("who has gone away was answered")
	}
}
