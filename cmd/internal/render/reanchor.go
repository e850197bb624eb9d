package render

import (
	"cmp"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
)

// WriteReanchored writes which entries tell of another commit now, and which commits are lost.
func WriteReanchored(s Screen, r app.Reanchored) {
	done := "tells of another commit now"
	if r.DryRun {
		done = "would tell of another commit"
	}
	for _, e := range r.Entries {
		s.Printf("%s  %s -> %s  %s\n", e.ID, vault.Short(e.From), cmp.Or(vault.Short(e.To), "none"), Line(e.Title))
	}
	switch n := len(r.Entries); {
	case n == 0:
		s.Println("No entry has to tell of another commit.")
	case n == 1:
		s.Println("1 entry " + done + ".")
	default:
		s.Printf("%d entries %s.\n", n, strings.Replace(done, "tells", "tell", 1))
	}
	for _, l := range r.Lost {
		may := ""
		for i, c := range l.Candidates {
			may += [...]string{"; it may be ", " or "}[min(i, 1)] + vault.Short(c)
		}
		s.Printf("lost: %s is gone, and nothing says what has become of it%s\n", vault.Short(l.Commit), may)
	}
}
