//go:build e2e

package main_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// soak is for how long the server is used: 10 s, or CP_SOAK.
func soak(t *testing.T) time.Duration {
	t.Helper()
	long, err := time.ParseDuration(os.Getenv("CP_SOAK"))
	if os.Getenv("CP_SOAK") == "" {
		return 10 * time.Second
	}
	if err != nil {
		t.Fatalf("CP_SOAK is a time such as 1h: %v", err)
	}
	return long
}

// made collects the titles of the memories whose writer was told that they are kept.
type made struct {
	sync.Mutex
	titles []string
}

func (m *made) add(title string) {
	m.Lock()
	defer m.Unlock()
	m.titles = append(m.titles, title)
}

// People read and write in the browser while agents write by the command line. Each write
// that was answered is there afterwards, once, every page answers, and the server does not grow.
func TestE2ESoak(t *testing.T) {
	chromium(t) // one line for all of these tests
	s, root, _ := shelved(t)
	end := time.Now().Add(soak(t))
	var all sync.WaitGroup
	var there made
	run := func(fn func(n int) error) {
		all.Go(func() {
			for n := 0; time.Now().Before(end); n++ {
				if err := fn(n); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	client := s.client(t)
	for who := range 2 {
		run(func(n int) error {
			title := fmt.Sprintf("Form %d of %d", n, who)
			answer, err := client.PostForm(s.base127()+"/new", url.Values{"title": {title}, "summary": {"When " + title}, "body": {"Text of " + title + "."}, "parent": {root}})
			return acknowledged(answer, err, &there, title)
		})
		run(func(n int) error {
			title := fmt.Sprintf("Command %d of %d", n, who)
			cmd := exec.Command(filepath.Join(s.bin, "cp"), "memory", "add-sub", root, "--title", title, "--summary", "When "+title, "--body", "Text of "+title+".")
			cmd.Dir, cmd.Env = s.dir, s.env
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %v\n%s", title, err, out)
			}
			there.add(title)
			return nil
		})
		run(func(n int) error {
			at := []string{"/", "/m/" + root, "/search?q=text", "/jump.json?q=form", "/changes", "/map", "/health", "/m/" + root + "/history"}[n%8]
			answer, err := client.Get(s.base127() + at)
			return readThrough(answer, err, at)
		})
	}
	all.Wait()
	s.sound(t, &there)
	if kilobytes := s.resident(t); kilobytes > 200_000 {
		t.Errorf("the server holds %d kB after %v", kilobytes, soak(t))
	} else {
		t.Logf("%d memories were made; the server holds %d kB", len(there.titles), kilobytes)
	}
}

func readThrough(answer *http.Response, err error, at string) error {
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s\n%s", at, answer.Status, text)
	}
	return err
}

// acknowledged takes up a write that was answered with its page.
func acknowledged(answer *http.Response, err error, there *made, title string) error {
	if err := readThrough(answer, err, title); err != nil {
		return err
	}
	there.add(title)
	return nil
}

// sound fails unless each of the memories is in HEAD, once, and nothing else is to be done.
func (s *shelf) sound(t *testing.T, there *made) {
	t.Helper()
	s.must("git fsck --strict")
	if dirty := s.must("git status --porcelain"); dirty != "" {
		t.Errorf("not committed: %s", dirty)
	}
	said := s.must("cp memory sync --dry-run")
	heads := s.must("git grep -h '^title: ' HEAD -- '*.md'")
	for _, title := range there.titles {
		if n := strings.Count(heads, "title: "+title+"\n"); n != 1 {
			t.Errorf("%s is there %d times", title, n)
		}
	}
	if strings.Contains(said, "missing_pointer") {
		t.Errorf("sync finds: %s", said)
	}
}

// resident is how much memory the server holds, in kB.
func (s *shelf) resident(t *testing.T) (kilobytes int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.server.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		t.Fatal(err)
	}
	return kilobytes
}
