package watch

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// How long it takes from a save to the index, by itself and for a reader who
// asks at once, and what a catch-up costs beside a watcher. It asserts nothing;
// CP_WATCH_FILES and CP_WATCH_EDITS make it larger:
//
//	CP_WATCH_FILES=100000 CP_WATCH_EDITS=300 go test -tags sqlite_fts5 -run Figures -v ./vault/watch
func TestFigures(t *testing.T) {
	w := newWorld(t)
	files, edits := number("CP_WATCH_FILES", 200), number("CP_WATCH_EDITS", 20)
	for i := range files {
		w.Write(fmt.Sprintf("d%d/e%d/n%d.md", i/3200, i/80, i), noteOf(fmt.Sprintf("n%d", i), fmt.Sprint("Note ", i)))
	}
	told := make(chan struct{}, 1)
	w.start(func(o *Options) {
		o.Told = func(p tree.Pass) error {
			select {
			case told <- struct{}{}:
			default:
			}
			return w.told(p)
		}
	})
	var alone, asked, spent []time.Duration
	m, still := w.mirror(w.reader()), w.mirror(nil)
	lands := func(name, text string) time.Time { // when the index has the text
		for w.indexed(still, vault.Path(name)) != w.hash(text) {
			select {
			case <-told:
			case <-time.After(10 * time.Millisecond): // nothing was told of a pass that found nothing more
			}
		}
		return time.Now()
	}
	for i := range edits {
		name := fmt.Sprintf("d0/e0/n%d.md", i%min(files, 80))
		begun := time.Now()
		text := fmt.Sprintf("# Edit %d\n", i)
		w.Write(name, text)
		alone = append(alone, lands(name, text).Sub(begun))

		begun = time.Now()
		text = fmt.Sprintf("# Edit %d, and ask\n", i)
		w.Write(name, text)
		if _, ok := w.reader().Current(t.Context()); ok {
			asked = append(asked, time.Since(begun))
		}
		lands(name, text)

		before := cpu()
		if _, err := m.CatchUp(t.Context(), w.store.Ports().Source, vault.Scope{}); err != nil {
			t.Fatal(err)
		}
		spent = append(spent, cpu()-before)
	}
	t.Logf("%d files: save to index p50 %v p99 %v; for one who asks p50 %v p99 %v (%d of %d answered); cpu of a catch-up, watcher's share included, p50 %v",
		files, at(alone, 50), at(alone, 99), at(asked, 50), at(asked, 99), len(asked), edits, at(spent, 50))
}

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// cpu is what the process has used so far.
func cpu() time.Duration {
	var u unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// at returns a percentile.
func at(all []time.Duration, percent int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[(len(all)-1)*percent/100].Round(10 * time.Microsecond)
}
