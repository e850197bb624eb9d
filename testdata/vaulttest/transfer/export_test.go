package transfer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/transfer"
)

func TestExportGivesTheTreeInOrderAndOtherFilesLast(t *testing.T) {
	w := vaulttest.Family(t)
	w.Write("a-task.md", "---\nid: pf-tt1\ntype: task\ntitle: Task\n---\nDo it.\n")
	var lines []string
	collect := func(e transfer.Exported) error {
		parent := "-"
		if e.ParentID != nil {
			parent = string(*e.ParentID)
		}
		lines = append(lines, fmt.Sprintf("%s %s %d %s %q", e.ID, parent, e.Depth, e.Type, e.Content))
		if string(e.Raw) != w.Disk(string(e.Path)) || e.Labels == nil {
			t.Errorf("%s: the file's bytes or labels are missing", e.Path)
		}
		return nil
	}
	w.Check(transfer.Export(w.Ctx, w.Vault, "", collect))
	want := "pf-aa1 - 0 memory \"How we deploy.\\n\"\npf-aa2 pf-aa1 1 memory \"Roll back.\\n\"\npf-aa3 pf-aa1 1 memory \"Rotate.\\n\"\npf-tt1 - 0 task \"Do it.\\n\""
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	lines = nil
	w.Check(transfer.Export(w.Ctx, w.Vault, "pf-aa2", collect))
	if len(lines) != 1 {
		t.Errorf("got %q, want one memory", lines)
	}
	if err := transfer.Export(w.Ctx, w.Vault, "pf-zz9", collect); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("got %v, want not found", err)
	}
}
