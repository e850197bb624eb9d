package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/vault/journal"
)

// steps are lines of code, each another one.
func steps(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "\tstep %d of the work, which is done here\n", i)
	}
	return b.String()
}

// codeVault makes a vault beside code, with memories about lines of it, and changes the code:
// pf-two is about two pieces of which one changes, pf-gone about a file that goes.
func (m *machine) codeVault(name string) {
	m.Helper()
	m.write(name+"/a.go", steps(1, 40))
	m.write(name+"/b.go", steps(101, 140))
	m.git(name, "init", "-q")
	m.git(name, "add", "-A")
	m.git(name, "commit", "-qm", "code")
	m.cp(name, "init", "--prefix", "pf")
	at := name + "/memory"
	m.note(at, "lines", "Lines", "When lines", "It retries.")
	m.note(at, "edit", "Edited", "When edited", "It retries twice.")
	m.note(at, "two", "Two", "When two", "Of two pieces.")
	m.note(at, "gone", "Gone", "When gone", "Of a file.")
	m.note(at, "over", "Over", "When over", "It is over.")
	m.note(at, "core", "Core", "When asked", "Ask kindly.", "sessions: [s1, s2, s3, s4, s5, s6, s7, s8, s9]")
	m.note(at, "late", "Late", "When late", "It was put off.", "deferred_until: 2026-01-02T00:00:00Z")
	m.note(at, "both", "Both", "When both", "Of two files.")
	m.note(at, "other", "Other", "When other", "Of what stays.")
	m.cp(name, "memory", "sync")
	for _, id := range []string{"lines", "edit", "two", "over", "core", "late", "both"} {
		m.cp(name, "memory", "bind", "pf-"+id, "a.go#L10-L24")
	}
	m.cp(name, "memory", "bind", "pf-two", "a.go#L30-L34")
	m.cp(name, "memory", "bind", "pf-other", "a.go#L30-L34")
	m.cp(name, "memory", "bind", "pf-gone", "b.go#L10-L24")
	m.cp(name, "memory", "bind", "pf-both", "b.go#L10-L24")
	m.write(name+"/a.go", strings.Replace(steps(1, 40), "step 12 of", "stride 12 of", 1))
	m.git(name, "rm", "-q", "b.go")
	m.git(name, "commit", "-qam", "change")
}

// What is about code that has changed waits behind the copies that are out of date, and a person
// decides about what they saw of the code.
func TestReviewOfChangedCode(t *testing.T) {
	m := newMachine(t)
	m.codeVault("v")
	r := m.review("v")
	q, err := r.Queue(m.Context(), queue.Query{})
	got := strings.Join(collect(q.Items, func(i journal.Item) string {
		return fmt.Sprint(i.Why, " ", i.ID, " ", len(i.Diff), i.Code.Mark() != "")
	}), ", ")
	if want := "core pf-core 2 true, code pf-both 12 true, code pf-edit 2 true, code pf-gone 12 true, code pf-late 2 true, code pf-lines 2 true, code pf-over 2 true, code pf-two 2 true"; err != nil || got != want || q.Counts[journal.ChangedCode] != 7 || q.Total != 8 {
		t.Errorf("got %s, %v, %v, want %s", got, q.Counts, err, want)
	}
	for _, row := range []struct {
		rule   string
		id     string
		given  func(*machine) // between what the person sees and what they decide
		do     queue.Decision
		err    string
		commit string
		file   string // what is in it then; after a ! what is not
	}{
		{rule: "no approval", id: "lines", do: queue.Decision{Do: queue.Approve}, err: "an approval says nothing about code that has changed"},
		{rule: "no denial", id: "lines", do: queue.Decision{Do: queue.Deny}, err: "a denial says nothing"},
		{rule: "gone is not confirmed", id: "gone", do: queue.Decision{Do: queue.Confirm}, err: "there is nothing to confirm"},
		{rule: "the code changed again", id: "lines", do: queue.Decision{Do: queue.Confirm}, err: "the code of pf-lines was changed meanwhile",
			given: func(m *machine) {
				m.write("v/a.go", strings.Replace(m.read("v/a.go"), "step 13 of", "stride 13 of", 1))
			}},
		{rule: "what else is in the file does not matter", id: "lines", do: queue.Decision{Do: queue.Confirm}, commit: `memory: confirm pf-lines "Lines"`,
			given: func(m *machine) { m.write("v/a.go", m.read("v/a.go")+"\tmore\n") }, file: "about_at:\n  - a.go#L10-L24"},
		{rule: "a text and its confirmation", id: "edit", do: queue.Decision{Do: queue.Confirm, Text: "It strides."}, commit: `memory: update pf-edit "Edited"`, file: "It strides."},
		{rule: "what has changed alone is unbound", id: "two", do: queue.Decision{Do: queue.Unbind}, commit: `memory: unbind pf-two "Two"`, file: "about: [\"a.go#L30-L34\"]"},
		{rule: "what holds no more is closed", id: "over", do: queue.Decision{Do: queue.Resolve, Ending: "It strides now."}, commit: `memory: resolve pf-over "Over"`, file: "resolution: It strides now."},
		{rule: "what is gone is unbound first", id: "both", do: queue.Decision{Do: queue.Unbind}, commit: `memory: unbind pf-both "Both"`, file: "about: [\"a.go#L10-L24\"]"},
		{rule: "and what has changed is confirmed then", id: "both", do: queue.Decision{Do: queue.Confirm}, commit: `memory: confirm pf-both "Both"`},
		{rule: "the code is as it was again", id: "late", do: queue.Decision{Do: queue.Confirm}, err: "is as the memory knows it",
			given: func(m *machine) { m.write("v/a.go", steps(1, 40)) }},
		{rule: "what has not changed is not resolved here", id: "late", do: queue.Decision{Do: queue.Resolve}, err: "is as the memory knows it"},
		{rule: "what is gone is unbound", id: "gone", do: queue.Decision{Do: queue.Unbind}, commit: `memory: unbind pf-gone "Gone"`, file: "!b.go"},
	} {
		m.Run(row.rule, func(t *testing.T) {
			m := m.within(t)
			item, err := r.Item(m.Context(), m.itemNamed(r, "pf-"+row.id, false))
			if err != nil {
				t.Fatal(err)
			}
			if row.given != nil {
				row.given(m)
			}
			head := m.git("v", "rev-parse", "HEAD")
			_, err = r.Decide(m.Context(), item, row.do)
			wantError(t, err, row.err)
			if subject := strings.TrimSpace(m.git("v", "log", "--format=%s", strings.TrimSpace(head)+"..")); subject != row.commit {
				t.Errorf("got %q, want %q", subject, row.commit)
			}
			part, not := strings.CutPrefix(row.file, "!")
			if text := m.read("v/memory/" + row.id + ".md"); strings.Contains(text, part) == not {
				t.Errorf("%q in\n%s", row.file, text)
			}
		})
	}
	if late := m.itemNamed(r, "pf-late", false); late.Why != journal.Deferred {
		t.Errorf("what waits for something else waits for that: got %s", late.Why)
	}
	m.checkInOrder("v")
}

// The browser shows what has changed, and has the decisions.
func TestWebReviewOfChangedCode(t *testing.T) {
	m := newMachine(t)
	m.codeVault("v")
	p := m.newPlace("v", "v", "")
	p.checkPages([]webRow{
		{"/review", 200, `code: 7|<span class="mark">code</span> <span class="mark">code changed since|code gone: b.go#L10-L24`},
		{"/review/pf-lines?why=code", 200, `a.go#L10-L24: changed, 1 of 15 lines|<ins>|stride 12|value="confirm"|value="unbind"|value="resolve"|Change the text and confirm it|!value="deny"|!value="approve"`},
		{"/review/pf-gone?why=code", 200, `b.go#L10-L24: gone|there is nothing to confirm|value="unbind"|!value="confirm"|!Change the text and confirm it`},
		{"/review/pf-core?why=core", 200, `code changed since|Write into these files`},
		{"/review/pf-lines.json", 200, `"code_hash": "|"diff": [`},
	}, p.base)
	p.sendForms([]webWrite{
		{"/review/pf-lines?why=code", "/review/pf-lines", "do=confirm&code_hash=0", 412, `the code of pf-lines was changed meanwhile`, "", ""},
		{"/review/pf-lines?why=code", "/review/pf-lines", "do=confirm", 303, `Confirmed “Lines”|/undo?op=`, "memory: confirm pf-lines", ""},
		{"/review/pf-edit?why=code", "/review/pf-edit", "do=edit&confirm=yes&text=It strides.", 303, `Confirmed “Edited”`, "memory: update pf-edit", `memory/edit.md: It strides.`},
		{"/review/pf-two?why=code", "/review/pf-two", "do=edit&text=Of two.", 303, `Changed the text of “Two”`, "memory: update pf-two", `memory/two.md: Of two.`},
		{"/review/pf-two?why=code", "/review/pf-two", "do=unbind", 303, `Unbound from the code “Two”`, "memory: unbind pf-two", `memory/two.md: about: ["a.go#L30-L34"]`},
		{"/review/pf-over?why=code", "/review/pf-over", "do=resolve&resolution=It strides now.", 303, `Resolved “Over”`, "memory: resolve pf-over", `memory/over.md: resolution: It strides now.`},
		{"/review/pf-gone?why=code", "/review/pf-gone", "do=unbind", 303, ``, "memory: unbind pf-gone", ""},
	})
}
