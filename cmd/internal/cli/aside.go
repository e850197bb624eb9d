package cli

import (
	"strconv"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/vault/recall"
)

// tellAside says beside an answer what --include-closed would add to it.
func (f face) tellAside(a recall.Answer) {
	if a.Closed+a.Deferred == 0 {
		return
	}
	f.Errs().Println(describeAside(a.Closed, a.Deferred))
	if f.Beside != nil {
		f.Beside(console.Aside{Closed: a.Closed, Deferred: a.Deferred})
	}
}

// describeAside counts what answers, too: "2 closed memories answer too: --include-closed shows them".
func describeAside(closed, deferred int) string {
	var said []string
	for _, n := range []struct {
		count int
		word  string
	}{{closed, "closed"}, {deferred, "deferred"}} {
		if n.count > 0 {
			said = append(said, strconv.Itoa(n.count)+" "+n.word)
		}
	}
	if closed+deferred == 1 {
		return said[0] + " memory answers too: --include-closed shows it"
	}
	return strings.Join(said, " and ") + " memories answer too: --include-closed shows them"
}
