package index

import (
	"time"

	"github.com/cp-memory/cp/vault"
)

// markOf returns the mark of a scanned entry: what has to be equal for its file
// to be taken as unchanged.
func markOf(f vault.File) string {
	if f.Problem != nil {
		return "!" + f.Problem.Kind + "\x00" + f.Problem.Msg
	}
	return pack(f.Stat)
}

// short returns the part of a mark that a row keeps: 47 bits of its hash. The whole mark
// is in the folder's listing. The number is negative for a file that cannot be a memory,
// and 0 without a mark.
func short(mark string) int64 {
	if mark == "" {
		return 0
	}
	h := int64(uint64(hashed(mark))>>17) | 1
	if mark[0] == '!' {
		return -h
	}
	return h
}

func pack(s vault.Stat) string {
	var room [64]byte
	return string(s.AppendPacked(append(room[:0], '=')))
}

// mark returns the mark to store for a file that was read after now. now comes from the
// real clock, since it is compared with times of the file system. The mark is empty if a
// later write could leave the same stat: the file changed within one tick of the file
// system's clock before we looked (10 ms on Linux; 2 s if times have no fraction), or in
// the future.
func mark(s vault.Stat, now time.Time) string {
	if racy(s, now) {
		return ""
	}
	return pack(s)
}

func racy(s vault.Stat, now time.Time) bool {
	tick := 50 * time.Millisecond
	if s.MTime%int64(time.Second) == 0 && s.CTime%int64(time.Second) == 0 {
		tick = 2 * time.Second
	}
	return young(s, now, tick)
}

// young reports whether a file has changed within that time before now.
func young(s vault.Stat, now time.Time, within time.Duration) bool {
	return max(s.MTime, s.CTime) >= now.Add(-within).UnixNano()
}
