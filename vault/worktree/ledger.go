package worktree

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
	"github.com/cp-memory/cp/vault/worktree/files"
)

// ledger says which folders displaced/ holds, so that no lock has to list them.
// It is two files:
//
//	log.3     a line for each operation, its name, in the order of operations
//	cursor    {"log": 3, "seen": 410, "gone": 82, "files": 12, "bytes": 9310}
//
// seen and gone are places in the log. What stands before seen was looked at and is
// in the totals; what stands before gone was looked at again, and is gone. Neither
// file is synced: a folder that no log names after a power cut, or that an
// earlier version left, is found when the log is written anew.
type ledger struct {
	Log   int   `json:"log"`
	Seen  int64 `json:"seen"`
	Gone  int64 `json:"gone"`
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
}

// What is kept: everything for a day, then this much, nothing for more than a week.
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

func (s *Store) cursorFile() string { return filepath.Join(s.displaced(), "cursor") }

func (s *Store) logFile(l *ledger) string {
	return filepath.Join(s.displaced(), fmt.Sprintf("log.%d", l.Log))
}

// ledger reads where the cursor is. Where there is none, all that lies in
// displaced/ is written into a first log.
func (s *Store) ledger() (*ledger, error) {
	l := new(ledger)
	b, err := os.ReadFile(s.cursorFile())
	if err == nil && json.Unmarshal(b, l) == nil {
		return l, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return l, s.rewrite(l)
}

func (s *Store) save(l *ledger) error {
	b, err := json.Marshal(l)
	if err != nil {
		return err
	}
	temp := s.cursorFile() + ".new"
	if err := disk.Remove(temp); err != nil {
		return err
	}
	if err := disk.Write(temp, b, 0o600); err != nil {
		return err
	}
	return disk.Rename(temp, s.cursorFile())
}

// enter makes the folder of an operation, and its line in the log.
func (s *Store) enter(op string) error {
	if files.Present(s.relics(op)) {
		return nil
	}
	l, err := s.ledger()
	if err != nil {
		return err
	}
	if err := disk.Append(s.logFile(l), []byte(op+"\n"), 0o600); err != nil {
		return err
	}
	return disk.MkdirAll(s.relics(op), 0o700)
}

// inspect looks at what was replaced since the last look. Then it looks again at
// what is due, the oldest first, and takes that away.
func (s *Store) inspect() error {
	l, err := s.ledger()
	if err != nil {
		return err
	}
	was := *l
	err = s.lines(l, l.Seen, func(op string, next int64) (bool, error) {
		l.Seen = next
		return true, s.look(l, op)
	})
	if err != nil {
		return err
	}
	left := evictions
	err = s.lines(l, l.Gone, func(op string, next int64) (bool, error) {
		at, ok := opMoment(op)
		if left--; left < 0 || next > l.Seen || ok && !l.due(s.now().Sub(at)) {
			return false, nil
		}
		l.Gone = next
		return true, s.evict(l, op)
	})
	switch {
	case err != nil:
		return err
	case l.Gone > logRoom:
		return s.rewrite(l)
	case *l != was:
		return s.save(l)
	}
	return nil
}

// lines calls fn for the whole lines of the log from a place on, with the place
// behind each, until it returns false.
func (s *Store) lines(l *ledger, at int64, fn func(op string, next int64) (bool, error)) error {
	f, err := os.Open(s.logFile(l))
	if err != nil {
		return ignoreMissing(err)
	}
	defer f.Close()
	in := bufio.NewReaderSize(io.NewSectionReader(f, at, 1<<40), 512)
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

// look is the first look at what an operation replaced.
func (s *Store) look(l *ledger, op string) error {
	return s.each(op, func(kept string, info fs.FileInfo) error {
		late, err := s.lateWrite(kept)
		if !late {
			l.Files, l.Bytes = l.Files+1, l.Bytes+info.Size()
		}
		return err
	})
}

// evict is the second look, and takes away what nobody has written to.
func (s *Store) evict(l *ledger, op string) error {
	err := s.each(op, func(kept string, info fs.FileInfo) error {
		l.Files, l.Bytes = max(0, l.Files-1), max(0, l.Bytes-info.Size())
		if late, err := s.lateWrite(kept); late || err != nil {
			return err
		}
		return disk.Remove(kept)
	})
	if err != nil {
		return err
	}
	_, _ = disk.RemoveDir(s.relics(op)) // it stays where somebody put something else into it
	return nil
}

// each calls fn for the files that an operation has in displaced/. A line that
// names none, a torn one say, has no folder.
func (s *Store) each(op string, fn func(kept string, info fs.FileInfo) error) error {
	if _, ok := opMoment(op); !ok || filepath.Base(op) != op {
		return nil
	}
	names, err := readNames(s.relics(op))
	if err != nil {
		return ignoreMissing(err)
	}
	for _, name := range names {
		kept := filepath.Join(s.relics(op), name)
		info, err := os.Lstat(kept)
		if err == nil {
			err = fn(kept, info)
		}
		if ignoreMissing(err) != nil {
			return err
		}
	}
	return nil
}

// rewrite writes a log of what displaced/ holds, and begins anew with it.
func (s *Store) rewrite(l *ledger) error {
	entries, err := os.ReadDir(s.displaced())
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
			if err := errors.Join(disk.MkdirAll(s.relics(op), 0o700), disk.Rename(filepath.Join(s.displaced(), name), filepath.Join(s.relics(op), name))); err != nil {
				return err
			}
		}
		if _, ok := opMoment(op); ok && (flat || e.IsDir()) {
			ops = append(ops, op)
		} else if strings.HasPrefix(name, "log.") {
			old = name
			_, _ = fmt.Sscanf(name, "log.%d", &l.Log)
		}
	}
	slices.Sort(ops)
	*l = ledger{Log: l.Log + 1}
	text := strings.Join(append(slices.Compact(ops), ""), "\n")
	if err := disk.Remove(s.logFile(l)); err != nil {
		return err
	}
	if err := errors.Join(disk.Write(s.logFile(l), []byte(text), 0o600), s.save(l)); err != nil || old == "" {
		return err
	}
	return disk.Remove(filepath.Join(s.displaced(), old))
}
