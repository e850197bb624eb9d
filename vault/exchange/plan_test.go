package exchange_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/exchange"
)

var file, family, typed, set = vaultmap.File, vaultmap.Family, vaultmap.Type, vaultmap.Set

// with is the family with more files, or other ones.
func with(more files) files { return family().With(more) }

// edited is the family with one text replaced.
func edited(p vault.Path, old, text string) files {
	return with(files{p: strings.Replace(family()[p], old, text, 1)})
}

const rollback = vault.Path("deploy/rollback.md")

// TestPlanPull makes each pull twice: a dry run before it tells the same and changes nothing,
// and a second one finds nothing more.
func TestPlanPull(t *testing.T) {
	many := func(n int) files {
		all := files{}
		for i := range n {
			all[vault.Path(fmt.Sprintf("n%02d.md", i))] = file(fmt.Sprintf("pf-n%02d", i), "N", "when", "N.\n")
		}
		return all
	}
	for _, row := range []struct {
		name        string
		start, ours files // the family; nil is no commit of ours after it
		theirs      []files
		given       func(*remote)
		ask         exchange.Pull
		want        string // outcome, what came, conflicts and warnings
		head        string // what HEAD has then, as Diff tells it
		left        string // and the disk beside it
		err         string
	}{
		{name: "upstream has no branch", given: func(r *remote) { r.none = true }, want: "nothing_there, outgoing"},
		{name: "all is here", want: "up_to_date"},
		{name: "ours is ahead", ours: edited(rollback, "Roll back.", "Ours."), want: "up_to_date, outgoing"},
		{name: "theirs is ahead", theirs: []files{edited(rollback, "Roll back.", "Theirs.")}, want: "fast_forward ~deploy/rollback.md", head: `
			deploy/rollback.md
			-Roll back.
			+Theirs.`},
		{name: "both went on, in two files", ours: edited(rollback, "Roll back.", "Ours."), theirs: []files{edited("deploy/secrets.md", "Rotate.", "Theirs.")}, want: "merged, outgoing ~deploy/secrets.md", head: `
			deploy/secrets.md
			-Rotate.
			+Theirs.`},
		{name: "files come and go, and the pointers follow", ours: edited(rollback, "Roll back.", "Ours."), theirs: []files{with(files{"deploy/secrets.md": "", "new.md": file("pf-nn1", "New", "", "N.\n")})}, want: "merged, outgoing +new.md -deploy/secrets.md", head: `
			deploy.md
			-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
			-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
			+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
			gone deploy/secrets.md
			new new.md
			+---
			+id: pf-nn1
			+title: New
			+---
			+N.`},
		{name: "both changed one passage: both stay, marked", ours: edited(rollback, "Roll back.", "Ours."), theirs: []files{edited(rollback, "Roll back.", "Theirs.")},
			want: "merged, outgoing ~deploy/rollback.md !deploy/rollback.md:6: both sides changed one passage; both versions are there, between <!-- cp-conflict --> marks", head: `
			deploy/rollback.md
			+<!-- cp-conflict: two versions met here; keep what holds and delete these comments -->
			+<!-- cp-conflict: or -->
			+Theirs.
			+<!-- /cp-conflict -->`},
		{name: "an edit wins over a deletion", ours: edited(rollback, "Roll back.", "Ours."), theirs: []files{with(files{rollback: ""})}, want: "merged, outgoing !deploy/rollback.md: edited here and deleted upstream; the edit won, so it is kept"},
		{name: "and so it does from the other side", ours: with(files{rollback: ""}), theirs: []files{edited(rollback, "Roll back.", "Theirs.")}, want: "merged, outgoing +deploy/rollback.md !deploy/rollback.md: deleted here and edited upstream; the edit won, so it is kept", head: `
			new deploy/rollback.md
			+---
			+id: pf-aa2
			+title: Rollback
			+summary: when to go back
			+---
			+Theirs.`},
		{name: "two memories took one name", ours: with(files{"new.md": file("pf-zz1", "Ours", "", "O.\n")}), theirs: []files{with(files{"new.md": file("pf-bb1", "Theirs", "", "T.\n")})}, want: "merged, outgoing +new-2.md ~new.md !new.md: two memories took this name; the second is new-2.md", head: `
			new new-2.md
			+---
			+id: pf-zz1
			+title: Ours
			+---
			+O.
			new.md
			-id: pf-zz1
			-title: Ours
			+id: pf-bb1
			+title: Theirs
			-O.
			+T.`},
		{name: "two clones began the vault: upstream's marker wins", ours: with(files{".cp/vault.yaml": "prefix: pf\n"}), theirs: []files{with(files{".cp/vault.yaml": "prefix: ab\n"})}, want: "merged, outgoing ~.cp/vault.yaml !.cp/vault.yaml: each side made the vault's marker; upstream's won", head: `
			.cp/vault.yaml
			-prefix: pf
			+prefix: ab`},
		{name: "code that both changed is a person's to merge", ours: with(files{"main.go": "ours\n"}), theirs: []files{with(files{"main.go": "theirs\n"})},
			err: "both sides changed what only a person can bring together: main.go; nothing has changed | merge by hand: git merge origin/main"},
		{name: "a memory that is no text is one's to merge, too", ours: with(files{rollback: "a\x00b\n"}), theirs: []files{with(files{rollback: "a\x00c\n"})},
			err: "both sides changed deploy/rollback.md, which is not a text; nothing has changed | merge by hand: git merge origin/main"},
		{name: "text that is typed is not taken over", given: func(r *remote) { typed(rollback, "Roll back.", "Typed.")(r.world) }, theirs: []files{edited(rollback, "Roll back.", "Theirs.")},
			err: "deploy/rollback.md: the file has uncommitted edits, which git's history would not keep | commit them first (`git add` and `git commit`, or `cp memory edit`), then repeat the command", left: `
			deploy/rollback.md
			-Roll back.
			+Typed.`},
		{name: "a branch without a commit takes all", start: files{}, given: func(r *remote) { r.Unborn() }, theirs: []files{{"a.md": file("pf-a1", "A", "", "A.\n")}}, want: "fast_forward +a.md", head: `
			new a.md
			+---
			+id: pf-a1
			+title: A
			+---
			+A.`},
		{name: "much that goes at once is an alarm", start: with(many(20)), theirs: []files{family()},
			err: "what came takes away 20 of 23 memories; nothing has changed | look at it with --dry-run --allow-shrink; take it over with --allow-shrink"},
		{name: "unless somebody says so", start: many(20), theirs: []files{many(5)}, ask: exchange.Pull{AllowShrink: true}, want: "fast_forward" + strings.Repeat(" -", 15)},
		{name: "a few are none, nor is what moved", start: many(20), theirs: []files{many(10)}, want: "fast_forward" + strings.Repeat(" -", 10)},
		{name: "histories with nothing in common", ours: edited(rollback, "Roll back.", "Ours."), theirs: []files{family()}, given: func(r *remote) { r.apart = true },
			err: "origin/main has no history in common with yours; nothing has changed, and your commits are kept as refs/cp/kept/1 | git merge --allow-unrelated-histories " + theirsID(1)},
		{name: "a history that was rewritten since it was seen", ours: edited(rollback, "Roll back.", "Ours."), theirs: []files{family()}, given: func(r *remote) { r.seen = fmt.Sprintf("%040x", 2) },
			err: "the history of origin/main was rewritten: it no longer holds 0000000000; nothing has changed, and your commits are kept as refs/cp/kept/1 | look at it with: git log " + theirsID(1) + "; to go on with it: git rebase --onto " + theirsID(1) + " " + fmt.Sprintf("%040x", 2)},
		{name: "one that a person has left behind", theirs: []files{edited(rollback, "Roll back.", "Theirs.")}, given: func(r *remote) { r.seen = fmt.Sprintf("%040x", 7) }, want: "fast_forward ~deploy/rollback.md", head: `
			deploy/rollback.md
			-Roll back.
			+Theirs.`},
		{name: "one that went on", theirs: []files{family(), edited(rollback, "Roll back.", "Theirs.")}, given: func(r *remote) { r.seen = theirsID(1) }, want: "fast_forward ~deploy/rollback.md", head: `
			deploy/rollback.md
			-Roll back.
			+Theirs.`},
		{name: "a bare repository in what came is told", theirs: []files{with(files{".x/HEAD": "ref: refs/heads/main\n", ".x/config": "[core]\n", ".x/objects/a": "a", ".x/refs/b": "b"})}, want: "fast_forward +.x/HEAD +.x/config +.x/objects/a +.x/refs/b warning: .x: a bare git repository came as files; git, used in there, runs programs that its config names. Look at it and delete it"},
		{name: "readings that cannot be had are a warning", given: func(r *remote) { r.counts = errDown }, want: "up_to_date warning: the team's readings could not be taken in: the remote is down"},
		{name: "in the middle of a rebase", given: func(r *remote) { r.Busy = "rebase" }, theirs: []files{edited(rollback, "Roll back.", "Theirs.")},
			err: "a rebase is under way | finish or abort it, then run the command again"},
	} {
		t.Run(row.name, func(t *testing.T) {
			start := row.start
			if start == nil {
				start = family()
			}
			r := newRemote(start, row.ours, row.theirs...)
			if row.given != nil {
				row.given(r)
			}
			head, disk := r.Head(), files{}.With(r.Disk)
			dry := row.ask
			dry.DryRun = true
			would, dryErr := r.exchange().Pull(t.Context(), dry)
			vaultmap.Equal(t, "what a dry run changed", vaultmap.Diff(head, r.Head())+vaultmap.Diff(disk, r.Disk)+r.pinned+fmt.Sprint(r.said), "[]")
			did, err := r.exchange().Pull(t.Context(), row.ask)
			vaultmap.Equal(t, "the error", vaultmap.Told(err), row.err)
			if err != nil {
				vaultmap.Equal(t, "what the refused pull changed", vaultmap.Diff(head, r.Head()), "")
				vaultmap.Equal(t, "what is on disk and in no commit", vaultmap.Diff(r.Head(), r.Disk), flush(row.left))
				return
			}
			if dryErr != nil || would.Outcome != did.Outcome || fmt.Sprint(would.Created, would.Changed, would.Removed) != fmt.Sprint(did.Created, did.Changed, did.Removed) {
				t.Errorf("the dry run said %+v, %v", would, dryErr)
			}
			vaultmap.Equal(t, "the answer", came(did, strings.HasSuffix(row.want, " -")), row.want)
			if row.head != "" || !strings.Contains(row.want, "fast_forward") {
				vaultmap.Equal(t, "HEAD", vaultmap.Diff(head, r.Head()), flush(row.head))
			}
			vaultmap.Equal(t, "what is on disk and in no commit", vaultmap.Diff(r.Head(), r.Disk), "")
			if row.theirs == nil || r.none {
				return
			}
			vaultmap.Equal(t, "what was seen of upstream", r.seen, theirsID(len(row.theirs)))
			if again, err := r.exchange().Pull(t.Context(), row.ask); err != nil || again.Outcome != exchange.UpToDate {
				t.Errorf("a second pull: %+v, %v", again, err)
			}
		})
	}
}

// came is the outcome of a pull in one line; short leaves out the names of what is gone.
func came(p exchange.Pulled, short bool) string {
	out := p.Outcome
	if p.Outgoing {
		out += ", outgoing"
	}
	for _, name := range p.Created {
		out += " +" + name
	}
	for _, name := range p.Changed {
		out += " ~" + name
	}
	for _, name := range p.Removed {
		if short {
			name = ""
		}
		out += " -" + name
	}
	for _, c := range p.Conflicts {
		out += " !" + c.Path + ": " + c.Detail
	}
	for _, w := range p.Warnings {
		out += " warning: " + w
	}
	return out
}

// flush takes the indentation off.
func flush(text string) string {
	return strings.TrimPrefix(strings.ReplaceAll(text, "\t", ""), "\n")
}

func TestPlanPush(t *testing.T) {
	ours := edited(rollback, "Roll back.", "Ours.")
	newer := edited("deploy/secrets.md", "Rotate.", "Theirs.")
	key := vaultmap.Key + "\n"
	for _, row := range []struct {
		name   string
		ours   files
		theirs []files
		given  func(*remote)
		ask    exchange.Push
		want   string // whether it pushed, in how many tries, what came before it, and warnings
		err    string
	}{
		{name: "nothing to push", want: "1 try"},
		{name: "our commit", ours: ours, want: "pushed, 1 try"},
		{name: "the first one", ours: ours, given: func(r *remote) { r.none = true }, want: "pushed, 1 try"},
		{name: "after what came", ours: ours, theirs: []files{newer}, want: "pushed, 1 try, pulled merged"},
		{name: "what came and nothing of ours", theirs: []files{newer}, want: "1 try, pulled fast_forward"},
		{name: "others were faster twice", ours: ours, given: func(r *remote) { r.moved = 2 }, want: "pushed, 3 tries"},
		{name: "others are faster each time", ours: ours, given: func(r *remote) { r.moved = 99 }, want: "10 tries",
			err: "others were faster 10 times | run the command again; your commits are all here"},
		{name: "a dry run", ours: ours, ask: exchange.Push{DryRun: true}, want: "would push, 1 try"},
		{name: "a dry run with nothing to push", ask: exchange.Push{DryRun: true}, want: "1 try"},
		{name: "what lies on disk is synced first", given: func(r *remote) { set(files{"new.md": "# New\n"})(r.world) }, ask: exchange.Push{Sync: true}, want: "pushed, 1 try"},
		{name: "a dry run of that", given: func(r *remote) { set(files{"new.md": "# New\n"})(r.world) }, ask: exchange.Push{Sync: true, DryRun: true}, want: "would push, 1 try"},
		{name: "a person's commit of code stays here", ours: ours, given: func(r *remote) { r.touched = []string{"deploy.md", "a.go", "b.go", "c.go", "d.go"} }, want: "1 try",
			err: "1 commit touches what is no memory of this vault, so nothing was pushed:\n0000000000 \"fix it\" (a.go, b.go, c.go and 1 more) | if they are to go, too, repeat the command with --with-code; if not, move them to a branch of their own first"},
		{name: "what lies in a memory's folder is the vault's, and so are pictures", ours: ours, given: func(r *remote) { r.touched = []string{"deploy/data.csv", "deploy/rollback/a/b.bin", "img/Plan.PNG"} }, want: "pushed, 1 try"},
		{name: "the folder of a memory that came and went", ours: ours, given: func(r *remote) { r.touched = []string{"old/data.csv", "old.md"} }, want: "pushed, 1 try"},
		{name: "what lies beside the topmost ones is not, nor what is hidden", ours: ours, given: func(r *remote) { r.touched = []string{"deploy.csv", "src/a.csv", ".obsidian/pic.png"} }, want: "1 try",
			err: "1 commit touches what is no memory of this vault, so nothing was pushed:\n0000000000 \"fix it\" (deploy.csv, src/a.csv, .obsidian/pic.png) | if they are to go, too, repeat the command with --with-code; if not, move them to a branch of their own first"},
		{name: "what one of our commits touches in the vault", ours: ours, given: func(r *remote) { r.touched, r.op = []string{"src/a.csv"}, "op" }, want: "pushed, 1 try"},
		{name: "unless that is meant", ours: ours, given: func(r *remote) { r.touched = []string{"a.go"} }, ask: exchange.Push{WithCode: true}, want: "pushed, 1 try"},
		{name: "the vault's own settings are no code", ours: ours, given: func(r *remote) { r.touched = []string{".cp.yaml", ".cp/vault.yaml", ".gitattributes"} }, want: "pushed, 1 try"},
		{name: "a credential in a person's commit stays here", ours: ours, given: func(r *remote) {
			r.leaks = []vault.Passage{passage("1f2e3d4c5b6a", "Text.\n"+key, false), passage("2f2e3d4c5b6a", key, false)}
		}, want: "1 try",
			err: "deploy.md:4: this looks like a secret, in the commit 1f2e3d4c5b (and 1 more); a push would give it away for ever, so nothing was pushed | take it out of the commit: git rebase -i 1f2e3d4c5b^; if it is none, repeat the command with --allow-secret"},
		{name: "one that a commit only moves is not asked about again", ours: ours, given: func(r *remote) {
			r.leaks = []vault.Passage{passage("1f2e3d4c5b6a", key, true), passage("1f2e3d4c5b6a", key, false)}
		}, want: "pushed, 1 try"},
		{name: "one that is allowed", ours: ours, given: func(r *remote) { r.leaks = []vault.Passage{passage("1f2e3d4c5b6a", key, false)} }, ask: exchange.Push{AllowSecret: true}, want: "pushed, 1 try"},
		{name: "readings that cannot be shared are a warning", ours: ours, given: func(r *remote) { r.counts = errDown }, want: "pushed, 1 try, warning: the team's readings could not be taken in: the remote is down, warning: readings are not shared: the remote is down"},
		{name: "in the middle of a merge", ours: ours, given: func(r *remote) { r.Busy = "merge" }, want: "1 try", err: "a merge is under way | finish or abort it, then run the command again"},
		{name: "a pull that is refused pushes nothing", ours: with(files{"main.go": "ours\n"}), theirs: []files{with(files{"main.go": "theirs\n"})}, want: "1 try",
			err: "both sides changed what only a person can bring together: main.go; nothing has changed | merge by hand: git merge origin/main"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := newRemote(family(), row.ours, row.theirs...)
			if row.given != nil {
				row.given(r)
			}
			head := r.Head()
			p, err := r.exchange().Push(t.Context(), row.ask)
			vaultmap.Equal(t, "the error", vaultmap.Told(err), row.err)
			said := []string{vault.Plural(p.Tries, "try", "tries")}
			if p.Pushed {
				said = append([]string{"pushed"}, said...)
			}
			if p.WouldPush {
				said = append([]string{"would push"}, said...)
			}
			for i := 0; i < len(p.Pulled) && err == nil; i++ {
				said = append(said, "pulled "+p.Pulled[i].Outcome)
			}
			for _, w := range p.Warnings {
				said = append(said, "warning: "+w)
			}
			vaultmap.Equal(t, "the answer", strings.Join(said, ", "), row.want)
			if p.Pushed != (len(r.pushed) == 1) || p.Pushed && r.pushed[0] != headOf(r) {
				t.Errorf("pushed %q, and HEAD is %s", r.pushed, headOf(r))
			}
			if row.ask.DryRun {
				vaultmap.Equal(t, "what a dry run changed", vaultmap.Diff(head, r.Head())+fmt.Sprint(r.said), "[]")
			}
			if p.Pushed && r.counts == nil {
				vaultmap.Equal(t, "the readings", r.said[len(r.said)-1], "mine gave 1")
			}
		})
	}
}

func headOf(r *remote) string {
	h, err := r.Vault.Store.Head(context.Background())
	if err != nil {
		panic(err)
	}
	return h.Commit
}
