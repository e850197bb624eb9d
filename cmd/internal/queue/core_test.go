package queue

import (
	"errors"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/tier"
)

// Files where a copy is due are proposed, else those that are there, each once, else the
// usual two. A file that cannot be written is never proposed.
func TestPropose(t *testing.T) {
	broken := errors.New("it is read-only")
	file := func(target, file, was string, err error) CoreFile {
		return CoreFile{Target: target, File: file, Was: was, Err: err}
	}
	for name, row := range map[string]struct {
		files []CoreFile
		due   []string
		want  string
	}{
		"what is due":         {[]CoreFile{file("claude_md", "c", "x", nil), file("gemini_md", "g", "", nil)}, []string{"gemini_md"}, "gemini_md"},
		"what is there":       {[]CoreFile{file("claude_md", "c", "", nil), file("gemini_md", "g", "x", nil)}, nil, "gemini_md"},
		"one file, two names": {[]CoreFile{file("claude_md", "a", "x", nil), file("agents_md", "a", "x", nil)}, nil, "claude_md"},
		"nothing is there":    {[]CoreFile{file("claude_md", "c", "", nil), file("agents_md", "a", "", nil), file("gemini_md", "g", "", nil)}, nil, "claude_md agents_md"},
		"due and broken":      {[]CoreFile{file("claude_md", "c", "x", broken), file("agents_md", "a", "x", nil)}, []string{"claude_md"}, ""},
		"there and broken":    {[]CoreFile{file("claude_md", "c", "x", broken), file("agents_md", "a", "", nil)}, nil, "agents_md"},
	} {
		t.Run(name, func(t *testing.T) {
			propose(row.files, row.due)
			var got []string
			for _, f := range row.files {
				if f.Chosen {
					got = append(got, f.Target)
				}
			}
			if got := strings.Join(got, " "); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

// What a file would say is its text with the section in it, however often it is asked.
func TestCoreFile(t *testing.T) {
	s := tier.Section{Key: "pf/pf-1", Text: "## Title\n"}
	was := "# Rules\r\n"
	f := coreFile(tier.CoreFile{Name: "claude_md", Text: []byte(was)}, s)
	if f.Err != nil || f.Was != was || !strings.HasPrefix(f.Is, was) || !strings.Contains(f.Is, "## Title\r\n") {
		t.Errorf("got %+v, want the text and the section", f)
	}
	if again := coreFile(tier.CoreFile{Text: []byte(f.Is)}, s); again.Err != nil || again.Is != f.Is {
		t.Errorf("got %+v, want no change", again)
	}
	if f := coreFile(tier.CoreFile{Head: "---\n", Folders: 1}, s); f.Err != nil || f.Was != "" || !strings.HasPrefix(f.Is, "---\n") || !strings.Contains(f.Is, "made") {
		t.Errorf("got %+v, want a new file", f)
	}
	edited := strings.Replace(f.Is, "## Title", "## Mine", 1)
	if f := coreFile(tier.CoreFile{Text: []byte(edited)}, s); f.Err == nil || f.Is != edited {
		t.Errorf("got %+v, want an error for what somebody edited", f)
	}
}
