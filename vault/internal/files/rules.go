package files

import (
	"bytes"
	"hash/crc64"
	"strings"
	"sync"
)

// IgnoreRules are the rules that hold in one folder: those of its own file, and behind them
// those of the folders above. The nil Rules ignore nothing.
type IgnoreRules struct {
	up     *IgnoreRules
	dir    string // the folder from the top, with a slash behind it; empty at the top
	base   string // the folder of the file, likewise
	lines  []line // of the file; the last that fits decides
	fold   bool   // names that differ in case alone are the same
	all    bool   // the folder itself is ignored, and so is all that lies in it
	digest uint64
}

// table is made when it is first asked for. That takes 30 µs, which every start would pay.
var table = sync.OnceValue(func() *crc64.Table { return crc64.MakeTable(crc64.ECMA) })

// NewIgnoreRules returns the rules of ignore files outside of the work tree; a later text goes before
// an earlier one. With fold the file system does not tell cases apart.
func NewIgnoreRules(fold bool, texts ...[]byte) *IgnoreRules {
	r := &IgnoreRules{fold: fold, digest: 1}
	if fold {
		r.digest = 2
	}
	for _, text := range texts {
		r = r.addRules("", text)
	}
	return r
}

// Below returns the rules for the folder of that name in this one; text is its own ignore
// file, nil for none. The empty name is this folder.
func (r *IgnoreRules) Below(name string, text []byte) *IgnoreRules {
	if r == nil {
		return nil
	}
	next := r
	if name != "" {
		dir := r.dir + name + "/"
		next = &IgnoreRules{up: r.up, dir: dir, base: r.base, lines: r.lines, fold: r.fold, all: r.Out(name, true), digest: r.digest}
		if next.all != r.all { // in a folder that is ignored no file of rules is read
			next.digest = crc64.Update(r.digest, table(), []byte("all"))
		}
	}
	if next.all {
		return next
	}
	return next.addRules(next.dir, text)
}

// addRules puts the rules of one more file before r. One that says nothing counts, too: the
// digest tells that it is there.
func (r *IgnoreRules) addRules(base string, text []byte) *IgnoreRules {
	if text == nil {
		return r
	}
	digest := crc64.Update(crc64.Update(r.digest, table(), []byte(base+"\x00")), table(), text)
	return &IgnoreRules{up: r, dir: r.dir, base: base, lines: parseIgnore(text), fold: r.fold, digest: digest}
}

// Digest tells these rules from others: the folder's own ones and those of all above it.
func (r *IgnoreRules) Digest() uint64 {
	if r == nil {
		return 0
	}
	return r.digest
}

// Out reports whether git ignores the file, or the folder, of that name in this one, if it
// does not track it.
func (r *IgnoreRules) Out(name string, folder bool) bool {
	if r == nil || r.all {
		return r != nil
	}
	dir := r.dir
	for at := r; at != nil; at = at.up {
		for i := len(at.lines) - 1; i >= 0; i-- {
			if at.lines[i].matchesName(dir[len(at.base):], name, folder, r.fold) {
				return !at.lines[i].back
			}
		}
	}
	return false
}

// line is one pattern.
type line struct {
	prefix  string // of the pattern up to its first wildcard
	pattern string // the rest
	back    bool   // what fits is not ignored
	folders bool   // it fits folders alone
	rooted  bool   // it fits the path from the file's folder, not a name at any depth
}

// parseIgnore reads the lines of an ignore file.
func parseIgnore(text []byte) (lines []line) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	for one := range bytes.SplitSeq(text, []byte("\n")) {
		if l, ok := parseLine(string(trimSpaces(bytes.TrimSuffix(one, []byte("\r"))))); ok {
			lines = append(lines, l)
		}
	}
	return lines
}

func parseLine(s string) (l line, ok bool) {
	if s == "" || s[0] == '#' {
		return l, false
	}
	if l.back = s[0] == '!'; l.back {
		s = s[1:]
	}
	if n := len(s); n > 0 && s[n-1] == '/' {
		s, l.folders = s[:n-1], true
	}
	l.rooted = strings.Contains(s, "/")
	s = strings.TrimPrefix(s, "/")
	l.prefix = s
	if i := strings.IndexAny(s, `*?[\`); i >= 0 {
		l.prefix, l.pattern = s[:i], s[i:]
	}
	return l, s != ""
}

// trimSpaces drops spaces at the end, but one behind a backslash.
func trimSpaces(b []byte) []byte {
	end := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(b))
	}
	return b[:end]
}

// matchesName reports whether the pattern fits the name in the folder dir, which counts from the
// file of the pattern and has a slash behind it, or is empty.
func (l *line) matchesName(dir, name string, folder, fold bool) bool {
	switch {
	case l.folders && !folder:
		return false
	case l.rooted:
		name = dir + name
	}
	if len(name) < len(l.prefix) || !sameName(name[:len(l.prefix)], l.prefix, fold) {
		return false
	}
	name = name[len(l.prefix):]
	return name == "" && l.pattern == "" || l.pattern != "" && match(l.pattern, name, l.rooted, fold)
}

func sameName(a, b string, fold bool) bool { return a == b || fold && strings.EqualFold(a, b) }
