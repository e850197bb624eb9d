package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	mrand "math/rand"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// enough is a budget in which each form has room for a memory of any vault: its id and the
// beginning of its title.
const enough = 150

// TestBudgetsOfHostileVaults asks vaults in which every line is too long, or there is hardly
// anything: 150 tokens have room for one memory, whatever the command and the form.
func TestBudgetsOfHostileVaults(t *testing.T) {
	testlevel.Check(t)
	cp, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("deploy worker 移行 ", 900)
	emoji := strings.Repeat("👩‍👩‍👧‍👦🚚", 400)
	folders := make(map[string]string)
	for i := range 300 {
		folders[fmt.Sprintf("%s%d/n.md", strings.Repeat("deploy-in-a-folder-", 10), i)] = "# Deploy\n\nText.\n"
	}
	for name, notes := range map[string]map[string]string{
		"one title":   {"a.md": "---\nid: pf-a\ntitle: \"" + long + "\"\n---\nText.\n"},
		"phrase, too": {"a.md": "---\nid: pf-a\ntitle: \"" + long + "\"\nsummary: \"" + long + "\"\n---\nText.\n", "a/b.md": "---\nid: pf-b\ntitle: Below\nsummary: \"" + long + "\"\n---\nText.\n"},
		"emoji":       {"a.md": "---\nid: pf-a\ntitle: \"deploy " + emoji + "\"\nsummary: \"" + emoji + "\"\n---\ndeploy " + emoji + "\n"},
		"folders":     folders,
		"deep":        {strings.Repeat("deploy-in-a-folder/", 40) + "n.md": "# Deploy\n\nText.\n"},
		"wide paths":  {strings.Repeat(strings.Repeat("移行", 30)+"/", 12) + "n.md": "---\nid: pf-a\ntitle: Deploy\n---\nText.\n"},
		"read only":   {"a.mdc": "---\ndescription: When you deploy " + long + "\nglobs: \"*.go\"\n---\nDeploy.\n", "b.markdown": "# Deploy " + long + "\n"},
		"one text":    {"a.md": "---\r\nid: pf-a\r\ntitle: Deploy\r\n---\r\n" + strings.Repeat("deploy ", 150_000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := &hoard{t, cp, t.TempDir(), append(os.Environ(), "HOME="+t.TempDir(), "CP_VAULT=", "CP_PROJECT="), mrand.New(mrand.NewSource(1))}
			h.hostile(notes)
		})
	}
}

// hostile makes a vault of notes and asks it.
func (h *hoard) hostile(notes map[string]string) {
	h.t.Helper()
	for name, text := range notes {
		full := filepath.Join(h.dir, name)
		if os.MkdirAll(filepath.Dir(full), 0o777) != nil || os.WriteFile(full, []byte(text), 0o666) != nil {
			h.t.Fatal(full)
		}
	}
	h.run("", "git", "init", "-q")
	h.run("", h.cp, "init", "--prefix", "pf")
	h.run("", h.cp, "memory", "sync")
	id, _, _ := strings.Cut(strings.TrimSpace(h.said("memory", "list", "--limit", "1", "-o", "jsonl")), `",`)
	_, id, _ = strings.Cut(id, `"id":"`)
	for _, command := range [][]string{{"tree"}, {"tree", "--stats"}, {"prime"}, {"recall", "deploy"}, {"recall", "deploy", "--style", "distance"}, {"guide", "deploy"}, {"guide", "deploy", "--recall"}, {"show", id}, {"show", id, "--depth", "2"}} {
		for _, form := range []string{"text", "json", "yaml", "jsonl"} {
			for _, budget := range []int{enough, 2 * enough, 1500} {
				out := h.said(append(append([]string{"memory"}, command...), "-o", form, "--budget", fmt.Sprint(budget))...)
				if n := vault.Tokens(out); n > budget || !strings.Contains(out, "f-") || !isForm(form, []byte(out)) {
					h.t.Errorf("%s -o %s --budget %d: %d tokens:\n%.300s", strings.Join(command, " "), form, budget, n, out)
				}
			}
		}
	}
}

// said returns what a command prints.
func (h *hoard) said(args ...string) string {
	h.t.Helper()
	var said bytes.Buffer
	c := exec.Command(h.cp, args...)
	c.Dir, c.Env, c.Stderr = h.dir, h.env, &said
	out, err := c.Output()
	if err != nil {
		h.t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, said.String())
	}
	return string(out)
}
