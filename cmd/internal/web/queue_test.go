package web

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/web/page"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// The queue names the memories that have ended and stand in a file that agents load, as the
// review in text does.
func TestTheQueueNamesWhatIsLeftOver(t *testing.T) {
	pages, err := page.New()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	over := tier.LeftOver{ID: "pf-vpn", File: "/code/CLAUDE.md", Why: "it is denied", Command: "cp memory demote pf-vpn"}
	if err := pages.Write(&out, "queue", page.Frame{}, queueBody{Queue: journal.Queue{LeftOver: []tier.LeftOver{over}}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Left over in agents", "pf-vpn", over.File, over.Why, over.Command} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	out.Reset()
	if err := pages.Write(&out, "queue", page.Frame{}, queueBody{}); err != nil || strings.Contains(out.String(), "Left over") {
		t.Errorf("nothing is left over: %v", err)
	}
}
