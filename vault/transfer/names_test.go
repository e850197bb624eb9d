package transfer

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
		if got := nthName(long, n+1) + ".md"; len(got) > 255 || !strings.HasPrefix(got, "éé") {
			t.Errorf("form %d has %d bytes: %q", n+1, len(got), got)
		}
	}
}
