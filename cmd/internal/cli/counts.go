package cli

import (
	"strings"

	"github.com/cp-memory/cp/vault/sync"
)

// countsHelp tells in the help of sync and doctor what makes them end with an error.
var countsHelp = "Where something is left that somebody should mend, it is listed and the exit code\n" +
	"is 1; a dry run ends with 0. These count, see cp help findings:\n" + kinds(true) +
	"These are left alone by design and do not count:\n" + kinds(false) +
	"Nor do files that git ignores, that \"ignore:\" names, or that are not adopted."

// kinds lists the kinds of findings that count, or the others, in lines of a help text.
func kinds(mend bool) string {
	var b strings.Builder
	line := " "
	for _, k := range sync.Kinds() {
		if k.Mend != mend {
			continue
		}
		if len(line)+1+len(k.Name) > 78 {
			b.WriteString(line + "\n")
			line = " "
		}
		line += " " + k.Name
	}
	return b.String() + line + "\n"
}
