package doctor

import (
	"context"
	"path"

	"github.com/cp-memory/cp/vault"
)

// mirror is the check of the index itself, which a fix asks as well.
var mirror = Check{Name: "index", Look: lookIndex}

// index are the checks of state that is derived from the files or counted beside them.
var index = []Check{
	mirror,
	{Name: "index_tracked", Look: lookTracked},
	{Name: "index_bad", Look: lookForSetAside("index.db", "an index that was damaged, or that this clone did not make, was set aside")},
	// What these held no file can give again: it is gone from the answers, and may be worth a look.
	{Name: "set_aside", Look: lookForSetAside("vectors.db", "the damaged vectors were set aside; cp admin embed-backfill makes them again")},
	{Name: "set_aside", Look: lookForSetAside("usage.db", "the damaged counts of readings were set aside, and counting began anew")},
	{Name: "vectors", Look: lookVectors},
	{Name: "watcher", Look: lookWatcher},
}

// lookIndex has SQLite verify the index, and looks whether it can be used at all.
func lookIndex(ctx context.Context, p *Patient) ([]Finding, error) {
	if p.Refused != nil {
		return newFinding(Info, "", "made in memory for each command, since the vault is another user's"), nil
	}
	if private, why := p.Index.Private(); private {
		return newFinding(Warning, "make "+path.Dir(p.indexPath())+" writable", "cannot be used, every command builds its own: %v", why), nil
	}
	damage, err := p.Index.Check(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(damage) > 0:
		return newFinding(Error, "cp doctor --fix, or: rm '"+p.indexPath()+"'", "%s", damage[0]), nil
	}
	return sound("%s", p.indexPath()), nil
}

func lookTracked(ctx context.Context, p *Patient) ([]Finding, error) {
	tracked, _ := p.Index.IsTracked(ctx)
	return when(tracked, Warning, "git rm --cached -f '"+p.indexPath()+"*', and commit that", "git tracks the index, so none is believed, and every command builds its own"), nil
}

// lookForSetAside returns a look for a database that was damaged and set aside.
func lookForSetAside(name, lost string) func(context.Context, *Patient) ([]Finding, error) {
	return func(_ context.Context, p *Patient) ([]Finding, error) {
		dir := path.Dir(p.indexPath())
		if state := p.State.CommonStateDir(); name != "index.db" && state != "" {
			dir = state
		}
		bad := path.Join(dir, name+".bad")
		fix := "rm " + vault.Path(bad).QuoteForShell()
		if p.Folder.Count(bad, "*") > 0 {
			fix = "it is a folder, and not this program's: look into it"
		}
		return when(p.Folder.Exists(bad), Info, fix, "%s", lost), nil
	}
}

// lookWatcher tells which watcher keeps the index current. To have none is no fault.
func lookWatcher(_ context.Context, p *Patient) ([]Finding, error) {
	who, polling := p.Watcher()
	switch {
	case who == "":
		return sound("none; commands look for themselves"), nil
	case polling:
		return newFinding(Info, "", "%s", who), nil
	}
	return sound("%s", who), nil
}
