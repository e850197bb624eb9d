package main_test

import (
	"fmt"
	mrand "math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hoard is a folder of random memories whose answers are measured.
type hoard struct {
	t   *testing.T
	cp  string
	dir string
	env []string // with a home folder of its own: no other project of the machine answers
	r   *mrand.Rand
}

// newHoard makes a random vault of short and long texts in several languages, with a parent
// of many children and a piece of work.
func newHoard(t *testing.T, cp string, seed int64) *hoard {
	t.Helper()
	h := &hoard{t, cp, t.TempDir(), append(os.Environ(), "HOME="+t.TempDir(), "CP_VAULT=", "CP_PROJECT="), mrand.New(mrand.NewSource(seed))}
	h.fill("", "pf")
	return h
}

// newHoards makes five such vaults, which are a family.
func newHoards(t *testing.T, cp string, seed int64) *hoard {
	t.Helper()
	h := newHoard(t, cp, seed)
	for i, dir := range []string{"a/web", "a/web/deep \"api\"", "b/移行", "c"} {
		h.fill(dir, fmt.Sprintf("v%d", i))
	}
	return h
}

// run runs a command in a folder of the hoard.
func (h *hoard) run(dir string, args ...string) {
	h.t.Helper()
	c := exec.Command(args[0], args[1:]...)
	if c.Dir = filepath.Join(h.dir, dir); os.MkdirAll(c.Dir, 0o777) != nil {
		h.t.Fatal(c.Dir)
	}
	c.Env = h.env
	if out, err := c.CombinedOutput(); err != nil {
		h.t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// write writes a note; some end their lines as Windows does, and some do not end the last one.
func (h *hoard) write(name, header, text string) {
	h.t.Helper()
	full := filepath.Join(h.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		h.t.Fatal(err)
	}
	note := "---\n" + header + "\n---\n" + text
	switch h.r.Intn(4) {
	case 0:
		note = strings.ReplaceAll(note, "\n", "\r\n")
	case 1:
		note = strings.TrimRight(note, "\n")
	}
	if err := os.WriteFile(full, []byte(note), 0o666); err != nil {
		h.t.Fatal(err)
	}
}

// text makes up a text of at most so many words.
func (h *hoard) text(most int) string {
	words := strings.Fields("deploy worker restart gateway 移行 データベース развёртывание if(x)=={1}; 0x3f2a9c \"quoted\" <tag> 🚚 schema lock migration </memory> `x` \\ 👩‍👩‍👧‍👦 ١٢٣ é")
	var b strings.Builder
	for range 1 + h.r.Intn(most) {
		b.WriteString(words[h.r.Intn(len(words))] + []string{" ", " ", " ", "\n", "\n\n# H "}[h.r.Intn(5)])
	}
	return b.String()
}

// line makes up a line of at most so many words, quoted for a header.
func (h *hoard) line(most int) string {
	return fmt.Sprintf("%q", strings.Join(strings.Fields(h.text(most)), " "))
}

// fill makes a vault in a folder of the hoard.
func (h *hoard) fill(dir, prefix string) {
	h.t.Helper()
	note := func(name, id, header, text string) {
		h.write(filepath.Join(dir, name), "id: "+prefix+"-"+id+"\n"+header, text)
	}
	note("root.md", "root", "title: Root of deploy\nsummary: When you deploy", h.text(200))
	note("long.md", "long", "title: Long deploy\nsummary: When it is long", h.text(6000))
	for i := range 5 + h.r.Intn(60) {
		note(fmt.Sprintf("root/c%d.md", i), fmt.Sprintf("c%d", i), fmt.Sprintf("title: %s\nsummary: %s", h.line(6), h.line(20)), h.text(1+h.r.Intn(900)))
	}
	for i := range h.r.Intn(40) {
		note(fmt.Sprintf("r%d.md", i), fmt.Sprintf("r%d", i), "title: "+h.line(6), h.text(1+h.r.Intn(900)))
	}
	for i := range 3 + h.r.Intn(40) {
		note(fmt.Sprintf("e%d.md", i), fmt.Sprintf("e%d", i), fmt.Sprintf("title: %s\ntype: %s\nspec: work\ncreated: 2026-01-01T00:00:%02dZ", h.line(6), []string{"decision", "blocker"}[i%2], i), h.text(1+h.r.Intn(300)))
	}
	h.run(dir, "git", "init", "-q")
	h.run(dir, h.cp, "init", "--prefix", prefix)
}

// huge adds texts of a megabyte: one of many lines with
// children, one of a single line, and one of a piece of work; and a title of twenty kilobytes.
func (h *hoard) huge() {
	h.t.Helper()
	lines, one := strings.Repeat("deploy the worker again\n\n# And 移行\n", 30_000), strings.Repeat("deploy worker 移行 ", 50_000)
	h.write("big.md", "id: pf-big\ntitle: Big deploy\nsummary: When it is big", lines)
	h.write("big/one.md", "id: pf-one\ntitle: One line of deploy\nsummary: When it is one line", one)
	for i := range 12 {
		h.write(fmt.Sprintf("big/s%d.md", i), fmt.Sprintf("id: pf-s%d\ntitle: Small deploy %d\nsummary: When it is small", i, i), "Short.\n")
	}
	h.write("entry.md", "id: pf-entry\ntitle: Big entry\ntype: blocker\nspec: work\ncreated: 2025-01-01T00:00:00Z", one)
	h.write("wide.md", "id: pf-wide\ntitle: "+fmt.Sprintf("%q", one[:20_000])+"\nsummary: "+fmt.Sprintf("%q", one[:10_000]), "Short.\n")
	h.write("wide/below.md", "id: pf-below\ntitle: Below it\nsummary: When below", "Short.\n")
	h.run("", "git", "add", "-A")
	h.run("", "git", "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "all")
}
