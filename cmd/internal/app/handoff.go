package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/setup"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// maxChanged bounds the files that a hand-over names.
const maxChanged = 20

// HandedOver is the outcome of HandOver in the shape that programs get.
type HandedOver struct {
	Captured
	journal.Checkout
	To         string     `json:"to,omitempty"`
	Superseded []vault.ID `json:"superseded,omitempty"`
}

// HandOver leaves word for the next session on the branch and in the work tree in which the program
// was called.
func (s *Session) HandOver(ctx context.Context, o journal.Handoff) (HandedOver, error) {
	var unknown string
	o.To, unknown = agentName(o.To)
	if o.Session == "" {
		o.Session = s.namedSession()
	}
	top, c, err := s.checkout(ctx)
	if err == nil {
		c.Changed, c.More, err = s.changedFiles(ctx, top)
	}
	if err == nil && top != "" {
		c.Anchor, err = s.AnchorIn(ctx, top, nil, nil)
	}
	if err != nil {
		return HandedOver{}, err
	}
	o.Checkout = c
	done, err := o.Do(ctx, s.Vault)
	if err != nil {
		return HandedOver{}, err
	}
	captured, err := s.tellCaptured(ctx, done.Captured)
	if unknown != "" {
		captured.Warn(unknown)
	}
	return HandedOver{Captured: captured, Checkout: c, To: o.To, Superseded: done.Superseded}, err
}

// agentName returns the name by which the hooks of an agent call it, and a warning where no hook of it
// is known: it may be a person's own.
func agentName(word string) (name, warning string) {
	a, err := setup.FindAgent(word)
	switch {
	case word == "":
		return "", ""
	case err != nil:
		return word, "`cp memory setup --list` has no '" + vault.Clip(vault.OneLine(word), 40) + "': it is shown by a hook that says so with --agent, and by no other one"
	case !slices.Contains(slices.Concat(a.User.Has(), a.Project.Has()), setup.Hook):
		return a.Name, a.Title + " runs no hook when it starts: `cp memory handoff` shows there what is open"
	}
	return a.Name, ""
}

// namedSession returns the name of the session that calls, where the agent has said it.
func (s *Session) namedSession() string {
	for _, name := range [...]string{"CP_SESSION", "CLAUDE_CODE_SESSION_ID"} {
		if value := strings.TrimSpace(s.app.Env(name)); value != "" {
			return value
		}
	}
	return ""
}

// checkout returns the branch and the work tree of the code around the working directory, else
// of the code that the vault is kept for. top is empty where there is no repository at all: then
// the vault stands for the work tree.
func (s *Session) checkout(ctx context.Context) (top string, c journal.Checkout, err error) {
	top, err = s.WorkTop()
	if vault.CodeOf(err) == vault.CodeNoGit {
		return "", journal.Checkout{WorkTree: workTreeName(s.Root)}, nil
	}
	if err != nil {
		return "", c, err
	}
	c.WorkTree = workTreeName(top)
	c.Branch, err = s.app.Git(ctx, top, "branch", "--show-current")
	return top, c, err
}

// workTreeName returns a name for a folder that no other one has, on this machine or another, and
// from which nobody learns where it lies.
func workTreeName(dir string) string {
	host, _ := os.Hostname()
	sum := sha256.Sum256([]byte(host + "\x00" + dir))
	return strings.ReplaceAll(vault.OneLine(filepath.Base(dir)), "`", "'") + "-" + hex.EncodeToString(sum[:4])
}

// changedFiles returns what git status says of the files outside the vault.
func (s *Session) changedFiles(ctx context.Context, top string) (files []string, more int, err error) {
	if top == "" {
		return nil, 0, nil
	}
	said, err := s.app.Git(ctx, top, "--no-optional-locks", "status", "--porcelain=v2", "--no-renames", "-z")
	isWork := s.IsWork(top)
	for entry := range strings.SplitSeq(said, "\x00") {
		switch path, change := statusEntry(entry); {
		case path == "" || !isWork(path):
		case len(files) == maxChanged:
			more++
		default:
			files = append(files, change+" "+inCode(path))
		}
	}
	return files, more, err
}

// statusEntry reads an entry of git status, version 2: what happened to which path. Headers have
// none.
func statusEntry(entry string) (path, change string) {
	kind, rest, _ := strings.Cut(entry, " ")
	fields := map[string]int{"1": 8, "u": 10, "?": 1}[kind] // with the path
	words := strings.SplitN(rest, " ", max(fields, 1))
	switch {
	case fields == 0 || len(words) < fields:
		return "", ""
	case kind == "?":
		return words[0], "?"
	case kind == "u":
		return words[9], "U"
	}
	return words[7], strings.Trim(words[0], ".")[:1]
}

// inCode writes a path as code in Markdown.
func inCode(path string) string {
	if vault.OneLine(path) != path || strings.ContainsAny(path, "`<") {
		path = strings.NewReplacer("`", `\x60`, "<", `\x3c`).Replace(strconv.Quote(path))
	}
	return "`" + path + "`"
}

// OpenHandoffs returns the open hand-overs of the vault: the newest for this branch and work tree
// first, with its text, then the others, the newest first. c is this branch and work tree, where
// there are any.
func (s *Session) OpenHandoffs(ctx context.Context) (all []journal.OpenHandoff, c journal.Checkout, err error) {
	journalOf := vault.Scope{Dir: journal.Folder(ctx, s.Mirror.Tree, s.Vault.Part)}
	if err = s.View(ctx, journalOf, func(t vault.Tree) (err error) {
		all, err = journal.ListOpenHandoffs(ctx, t)
		return err
	}); err != nil || len(all) == 0 {
		return nil, c, err
	}
	if _, c, err = s.checkout(ctx); err != nil {
		return nil, c, err
	}
	for i := range all {
		if all[i].IsFor(c) && s.readHandoff(&all[i]) {
			slices.Reverse(all[:i])
			slices.Reverse(all[:i+1])
			break
		}
	}
	return all, c, nil
}

// readHandoff reads the text of a hand-over. It reports whether the file is that of an open one.
func (s *Session) readHandoff(o *journal.OpenHandoff) bool {
	doc, _, err := s.Store.Read(o.Path)
	if err != nil {
		return false
	}
	m := vault.Parse(o.Path, doc)
	o.Here = m.ID == o.ID && m.Status != vault.StatusClosed
	o.Text, o.Sessions = strings.TrimSpace(m.Prose), m.Sessions
	return o.Here
}

// HasCommit reports whether the repository of the code has a commit: then what was left at it in
// another clone is about the same code.
func (s *Session) HasCommit(ctx context.Context, commit string) bool {
	top, err := s.WorkTop()
	if err != nil || !vault.IsCommit(commit) {
		return false
	}
	_, err = s.app.Git(ctx, top, "cat-file", "-e", commit+"^{commit}")
	return err == nil
}

// IsForAgent reports whether a hand-over is shown to an agent.
func IsForAgent(o *journal.OpenHandoff, agent string) bool {
	to, _ := agentName(o.To)
	is, _ := agentName(agent)
	return to == "" || to == is
}
