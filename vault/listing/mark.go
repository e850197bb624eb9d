package listing

import (
	"time"

	"github.com/cp-memory/cp/vault"
)

// Mark returns the mark of a scanned entry: what has to be equal for its file
// to be taken as unchanged.
func Mark(f vault.File) string {
	if f.Problem != nil {
		return "!" + f.Problem.Kind + "\x00" + f.Problem.Msg
	}
	return pack(f.Stat)
}

func pack(s vault.Stat) string {
	var room [64]byte
	return string(s.AppendPacked(append(room[:0], '=')))
}

// MarkOf returns the mark to store for a file that was read after now. The mark is empty if
// the stat is racy.
func MarkOf(s vault.Stat, now time.Time) string {
	if IsRacy(s, now) {
		return ""
	}
	return pack(s)
}

// IsRacy reports whether a later write could leave the same stat: the file changed within one
// tick of the file system's clock before now, when we looked (10 ms on Linux; 2 s if times have
// no fraction), or in the future. now comes from the real clock, since it is compared with
// times of the file system.
func IsRacy(s vault.Stat, now time.Time) bool {
	tick := 50 * time.Millisecond
	if s.MTime%int64(time.Second) == 0 && s.CTime%int64(time.Second) == 0 {
		tick = 2 * time.Second
	}
	return Young(s, now, tick)
}

// Young reports whether a file has changed within that time before now.
func Young(s vault.Stat, now time.Time, within time.Duration) bool {
	return max(s.MTime, s.CTime) >= now.Add(-within).UnixNano()
}
