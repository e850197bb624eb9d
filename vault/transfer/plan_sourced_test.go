package transfer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/transfer"
)

// beads reads lines of beads.
func beads(lines ...string) transfer.Import {
	return transfer.Import{Bundle: read("beads", from("b.jsonl", strings.Join(lines, "\n")))}
}

const (
	one     = `{"id":"bd-1","title":"One","description":"First.","labels":["a"]}`
	two     = `{"id":"bd-2","title":"Two","dependencies":[{"depends_on_id":"bd-1","type":"blocks"},{"depends_on_id":"bd-9"}]}`
	changed = `{"id":"bd-1","title":"One","description":"Second.","labels":["b"]}`
)

// run imports into a world, and returns what became of each item.
func run(t *testing.T, w *vaultmap.World, o transfer.Import) (transfer.Imported, map[string]transfer.Row) {
	t.Helper()
	out, err := o.Do(t.Context(), w.Vault)
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[string]transfer.Row)
	for _, row := range out.Rows {
		rows[row.Source] = row
	}
	return out, rows
}

// Each row is what a person does between two imports, and what the second one says of One.
func TestTheSecondImport(t *testing.T) {
	const file = "beads/one.md"
	change := func(from, to string) func(*vaultmap.World) {
		return func(w *vaultmap.World) { w.Disk[file] = strings.Replace(w.Disk[file], from, to, 1) }
	}
	committed := func(do func(*vaultmap.World)) func(*vaultmap.World) {
		return func(w *vaultmap.World) { do(w); w.Commit("by hand") }
	}
	for _, row := range []struct {
		name    string
		between func(*vaultmap.World)
		second  string
		update  bool
		action  string
		reason  string
		holds   []string // what the file holds afterwards
	}{
		{"nothing", nil, one, true, transfer.Unchanged, "", []string{"First.", "labels: [a]"}},
		{"edited here", committed(change("First.", "Ours.")), one, true, transfer.Unchanged, "edited here", []string{"Ours."}},
		{"a label of ours", committed(change("[a]", "[a, mine]")), one, true, transfer.Unchanged, "", []string{"[a, mine]"}},
		{"changed there", nil, changed, false, transfer.Differs, "--update replaces it", []string{"First."}},
		{"changed there, taken", nil, changed, true, transfer.Updated, "", []string{"Second.", "labels: [b, a]"}},
		{"changed there, with a phrase of ours", committed(change("labels:", "summary: Ours\nlabels:")), changed, true, transfer.Updated, "", []string{"Second.", "summary: Ours"}},
		{"changed there, with keys of ours", committed(change("labels:", "odd: 1\nspec: s\nlabels:")), changed, true, transfer.Updated, "", []string{"Second.", "spec: s"}},
		{"changed there, with metadata", committed(change("labels:", "metadata:\n  run: 7\nlabels:")), changed, true, transfer.Updated, "", []string{"Second.", "  run: 7\n"}},
		{"changed on both sides", committed(change("First.", "Ours.")), changed, true, transfer.Differs, "changed there, and edited here: what is here stays", []string{"Ours."}},
		{"edited and not committed", change("labels:", "odd: 1\nlabels:"), changed, true, transfer.Differs, "it has uncommitted edits, which --update does not replace", []string{"First.", "odd: 1"}},
		{"closed here", committed(change("status: open", "status: closed")), changed, true, transfer.Differs, "changed there, and edited here: what is here stays", []string{"First.", "status: closed"}},
		{"another program's source", committed(change("source: beads:bd-1", "source: other")), one, true, transfer.Created, "its own id, bd-1, is another memory's here", []string{"source: other"}},
		{"a credential there", nil, strings.Replace(changed, "Second.", "The key is AKIAIOSFODNN7EXAMPLQ.", 1), true, transfer.Differs, "line 10 looks like an AWS access key (AKIA…); --allow-secret takes it in", []string{"First."}},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := vaultmap.New(vaultmap.Family())
			run(t, w, beads(one, two))
			if row.between != nil {
				row.between(w)
			}
			o := beads(row.second, two)
			o.Update = row.update
			plans := len(w.Plans)
			_, rows := run(t, w, o)
			if got := rows["beads:bd-1"]; got.Action != row.action || got.Reason != row.reason {
				t.Errorf("got %s, %q", got.Action, got.Reason)
			}
			for _, text := range row.holds {
				if !strings.Contains(w.Disk[file], text) {
					t.Errorf("%q is not in\n%s", text, w.Disk[file])
				}
			}
			if wrote := len(w.Plans) > plans; wrote != (row.action == transfer.Updated || row.action == transfer.Created) {
				t.Errorf("something was written: %v", wrote)
			}
		})
	}
}

// An id that is taken is not given twice, links go by the ids that items get, and a place below
// a memory makes other ids.
func TestIDs(t *testing.T) {
	w := vaultmap.New(vaultmap.Family().With(vaultmap.Files{"mine.md": vaultmap.File("bd-1", "Mine", "", "Text.\n")}))
	_, rows := run(t, w, beads(one, two))
	id := rows["beads:bd-1"].ID
	if id == "bd-1" || !id.IsDrawn("pf") || rows["beads:bd-2"].ID != "bd-2" {
		t.Errorf("got %+v", rows)
	}
	if text := w.Disk["beads/two.md"]; !strings.Contains(text, "- waits for [["+string(id)+"|One]]\n") || !strings.Contains(text, "- waits for bd-9\n") {
		t.Errorf("got\n%s", text)
	}
	o := beads(one)
	o.Under = "pf-aa2"
	if _, err := o.Do(t.Context(), w.Vault); err != nil {
		t.Fatal(err)
	}
	if out, _ := run(t, w, o); out.Unchanged != 2 {
		t.Errorf("got %+v", out)
	}
}

// A dry run and what cannot come in write nothing.
func TestNothingIsWritten(t *testing.T) {
	w := vaultmap.New(vaultmap.Family())
	o := beads(one)
	o.DryRun = true
	if out, _ := run(t, w, o); out.Created != 2 || len(w.Plans) != 0 {
		t.Errorf("got %+v", out)
	}
	if out, _ := run(t, w, beads("x")); out.Skipped != 1 || len(w.Plans) != 0 {
		t.Errorf("got %+v", out)
	}
	o = beads(strings.Replace(one, "First.", "The key is AKIAIOSFODNN7EXAMPLQ.", 1))
	if _, rows := run(t, w, o); rows["beads:bd-1"].Action != transfer.Skipped {
		t.Errorf("got %+v", rows)
	}
	if strings.Contains(w.Disk["beads.md"], "bd-1") {
		t.Error("the parent points to what was left out")
	}
	o = beads(one)
	if o.Under = "pf-nobody"; vault.CodeOf(func() error { _, err := o.Do(t.Context(), w.Vault); return err }()) != vault.CodeNotFound {
		t.Error("a parent that is not there is no error")
	}
}

// Of many items the vault is asked once; the answer is the same.
func TestManyItems(t *testing.T) {
	w := vaultmap.New(vaultmap.Family().With(vaultmap.Files{"mine.md": vaultmap.File("bd-1", "Mine", "", "Text.\n")}))
	lines := []string{one, two}
	for i := range 40 {
		lines = append(lines, fmt.Sprintf(`{"id":"bd-x%d","title":"X %d"}`, i, i))
	}
	out, rows := run(t, w, beads(lines...))
	if out.Created != 43 || rows["beads:bd-1"].ID == "bd-1" || rows["beads:bd-2"].ID != "bd-2" {
		t.Errorf("got %+v", out)
	}
	if out, _ := run(t, w, beads(lines...)); out.Unchanged != 43 {
		t.Errorf("got %+v", out)
	}
}

// A note that names its source, in whatever shape, keeps it, and is known again all the same;
// among many, too, where the vault is asked once.
func TestASourceOfTheirOwnStays(t *testing.T) {
	for _, source := range []string{"source: [a, b]", "source:\n  - https://x.org", "source: {url: x}", "source: https://x.org"} {
		for _, many := range []int{0, 40} {
			w := vaultmap.New(vaultmap.Files{})
			files := []transfer.File{{Rel: "n.md", Text: []byte("---\ntitle: N\n" + source + "\npermalink: n\n---\n\n# N\n\nA note.\n")}}
			for i := range many {
				files = append(files, transfer.File{Rel: fmt.Sprintf("m%d.md", i), Text: fmt.Appendf(nil, "---\ntitle: M%d\npermalink: m%d\n---\nNote %d.\n", i, i, i)})
			}
			o := transfer.Import{Bundle: read("basic-memory", files), Update: true}
			first, _ := run(t, w, o)
			made := ""
			for p, text := range w.Disk {
				if strings.Contains(text, "title: N\n") {
					made = string(p)
				}
			}
			if text := w.Disk[vault.Path(made)]; first.Created != many+1 || !strings.Contains(text, source+"\n") || !strings.Contains(text, "source_of: ") {
				t.Fatalf("%s: created %d: %s", source, first.Created, text)
			}
			w.Commit("by hand")
			if again, _ := run(t, w, o); again.Unchanged != many+1 {
				t.Errorf("%s: again: %+v", source, again.Rows)
			}
		}
	}
}
