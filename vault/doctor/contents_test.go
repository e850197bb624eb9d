package doctor_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/sync"
)

type (
	files = vaultmap.Files
	world = vaultmap.World
)

// links gives the memory deploy/rollback.md links that lead nowhere.
func links(targets ...string) (all []vault.Edge) {
	for _, target := range targets {
		all = append(all, vault.Edge{Kind: "link", Outgoing: true, From: "pf-aa2", Target: target})
	}
	return all
}

// patient is a vault on a sound machine.
func patient(w *world, on *ward) *doctor.Patient {
	return &doctor.Patient{Syncer: &sync.Syncer{Vault: w.Vault}, Root: "/v", Machine: on, Repository: on, Attributes: on, Folder: on, State: on, Index: on,
		Watcher: func() (string, bool) { return "", false }, Describe: func(vault.Head) string { return "main" }}
}

// found are the findings that are not ok: a line each.
func found(all []doctor.Finding) string {
	var out []string
	for _, f := range all {
		if f.Severity != doctor.OK {
			out = append(out, strings.TrimSuffix(fmt.Sprintf("%s %s %s:%d %s", f.Check, f.Severity, f.Path, f.Line, f.Evidence), " "))
		}
	}
	return strings.Join(out, "\n")
}

func TestWhatIsWrongWithTheContents(t *testing.T) {
	family, file, set := vaultmap.Family, vaultmap.File, vaultmap.Set
	many := files{}
	for i := range 25 {
		many[vault.Path(fmt.Sprintf("deploy/n%02d.md", i))] = file(fmt.Sprintf("pf-n%02d", i), "N", "", "")
	}
	down := files{}
	for i := range 7 {
		p := "d" + strings.Repeat("/d", i)
		down[vault.Path(p+".md")] = file(fmt.Sprintf("pf-d%d", i), "D", "when "+p, "")
	}
	for _, row := range []struct {
		name  string
		start files // nil is the family
		given func(*world)
		on    ward
		want  string // the findings, but for those of the check "pointers"
	}{
		{name: "nothing"},
		{name: "one id twice", start: family().With(files{"z.md": family()["deploy/rollback.md"]}), want: `duplicate_ids error z.md:0 the id pf-aa2 belongs to deploy/rollback.md`},
		{name: "markers", given: set(files{"x.md": "<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> o\n"}), want: `conflict_markers error x.md:1 git conflict markers in the text`},
		{name: "markers in the block", start: family().With(files{"deploy.md": strings.Replace(family()["deploy.md"], "[\n", "[\n<<<<<<< HEAD\n=======\n>>>>>>> o\n", 1)}), want: `conflict_markers error deploy.md:9 sub-memories block: git conflict markers inside`},
		{name: "markers around the block", start: family().With(files{"deploy.md": strings.Replace(strings.Replace(family()["deploy.md"], "<!-- sub", "<<<<<<< HEAD\n<!-- sub", 1), "[\n", "[\n<!-- sub-memories -->\n", 1) + "=======\n>>>>>>> o\n"}), want: `conflict_markers error deploy.md:7 sub-memories block: git conflict markers inside`},
		{name: "a header that cannot be read", given: set(files{"x.md": "---\ntitle: [\n---\nX.\n"}), want: `front_matter error x.md:2`},
		{name: "a damaged block", start: vaultmap.Damaged(), want: `invalid_blocks warning deploy.md:10 invalid sub-memories JSON`},
		{name: "no text", given: set(files{"x.md": "caf\xe9"}), want: `not_text warning x.md:1`},
		{name: "an empty file", given: set(files{"x.md": "\n"}), want: `empty_files info x.md:0`},
		{name: "a copy beside its file", start: family().With(files{"deploy (1).md": file("pf-cc1", "Copy", "", "")}), want: `conflict_copies warning deploy (1).md:0 looks like a copy of deploy.md`},
		{name: "a name that Windows does not hold", start: family().With(files{"aux.md": file("pf-cc1", "Aux", "", "")}), want: `bad_names warning aux.md:0 "aux.md"`},
		{name: "a credential, and a file that cannot be read", start: family().With(files{"x.md": file("pf-xx1", "X", "", "Text.\n"+vaultmap.Key+"\n")}), given: vaultmap.Broken("deploy/secrets.md"), want: `secrets warning x.md:6 looks like`},
		{name: "links to nowhere", on: ward{nowhere: links("No such note", "x.md")}, want: "broken_links info deploy/rollback.md:0 No such note leads nowhere\nbroken_links info deploy/rollback.md:0 x.md leads nowhere"},
		{name: "no phrase, and none needed: a root, a closed one", start: family().With(files{"x.md": file("pf-xx1", "X", "", ""), "deploy/y.md": file("pf-yy1", "Y", "", ""), "deploy/z.md": "---\nid: pf-zz1\nstatus: closed\n---\n"}), want: `no_phrase info deploy/y.md:0 pf-yy1 "Y" has no trigger phrase`},
		{name: "a long phrase", start: family().With(files{"deploy/y.md": file("pf-yy1", "Y", strings.Repeat("y", 121), "")}), want: `long_phrases info deploy/y.md:0 the trigger phrase of pf-yy1 "Y" has 121 characters`},
		{name: "too deep to read", start: down, want: `deep_tree info d/d/d/d/d/d/d.md:0 pf-d6 "D" is at depth 6`},
		{name: "more than a report lists", start: family().With(many), want: strings.Repeat("no_phrase info deploy/n", 20) + `no_phrase info :0 and 5 more`},
		{name: "a mirror that fails", on: ward{mute: vault.Errorf(vault.CodeIO, "look at it", "the mirror broke")}, want: `contents error :0 the mirror broke`},
	} {
		t.Run(row.name, func(t *testing.T) {
			start := row.start
			if start == nil {
				start = family()
			}
			w := vaultmap.New(start)
			if row.given != nil {
				row.given(w)
			}
			disk, head := files{}.With(w.Disk), w.Head()
			all := patient(w, &row.on).ExamineContents(t.Context())
			vaultmap.Equal(t, "what the examination changed", vaultmap.Diff(disk, w.Disk)+vaultmap.Diff(head, w.Head()), "")
			var kept []doctor.Finding
			for _, f := range all {
				if f.Evidence == "" || (f.Severity == doctor.OK) != (f.Fix == "") && f.Check != "no_phrase" && f.Check != "contents" {
					t.Errorf("a record without evidence, or with a fix for nothing: %+v", f)
				}
				if f.Check != "pointers" {
					kept = append(kept, f)
				}
			}
			got := found(kept)
			if strings.HasSuffix(row.want, "more") { // the names of those that are listed are no part of the row
				var short []string
				for line := range strings.SplitSeq(got, "\n") {
					if before, _, ok := strings.Cut(line, "deploy/n"); ok {
						line = before + "deploy/n"
					}
					short = append(short, line)
				}
				got = strings.Join(short, "")
			}
			if !strings.HasPrefix(got, row.want) || row.want == "" && got != "" || strings.Count(got, "\n") != strings.Count(row.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", got, row.want)
			}
		})
	}
}

// The findings of sync that have no check of their own are counted by their kind.
func TestPointersThatDisagreeAreCounted(t *testing.T) {
	w := vaultmap.New(vaultmap.Family())
	vaultmap.Set(files{"deploy/secrets.md": "", "new.md": "# New\n"})(w)
	vaultmap.Equal(t, "the findings", found(patient(w, new(ward)).ExamineContents(t.Context())),
		"pointers warning :0 deleted_file: 1\npointers warning :0 new_file: 1\npointers warning :0 stale_pointer: 1")
}

// hands note what they do.
type hands struct {
	did  []string
	fail string // at this
}

func (h *hands) do(what string) error {
	h.did = append(h.did, what)
	if what == h.fail {
		return errors.New(what + ": no")
	}
	return nil
}
func (h *hands) RemoveLock(path string) error        { return h.do("lock " + path) }
func (h *hands) InstallDriver(context.Context) error { return h.do("driver") }
func (h *hands) Unadopt(name string) error           { return h.do("unadopt " + name) }
func (h *hands) RemoveIndex() error                  { return h.do("index") }

// A plan of repairs says what is to be done, and applied it does that and no more.
func TestFix(t *testing.T) {
	well := func() *ward { return &ward{merge: "cp-memory", driver: "'/p'"} }
	for _, row := range []struct {
		name  string
		make  func(*ward)
		given func(*world)
		fail  string
		plan  string
		did   string
		err   string
	}{
		{name: "nothing", plan: "reindex false, locks [], driver false, 0 to sync, empty true", did: "[]"},
		{name: "a damaged index", make: func(w *ward) { w.index = []string{"malformed"} }, plan: "reindex true, locks [], driver false, 0 to sync, empty false", did: "[index]"},
		{name: "no driver, and a stale lock beside one that is young", make: func(w *ward) {
			w.driver, w.locks = "", []doctor.Lock{{Path: "/a", Age: time.Hour}, {Path: "/b", Age: time.Second}}
		}, plan: "reindex false, locks [/a], driver true, 0 to sync, empty false", did: "[lock /a driver]"},
		{name: "a file of agents that was a memory", make: func(w *ward) { w.adopted = []string{"CLAUDE.md"} }, plan: "reindex false, locks [], driver false, 0 to sync, empty false", did: "[unadopt CLAUDE.md]"},
		{name: "one that cannot be written ends it", make: func(w *ward) { w.driver, w.adopted = "", []string{"CLAUDE.md"} }, fail: "unadopt CLAUDE.md", plan: "reindex false, locks [], driver true, 0 to sync, empty false", did: "[unadopt CLAUDE.md]", err: "unadopt CLAUDE.md: no"},
		{name: "a git that runs keeps its lock", make: func(w *ward) { w.busy, w.locks = true, []doctor.Lock{{Path: "/a", Age: time.Hour}} }, plan: "reindex false, locks [], driver false, 0 to sync, empty true", did: "[]"},
		{name: "a new file", given: vaultmap.Set(files{"new.md": "# New\n"}), plan: "reindex false, locks [], driver false, 1 to sync, empty false", did: "[]"},
		{name: "no repository", make: func(w *ward) { w.top, w.driver = vault.Errorf(vault.CodeNoGit, "", "none"), "" }, plan: "reindex false, locks [], driver false, 0 to sync, empty true", did: "[]"},
		{name: "a lock that cannot be removed ends it", make: func(w *ward) { w.driver, w.locks = "", []doctor.Lock{{Path: "/a", Age: time.Hour}} }, given: vaultmap.Set(files{"new.md": "# New\n"}), fail: "lock /a",
			plan: "reindex false, locks [/a], driver true, 1 to sync, empty false", did: "[lock /a]", err: "lock /a: no"},
		{name: "an index that cannot be removed ends it", make: func(w *ward) { w.index = []string{"malformed"} }, given: vaultmap.Set(files{"new.md": "# New\n"}), fail: "index",
			plan: "reindex true, locks [], driver false, 1 to sync, empty false", did: "[index]", err: "index: no"},
	} {
		t.Run(row.name, func(t *testing.T) {
			on, w := well(), vaultmap.New(vaultmap.Family())
			if row.make != nil {
				row.make(on)
			}
			if row.given != nil {
				row.given(w)
			}
			p, head := patient(w, on), w.Head()
			f, err := p.PlanFix(t.Context())
			if err != nil || f.Applied {
				t.Fatalf("got %+v, %v", f, err)
			}
			vaultmap.Equal(t, "the plan", fmt.Sprintf("reindex %v, locks %v, driver %v, %d to sync, empty %v", f.Reindex, f.Locks, f.Driver, len(f.Sync.Discrepancies), f.IsEmpty()), row.plan)
			vaultmap.Equal(t, "what the plan changed", vaultmap.Diff(head, w.Head()), "")
			h := &hands{fail: row.fail}
			err = p.ApplyFix(t.Context(), &f, h)
			vaultmap.Equal(t, "the error", vaultmap.Told(err), row.err)
			vaultmap.Equal(t, "what was done", fmt.Sprint(h.did), row.did)
			if f.Applied != (row.err == "") || (vaultmap.Diff(head, w.Head()) != "") != (row.err == "" && row.given != nil) {
				t.Errorf("applied: %v, and HEAD has\n%s", f.Applied, vaultmap.Diff(head, w.Head()))
			}
		})
	}
}
