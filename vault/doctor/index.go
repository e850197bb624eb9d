package doctor

import (
	"context"
	"path"
)

// mirror is the check of the index itself, which a fix asks as well.
var mirror = Check{Name: "index", Look: lookIndex}

// index are the checks of state that is derived from the files or counted beside them.
var index = []Check{
	mirror,
	{Name: "index_tracked", Look: lookTracked},
	{Name: "index_bad", Look: lookBad},
	{Name: "set_aside", Look: lookAside},
	{Name: "watcher", Look: lookWatcher},
}

// lookIndex has SQLite verify the index, and looks whether it can be used at all.
func lookIndex(ctx context.Context, p *Patient) ([]Finding, error) {
	if private, why := p.Index.Private(); private {
		return found(Warning, "make "+path.Dir(p.index())+" writable", "cannot be used, every command builds its own: %v", why), nil
	}
	damage, err := p.Index.Check(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(damage) > 0:
		return found(Error, "cp doctor --fix, or: rm '"+p.index()+"'", "%s", damage[0]), nil
	}
	return sound("%s", p.index()), nil
}

func lookTracked(ctx context.Context, p *Patient) ([]Finding, error) {
	if tracked, _ := p.Index.Tracked(ctx); !tracked {
		return nil, nil
	}
	return found(Warning, "git rm --cached -f '"+p.index()+"*', and commit that", "git tracks the index, so none is believed, and every command builds its own"), nil
}

func lookBad(_ context.Context, p *Patient) ([]Finding, error) {
	bad := p.index() + ".bad"
	if !p.Folder.Exists(bad) {
		return nil, nil
	}
	return found(Info, "rm -r '"+bad+"'", "an index that was damaged, or that this clone did not make, was set aside"), nil
}

// lookAside tells of the databases that no file can be made from, and that were
// damaged: what they held is gone from the answers, and may be worth a look.
func lookAside(_ context.Context, p *Patient) (all []Finding, err error) {
	dir := p.State.CommonStateDir()
	if dir == "" {
		dir = path.Dir(p.index())
	}
	for _, db := range []struct{ name, lost string }{
		{"vectors.db", "the damaged vectors were set aside; cp admin embed-backfill makes them again"},
		{"usage.db", "the damaged counts of readings were set aside, and counting began anew"},
	} {
		if bad := path.Join(dir, db.name+".bad"); p.Folder.Exists(bad) {
			all = append(all, found(Info, "rm '"+bad+"'", "%s", db.lost)...)
		}
	}
	return all, nil
}

// lookWatcher tells which watcher keeps the index current. To have none is no fault.
func lookWatcher(_ context.Context, p *Patient) ([]Finding, error) {
	who, polling := p.Watcher()
	switch {
	case who == "":
		return sound("none; commands look for themselves"), nil
	case polling:
		return found(Info, "", "%s", who), nil
	}
	return sound("%s", who), nil
}
