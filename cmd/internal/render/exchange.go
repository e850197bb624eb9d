package render

import (
	"github.com/cp-memory/cp/vault/exchange"
)

// maxNames bounds the files of each kind that a pull names.
const maxNames = 20

// Pulled writes the outcome of pull.
func Pulled(s Screen, p exchange.Pulled, dryRun bool) {
	switch p.Outcome {
	case exchange.NothingThere:
		s.Printf("%s is not there yet; cp memory push makes it.\n", p.Upstream)
		return
	case exchange.UpToDate:
		s.Printf("Up to date with %s.%s\n", p.Upstream, outgoing(p))
		return
	}
	came(s, p, dryRun)
	if dryRun {
		return
	}
	if p.Synced != nil && len(p.Synced.Discrepancies) > 0 {
		Sync(s, *p.Synced, false)
	}
}

func outgoing(p exchange.Pulled) styled {
	if !p.Outgoing {
		return ""
	}
	return " You have commits that it has not: cp memory push"
}

// came lists what came and went.
func came(s Screen, p exchange.Pulled, dryRun bool) {
	how := "merged"
	if p.Outcome == exchange.FastForward {
		how = "fast-forward"
	}
	did := "Pulled"
	if dryRun {
		did = "Would pull"
	}
	s.Printf("%s %s (%s): %d new, %d changed, %d gone\n", did, p.Upstream, styled(how), len(p.Created), len(p.Changed), len(p.Removed))
	for _, part := range []struct {
		mark  styled
		names []string
	}{{"+", p.Created}, {"~", p.Changed}, {"-", p.Removed}} {
		for _, name := range part.names[:min(len(part.names), maxNames)] {
			s.Printf("  %s %s\n", part.mark, name)
		}
		if n := len(part.names) - maxNames; n > 0 {
			s.Printf("  %s … and %d more\n", part.mark, n)
		}
	}
}

// Pushed writes the outcome of push, and of sync with a remote.
func Pushed(s Screen, p exchange.Pushed, dryRun bool) {
	if p.Synced != nil && len(p.Synced.Discrepancies) > 0 {
		Sync(s, *p.Synced, dryRun)
	}
	for _, pulled := range p.Pulled {
		Pulled(s, pulled, dryRun)
	}
	switch {
	case p.Pushed:
		s.Printf("Pushed %s to %s.\n", commit(p.Commit), p.Upstream)
	case p.WouldPush:
		s.Printf("Would push to %s.\n", p.Upstream)
	default:
		s.Printf("Nothing to push to %s.\n", p.Upstream)
	}
}
