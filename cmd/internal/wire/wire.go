package wire

import (
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/term"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/passthrough"
	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/gitstore/code"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/gitstore/repair"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
	"github.com/cp-memory/cp/vault/watch"
)

// wire puts the program together. Nothing of a vault is touched before a
// command asks for it.
func wire(version string) (*app.App, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, vault.Errorf(vault.CodeIO, "", "the working directory is gone: %w", err)
	}
	models, open := embedders(), new(opener)
	return &app.App{
		Build:  programBuild(version),
		Env:    os.Getenv,
		Name:   calledBy(os.Args[0]),
		Dir:    dir,
		Now:    time.Now,
		Wire:   open.vault,
		Author: open.author,

		Exchange: open.exchange,
		Finder:   finder(models),
		Embedder: models,

		Git:            plumb.Command,
		GitTop:         gitTop,
		Commits:        codeCommits{},
		Tracked:        listTrackedFolders,
		IgnoredFolders: ignoredFolders,
		GitInit:        gitstore.Init,
		Watch:          open.watchVault,
		Watcher:        func(s *app.Session) (tree.Watcher, bool) { return watch.Who(watchPlace(s)) },

		Branches: branches{open},

		GitDamage: repair.Diagnose,
		GitRepair: repair.Repair,
		Tidy:      open.collectLoose,

		EmbedLater: embedLater, Embedding: embedding, EmbedAlone: embedAlone,

		Generator: generator, Drawer: drawer, ReadOpenCode: openCode,

		Code: code.Open,

		SystemCp: passthrough.System,
	}, nil
}

// calledBy returns the name by which a person calls the program again: its own if the
// shell finds it under that, else the path that was typed.
func calledBy(argv0 string) string {
	name := filepath.Base(argv0)
	if name == argv0 {
		return name
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return argv0
	}
	there, err := os.Stat(found)
	here, other := os.Stat(argv0)
	if err != nil || other != nil || !os.SameFile(there, here) {
		return argv0
	}
	return name
}

func streams() console.Streams {
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		width = 0
	}
	tty := func(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
	return console.Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY: tty(os.Stdin), OutTTY: tty(os.Stdout), ErrTTY: tty(os.Stderr),
		Width: width,
	}
}

// finder answers recalls by the words of the vault's mirror, by its vectors where an
// embedding model is configured, and by the graph unless the settings say otherwise.
func finder(models func(*app.Session) embed.Ports) func(*app.Session) *recall.Finder {
	return func(s *app.Session) *recall.Finder {
		f := &recall.Finder{Vault: s.Vault, Lexicon: s.Lexicon}
		if s.Settings.Embedding.IsConfigured() {
			f.Leg, f.Weight = embed.Leg{Ports: models(s)}, float64(s.Settings.Embedding.Weight)
		}
		if s.Settings.Recall.Graph {
			f.Web, f.Reach = s.Web, recall.DefaultReach
		}
		return f
	}
}

// here is the working directory with its links resolved, as the vault's folder
// is; empty when it is gone.
func here() string {
	dir, err := os.Getwd()
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return ""
	}
	return dir
}
