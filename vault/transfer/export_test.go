package transfer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault/transfer"
)

// Each row is a state of a vault and what an export of it gives: a line for each file.
func TestExport(t *testing.T) {
	full := errors.New("the disk is full")
	more := vaultmap.Family().With(files{"deploy/new.md": file("pf-nn1", "New", "", "N.\n"), "deploy/old.md": "---\nid: pf-oo1\nstatus: closed\n---\nOld.\n", "a-task.md": "---\nid: pf-tt1\ntype: task\nlabels: [x]\n---\nDo it.\n"})
	const family = "pf-aa1 - 0 deploy.md\npf-aa2 pf-aa1 1 deploy/rollback.md: when to go back\npf-aa3 pf-aa1 1 deploy/secrets.md: when a key leaks\n"
	for _, row := range []struct {
		name  string
		start files
		given func(*vaultmap.World)
		under string
		stop  error
		want  string
		err   string
	}{
		{name: "nothing", start: files{}},
		{name: "the tree in its order, closed ones too, and files of other types last", start: more,
			want: family + "pf-nn1 pf-aa1 1 deploy/new.md phraseless\npf-oo1 pf-aa1 1 deploy/old.md phraseless\npf-tt1 - 0 a-task.md [x]\n"},
		{name: "a memory and what is below it", start: vaultmap.Deep(), under: "pf-aa2", want: "pf-aa2 pf-aa1 1 deploy/rollback.md: when to go back\npf-aa4 pf-aa2 2 deploy/rollback/data.md: when data is lost\n"},
		{name: "a task by itself", start: more, under: "pf-tt1", want: "pf-tt1 - 0 a-task.md [x]\n"},
		{name: "what is typed", given: typed("deploy/rollback.md", "summary: when to go back", "summary: typed"), want: strings.Replace(family, "when to go back", "typed", 1)},
		{name: "files that cannot be read are passed over, and told", given: func(w *vaultmap.World) {
			vaultmap.Broken("deploy/rollback.md")(w)
			vaultmap.Broken("deploy/secrets.md")(w)
		},
			want: "pf-aa1 - 0 deploy.md\n", err: "2 files could not be read: deploy/rollback.md: cannot be read | mend them and export again"},
		{name: "who takes the files ends it", stop: full, want: "pf-aa1 - 0 deploy.md\n", err: "the disk is full"},
		{name: "nobody", under: "pf-none", err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
	} {
		start := row.start
		if start == nil {
			start = vaultmap.Family()
		}
		w := vaultmap.New(start)
		if row.given != nil {
			row.given(w)
		}
		var out strings.Builder
		err := transfer.Export(t.Context(), w.Vault, row.under, func(e transfer.Exported) error {
			parent := "-"
			if e.ParentID != nil {
				parent = string(*e.ParentID)
			}
			fmt.Fprintf(&out, "%s %s %d %s", e.ID, parent, e.Depth, e.Path)
			switch {
			case e.Summary != "":
				out.WriteString(": " + e.Summary)
			case e.Phraseless:
				out.WriteString(" phraseless")
			case len(e.Labels) > 0:
				fmt.Fprint(&out, " ", e.Labels)
			}
			out.WriteString("\n")
			if string(e.Raw) != w.Disk[e.Path] || e.Labels == nil {
				t.Errorf("%s: %s lacks the file's bytes, or its labels", row.name, e.Path)
			}
			return row.stop
		})
		vaultmap.Equal(t, row.name+": the error", vaultmap.Told(err), row.err)
		vaultmap.Equal(t, row.name, out.String(), row.want)
	}
}

// A dry run of an import tells what the import then does, and changes nothing.
func TestImportDryRun(t *testing.T) {
	w := vaultmap.New(vaultmap.Family())
	o := transfer.Import{DryRun: true, Bundle: markdown("x.md", "# X\n", "x/y.md", "# Y\n")}
	head := w.Head()
	would, err := o.Do(t.Context(), w.Vault)
	if err != nil || would.Created != 2 || vaultmap.Diff(head, w.Head()) != "" {
		t.Errorf("got %+v, %v; HEAD has\n%s", would, err, vaultmap.Diff(head, w.Head()))
	}
	o.DryRun = false
	did, err := o.Do(t.Context(), w.Vault)
	if err != nil || did.Created != 2 || len(did.Rows) != len(would.Rows) || w.Head()["x/y.md"] == "" {
		t.Errorf("got %+v, %v", did, err)
	}
	o.Under = "pf-none"
	if _, err := o.Do(t.Context(), w.Vault); vaultmap.Told(err) == "" {
		t.Error("an import below nobody is taken")
	}
}
