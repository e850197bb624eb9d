package exchange

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// nested warns of bare repositories in what came, where no scan of the vault
// sees them: in hidden folders, and outside of it. git, used in one, runs the
// programs that its config names (faults, S4).
func (x *Exchange) nested(ctx context.Context, tree string, different []vault.Difference) ([]string, error) {
	if !slices.ContainsFunc(different, func(d vault.Difference) bool { return d.Into != "" && bareParts(d.Path) != nil }) {
		return nil, nil
	}
	all, err := x.History.Differences(ctx, "", tree)
	if err != nil {
		return nil, err
	}
	parts := make(map[string]map[string]bool)
	for _, d := range all {
		for folder, part := range bareParts(d.Path) {
			if parts[folder] == nil {
				parts[folder] = make(map[string]bool)
			}
			parts[folder][part] = true
		}
	}
	var found []string
	for folder, has := range parts {
		bare := has["head"] && (has["commondir"] || has["objects"] && has["refs"])
		if _, ours := x.inVault(folder); bare && (!ours || strings.HasPrefix(folder, ".") || strings.Contains(folder, "/.")) {
			found = append(found, folder+": a bare git repository came as files; git, used in there, runs programs that its config names. Look at it and delete it")
		}
	}
	slices.Sort(found)
	return found, nil
}

// bareParts tells which folders a file makes look like a bare repository, and
// as what part of one. The top of the work tree is none: it has a .git.
func bareParts(file string) map[string]string {
	var parts map[string]string
	add := func(folder, part string) {
		if folder != "." {
			if parts == nil {
				parts = make(map[string]string)
			}
			parts[folder] = part
		}
	}
	for name, last := file, true; name != "."; name, last = path.Dir(name), false {
		base := strings.ToLower(path.Base(name))
		if last && (base == "head" || base == "commondir") || !last && (base == "objects" || base == "refs") {
			add(path.Dir(name), base)
		}
	}
	return parts
}
