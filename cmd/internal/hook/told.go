package hook

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// A session is told a memory of a file once, and again when its text or its state has changed.
// What it knows is kept in a file of its own, told/<hash of session and sub-agent>, in the folder
// of the vault's state: a line for each memory that was told, or met and not told, the later
// counts.
//
//	pf-7k2m9xqa told 5d41402abc4b2a76 current 7f3a9c0d21
//	pf-4c81hw2e met 9f86d081884c7d65 changed 7f3a9c0d21
//
// The third word is the digest of the memory's file and the fourth the state of its code. The last
// one tells one call from another: of two that tell the same memory at once, the one whose line
// comes first tells it. A line of any other form counts nothing.
type record struct {
	id                vault.ID
	told              bool
	hash, state, call string
}

const (
	toldFolder = "told"
	toldFor    = 7 * 24 * time.Hour // after that a file is dropped
	maxTold    = 1 << 20            // bytes of a file that are read
	nameLength = 16                 // of a file
)

// quiet is the state of a memory whose code is no alarm, whatever it is called.
const quiet = "quiet"

// session is what a session knows.
type session struct {
	file string // empty where nothing is kept
	call string
	size int
	last map[vault.ID]record // of any kind
	told map[vault.ID]record // of those that were told
}

// toldFile returns the file of a session and sub-agent; empty where the agent names no session,
// or nothing may be written.
func (in Input) toldFile(s *app.Session) string {
	who := cmp.Or(in.Session, in.Transcript)
	if who == "" || s.Refused != nil {
		return ""
	}
	dir := s.State.StateDir()
	if dir == "" {
		dir = filepath.Join(s.Root, ".cp")
	}
	sum := sha256.Sum256([]byte(who + "\x00" + in.Sub))
	return filepath.Join(dir, toldFolder, hex.EncodeToString(sum[:nameLength/2]))
}

// readTold returns what a session knows.
func readTold(file, call string) session {
	k := session{file: file, call: call, last: map[vault.ID]record{}, told: map[vault.ID]record{}}
	all, size := readRecords(file)
	k.size = size
	for _, r := range all {
		k.last[r.id] = r
		if r.told {
			k.told[r.id] = r
		}
	}
	return k
}

// readRecords reads a file of records. One that is not there, or is too large, has none.
func readRecords(file string) (all []record, size int) {
	info, err := os.Lstat(file)
	if file == "" || err != nil || !info.Mode().IsRegular() || info.Size() > maxTold {
		return nil, 0
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, 0
	}
	for line := range strings.Lines(string(b)) {
		words := strings.Fields(line)
		if len(words) != 5 {
			continue
		}
		if id, err := vault.ParseID(words[0]); err == nil {
			all = append(all, record{id: id, told: words[1] == "told", hash: words[2], state: words[3], call: words[4]})
		}
	}
	return all, len(b)
}

// knows reports whether a session was told a memory as it is.
func (k session) knows(r record) bool {
	was, ok := k.told[r.id]
	return ok && was.same(r)
}

func (r record) same(o record) bool { return r.hash == o.hash && r.state == o.state }

// keepRecords keeps records, and returns the ids of those that another call has told meanwhile. What
// cannot be kept is told again.
func (k session) keepRecords(all []record) (others map[vault.ID]bool) {
	if k.file == "" || len(all) == 0 {
		return nil
	}
	var b strings.Builder
	for _, r := range all {
		how := "met"
		if r.told {
			how = "told"
		}
		fmt.Fprintf(&b, "%s %s %s %s %s\n", r.id, how, r.hash, r.state, k.call)
	}
	if k.size == 0 {
		dropOld(filepath.Dir(k.file))
	}
	if disk.Append(k.file, []byte(b.String()), 0o600) != nil {
		return nil
	}
	return k.toldMeanwhile(b.Len())
}

// toldMeanwhile returns what others have told between the reading of the file and this call's lines.
func (k session) toldMeanwhile(own int) map[vault.ID]bool {
	all, size := readRecords(k.file)
	if size == k.size+own {
		return nil
	}
	others, before := map[vault.ID]bool{}, map[vault.ID]record{}
	for _, r := range all {
		if r.call == k.call && r.told {
			was, ok := before[r.id]
			others[r.id] = ok && was.same(r)
		} else if r.told && r.call != k.call {
			before[r.id] = r
		}
	}
	return others
}

// dropOld makes the folder, and drops the files of sessions that are long over, or have grown past
// what is read. It drops nothing that has not the name of one, and nothing behind a link.
func dropOld(dir string) {
	if disk.MakeFolders(dir, 0o777) != nil {
		return
	}
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return
	}
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		info, err := f.Info()
		_, other := hex.DecodeString(f.Name())
		if err == nil && other == nil && len(f.Name()) == nameLength && info.Mode().IsRegular() && (time.Since(info.ModTime()) > toldFor || info.Size() > maxTold) {
			_ = disk.Remove(filepath.Join(dir, f.Name()))
		}
	}
}

// forgetTold has a session be told all anew: it was compacted or cleared.
func (in Input) forgetTold(s *app.Session) {
	if file := in.toldFile(s); file != "" {
		if _, err := os.Lstat(file); err == nil {
			_ = disk.Remove(file)
		}
	}
}

// forgetSession does that before a conversation is compacted, where the start is not told of it.
func (h hooked) forgetSession(ctx context.Context) error {
	return h.openVault(ctx, asSet, func(t target.Target) error {
		h.in.forgetTold(t.Session)
		return nil
	})
}
