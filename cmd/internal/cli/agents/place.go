package agents

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/cmd/internal/setup"
	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/header"
)

// setupPlace returns where agents are set up: the person's home, and the repository that the
// program was called in.
func setupPlace(f console.Console) (setup.Place, error) {
	personal, err := settings.Personal(f.Request().Flags, f.Place())
	if err != nil {
		return setup.Place{}, err
	}
	at := setup.Place{
		Home: personal.Home, Dir: f.Dir, Program: program(), System: runtime.GOOS, Env: f.Env, Look: exec.LookPath,
		Prompts: personal.Hooks.Prompt, Captures: personal.AutoCapture.Keeps(header.Progress), NoFiles: personal.Hooks.NoFile,
	}
	if f.GitTop != nil {
		if top, err := f.GitTop(f.Dir); err == nil {
			at.Dir = top
		}
	}
	if s, err := settings.Load(f.Request().Flags, f.Place()); err == nil {
		at.Vault = s.Root
	}
	return at, nil
}

// program returns the path of this program: as cp-memory where that is the same file, on the
// PATH or beside it, else under the name by which it runs. A path on the PATH outlives an update.
func program() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	there, err := os.Stat(self)
	if err != nil {
		return ""
	}
	found, _ := exec.LookPath(setup.Name)
	for _, name := range [...]string{found, filepath.Join(filepath.Dir(self), setup.Name)} {
		if info, err := os.Stat(name); err == nil && filepath.IsAbs(name) && os.SameFile(info, there) {
			return name
		}
	}
	return self
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

// Findings tells doctor which agents are connected, and what of that is not as this version
// would enter it. Where none is, it says nothing.
func Findings(f console.Console) (all []doctor.Finding) {
	at, err := setupPlace(f)
	if err != nil {
		return nil // settings that cannot be read are a finding of their own
	}
	var connected []string
	for _, scope := range []setup.Scope{setup.User, setup.Project} {
		plan, err := at.Plan(setup.Request{Agents: setup.Agents(), Scope: scope})
		if err != nil {
			continue
		}
		for _, row := range plan.Rows {
			switch {
			case row.State == setup.Current && row.Part == setup.MCP && !slices.Contains(connected, row.Agent):
				connected = append(connected, row.Agent)
			case row.State == setup.Stale:
				all = append(all, doctor.Finding{Check: "agents", Severity: doctor.Warning, Fix: "cp memory setup " + row.Agent + " --" + string(scope),
					Evidence: "the " + string(row.Part) + " of " + row.Agent + " in " + row.File + " is not as this version enters it" + because(row.Why)})
			}
		}
	}
	if len(all) == 0 && len(connected) > 0 {
		all = []doctor.Finding{{Check: "agents", Severity: doctor.OK, Evidence: "connected: " + strings.Join(connected, ", ")}}
	}
	return all
}
