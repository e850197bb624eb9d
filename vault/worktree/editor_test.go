package worktree_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

// editor is a person's program that saves one file all the time, each time
// with a new token and in one of the three ways in which editors save.
type editor struct {
	w      *sandbox
	random *rand.Rand
	tokens []string
}

// ways are truncate and write (nano, a shell), rename over (VS Code, Obsidian,
// sed -i) and move away, write anew, delete (vim).
var ways = []func(name, text string) error{
	func(name, text string) error { return os.WriteFile(name, []byte(text), 0o644) },
	func(name, text string) error {
		if err := os.WriteFile(name+".swp", []byte(text), 0o644); err != nil {
			return err
		}
		return os.Rename(name+".swp", name)
	},
	func(name, text string) error {
		if err := os.Rename(name, name+"~"); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return err
		}
		return os.Remove(name + "~")
	},
}

// save loads the file, types a line and saves.
func (e *editor) save() error {
	name := e.w.path("a.md")
	b, err := os.ReadFile(name)
	if err != nil || len(b) == 0 {
		return err
	}
	token := fmt.Sprintf("token-%04d.", len(e.tokens))
	text := strings.Replace(string(b), "\na\n", "\na\n"+token+"\n", 1)
	if text == string(b) {
		return fmt.Errorf("the file lost its prose: %q", text)
	}
	if err := ways[e.random.IntN(len(ways))](name, text); err != nil {
		return err
	}
	e.tokens = append(e.tokens, token)
	return nil
}

// run saves until told to stop.
func (e *editor) run(stop <-chan struct{}) error {
	for {
		select {
		case <-stop:
			return nil
		case <-time.After(time.Duration(e.random.IntN(4)) * time.Millisecond):
			if err := e.save(); err != nil {
				return err
			}
		}
	}
}

// No save is lost beside a stream of writes to the same file: it is in the
// file, or it was replaced while the editor still wrote to it, and is kept.
// Faults H1, H2, H3.
func TestAnEditorBesideTheWriter(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	w := newSandbox(t, "", parent...)
	e := &editor{w: w, random: rand.New(rand.NewPCG(seed, 0))}
	stop, ended := make(chan struct{}), make(chan error)
	go func() { ended <- e.run(stop) }()
	const writes = 25
	for i := range writes {
		w.done(addSub(fmt.Sprintf("pf-%03d", i)))
	}
	close(stop)
	must(t, <-ended)
	head, text, kept := w.committed("a.md"), w.text("a.md"), strings.Join(w.keptTexts(), "\n")
	inFile := 0
	for _, token := range e.tokens {
		switch {
		case strings.Contains(head, token):
			t.Errorf("%s was committed", token)
		case strings.Contains(text, token):
			inFile++
		case !strings.Contains(kept, token):
			t.Errorf("%s of %d is lost", token, len(e.tokens))
		}
	}
	t.Logf("%d writes beside %d saves, %d of them in the file at the end", writes, len(e.tokens), inFile)
	for i := range writes {
		if id := fmt.Sprintf("pf-%03d", i); !strings.Contains(head, id) {
			t.Errorf("the pointer to %s is not in HEAD", id)
		}
	}
	w.clean(" M a.md")
}
