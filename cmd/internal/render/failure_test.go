package render_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
)

func TestFailureOf(t *testing.T) {
	denied := &vault.Error{Code: vault.CodeIO, Path: "journal.md", Msg: "cannot be written", Hint: "make it writable", Err: &fs.PathError{Op: "open", Err: fs.ErrPermission}}
	for _, row := range []struct {
		err  error
		want render.Failure
	}{
		{vault.Errorf(vault.CodeInvalid, "Create at least one commit first", "Cannot capture memory: no commits exist"),
			render.Failure{Category: "validation", Message: "Cannot capture memory: no commits exist", Recovery: "Create at least one commit first"}},
		{denied, render.Failure{Category: "storage", Message: "Cannot write to memory vault: permission denied", Recovery: "Check repository permissions (make it writable)"}},
		{vault.Errorf(vault.CodeLocked, "`ps -p 7` tells", "Another operation is in progress. … cp capture (process 7) holds the vault"),
			render.Failure{Category: "capture", Message: "Another capture operation is in progress. Wait and retry, or check for stuck processes.", Recovery: "`ps -p 7` tells"}},
		{&vault.Error{Code: vault.CodeDamaged, Path: "a.md", Line: 3, Msg: "its header does not end"},
			render.Failure{Category: "parse", Message: "Note contains invalid YAML front matter", Recovery: "Check note format at a.md:3 (its header does not end)"}},
		{&vault.Error{Code: vault.CodeDamaged, Path: "a.md", Msg: "x"},
			render.Failure{Category: "parse", Message: "Note contains invalid YAML front matter", Recovery: "Check note format at a.md:1 (x)"}},
		{vault.Errorf(vault.CodeIO, "free some space on the disk", "no space"), render.Failure{Category: "storage", Message: "no space", Recovery: "free some space on the disk"}},
		{fmt.Errorf("wrapped: %w", vault.Errorf(vault.CodeEmbedding, "h", "m")), render.Failure{Category: "embedding", Message: "wrapped: m", Recovery: "h"}},
		{vault.Errorf(vault.CodeIndex, "h", "m"), render.Failure{Category: "index", Message: "m", Recovery: "h"}},
		{errors.New("odd"), render.Failure{Category: "storage", Message: "odd"}},
	} {
		if got := render.FailureOf(row.err); got != row.want {
			t.Errorf("%v:\ngot  %+v\nwant %+v", row.err, got, row.want)
		}
	}
}
