package filename

import (
	"regexp"
	"strings"
	"sync"
)

// copyMarks fit what cloud folders put into the name of a version that they
// could not merge: Dropbox and Nextcloud "(Ada's conflicted copy 2026-02-03)",
// "(case conflict)", Syncthing ".sync-conflict-20260203-101112-ABCDEFG",
// Seafile "(SFConflict ada@example.org 2026-02-03-10-11-12)", Resilio ".Conflict".
var copyMarks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\((?:[^()]*conflicted copy[^()]*|[^()]*case conflict[^()]*|SFConflict [^()]*)\)|[ _]conflict-\d{8}-\d{6}|\.sync-conflict-\d{8}-\d{6}`)
})

// ConflictCopy reports whether a cloud folder gave a file its name: it makes such a copy of a
// file that two computers changed. The file is never a memory. A person compares it with
// the original and deletes one of them.
func ConflictCopy(name string) bool {
	return strings.Contains(strings.ToLower(name), "conflict") && copyMarks().MatchString(name)
}

// NameOfEvicted returns the name of the file that a placeholder of iCloud belongs to: iCloud
// puts .x.md.icloud in place of an x.md that it removed from the disk.
func NameOfEvicted(name string) (of string, ok bool) {
	of, ok = strings.CutPrefix(name, ".")
	if ok {
		of, ok = strings.CutSuffix(of, ".icloud")
	}
	return of, ok && len(of) > 3 && strings.EqualFold(of[len(of)-3:], ".md")
}
