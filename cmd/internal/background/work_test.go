package background

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"
)

// work counts how often it is done.
func work(t *testing.T) Work {
	t.Helper()
	return Work{Dir: filepath.Join(t.TempDir(), "state"), Name: "embed"}
}

func TestNobodyAsked(t *testing.T) {
	if err := work(t).Do(func() error { t.Error("it was done"); return nil }); err != nil {
		t.Error(err)
	}
}

// What is asked for while the work is done is done after it, in the same process.
func TestAskedMeanwhile(t *testing.T) {
	w, times := work(t), 0
	ask := func() {
		if err := w.NoteWanted(); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	ask() // twice is once
	err := w.Do(func() error {
		if times++; times < 3 {
			ask()
		}
		return nil
	})
	if err != nil || times != 3 {
		t.Errorf("done %d times, %v", times, err)
	}
	if w.isWanted() {
		t.Error("it is still asked for")
	}
}

// A second process leaves the work, and the asking, to the first.
func TestAnotherDoesIt(t *testing.T) {
	w := work(t)
	if err := w.NoteWanted(); err != nil {
		t.Fatal(err)
	}
	other := flock.New(filepath.Join(w.Dir, "embed.lock"))
	if ok, err := other.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := w.Do(func() error { t.Error("both do it"); return nil }); err != nil {
		t.Error(err)
	}
	if other.Close(); !w.isWanted() {
		t.Error("nobody asks for it any more")
	}
	if done := false; w.Do(func() error { done = true; return nil }) != nil || !done {
		t.Error("it was not done later")
	}
}

// Who waits for the work does it after the process that is at it, and gives up when told to.
func TestAlone(t *testing.T) {
	w := work(t)
	other := flock.New(filepath.Join(w.Dir, "embed.lock"))
	if err := w.NoteWanted(); err != nil {
		t.Fatal(err)
	}
	if ok, err := other.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.Alone(ctx, func() error { t.Error("both do it"); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	done, ended := false, make(chan error)
	go func() { ended <- w.Alone(context.Background(), func() error { done = true; return nil }) }()
	_ = other.Close()
	if err := <-ended; err != nil || !done {
		t.Errorf("done %v, %v", done, err)
	}
}

// What fails is not done again by itself: the next command asks.
func TestItFails(t *testing.T) {
	w, times, down := work(t), 0, errors.New("down")
	if err := w.NoteWanted(); err != nil {
		t.Fatal(err)
	}
	if err := w.Do(func() error { times++; return down }); !errors.Is(err, down) || times != 1 {
		t.Errorf("done %d times, %v", times, err)
	}
}

// Where nothing can be written nothing is asked for.
func TestNoPlaceToAsk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (Work{Dir: file, Name: "embed"}).NoteWanted(); err == nil {
		t.Error("asked in a file")
	}
}
