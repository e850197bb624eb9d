package target

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	reconcile "github.com/cp-memory/cp/vault/sync"
)

// machine is a home with vaults in maps: top, top/low and top/deep are a family, and far is none
// of theirs. It counts how often each is opened and closed.
type machine struct {
	*testing.T
	dir    string
	app    *app.App
	worlds map[string]*vaultmap.World

	mu     sync.Mutex
	opened map[string]int
	open   map[string]int
}

func newMachine(t *testing.T) *machine {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{T: t, dir: dir, worlds: map[string]*vaultmap.World{}, opened: map[string]int{}, open: map[string]int{}}
	note := func(id, title string) string { return vaultmap.File(id, title, "", title+".\n") }
	var list []string
	for name, files := range map[string]vaultmap.Files{
		"top":      {"deploy.md": note("pf-aa1", "Deployment")},
		"top/low":  {"gone.md": note("pf-bb9", "Gone"), "low.md": note("pf-bb1", "Low"), "both.md": note("pf-bb2", "Both"), "notes/idea.md": note("pf-bb3", "Idea")},
		"top/deep": {"deep.md": note("pf-cc1", "Deep"), "both.md": note("pf-cc2", "Both")},
		"far":      {"far.md": note("pf-dd1", "Far")},
	} {
		root := filepath.Join(dir, name)
		m.write(filepath.Join(root, ".cp/vault.yaml"), "format: 1\nprefix: pf\nproject: "+filepath.Base(name)+"\n")
		m.worlds[root] = vaultmap.New(files)
		delete(m.worlds[root].Disk, "gone.md")
		m.worlds[root].Commit("clean")
		list = append(list, fmt.Sprintf("- {\"path\": %q, \"name\": %q, \"vault\": %q, \"seen\": \"2026-02-07\"}", root, filepath.Base(name), root))
	}
	slices.Sort(list)
	m.write(filepath.Join(dir, "home/.cp/projects.yaml"), "version: 1\nprojects:\n"+strings.Join(list, "\n")+"\n")
	m.app = &app.App{Dir: filepath.Join(dir, "top"), Now: func() time.Time { return vaultmap.Now }, Wire: m.wire,
		Env:     func(name string) string { return map[string]string{"HOME": filepath.Join(dir, "home")}[name] },
		Author:  func(context.Context, settings.Settings) (string, error) { return "penny", nil },
		Tracked: func(context.Context, string, string) ([]string, error) { return nil, nil },
		IgnoredFolders: func(context.Context, string) (func(string) string, error) {
			return func(string) string { return "" }, nil
		},
	}
	return m
}

func (m *machine) write(file, text string) {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		m.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		m.Fatal(err)
	}
}

func (m *machine) wire(_ context.Context, s settings.Settings) (app.Opened, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.opened[s.Root]++
	m.open[s.Root]++
	v := *m.worlds[s.Root].Vault
	v.Agent = s.Agent
	return app.Opened{Syncer: &reconcile.Syncer{Vault: &v}, Archive: m.worlds[s.Root].History().Archive, Close: func() error {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.open[s.Root]--
		return nil
	}}, nil
}

// said returns how many vaults were opened, and how often.
func (m *machine) said() string {
	var all []string
	for _, name := range []string{"top", "top/low", "top/deep", "far"} {
		if n := m.opened[filepath.Join(m.dir, name)]; n > 0 {
			all = append(all, fmt.Sprintf("%s %d", name, n))
		}
	}
	return strings.Join(all, ", ")
}

// Each row is a command, the vault that it is about, and which vaults were opened to find that.
// What is not found is explained where the command fails, and the command runs once.
func TestResolve(t *testing.T) {
	for _, row := range []struct {
		name   string
		in     string // the folder, below the machine's
		q      Request
		want   string // the vault
		opened string
		err    string // of Resolve, or of the command that finds nothing
	}{
		{"no memory is named: here, and nothing is looked up", "top", Request{}, "top", "top 1", ""},
		{"it is here", "top", Request{Refs: []string{"pf-aa1"}}, "top", "top 1", ""},
		{"a vault that is alone is asked nothing", "far", Request{Refs: []string{"pf-bb1"}}, "far", "far 1", "pf-bb1' is no memory of far or of a project below it; it is one of the project low"},
		{"it is below: that vault stays open, and this one is closed", "top", Request{Refs: []string{"pf-bb1"}}, "top/low", "top 1, top/low 1, top/deep 1", ""},
		{"exactly this project: no look-up", "top", Request{About: registry.About{Flags: settings.Flags{Exact: true}}, Refs: []string{"pf-bb1"}}, "top", "top 1", "not there"},
		{"two have the title", "top", Request{Refs: []string{"Both"}}, "", "top 1, top/low 1, top/deep 1", "'Both' is in several projects: pf-cc2 in deep"},
		{"an id counts for more than a title", "top", Request{Refs: []string{"PF-CC2"}}, "top/deep", "top 1, top/low 1, top/deep 1", ""},
		{"it is in another family: the command fails, and is told where", "top", Request{Refs: []string{"pf-dd1"}}, "top", "top 1, top/low 1, top/deep 1", "it is one of the project far"},
		{"nobody has it", "top", Request{Refs: []string{"pf-zz9"}}, "top", "top 1, top/low 1, top/deep 1", "not there"},
		{"the second is elsewhere", "top", Request{Verb: "move", Refs: []string{"pf-aa1", "pf-bb1"}}, "", "top 1, top/low 1, top/deep 1, far 1", "memories are not moved between vaults"},
		{"both are below", "top", Request{Verb: "move", Refs: []string{"pf-bb1", "pf-bb2"}}, "top/low", "top 1, top/low 1, top/deep 1", ""},
		{"a folder below", "top", Request{Refs: []string{"notes"}, Sought: Folder}, "top/low", "top 1, top/low 1, top/deep 1", ""},
		{"it was below, and the command looks back", "top", Request{Refs: []string{"pf-bb9"}, Sought: Gone}, "top/low", "top 1, top/low 2, top/deep 2", ""},
		{"it was below, and the command does not look back", "top", Request{Refs: []string{"pf-bb9"}}, "top", "top 1, top/low 1, top/deep 1", "not there"},
		{"a text is looked for by the command", "top", Request{Refs: []string{"Low"}, Sought: Text}, "top", "top 1", ""},
		{"all projects", "top", Request{About: registry.About{Flags: settings.Flags{Project: registry.All}}, Refs: []string{"pf-dd1"}}, "far", "top 1, top/low 1, top/deep 1, far 1", ""},
		{"a vault that is named", "far", Request{About: registry.About{Flags: settings.Flags{Vault: "../top/low"}}, Refs: []string{"pf-bb1"}}, "top/low", "top/low 1", ""},
	} {
		m := newMachine(t)
		m.app.Dir = filepath.Join(m.dir, row.in)
		row.q.Door = app.Write
		target, err := Resolver{App: m.app}.Resolve(t.Context(), row.q)
		opened := m.said()
		got := ""
		if err == nil {
			got, _ = filepath.Rel(m.dir, target.Root)
			if row.err != "" {
				err = target.Explain(t.Context(), vault.Errorf(vault.CodeNotFound, "", "it is not there"))
			}
			if target.Vault.Agent != "penny" && target.Root != filepath.Join(m.dir, row.in) && row.q.Flags.Vault == "" {
				t.Errorf("%s: %q would write", row.name, target.Vault.Agent)
			}
			target.Close()
		}
		if got != row.want || opened != row.opened || (err == nil) != (row.err == "") || err != nil && !strings.Contains(err.Error(), row.err) {
			t.Errorf("%s: got %q, opened %q, %v; want %q, %q, %q", row.name, got, opened, err, row.want, row.opened, row.err)
		}
		for root, n := range m.open {
			if n != 0 {
				t.Errorf("%s: %s is left open %d times", row.name, root, n)
			}
		}
	}
}

// A command whose door is open runs once, whatever it says.
func TestACommandRunsOnce(t *testing.T) {
	for _, refs := range [][]string{{"pf-aa1"}, {"pf-bb1"}, {"pf-dd1"}, {"pf-zz9"}} {
		m, runs := newMachine(t), 0
		missing := vault.Errorf(vault.CodeNotFound, "", "it is not there")
		err := Resolver{App: m.app}.Do(t.Context(), Request{Refs: refs}, func(Target) error { runs++; return missing })
		if runs != 1 || vault.CodeOf(err) != vault.CodeNotFound {
			t.Errorf("%v: ran %d times: %v", refs, runs, err)
		}
	}
}
