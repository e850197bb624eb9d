package operation

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
)

// ledger says which folders displaced/ holds, so that no lock has to list them.
// It is two files:
//
//	log.3     a line for each operation, its name, in the order of operations
//	cursor    {"log": 3, "seen": 410, "gone": 82, "files": 12, "bytes": 9310}
//
// seen and gone are offsets in the log. Operations before seen were looked at and are in
// the totals; operations before gone were looked at again and removed. Neither file is
// synced: a folder that no log names after a power cut, or that an earlier version left,
// is found when the log is written anew.
type ledger struct {
	Log   int   `json:"log"`
	Seen  int64 `json:"seen"`
	Gone  int64 `json:"gone"`
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
}

// The limits of the kept files: everything for a day, then this much, nothing for more
// than a week.
const (
	keepAtLeast = 24 * time.Hour
	keepAtMost  = 7 * 24 * time.Hour
	keepFiles   = 10_000
	keepBytes   = 256 << 20
	logRoom     = 1 << 20 // of lines that are done with
	evictions   = 4       // operations under one lock: more than one comes, and none pays for all
)

// due reports whether what is that old is to go.
func (l *ledger) due(age time.Duration) bool {
	return age > keepAtMost || age > keepAtLeast && (l.Files > keepFiles || l.Bytes > keepBytes)
}

func (f KeptFiles) cursorFile() string { return filepath.Join(f.Dir, "cursor") }

func (f KeptFiles) logFile(l *ledger) string {
	return filepath.Join(f.Dir, fmt.Sprintf("log.%d", l.Log))
}

// ledger reads the cursor. If there is none, it writes a first log of everything that lies
// in displaced/.
func (f KeptFiles) ledger() (*ledger, error) {
	l := new(ledger)
	b, err := os.ReadFile(f.cursorFile())
	if err == nil && json.Unmarshal(b, l) == nil {
		return l, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return l, f.rewriteLog(l)
}

func (f KeptFiles) save(l *ledger) error {
	b, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return disk.Replace(f.cursorFile(), b, 0o600)
}

// addOperation makes the folder of an operation, and its line in the log.
func (f KeptFiles) addOperation(op string) error {
	if files.Present(f.relics(op)) {
		return nil
	}
	l, err := f.ledger()
	if err != nil {
		return err
	}
	if err := disk.Append(f.logFile(l), []byte(op+"\n"), 0o600); err != nil {
		return err
	}
	return disk.MkdirAll(f.relics(op), 0o700)
}

// look is one look at the kept files, under a lock.
type look struct {
	KeptFiles
	ledger *ledger
	notes  []string
}

// Inspect looks at what was replaced since the last look. Then it looks again at
// what is due, the oldest first, and takes that away. It returns what there is to
// tell: texts that were saved into a file after it was replaced.
func (f KeptFiles) Inspect() (notes []string, err error) {
	in, err := f.ledger()
	if err != nil {
		return nil, err
	}
	was, l := *in, &look{KeptFiles: f, ledger: in}
	if err := l.lookAtReplaced(); err != nil {
		return l.notes, err
	}
	if err := l.second(); err != nil {
		return l.notes, err
	}
	switch {
	case in.Gone > logRoom:
		err = f.rewriteLog(in)
	case *in != was:
		err = f.save(in)
	}
	return l.notes, err
}

// eachLogLine calls fn for the whole lines of the log from a place on, with the place
// behind each, until it returns false.
func (f KeptFiles) eachLogLine(l *ledger, at int64, fn func(op string, next int64) (bool, error)) error {
	log, err := os.Open(f.logFile(l))
	if err != nil {
		return files.IgnoreMissing(err)
	}
	defer log.Close()
	in := bufio.NewReaderSize(io.NewSectionReader(log, at, 1<<40), 512)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil // the end, or half a line
		}
		at += int64(len(line))
		if more, err := fn(strings.TrimSuffix(line, "\n"), at); !more || err != nil {
			return err
		}
	}
}

// lookAtReplaced looks at what operations replaced since the last look.
func (l *look) lookAtReplaced() error {
	in := l.ledger
	return l.eachLogLine(in, in.Seen, func(op string, next int64) (bool, error) {
		in.Seen = next
		return true, l.eachKept(op, func(kept string, info fs.FileInfo) error {
			late, err := l.keepLate(kept, info)
			if !late {
				in.Files, in.Bytes = in.Files+1, in.Bytes+info.Size()
			}
			return err
		})
	})
}

// second takes away what is due.
func (l *look) second() error {
	in, left := l.ledger, evictions
	return l.eachLogLine(in, in.Gone, func(op string, next int64) (bool, error) {
		at, ok := MomentOf(op)
		if left--; left < 0 || next > in.Seen || ok && !in.due(l.Names.Now().Sub(at)) {
			return false, nil
		}
		in.Gone = next
		return true, l.evict(op)
	})
}

// evict removes the kept files that nobody has written to since.
func (l *look) evict(op string) error {
	err := l.eachKept(op, func(kept string, info fs.FileInfo) error {
		l.ledger.Files, l.ledger.Bytes = max(0, l.ledger.Files-1), max(0, l.ledger.Bytes-info.Size())
		if late, err := l.keepLate(kept, info); late || err != nil {
			return err
		}
		return disk.Remove(kept)
	})
	if err != nil {
		return err
	}
	_, _ = disk.RemoveDir(l.relics(op)) // it stays where somebody put something else into it
	return nil
}

// eachKept calls fn for the files that an operation has in displaced/. A line that
// names none, a torn one say, has no folder.
func (f KeptFiles) eachKept(op string, fn func(kept string, info fs.FileInfo) error) error {
	if _, ok := MomentOf(op); !ok || filepath.Base(op) != op {
		return nil
	}
	names, err := files.Names(f.relics(op))
	if err != nil {
		return files.IgnoreMissing(err)
	}
	for _, name := range names {
		kept := filepath.Join(f.relics(op), name)
		info, err := os.Lstat(kept)
		if err == nil {
			err = fn(kept, info)
		}
		if files.IgnoreMissing(err) != nil {
			return err
		}
	}
	return nil
}

// rewriteLog writes a new log of what displaced/ holds, and continues with it.
func (f KeptFiles) rewriteLog(l *ledger) error {
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return err
	}
	var ops []string
	old := ""
	for _, e := range entries {
		name, op := e.Name(), e.Name()
		c, flat := parseRelic(name)
		if flat = flat && !e.IsDir(); flat { // an earlier version had no folders
			op = c.op
			if err := errors.Join(disk.MkdirAll(f.relics(op), 0o700), disk.Rename(filepath.Join(f.Dir, name), filepath.Join(f.relics(op), name))); err != nil {
				return err
			}
		}
		if _, ok := MomentOf(op); ok && (flat || e.IsDir()) {
			ops = append(ops, op)
		} else if strings.HasPrefix(name, "log.") {
			old = name
			_, _ = fmt.Sscanf(name, "log.%d", &l.Log)
		}
	}
	slices.Sort(ops)
	*l = ledger{Log: l.Log + 1}
	text := strings.Join(append(slices.Compact(ops), ""), "\n")
	if err := disk.Remove(f.logFile(l)); err != nil {
		return err
	}
	if err := errors.Join(disk.Write(f.logFile(l), []byte(text), 0o600), f.save(l)); err != nil || old == "" {
		return err
	}
	return disk.Remove(filepath.Join(f.Dir, old))
}
