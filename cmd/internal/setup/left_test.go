package setup_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/setup"
)

// kill is a moment at which a run was killed: the files that it leaves, and its temporary file.
type kill struct {
	name string
	home // whose files there are
	now  []byte
	left []byte
}

// A run was killed at each moment at which its temporary file is there. The next run, of
// either kind, goes through, and leaves what it leaves without the kill.
func TestAfterAKillTheNextRunGoesThrough(t *testing.T) {
	theirs := map[string]string{".json": `{"theirs":1}`, ".toml": "a = 1\n", ".yaml": "a: 1\n", ".yml": "model: x\n", ".md": "# Rules\n"}
	each(t, func(t *testing.T, _ home, r setup.Request) {
		for name, parts := range written(t, r) {
			r.Parts = parts
			without, with := newHome(t), newHome(t)
			with.do(r)
			nextRunGoesThrough(r, name, without, with)
			if text := theirs[filepath.Ext(name)]; text != "" && filepath.Base(name) != "SKILL.md" && filepath.Base(name) != "cp-memory.json" {
				without, with := newHome(t), newHome(t)
				without.put(without.at(name), text)
				with.put(with.at(name), text)
				with.do(r)
				nextRunGoesThrough(r, name, without, with)
			}
		}
	})
}

func (h home) at(name string) string { return filepath.Join(filepath.Dir(h.Home), name) }

// nextRunGoesThrough kills a set-up and a removal at every moment. without and with are the
// files before the first and after it.
func nextRunGoesThrough(r setup.Request, name string, without, with home) {
	bare, _ := os.ReadFile(without.at(name))
	full, _ := os.ReadFile(with.at(name))
	kills := []kill{
		{"a set-up, its text half written", without, bare, full[:len(full)/2]},
		{"a set-up, its text written", without, bare, full},
	}
	if bare == nil {
		kills = append(kills, kill{"a removal, the file taken", with, nil, full})
	} else {
		kills = append(kills,
			kill{"a set-up, the texts exchanged", with, full, bare},
			kill{"a removal, its text half written", with, full, bare[:len(bare)/2]},
			kill{"a removal, its text written", with, full, bare},
			kill{"a removal, the texts exchanged", with, bare, full})
	}
	for _, k := range kills {
		for remove, want := range map[bool]home{true: without, false: with} {
			r.Remove = remove
			k.nextRun(r, name, want)
		}
	}
}

// nextRun carries a request out after the kill.
func (k kill) nextRun(r setup.Request, name string, want home) {
	t, h := k.t, newHome(k.t)
	for path, text := range k.texts() {
		if path != name {
			h.put(h.at(path), text)
		}
	}
	if k.now != nil {
		h.put(h.at(name), string(k.now))
	}
	temp := filepath.Join(filepath.Dir(h.at(name)), ".cp-memory-"+filepath.Base(name)+".tmp")
	h.put(temp, string(k.left))
	plan := h.look(r)
	if err := h.ApplyPlan(&plan); err != nil {
		t.Errorf("%s: killed was %s; then, remove %v: %v", name, k.name, r.Remove, err)
	}
	if !maps.Equal(h.ours(), want.ours()) {
		t.Errorf("%s: killed was %s; then, remove %v: got %q, want %q", name, k.name, r.Remove, h.ours(), want.ours())
	}
}

// texts are all files by their names below the folder of the home.
func (h home) texts() map[string]string {
	all := map[string]string{}
	for path := range h.files() {
		b, err := os.ReadFile(path)
		must(h.t, err)
		rel, _ := filepath.Rel(filepath.Dir(h.Home), path)
		all[rel] = string(b)
	}
	return all
}

// ours are the files without the backups, and without white space.
func (h home) ours() map[string]string {
	all := map[string]string{}
	for path, text := range h.texts() {
		if !strings.HasSuffix(path, ".bak") {
			all[path] = string(bytes.Join(bytes.Fields([]byte(text)), nil))
		}
	}
	return all
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What another program saved at the moment of the kill is nobody's to clear away.
func TestWhatAnotherSavedBesideAKillStays(t *testing.T) {
	gemini, _ := setup.FindAgent("gemini")
	for _, there := range []bool{true, false} {
		for _, remove := range []bool{true, false} {
			h := newHome(t)
			r := setup.Request{Agents: []setup.Agent{gemini}, Scope: setup.User, Parts: []setup.Part{setup.MCP}}
			h.do(r)
			at, temp := filepath.Join(h.Home, ".gemini/settings.json"), filepath.Join(h.Home, ".gemini/.cp-memory-settings.json.tmp")
			h.put(temp, `{"theirs":1}`)
			if !there {
				must(t, os.Remove(at))
			}
			r.Remove = remove
			plan := h.look(r)
			if len(plan.Notes) == 0 || !strings.Contains(plan.Notes[0], ".cp-memory-settings.json.tmp was left") {
				t.Errorf("there: %v, remove: %v: notes %q", there, remove, plan.Notes)
			}
			if err := h.ApplyPlan(&plan); (err == nil) != plan.IsEmpty() {
				t.Errorf("there: %v, remove: %v: got %v", there, remove, err)
			}
			if got, _ := os.ReadFile(temp); string(got) != `{"theirs":1}` {
				t.Errorf("there: %v, remove: %v: got %q", there, remove, got)
			}
		}
	}
}
