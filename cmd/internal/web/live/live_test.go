package live

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// told says what a listener is told now; "" is nothing.
func told(l *Listener) string {
	select {
	case _, more := <-l.Wake():
		if !more {
			return "the end"
		}
	default:
		return ""
	}
	news, _ := l.News()
	var all []string
	for _, n := range news {
		said := fmt.Sprint(n.IDs)
		if n.All {
			said = "all"
		}
		all = append(all, n.Vault+" "+n.Project+" "+n.Generation+" "+said)
	}
	return strings.Join(all, "; ")
}

func TestWhoListensIsToldWhatChanged(t *testing.T) {
	f := New()
	f.noteGeneration("a", "one", "7.1", nil)
	f.noteGeneration("b", "two", "8.1", nil)
	l := f.Listen("")
	check := func(name string, l *Listener, want string) {
		t.Helper()
		if got := told(l); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	check("at first", l, "")
	start := f.Stamp()
	f.noteGeneration("a", "one", "7.2", []vault.ID{"pf-1"})
	check("a change", l, "a one 7.2 [pf-1]")
	check("it is told once", l, "")
	f.noteGeneration("a", "one", "7.3", []vault.ID{"pf-2", "pf-1"})
	f.noteGeneration("b", "two", "8.2", []vault.ID{})
	check("two vaults, one of them without a memory that shows it", l, "a one 7.3 [pf-1 pf-2]; b two 8.2 []")

	check("one who comes back with an old stamp", f.Listen(start), "a one 7.3 [pf-1 pf-2]; b two 8.2 []")
	check("one who has missed nothing", f.Listen(f.Stamp()), "")
	check("a stamp of another mirror", f.Listen("a:9.9,b:8.2"), "a one 7.3 all")
	check("a stamp that does not know a vault", f.Listen("b:8.2"), "a one 7.3 all")
	check("no stamp of ours", f.Listen("{{x}}"), "a one 7.3 all; b two 8.2 all")

	f.noteGeneration("a", "one", "7.4", nil)
	check("more than is named", l, "a one 7.4 all")
	check("and who was away for longer is told so, too", f.Listen(start), "a one 7.4 all; b two 8.2 []")
	f.noteGeneration("c", "late", "1.1", nil)
	check("a vault that comes", l, "c late 1.1 all")
	l.Leave()
	f.noteGeneration("c", "late", "1.2", nil)
	check("who has left", l, "")
}

// The news are bounded: in ids, in steps, in listeners; and the end is told.
func TestWhatIsRememberedIsBounded(t *testing.T) {
	f := New()
	f.noteGeneration("a", "one", "0", nil)
	many := make([]vault.ID, mostIDs)
	for i := range many {
		many[i] = vault.ID(fmt.Sprintf("pf-%d", i))
	}
	l := f.Listen("")
	f.noteGeneration("a", "one", "1", many)
	if got := told(l); strings.HasSuffix(got, "all") {
		t.Errorf("%d ids are not named: %s", mostIDs, got)
	}
	f.noteGeneration("a", "one", "2", []vault.ID{"pf-more"})
	if got := told(f.Listen("a:0")); got != "a one 2 all" {
		t.Errorf("%d ids: %s", mostIDs+1, got)
	}
	for n := range mostSteps {
		f.noteGeneration("a", "one", fmt.Sprint(n+3), []vault.ID{"pf-1"})
	}
	if got := told(f.Listen("a:2")); !strings.HasSuffix(got, "[pf-1]") {
		t.Errorf("the oldest step that is remembered: %s", got)
	}
	if got := told(f.Listen("a:1")); !strings.HasSuffix(got, "all") {
		t.Errorf("a step that is forgotten: %s", got)
	}
	for f.Listen("") != nil { // those from above are there
		if len(f.subs) > mostListen {
			t.Fatalf("%d listen", len(f.subs))
		}
	}
	f.End()
	<-l.Wake() // what was told last
	if got := told(l); got != "the end" || f.Listen("") != nil {
		t.Errorf("after the end: %q", got)
	}
}
