package web

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
)

// secretField is the box of a form by which a likely credential is saved all the same.
const secretField = "secret"

// faultOf returns an error as a page tells it. What it advises can be done from the page: a flag
// is for who types a command.
func faultOf(err error) render.Fault {
	f := render.FaultOf(err)
	f.Message = dropFlags(f.Message)
	if hint := dropFlagClauses(f.Hint); hint != f.Hint {
		f.Hint = cmp.Or(hint, fallbackHint(f.Code))
	}
	return f
}

// dropFlags returns a text without what it says of flags; one that says nothing else keeps their words.
func dropFlags(text string) string {
	if left := dropFlagClauses(text); left != "" {
		return left
	}
	return strings.ReplaceAll(text, "--", "")
}

// fallbackHint is the hint in place of one that names nothing but flags.
func fallbackHint(c vault.Code) string {
	switch c {
	case vault.CodeConfirm, vault.CodeHasChildren, vault.CodeConflict, vault.CodeDirty:
		return "look at it again, and at what its page offers"
	case vault.CodeInvalid, vault.CodeAmbiguous, vault.CodeNotFound, vault.CodeType:
		return "look at the fields of the form, and send it again"
	case vault.CodeRemote, vault.CodeDiverged, vault.CodeConfig, vault.CodeNoVault, vault.CodeNoGit:
		return "this is mended in a terminal: `cp doctor` says how"
	}
	return "try it again; `cp doctor` in a terminal says what is wrong"
}

// dropFlagClauses takes those clauses out of a text that name a flag of our command line. One with a
// command of git stays: that is all that helps there.
func dropFlagClauses(text string) string {
	clauses := strings.Split(text, "; ")
	return strings.Join(slices.DeleteFunc(clauses, func(clause string) bool {
		return !strings.Contains(clause, "git ") && flag().MatchString(clause)
	}), "; ")
}

var flag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[^\w-])--[a-z]`) })
