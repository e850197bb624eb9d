package cli

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
)

// screen is a terminal that tells when a text has come.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
	want string
	came chan struct{}
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := strings.Contains(s.text.String(), s.want)
	s.text.Write(b)
	if !before && strings.Contains(s.text.String(), s.want) {
		close(s.came)
	}
	return len(b), nil
}

// A command that takes long says that it is at work, and wipes that line before
// it writes anything else. The model waits for the line.
func TestALongWorkShowsItself(t *testing.T) {
	d := scratch(t)
	d.write("a.md", "---\nid: pf-a\ntitle: A\n---\nText.\n")
	s := &screen{want: "add-sub … 0s", came: make(chan struct{})}
	d.person, d.types, d.errs = true, "a\n", s
	d.model = model(func(ctx context.Context, prompt string) (string, error) {
		<-s.came
		return good(prompt), nil
	})
	o := d.run("memory", "add-sub", "pf-a", "--title", "B", "--body", "Text.")
	if said := s.text.String(); o.exit != 0 || !strings.HasPrefix(said, "\r\x1b[Kadd-sub … 0s") || !strings.Contains(said, "\r\x1b[KSub-memory: ") {
		t.Errorf("exit %d\n%q", o.exit, said)
	}
}
