package house

import (
	"cmp"
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// No advice discards a text. Each command that the program tells somebody to type, or that stands
// in a help topic, is in the table below, with the state in which it is told and the reason for
// which it loses nothing there. A new one that is missing fails the test, and so does a row
// that nothing tells any more. TestAdviceLosesNothing follows those that touch texts.
func TestEveryAdviceIsWeighed(t *testing.T) {
	told := advised(t)
	for command, where := range told {
		if reasons[command] == "" {
			t.Errorf("%s tells %q, and the table does not say why that loses nothing", where, command)
		}
	}
	for command := range reasons {
		if told[command] == "" {
			t.Errorf("nothing tells %q any more", command)
		}
	}
}

// typable fits what may be typed: up to where a sentence goes on.
var (
	typable = regexp.MustCompile("(?:^|[^\\w./-])((?:git (?:-C \\S+ )?(?:add|am|apply|bisect|branch|checkout|checkout-index|cherry-pick|clean|clone|commit|config|fetch|filter-branch|filter-repo|gc|init|lfs|merge|mv|notes|pull|push|prune|read-tree|rebase|reflog|remote|replace|reset|restore|revert|rm|sparse-checkout|stash|submodule|switch|symbolic-ref|unpack-objects|update-index|update-ref|worktree)\\b|(?:rm|mv|chmod|truncate|kill|shred|dd) (?:-|'|%s|…|[a-z~/.]+ [a-z~/.]|[a-z~/.]*/)|find \\S* -)[^`\n;,()\"|]*)")
	flagged = regexp.MustCompile("((?:cp |doctor|init|memory |sync|pull|push|undo|delete|verify|review|setup)?[\\w -]*--(?:force|yes|fix|repair|remove|prune|recursive|clear|purge|hard|with-code|allow-(?:secret|shrink|duplicate))\\b[^`\n;,()\"|]*)")
	harsh   = regexp.MustCompile(`(?i)\b(?:delete|remove|discard|overwrite|throw|drop|replace|empty|erase)\b`)
)

// advised returns what may be typed, with a place where it is told.
func advised(t *testing.T) map[string]string {
	told := map[string]string{}
	tell := func(where, text string, hint bool) {
		for _, fits := range []*regexp.Regexp{typable, flagged} {
			for _, m := range fits.FindAllStringSubmatch(text, -1) {
				told[strings.TrimSpace(m[1])] = where
			}
		}
		if hint && harsh.MatchString(text) {
			told[strings.TrimSpace(text)] = where
		}
	}
	for _, s := range sources(t) {
		hints := s.hints()
		ast.Inspect(s.file, func(n ast.Node) bool {
			text, ok := spelled(n)
			if ok {
				tell(s.name, text, hints[n])
			}
			_, isList := n.(*ast.CompositeLit)
			return isList || !ok
		})
	}
	topics := os.DirFS(filepath.Join(top, "cmd", "internal", "topics"))
	names, err := fs.Glob(topics, "*.md")
	for _, name := range names {
		text, rerr := fs.ReadFile(topics, name)
		err = cmp.Or(err, rerr)
		tell(name, string(text), false)
	}
	if err != nil {
		t.Fatal(err)
	}
	return told
}

// spelled returns the text of a string, of a sum of strings, or of a list of words, with … for
// what is not written out there.
func spelled(n ast.Node) (text string, ok bool) {
	switch n := n.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(n.Value)
		return text, n.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		a, isText := spelled(n.X)
		b, isTextToo := spelled(n.Y)
		return a + b, n.Op == token.ADD && (isText || isTextToo)
	case *ast.CompositeLit:
		list, isList := n.Type.(*ast.ArrayType)
		if !isList || len(n.Elts) == 0 {
			return "…", false
		}
		if id, isName := list.Elt.(*ast.Ident); !isName || id.Name != "string" {
			return "…", false
		}
		words := make([]string, len(n.Elts))
		for i, x := range n.Elts {
			words[i], _ = spelled(x)
		}
		return strings.Join(words, " "), true
	}
	return "…", false
}

// hints returns the strings that stand where a hint does: in a field called Hint, Fix or
// Recovery, in a variable of such a name, and as the argument of a function that takes one.
func (s source) hints() map[ast.Node]bool {
	all := map[ast.Node]bool{}
	within := func(x ast.Expr) {
		ast.Inspect(x, func(n ast.Node) bool {
			_, ok := spelled(n)
			all[n] = ok
			return !ok
		})
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && slices.Contains([]string{"Hint", "Fix", "Recovery"}, key.Name) {
				within(n.Value)
			}
		case *ast.CallExpr:
			name := ""
			switch f := n.Fun.(type) {
			case *ast.Ident:
				name = f.Name
			case *ast.SelectorExpr:
				name = f.Sel.Name
			}
			if i, ok := map[string]int{"Errorf": 1, "newFinding": 1, "when": 2, "InTheWay": 1, "stop": 2}[name]; ok && i < len(n.Args) {
				within(n.Args[i])
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if id, ok := to.(*ast.Ident); ok && (id.Name == "hint" || id.Name == "fix") && i < len(n.Rhs) {
					within(n.Rhs[i])
				}
			}
		}
		return true
	})
	return all
}

// The reasons for which an advice loses nothing, where several have the same.
const (
	isNone     = "it is none: it names what git, a person or this program did or does"
	adds       = "it adds to what there is"
	asks       = "it asks, or writes settings, and touches no text"
	refuses    = "git refuses it where it would write over a text that is in no commit, staged or not; what is committed stays in a commit"
	derived    = "what goes is derived from the files"
	isFollowed = "TestAdviceLosesNothing follows it"
	inCommit   = "what it takes away is in a commit, and it refuses what is in none"
)

// reasons says of every advice why it loses nothing in the state in which it is told. … stands
// for what the program fills in.
var reasons = map[string]string{
	// Of git.
	"git -C %s unpack-objects -r -q <%s":     "a pack that is cut off: it adds the objects that can be read",
	"git -C … stash":                         "a git merge that failed has staged the files of a write as they were before it. " + isFollowed,
	"git -C … switch --detach":               "init --branch wants a branch that another worktree has checked out: its files and index stay as they are",
	"git -C … switch …":                      "the vault on a branch of its own has another one checked out: " + refuses,
	"git add":                                isNone,
	"git add --":                             "a merge is in conflict, and the files that are named have no staged text. " + isFollowed,
	"git add -- the/files.md in/conflict.md": "likewise",
	"git add -A":                             isNone,
	"git add -A would take the vault for a submodule": isNone,
	"git add -f":                                       "a file that git ignores: it is not staged yet",
	"git add .cp/vault.yaml && git commit":             "the settings of the vault differ from the committed ones: they hold no text",
	"git am is under way":                              isNone,
	"git branch --set-upstream-to=…/… …":               asks,
	"git branch --set-upstream-to=<remote>/<branch>":   asks,
	"git branch -D memory":                             isNone + ": git refuses it while the vault has it checked out",
	"git branch -m … NAME":                             "a branch is in the way of another's name: its commits go along",
	"git branch … …":                                   "the branch of a vault is gone: it comes back to where it was",
	"git checkout there would write over memories":     isNone,
	"git checkout-index -q -a":                         "many files are gone from the disk: it makes those that are missing and writes over none. " + isFollowed,
	"git cherry-pick …":                                "a write that was acknowledged is gone: " + refuses,
	"git clean -fdx":                                   isNone,
	"git clean -ffdx":                                  isNone + ", and that it takes uncommitted texts",
	"git commit":                                       adds,
	"git config --remove-section merge.cp-memory":      "init and doctor --fix write it again",
	"git init -q":                                      "likewise: the demo says what it does, in a folder that it has made",
	"git rm -r .cp":                                    "settings and facts that are committed: git refuses what is not",
	"git commit takes it back":                         isNone,
	"git config --global --add safe\\.directory .*":    asks,
	"git config --global safe.bareRepository explicit": asks,
	"git fetch":                                        adds,
	"git fetch --unshallow":                            adds,
	"git fetch it: git log -p --all >/dev/null":        adds,
	"git gc --auto: %v":                                isNone + ": git keeps for two weeks what nothing names",
	"git init":                                         adds,
	"git init && cp init":                              adds,
	"git init …":                                       adds,
	"git lfs pull":                                     "a file is a pointer of git-lfs: it replaces files that are that pointer to the byte",
	"git lfs pull fetches the text":                    "likewise",
	"git merge":                                        "the two sides are to be merged by hand: " + refuses,
	"git merge --abort puts everything back":           "the merge driver failed: git has begun no merge over staged texts, and it leaves files alone that the merge did not touch. " + isFollowed,
	"git merge --allow-unrelated-histories …":          refuses,
	"git merge origin/main":                            refuses,
	"git merge that failed":                            isNone,
	"git merge that failed had taken back %q in files and index":       isNone,
	"git merge that failed took operations from the index":             isNone,
	"git merge the two sides once":                                     isNone,
	"git merge-file --quiet --marker-size=%L %A %O %B":                 isNone,
	"git merge-file --quiet --marker-size=%L --… %A %O %B":             isNone,
	"git merge-file does. The exit code is 1 when conflicts are left.": isNone,
	"git merge-tree gave no tree":                                      isNone,
	"git merge-tree wrote the odd line %q":                             isNone,
	"git merge …":                                                      "both sides changed what only a person can bring together: " + refuses,
	"git notes":                                                        isNone,
	"git notes come in with one command":                               isNone,
	"git pull":                                                         refuses,
	"git push":                                                         adds,
	"git rebase --onto … …":                                            "the history upstream was rewritten: " + refuses + ", also a ref that the error names",
	"git rebase -i %.10s^":                                             "a credential is in a commit that nobody else has: " + refuses,
	"git remote":                                                       isNone,
	"git remote add origin <url>":                                      asks,
	"git reset":                                                        isNone,
	"git reset that came too late took %q from the branch":             isNone,
	"git reset took operations from the branch":                        isNone,
	"git restore":                                                      "a memory's file is gone from the disk. " + isFollowed,
	"git restore -- …":                                                 "likewise",
	"git revert":                                                       refuses,
	"git rm --cached -f '…*'":                                          "git tracks the index: " + derived + ", and it stays on disk",
	"git rm -r -q …… && git commit -m 'memories are on the branch …' && rm -f …/.cp/index.db* && find … -type d -empty -delete": "the memories of a folder are on a branch of their own: git rm refuses what is in no commit, and what no commit has stays. " + isFollowed,
	"git sparse-checkout add …": adds,
	"git stash":                 isNone,
	"git reset --hard":          isNone,
	"git commit -a":             isNone,
	"--fix]":                    "likewise",
	"--recursive]":              inCommit,
	"cp memory update ID --title T --label L --remove-label L --summary PHRASE --status WORD": inCommit,
	"git stash -a":                         isNone,
	"git stash -u":                         isNone,
	"git stash pop shows what stood there": isNone,
	"git submodule deinit -f":              isNone + ", and that it takes uncommitted texts",
	"git switch -c NAME":                   "HEAD is detached: the files, the index and the commits stay, and the commits get a name",
	"git switch main":                      "HEAD is detached: " + refuses,
	"git symbolic-ref HEAD":                asks,
	"git update-ref -d … && mv -n … … && cp memory sync": "no whole commit is left: the index gets another name, and the files stay. " + isFollowed,
	"git worktree repair": asks,

	// Of the system.
	"mv %s* %s":     "a pack that is cut off goes to another folder",
	"mv -n … …":     "a lock of git's that may hold what an index has, or a file that was being written: it gets another name. " + isFollowed,
	"rm '…'":        "the index is damaged: " + derived,
	"rm -f %s":      "a ref or an object of no bytes",
	"rm -f %s %s":   derived + ": lists of packs and of commits",
	"rm -rf memory": isNone + ", and that it takes uncommitted texts",
	"rm …":          "a database of counts, vectors or rows that was set aside, an empty lock of a git that is gone, or a .git that only names a folder",
	"kill …":        "another watcher: it writes nothing that it cannot finish",
	"Delete … and retry: cp help vectors tells where models come from": "a file of a model that is damaged",

	// Of this program.
	"--allow-secret":                           adds,
	"--allow-secret takes it in":               adds,
	"--allow-shrink":                           inCommit,
	"look at it with --dry-run --allow-shrink": asks,
	"take it over with --allow-shrink":         inCommit,
	"cp memory sync --allow-secret":            adds,
	"repeat the command with --allow-secret":   adds,
	"repeat the command with --with-code":      adds,
	"--with-code":                              adds,
	"--with-code pushes the others":            adds,
	"cp memory push --with-code":               adds,
	"--fix":                                    "doctor --fix mends and discards nothing. " + isFollowed,
	"With --fix":                               "likewise",
	"with --fix: do not ask":                   "likewise",
	"doctor --fix":                             "likewise",
	"cp doctor --fix":                          "likewise",
	"cp doctor --fix goes back to the newest whole commit and keeps every file on disk": "the old index is kept beside the new one. " + isFollowed,
	"cp doctor --fix mends what can be mended":                                          "likewise",
	"--force":                                 "findings replaces a report that a person has named so, and says it before",
	"no --force and no --restyle":             isNone,
	"Since v2 the flag is --force-pull.":      isNone + ": the text of a memory",
	"Use --force to overwrite.":               "init --force writes what is missing in the files of a vault, and keeps what they say. " + isFollowed,
	"With --force an existing vault gets the": "likewise",
	"cp init --force":                         "likewise",
	"cp init --force --branch … DIR":          "it makes another vault",
	"cp init --force --branch … cp-memory":    "likewise",
	"repeat the command with --force":         "a person's, about a memory that agents leave alone: " + inCommit,
	"unless --force says so.":                 "a text that is to be empty: " + inCommit,
	"leave it out to keep the old one; where it is to be empty, say so: --force, in JSON \"clear\": [\"…\"]": "likewise",
	"--recursive":                                                         inCommit,
	"Use --recursive to delete subtree":                                   inCommit + ". " + isFollowed,
	"use --recursive to delete them too":                                  inCommit,
	"cp memory delete pf-7k2m9qx4 --recursive --force":                    inCommit,
	"`cp memory delete …` removes a memory":                               inCommit,
	"`cp memory delete` or `cp memory resolve` ends a memory of the tree": inCommit,
	"cp memory restore pf-7k2m9qx4 --recursive":                           adds,
	"cp memory sync --force":                                              inCommit + ". " + isFollowed,
	"cp memory undo 3 --force":                                            inCommit,
	"--remove":                                                            "setup takes out what it has put in, and gives each file back as it was",
	"and --remove gives them back as they":                                "likewise",
	"cp memory setup claude-code --remove":                                "likewise",
	"cp memory setup --remove":                                            "likewise",
	"cp memory undo --force":                                              "the demo says what it does, in a folder that it has made",
	"cp memory eject --yes":                                               "it is undone by one command, and takes out nothing that a person wrote: TestKillSweep",
	"Without --yes it says what that is":                                  "it changes nothing",
	"cp memory setup claude-code codex --yes":                             "it keeps the file as it was before, and changes its own part",
	"--yes":                  "doctor --fix does without being asked what it does when it is asked",
	"cp memory review --yes": adds,
	"cp memory review --yes                 approve all that meets the thresholds": adds,
	"--repair":                  derived,
	"cp memory verify --repair": derived,
	"cp memory verify --repair builds the index again": derived,
	"--prune":                         "vectors of texts that are not there any more",
	"cp admin embed-backfill --prune": "likewise",
	"cp memory update pf-7k2m9qx4 --label nomad --remove-label draft --status closed":                                 inCommit,
	"-o --output --vault --project --agent --config --limit --all --no-input --prefix --branch --fix --yes --help -h": isNone,

	// In words.
	"choose an empty folder":                                      asks,
	"correct or remove the key":                                   "a key of the settings that nobody knows",
	"remove the key, or set it in ~/.cp/config.yaml":              "likewise",
	"make that file or remove the link, then run `cp init` again": "a link that leads nowhere",
	"replace it by a file":                                        "a link, which holds no text",
}
