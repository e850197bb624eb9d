package app

import (
	"context"
	"fmt"
	"strings"
	gosync "sync"
	"time"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/embed"
	"github.com/cp-memory/cp/vault/exchange"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/phrase"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/sync"
	"github.com/cp-memory/cp/vault/transcript"
	"github.com/cp-memory/cp/vault/tree"
)

// App is one run of the program. Its fields are set where things are wired;
// nothing of the vault is touched before Open.
type App struct {
	Build
	Env  func(string) string // the environment
	Name string              // by which the program was called, as it is typed; empty is cp
	Dir  string              // the working directory, absolute
	Now  func() time.Time

	Hasty    bool // what is read is read without waiting for others
	byCommit bool // see ByCommit

	// The face sets these three; nil tells nobody.
	Warn     func(text string)                                              // what a person should know beside the answer
	Debug    func(text string)                                              // why things are as they are
	Progress func(label string, total int) (set func(done int), end func()) // how far a long work is

	// Wire opens the vault of the settings. Close is called once, after the last use.
	Wire func(ctx context.Context, s settings.Settings) (Opened, error)

	// Author returns the name under which a vault is written in: that of its settings, else
	// git's.
	Author func(ctx context.Context, s settings.Settings) (string, error)

	// Exchange returns the vault's remote side; driver is git's command line for
	// merging memories, and limit how long a talk with a remote may take.
	Exchange func(s *Session, driver string, limit time.Duration) (*exchange.Exchange, error)

	// Finder returns what answers recalls in an open vault.
	Finder func(s *Session) *recall.Finder

	// Embedder returns what embeds the memories of an open vault, by the model of
	// the settings, which is given; it opens no connection.
	Embedder func(s *Session) embed.Ports

	// EmbedLater has the missing vectors of an open vault made by a process of its own;
	// Embedding does that work in the process that was started for it. config is the file
	// of settings that was named; empty is the usual one.
	EmbedLater func(s *Session, config string) error
	Embedding  func(s *Session, do func() error) error

	// EmbedAlone makes vectors after whatever process makes some now.
	EmbedAlone func(ctx context.Context, s *Session, do func() error) error

	// Git runs git in dir, with a configuration that runs no foreign programs,
	// and returns its standard output without the last line feed. The error
	// carries what git said.
	Git func(ctx context.Context, dir string, args ...string) (string, error)

	// GitTop returns the top of the work tree that holds dir, links resolved. Without a
	// repository the error is CodeNoGit.
	GitTop func(dir string) (string, error)

	// Tracked returns the folders below dir in which git tracks the file ending, which has no
	// slash in front: absolute, in the order of their paths. It is asked of the work tree
	// around dir; a nested repository has an answer of its own.
	Tracked func(ctx context.Context, dir, ending string) ([]string, error)

	// IgnoredFolders returns a question about the folders of the work tree at top: which is the
	// topmost of those on the way to dir, dir included, that git ignores; empty for none.
	IgnoredFolders func(ctx context.Context, top string) (func(dir string) string, error)

	// Commits are those of the code.
	Commits Commits

	// Code opens the code in the work tree whose top is given, or in a folder without git.
	Code func(top string) (about.Code, error)

	// SystemCp returns the cp that command lines which are not ours go to.
	SystemCp func() (string, error)

	// Watch keeps the index of an open vault current until ctx ends; told is
	// called for each pass that saw or did something, warn for what a person
	// should know.
	Watch func(ctx context.Context, s *Session, o tree.Watch, told func(tree.Pass) error, warn func(string)) error

	// Watcher returns the watcher of an open vault. ok is false if there is none.
	Watcher func(s *Session) (tree.Watcher, bool)

	// GitDamage looks for what a power cut or a prune has left of the repository
	// around dir; GitRepair takes branches and index back.
	GitDamage func(ctx context.Context, dir string) (doctor.Damage, error)
	GitRepair func(ctx context.Context, d doctor.Damage) error

	// Tidy lets git collect its loose objects in the background when there are
	// many; nil leaves that to the person.
	Tidy func(ctx context.Context, s *Session) error

	// Generator returns the language model of the settings; it opens no connection.
	Generator func(g settings.Generation) (phrase.Generator, error)

	// Drawer returns the same model, answering by a schema of facts.
	Drawer func(g settings.Generation, schema []byte) (graph.Generator, error)

	// ReadOpenCode reads a session of the agent opencode from its database: that of the id, else
	// the latest one in the folder, else the latest.
	ReadOpenCode func(ctx context.Context, path, id, dir string) (transcript.Session, error)

	// Branches keeps vaults on branches of their own, beside the code.
	Branches Branches

	// GitInit makes dir a git repository.
	GitInit func(ctx context.Context, dir string) error
}

// Opened is an open vault with the parts behind it.
type Opened struct {
	*sync.Syncer
	Archive   *past.Archive // nil without git
	Index     Index
	State     State
	Rules     func(context.Context) string // tells one state of what git ignores outside the vault from another one
	Lexicon   recall.Lexicon
	Pending   journal.QueueMirror
	Tallies   Tallies
	Audit     doctor.IndexRows
	Knowledge graph.Mirror // the entities
	Web       recall.Web   // how memories hang together
	GraphSize func(context.Context) (nodes, edges int, err error)
	Undrawn   func(context.Context) ([]vault.ID, error) // memories of whose text no model has drawn facts
	Spent     func() int                                // how many intents of finished writes are kept no longer
	Others    []string                                  // paths in the vault that are no memories
	Vectors   embed.Vectors
	Weights   embed.Weights
	Holders   embed.Holders
	Counters  exchange.Counters
	Branch    tree.ReadPage
	Changed   func(ctx context.Context, since vault.Generation, most int) ([]vault.ID, error) // whose pages show something else; nil where that is not known
	Titles    tree.ReadTitles
	Bindings  about.Bindings
	Verdicts  about.Verdicts
	Parts     func(context.Context) ([]family.Part, error) // that are projects of their own, as the mirror has them
	Close     func() error
}

// History returns the vault together with its past.
func (s *Session) History() *past.History {
	return &past.History{Vault: s.Vault, Archive: s.Archive, Why: s.Refused, Within: s.pathInVault, Sections: s.undoneSections}
}

// Tallies counts what the vault holds.
type Tallies interface {
	Tally(ctx context.Context) (journal.Tally, error)
	Totals(ctx context.Context) (journal.Totals, error)
	Work(ctx context.Context, o vault.ListOptions) ([]journal.Entry, error)
	Core(ctx context.Context) ([]vault.ID, error) // decided to be in agents' files

	// Anchors returns the commits that entries tell of, each once.
	Anchors(ctx context.Context) ([]header.Anchor, error)
}

// Index is the mirror's file.
type Index interface {
	doctor.Index
	Close() error // until the next question
}

// State gives the files that writes leave behind for a while. The folders are empty
// without git.
type State interface {
	doctor.State
	Root() string // of the vault, links resolved

	// ClearStrays puts away the temporary files of writes that are over, and returns the
	// names of those that hold a text of their own.
	ClearStrays(ctx context.Context) ([]string, error)
}

// Session is an open vault with the settings it was opened by.
type Session struct {
	Opened
	Settings settings.Settings
	Root     string // the vault's folder, absolute

	app  *App
	tops func() ([]string, error)   // codeTops, asked once
	code func() (about.Code, error) // openCode, likewise
}

// Place returns where the program runs, for the settings.
func (a *App) Place() settings.Place {
	p := settings.Place{Dir: a.Dir, Env: a.Env}
	if a.Branches != nil {
		p.Branch = a.Branches.At
	}
	return p
}

// OpenBy finds the vault that the flags mean, loads its settings and opens it. It warns about
// settings that are not honoured; the caller closes the session.
func (a *App) OpenBy(ctx context.Context, flags settings.Flags) (*Session, error) {
	s, err := settings.Load(flags, a.Place())
	if err != nil {
		return nil, err
	}
	a.tellSettings(s)
	return a.Open(ctx, s)
}

// Open opens the vault of settings. The caller closes the session.
func (a *App) Open(ctx context.Context, s settings.Settings) (*Session, error) {
	s.Hasty = a.Hasty
	opened, err := a.Wire(ctx, s)
	if err == nil && a.byCommit {
		opened, s, err = a.reopenByHead(ctx, opened, s)
	}
	if err != nil {
		return nil, err
	}
	session := &Session{Opened: opened, Settings: s, Root: s.Root, app: a}
	session.tops = gosync.OnceValues(session.codeTops)
	session.code = gosync.OnceValues(session.openCode)
	session.Vault.Copies, session.Vault.CodeStates = session.copies, session.codeStates
	return session, nil
}

func (a *App) tellSettings(s settings.Settings) {
	a.warn(s.Warnings...)
	a.Debugf("vault %s, project %s, settings from %s", s.Root, s.Project, strings.Join(s.Files, ", "))
	for _, n := range s.Notes {
		a.Debugf("%s", n)
	}
}

func (a *App) warn(texts ...string) {
	for _, text := range texts {
		if a.Warn != nil {
			a.Warn(text)
		}
	}
}

// Debugf explains a decision, if --debug asks for explanations.
func (a *App) Debugf(format string, args ...any) {
	if a.Debug != nil {
		a.Debug(fmt.Sprintf(format, args...))
	}
}

// progress shows how far a work is until end is called, where the face can.
func (a *App) progress(label string, total int) (set func(done int), end func()) {
	if a.Progress == nil {
		return func(int) {}, func() {}
	}
	return a.Progress(label, total)
}
