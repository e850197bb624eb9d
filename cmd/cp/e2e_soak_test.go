//go:build e2e

package main_test

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// use is how the server is used: for 10 s and without a pause, in a vault of a handful of
// memories, or as CP_SOAK, CP_SOAK_PAUSE and CP_SOAK_MEMORIES say.
type use struct {
	long, pause time.Duration
	memories    int // that are there before
}

func soak(t *testing.T) (u use) {
	t.Helper()
	for _, of := range []struct {
		name, usual string
		read        func(string) error
	}{
		{"CP_SOAK", "10s", func(text string) (err error) { u.long, err = time.ParseDuration(text); return err }},
		{"CP_SOAK_PAUSE", "0s", func(text string) (err error) { u.pause, err = time.ParseDuration(text); return err }},
		{"CP_SOAK_MEMORIES", "0", func(text string) (err error) { u.memories, err = strconv.Atoi(text); return err }},
	} {
		if err := of.read(cmp.Or(os.Getenv(of.name), of.usual)); err != nil {
			t.Fatalf("%s: %v", of.name, err)
		}
	}
	return u
}

// fill adds memories to the vault, three hundred below each parent, and has them synced.
func (u use) fill(t *testing.T, s *shelf) {
	t.Helper()
	for n := range u.memories {
		folder, at := fmt.Sprintf("shelf-%03d", n/300), fmt.Sprintf("book-%03d.md", n%300)
		title := fmt.Sprintf("Book %d of the shelf", n)
		if n%300 == 0 {
			folder, at, title = ".", folder+".md", "Shelf "+folder
		}
		text := fmt.Sprintf("---\nid: pf-%08d\ntitle: %s\nsummary: When you need word%d\n---\n\nText with word%d and word%d.\n", n, title, n%997, n%991, n%9973)
		err := os.MkdirAll(filepath.Join(s.dir, folder), 0o777)
		if err == nil {
			err = os.WriteFile(filepath.Join(s.dir, folder, at), []byte(text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if u.memories > 0 {
		s.must("git add . && git commit -qm shelves && cp memory sync")
	}
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
	u := soak(t)
	s, root, _ := shelved(t)
	u.fill(t, s)
	end := time.Now().Add(u.long)
	var all sync.WaitGroup
	var there made
	run := func(fn func(n int) error) {
		all.Go(func() {
			for n := 0; time.Now().Before(end); n++ {
				if err := fn(n); err != nil {
					t.Error(err)
					return
				}
				time.Sleep(u.pause) // so that an hour's use need not be an hour's work
			}
		})
	}
	client := s.client(t)
	client.Timeout = 5 * time.Minute // the health of 100,000 memories takes its time on a busy machine
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
			at := []string{"/", "/m/" + root, "/search?q=text", "/jump.json?q=form", "/changes", "/map", "/health", "/m/" + root + "/history", u.book(n, "/m/"+root+".json")}[n%9]
			answer, err := client.Get(s.base127() + at)
			return readThrough(answer, err, at)
		})
	}
	all.Wait()
	s.sound(t, &there)
	if kilobytes := s.resident(t); kilobytes > 200_000 {
		t.Errorf("the server holds %d kB after %v", kilobytes, u.long)
	} else {
		t.Logf("%d memories were made; the server holds %d kB", len(there.titles), kilobytes)
	}
}

// book is the page of one of the memories that were there before, or another one where none was.
func (u use) book(n int, other string) string {
	if u.memories == 0 {
		return other
	}
	return fmt.Sprintf("/m/pf-%08d", n*7919%u.memories)
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
