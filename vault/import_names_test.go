package vault

import (
	"strings"
	"testing"
)

func TestSafeNameKeepsGoodNamesAndMendsOthers(t *testing.T) {
	for _, row := range []struct{ name, in, want string }{
		{"a good name", "Nomad stuck", "Nomad stuck"},
		{"another script, emoji", "移行メモ 🚚", "移行メモ 🚚"},
		{"decomposed letters stay as they are", "Cafe\u0301", "Cafe\u0301"},
		{"shell characters are no harm", "$(touch x)", "$(touch x)"},
		{"an option is no harm", "-rf", "-rf"},
		{"percent signs are no escape", "%2e%2e%2fetc", "%2e%2e%2fetc"},
		{"newline and tab", "new\nline\there", "new-line-here"},
		{"what Windows forbids", `a:b?<c>|"d"*\e`, "a-b--c---d---e"},
		{"not UTF-8", "bad\xff", "bad-"},
		{"spaces around", " leading and trailing ", "leading and trailing"},
		{"dots around", "..x..", "x"},
		{"nothing left", " . ", "unnamed"},
		{"a device", "CON", "CON-"},
		{"a device with a suffix", "nul.tar", "nul.tar-"},
		{"a port", "com1", "com1-"},
		{"no port", "com10", "com10"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := safeName(row.in); got != row.want {
				t.Errorf("safeName(%q) = %q, want %q", row.in, got, row.want)
			}
		})
	}
}

func TestNamesStayWithinWhatFileSystemsAllow(t *testing.T) {
	long := strings.Repeat("é", 130)
	for n := range 3 {
		if got := fit(long, n+1) + ".md"; len(got) > 255 || !strings.HasPrefix(got, "éé") {
			t.Errorf("form %d has %d bytes: %q", n+1, len(got), got)
		}
	}
}

func TestCopiesAreToldByTheirNames(t *testing.T) {
	for _, row := range []struct {
		in, of Path
		copied bool
	}{
		{"a/x 2.md", "a/x.md", true},
		{"x (1).md", "x.md", true},
		{"x copy.md", "x.md", true},
		{"x - Copy (2).md", "x.md", true},
		{"x.md", "", false},
		{"chapter-2.md", "", false},
		{"2026 goals.md", "", false},
	} {
		of, copied := copyOf(row.in)
		if of != row.of || copied != row.copied {
			t.Errorf("copyOf(%q) = %q, %v; want %q, %v", row.in, of, copied, row.of, row.copied)
		}
	}
}

func TestConflictCopiesOfCloudFolders(t *testing.T) {
	for _, row := range []struct {
		name string
		in   Path
		want bool
	}{
		{"Dropbox", "a/x (conflicted copy 2026-02-03).md", true},
		{"Dropbox, of somebody", "x (Ada's conflicted copy).md", true},
		{"Dropbox, of somebody on a day", "x (Ada's conflicted copy 2026-02-03).md", true},
		{"Dropbox, of a name in another case", "x (Case Conflict 1).md", true},
		{"Nextcloud", "x (conflicted copy 2026-02-03 101112).md", true},
		{"ownCloud", "x_conflict-20260203-101112.md", true},
		{"Seafile", "x (SFConflict ada@example.org 2026-02-03-10-11-12).md", true},
		{"Syncthing", "x.sync-conflict-20260203-101112-ABCDEFG.md", true},
		{"a memory about them", "conflicted-copies.md", false},
		{"a memory about one", "Conflicted copy of the contract.md", false},
		{"a numbered one", "x 2.md", false},
		{"a folder of that name", "x (conflicted copy)/y.md", false},
	} {
		if got := row.in.ConflictCopy(); got != row.want {
			t.Errorf("%s: %q: got %v", row.name, row.in, got)
		}
	}
}

func TestPlaceholdersOfEvictedFiles(t *testing.T) {
	for name, want := range map[string]string{".x.md.icloud": "x.md", ".photo.jpg.icloud": "", "x.md.icloud": "", ".x.md": ""} {
		if of, ok := Evicted(name); ok != (want != "") || ok && of != want {
			t.Errorf("%q: got %q, %v", name, of, ok)
		}
	}
}
