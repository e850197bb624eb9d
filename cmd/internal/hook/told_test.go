package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func TestASessionIsToldOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "told", "s")
	one := record{id: "pf-7k2m9xqa", told: true, hash: "h1", state: quiet}
	if k := readTold(file, "1"); k.knows(one) || len(k.keepRecords([]record{one})) > 0 {
		t.Error("the first call does not tell it")
	}
	if k := readTold(file, "2"); !k.knows(one) {
		t.Error("the second call tells it again")
	}
	for what, other := range map[string]record{
		"text":   {id: one.id, hash: "h2", state: quiet},
		"state":  {id: one.id, hash: "h1", state: "changed"},
		"memory": {id: "pf-4c81hw2e", hash: "h1", state: quiet},
	} {
		if readTold(file, "3").knows(other) {
			t.Errorf("another %s counts as told", what)
		}
	}
	met := record{id: "pf-4c81hw2e", hash: "h1", state: quiet}
	readTold(file, "4").keepRecords([]record{met})
	if k := readTold(file, "5"); k.knows(met) || !k.last[met.id].same(met) {
		t.Errorf("what was met is not kept, or counts as told: %+v", k)
	}
}

// Of calls at once, one tells a memory, whatever their order.
func TestCallsAtOnce(t *testing.T) {
	for range 20 {
		file := filepath.Join(t.TempDir(), "told", "s")
		one := record{id: "pf-7k2m9xqa", told: true, hash: "h", state: quiet}
		var all sync.WaitGroup
		var mu sync.Mutex
		tellers := 0
		for i := range 8 {
			all.Add(1)
			go func() {
				defer all.Done()
				k := readTold(file, fmt.Sprint(i))
				if k.knows(one) || k.keepRecords([]record{one})[one.id] {
					return
				}
				mu.Lock()
				tellers++
				mu.Unlock()
			}()
		}
		all.Wait()
		if tellers != 1 {
			t.Fatalf("%d calls tell it", tellers)
		}
	}
}

// A file that another program wrote, or half of one, tells nothing; and a folder in its place does
// no harm.
func TestAFileOfGarbage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s")
	if err := os.WriteFile(file, []byte("\x00\xff garbage\npf-7k2m9xqa told h\nno-id! told h quiet 1\npf-7k2m9xqa told h quiet 1 more\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if k := readTold(file, "1"); len(k.last) > 0 {
		t.Errorf("got %+v", k)
	}
	k := readTold(t.TempDir(), "1")
	if others := k.keepRecords([]record{{id: "pf-7k2m9xqa", told: true}}); len(others) > 0 {
		t.Errorf("got %+v", k)
	}
}

func TestOldSessionsAreDropped(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "told")
	for name, age := range map[string]time.Duration{"00000000000000aa": toldFor + time.Hour, "00000000000000bb": toldFor - time.Hour, "notes of mine": 10 * toldFor} {
		file := filepath.Join(dir, name)
		readTold(file, "1").keepRecords([]record{{id: "pf-7k2m9xqa", told: true, hash: "h", state: quiet}})
		at := time.Now().Add(-age)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	readTold(filepath.Join(dir, "00000000000000cc"), "1").keepRecords([]record{{id: "pf-7k2m9xqa", told: true, hash: "h", state: quiet}})
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(names) != 3 || filepath.Base(names[0]) != "00000000000000bb" || filepath.Base(names[1]) != "00000000000000cc" {
		t.Errorf("got %v", names)
	}
}
