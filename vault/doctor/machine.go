package doctor

import (
	"context"
	"fmt"
	"path"

	"github.com/cp-memory/cp/vault"
)

// oldestGit has merge-tree --write-tree.
const oldestGit = "2.38"

// machine are the checks of the computer.
var machine = []Check{
	{Name: "git", Look: lookGit},
	{Name: "sqlite", Look: func(_ context.Context, p *Patient) ([]Finding, error) {
		return sound("SQLite %s with full-text search", p.Machine.SQLite()), nil
	}},
	{Name: "path", Look: lookPath},
}

func lookGit(ctx context.Context, p *Patient) ([]Finding, error) {
	version := p.Machine.Git(ctx)
	fix := "install git " + oldestGit + " or newer"
	switch {
	case version == "":
		return newFinding(Error, fix, "the git command does not run"), nil
	case older(version, oldestGit):
		return newFinding(Warning, fix, "git %s", version), nil
	}
	return sound("git %s", version), nil
}

// older reports whether version a, like 2.39.5, comes before b.
func older(a, b string) bool {
	var x, y [2]int
	fmt.Sscanf(a, "%d.%d", &x[0], &x[1])
	fmt.Sscanf(b, "%d.%d", &y[0], &y[1])
	return x[0] < y[0] || x[0] == y[0] && x[1] < y[1]
}

// lookPath tells which cp a shell finds, and which one copies files. Under another name the program takes nobody's place.
func lookPath(_ context.Context, p *Patient) ([]Finding, error) {
	cp, err := p.Machine.Programs()
	switch {
	case cp.Self != "" && path.Base(cp.Self) != "cp":
		return sound("this program is %s; cp is the system's", cp.Self), nil
	case err != nil:
		return newFinding(Warning, "add its folder to the PATH", "there is no system cp on the PATH: cp copies no files"), nil
	case !cp.Ours:
		return newFinding(Info, "put "+path.Dir(cp.Self)+" before "+path.Dir(cp.First)+" on the PATH, or: alias cpm="+cp.Self,
			"this program is %s; a shell finds %s as cp", cp.Self, cp.First), nil
	}
	return sound("cp is %s; copying goes to %s", cp.First, cp.System), nil
}

// settings are the checks of the settings that opened the vault.
var settings = []Check{
	{Name: "vault", Look: func(_ context.Context, p *Patient) ([]Finding, error) {
		return sound("%s, project %s", p.Root, p.Settings.Project), nil
	}},
	{Name: "settings", Look: lookSettings},
}

func lookSettings(_ context.Context, p *Patient) (all []Finding, err error) {
	for _, w := range p.Settings.Warnings {
		all = append(all, newFinding(Warning, "remove the key, or set it in ~/.cp/config.yaml", "%s", w)...)
	}
	for _, n := range p.Settings.Notes {
		all = append(all, newFinding(Info, "correct or remove the key", "%s", n)...)
	}
	if len(all) == 0 {
		all = sound("%s read", vault.Plural(p.Settings.Files, "file", "files"))
	}
	return all, nil
}
