package injected_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/injected"
)

func TestStrip(t *testing.T) {
	ours := injected.Wrap("# Memory\n\nsays </cp-memory> and <cp-memory> too\n")
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "a < b\n\n<b>x</b>\n", "a < b\n\n<b>x</b>\n"},
		{"ours alone", ours, ""},
		{"ours before", ours + "\n\nfix it", "fix it"},
		{"ours behind", "fix it\n" + ours, "fix it\n\n"},
		{"ours between", "fix it\n" + ours + "\nplease", "fix it\n\nplease"},
		{"two", ours + ours + "x", "x"},
		{"an agent's", "<system-reminder>\nSessionStart hook: x\n</system-reminder>\nhello", "hello"},
		{"with attributes", `<hook_context source="x">y</hook_context>hello`, "hello"},
		{"of Qwen", "<qwen:memory-context>y</qwen:memory-context>hello", "hello"},
		{"not closed", "hello <cp-memory>\nnever ends", "hello\n\n"},
	} {
		if got := injected.Strip(test.text); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func FuzzStrip(f *testing.F) {
	f.Add("a", "b", "c")
	f.Add("<", "</cp-memory>", "<cp-memory")
	f.Fuzz(func(t *testing.T, before, secret, after string) {
		if strings.Contains(before+after, "<") || secret == "" {
			return
		}
		with := before + injected.Wrap("⁂"+secret+"⁂") + after
		if got := injected.Strip(with); strings.Contains(got, "⁂") && !strings.Contains(before+after, "⁂") {
			t.Errorf("%q: got %q", with, got)
		}
	})
}
