package doctor

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/cp-memory/cp/vault"
)

// driver is the check of the merge driver, which a fix asks as well.
var driver = Check{Name: "merge_driver", Severity: Warning, Fix: "cp doctor --fix", Look: lookDriver}

// repository are the checks of the git repository around the vault, and of the files that
// writes left in it.
var repository = []Check{
	{Name: "repository", Look: lookHead, NoGit: true},
	{Name: "gitattributes", OK: vault.MergeLine("*.md"), Severity: Info, Fix: "cp init --force", Look: lookAttributes},
	driver,
	{Name: "gitignore", OK: "git does not ignore the vault", Look: lookIgnored},
	{Name: "agents_files", Severity: Warning, Fix: "cp doctor --fix", Look: lookAgentsFiles},
	{Name: "left_over", Severity: Warning, Look: func(ctx context.Context, p *Patient) ([]Finding, error) { return ask(ctx, p.LeftOver) }},
	{Name: "anchor-own", Severity: Info, Fix: "cp memory reanchor --own --dry-run", Look: func(ctx context.Context, p *Patient) ([]Finding, error) { return ask(ctx, p.OwnAnchors) }},
	{Name: "anchor-lost", Severity: Info, Look: func(ctx context.Context, p *Patient) ([]Finding, error) { return ask(ctx, p.LostAnchors) }},
	{Name: "branch", Severity: Error, Look: lookBranch},
	{Name: "file_system", Look: lookFileSystem, NoGit: true},
	{Name: "editor_files", OK: "no swap, lock or backup files of editors", Look: lookEditors},
	{Name: "git_locks", OK: "none", Look: lookLocks},
	{Name: "git_files", OK: "the branch's commit is whole, the index can be read, no ref or object is empty", Look: lookDamage, NoGit: true},
	{Name: "outbox", OK: "empty", Severity: Warning, Fix: "cp memory sync, when the repository is free", Look: lookOutbox},
	{Name: "unfinished", Severity: Warning, Fix: "the next cp command finishes it, when the repository is free", Look: lookUnfinished},
	{Name: "staged", Look: lookStaged},
	{Name: "temporary", OK: "no temporary file of a write that is over", Look: lookStrays},
	{Name: "displaced", Look: lookDisplaced},
}

func lookHead(ctx context.Context, p *Patient) ([]Finding, error) {
	top, err := p.Repository.Top()
	if err != nil {
		return nil, err
	}
	head, err := p.Store.Head(ctx)
	switch {
	case err != nil:
		return nil, err
	case head.Busy != "":
		return newFinding(Warning, "finish or abort it", "%s, %s", top, p.Describe(head)), nil
	}
	return sound("%s, %s", top, p.Describe(head)), nil
}

// lookAttributes looks at each kind of note of which memories are made.
func lookAttributes(ctx context.Context, p *Patient) (all []Finding, err error) {
	for _, kind := range append([]string{".md"}, p.Extensions...) {
		merge, err := p.Attributes.Merge(ctx, kind)
		if err != nil {
			return all, err
		}
		all = append(all, when(merge != "cp-memory", "", "", "the line '%s' is missing", vault.MergeLine("*"+kind))...)
	}
	return all, nil
}

// lookDriver looks whether git in this clone knows how to merge memories.
func lookDriver(ctx context.Context, p *Patient) ([]Finding, error) {
	command, program, there := p.Attributes.Driver(ctx)
	switch {
	case command == "":
		return newFinding("", "", "git in this clone has no merge driver for memories: it merges them as plain text"), nil
	case !there:
		return newFinding("", "", "the merge driver is %s, which is not there", program), nil
	}
	return sound("%s", command), nil
}

func lookIgnored(ctx context.Context, p *Patient) ([]Finding, error) {
	if p.Attributes.IsIgnored(ctx) {
		return newFinding(Warning, "see which rule it is: git -C '"+p.Root+"' check-ignore -v x.md",
			"git ignores the vault's files: edits made by hand do not show in git status, and files made by hand are no memories"), nil
	}
	var paths []vault.Path
	err := p.Folder.Files(func(name string) {
		if at, err := vault.ParsePath(name); err == nil && at.IsMarkdown() {
			paths = append(paths, at)
		}
	})
	if err != nil {
		return nil, err
	}
	ignored, err := p.Store.ListIgnored(ctx, paths)
	if err != nil || len(ignored) == 0 {
		return nil, err
	}
	return newFinding(Info, "leave it so, or `git add -f` what is to be a memory",
		"git ignores %s, so cp does, too (%s)", vault.Plural(len(ignored), "Markdown file", "Markdown files"), ignored[0]), nil
}

// lookAgentsFiles looks for files that are no memories and have an id all the same.
func lookAgentsFiles(_ context.Context, p *Patient) (all []Finding, err error) {
	for _, name := range p.Folder.ListAdopted() {
		all = append(all, newFinding("", "", "%s is no memory, as agents load it or a report stands there, and has an id or pointers of an earlier version", name)...)
	}
	return all, nil
}

// ask has others look.
func ask(ctx context.Context, look func(context.Context) ([]Finding, error)) ([]Finding, error) {
	if look == nil {
		return nil, nil
	}
	return look(ctx)
}

// lookBranch looks at what may harm a vault on a branch of its own.
func lookBranch(ctx context.Context, p *Patient) (all []Finding, err error) {
	if p.Branch == nil {
		return nil, nil
	}
	faults, err := p.Branch(ctx)
	for _, f := range faults {
		all = append(all, newFinding("", f.Fix, "%s", f.Evidence)...)
	}
	return all, err
}

func lookFileSystem(_ context.Context, p *Patient) ([]Finding, error) {
	name, remote := p.Folder.System()
	if !remote {
		return sound("%s", cmp.Or(name, "local")), nil
	}
	return newFinding(Warning, "keep the clone on a local disk and share it through a git remote",
		"%s: locks and the index are not reliable on a network file system", name), nil
}

// editorFile fits what editors put beside a file while they have it open or
// save it, and leave there when they crash: vim's .x.md.swp and 4913, emacs's
// .#x.md, #x.md# and x.md~, gedit's .goutputstream-X, KDE's x.md.part, JetBrains'
// x.md___jb_tmp___, Word's ~$x.
var editorFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\..+\.sw[a-z]|4913|\.#.+|#.+#|.+~|\.goutputstream-.+|.+\.md\.part|.+___jb_(?:tmp|old)___|~\$.+)$`)
})

// lookEditors finds what editors keep or left in the vault. cp never takes any
// of it for a memory.
func lookEditors(_ context.Context, p *Patient) ([]Finding, error) {
	var left []string
	err := p.Folder.Files(func(name string) {
		if editorFile().MatchString(path.Base(name)) {
			left = append(left, name)
		}
	})
	if err != nil || len(left) == 0 {
		return nil, err
	}
	return newFinding(Info, "close the editor; what one that crashed has left may hold text that was never saved: recover it there (`vim -r FILE`, say) first",
		"%s that editors keep or left, and cp passes over: %s", vault.Plural(len(left), "file", "files"), strings.Join(left[:min(len(left), 5)], ", ")), nil
}

// staleAge is the age from which we take the owner of a git lock for dead. Git holds its
// locks for milliseconds, but an editor for a commit's message may be open while
// index.lock is held.
const staleAge = time.Minute

// isStale reports whether a lock is old, empty and of no living process.
func (l Lock) isStale(r Repository) bool { return l.Size == 0 && l.Age > staleAge && r.Quiet() }

func lookLocks(ctx context.Context, p *Patient) ([]Finding, error) {
	locks, err := p.Repository.Locks(ctx)
	var all []Finding
	for _, l := range locks {
		f := newFinding(Info, "", "%s, %d bytes, %s old", l.Path, l.Size, l.Age.Round(time.Second))[0]
		switch {
		case l.isStale(p.Repository):
			f.Severity, f.Evidence = Warning, f.Evidence+"; no git runs here"
			f.Fix = "cp doctor --fix, or: rm " + vault.Path(l.Path).QuoteForShell()
		case l.Age > staleAge:
			f.Severity, f.Fix = Warning, "if no git runs there: "+vault.MoveLock(l.Path)
		}
		all = append(all, f)
	}
	return all, err
}

// lookDamage finds what a power cut or a foreign prune has left of the repository.
func lookDamage(ctx context.Context, p *Patient) ([]Finding, error) {
	if p.Refused != nil {
		return newFinding(Info, "", "not looked at, since git refuses the repository"), nil
	}
	d, err := p.Repository.Damage(ctx)
	if err != nil || d.Sound() {
		return nil, err
	}
	var all []Finding
	for _, line := range d.Found {
		all = append(all, newFinding(Error, "", "%s", line)...)
	}
	all[0].Fix = "cp doctor --fix goes back to the newest whole commit and keeps every file on disk"
	if len(d.Commands) > 0 {
		all[0].Fix = "run, then look again with cp doctor: " + strings.Join(d.Commands, " && ")
	}
	return all, nil
}

func lookOutbox(ctx context.Context, p *Patient) ([]Finding, error) {
	waiting, err := p.Store.Waiting(ctx)
	return when(len(waiting) > 0, "", "", "%s to be committed", vault.Plural(len(waiting), "write waits", "writes wait")), err
}

func lookUnfinished(ctx context.Context, p *Patient) (all []Finding, err error) {
	for _, u := range p.Store.ListUnfinished(ctx) {
		all = append(all, newFinding("", "", "interrupted and not finished: %s", u.Subject)...)
	}
	return all, nil
}

func lookStaged(ctx context.Context, p *Patient) ([]Finding, error) {
	back, err := p.State.FindReversal(ctx)
	if err != nil || len(back.Ops) == 0 {
		return nil, err
	}
	return newFinding(Warning, back.Fix, "%s", back.String()), nil
}

func lookStrays(ctx context.Context, p *Patient) ([]Finding, error) {
	names, err := p.State.Strays(ctx)
	return when(len(names) > 0, Warning, "cp memory sync: it puts away those whose text stands elsewhere too, and names the others",
		"%s of writes that are over: %s", vault.Plural(len(names), "temporary file", "temporary files"), strings.Join(names[:min(len(names), 5)], ", ")), err
}

func lookDisplaced(_ context.Context, p *Patient) ([]Finding, error) {
	n := p.Folder.Count(p.State.StateDir(), "displaced/*/*")
	return when(n > 0, Info, "", "%s kept in %s", vault.Plural(n, "replaced file is", "replaced files are"), path.Join(p.State.StateDir(), "displaced")), nil
}
