package render

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"github.com/cp-memory/cp/vault"
)

// Failure says why a capture failed, in words that agents know from other programs.
type Failure struct {
	Category string `json:"category"` // see [vault.Code.Category]
	Message  string `json:"message"`
	Recovery string `json:"recovery,omitempty"`
}

// FailureOf describes the error of a command that captures.
//
//	storage    Cannot write to memory vault: permission denied
//	capture    Another capture operation is in progress. …
//	parse      Note contains invalid YAML front matter
//
// Any other error keeps its own words.
func FailureOf(err error) Failure {
	f := Failure{Category: vault.CodeOf(err).Category(), Message: err.Error()}
	var e *vault.Error
	if !errors.As(err, &e) {
		return f
	}
	f.Recovery = e.Hint
	switch {
	case errors.Is(err, fs.ErrPermission) && e.Code == vault.CodeIO:
		f.Message, f.Recovery = "Cannot write to memory vault: permission denied", then("Check repository permissions", e.Hint)
	case e.Code == vault.CodeLocked:
		f.Message = "Another capture operation is in progress. Wait and retry, or check for stuck processes."
	case e.Code == vault.CodeDamaged && e.Path != "":
		f.Message = "Note contains invalid YAML front matter"
		f.Recovery = then(fmt.Sprintf("Check note format at %s:%d", e.Path, cmp.Or(e.Line, 1)), e.Msg)
	}
	return f
}

func then(recovery, more string) string {
	if more == "" {
		return recovery
	}
	return recovery + " (" + more + ")"
}
