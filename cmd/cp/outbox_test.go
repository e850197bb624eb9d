package main_test

import (
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// queued keeps memories waiting as an agent's do that learns during a bisect,
// which then ends.
const queued = `: >.git/BISECT_LOG
	cp memory add Learned || test $? = 75
	cp memory add-sub pf-aaa --title Below --body text --summary 'When below' || test $? = 75
	rm .git/BISECT_LOG`

// TestAQueuedWriteIsDeliveredOnce lets many commands begin at the moment in which
// the repository is free again, one of which is killed at a change of its own:
// each memory that waited is one file, with one id, made by one commit.
// Faults O2.
func TestAQueuedWriteIsDeliveredOnce(t *testing.T) {
	testlevel.Check(t)
	faulty := faultyProgram(t)
	template := sweepScene(t)
	for _, at := range []int{2, 9, 16, 23, 30} {
		t.Run("killed at "+strconv.Itoa(at), func(t *testing.T) {
			s := template.copy(t)
			s.prepare(queued)
			s.atOnce(8, faulty, at)
			s.must(s.cp, "memory", "sync")
			s.once("Learned", "Below")
			s.untouched("after the delivery")
		})
	}
}

// atOnce starts commands, and one that dies before its n-th change.
func (s *scene) atOnce(commands int, faulty string, n int) {
	var all sync.WaitGroup
	for i := range commands {
		all.Go(func() {
			if _, err := s.run(s.cp, "memory", "add", "Note "+strconv.Itoa(i)); err != nil {
				s.t.Error(err)
			}
		})
	}
	all.Go(func() {
		dying := *s
		dying.env = append(slices.Clone(s.env), "CP_FAULT="+strconv.Itoa(n)+":kill")
		var exit *exec.ExitError
		if _, err := dying.run(faulty, "memory", "add", "Last words"); err != nil && !errors.As(err, &exit) {
			s.t.Error(err)
		}
	})
	all.Wait()
}

// once checks that each title is that of one memory, with one file and one commit.
func (s *scene) once(titles ...string) {
	s.t.Helper()
	var rows []struct{ ID, Title string }
	if err := json.Unmarshal([]byte(s.must(s.cp, "memory", "list", "--limit", "100", "-o", "json")), &rows); err != nil {
		s.t.Fatal(err)
	}
	for _, title := range titles {
		var ids []string
		for _, r := range rows {
			if r.Title == title {
				ids = append(ids, r.ID)
			}
		}
		subjects := s.must("git", "log", "--format=%s", "--grep="+strconv.Quote(title))
		files, _ := filepath.Glob(filepath.Join(s.dir, "*", strings.ToLower(title)+"*.md"))
		more, _ := filepath.Glob(filepath.Join(s.dir, strings.ToLower(title)+"*.md"))
		if files = append(files, more...); len(ids) != 1 || len(files) != 1 || strings.Count(subjects, "\n") != 1 {
			s.t.Errorf("%s: ids %v, files %v, commits\n%s", title, ids, files, subjects)
		}
	}
}

// TestAnIDThatStandsTwiceSwallowsNothing writes to each of two files with one id,
// by path, and in one batch, and delivers what waited: every text is in the file that was meant.
func TestAnIDThatStandsTwiceSwallowsNothing(t *testing.T) {
	s := newScene(t)
	s.write("a.md", "---\nid: pf-aaa\ntitle: A\n---\nText.\n")
	s.must(s.cp, "memory", "sync")
	s.prepare(`cp a.md b.md; git add b.md; git commit -qm copy
		: >.git/BISECT_LOG; cp memory add-sub pf-aaa --title Waits --body waits --summary w || test $? = 75; rm .git/BISECT_LOG
		cp memory update a.md --append 'to a'
		cp memory update b.md --append 'to b'
		printf '{"verb":"update","id":"a.md","append":"more a"}\n{"verb":"update","id":"b.md","append":"more b"}\n' | cp memory batch`)
	for _, name := range []string{"a", "b"} {
		text := s.must("git", "show", "HEAD:"+name+".md")
		if !strings.Contains(text, "\nto "+name+"\n") || !strings.Contains(text, "\nmore "+name+"\n") {
			t.Errorf("%s.md:\n%s", name, text)
		}
	}
	s.once("Waits")
	s.healthy()
}
