package wire

import (
	"context"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/generate"
	"github.com/cp-memory/cp/generate/static"
	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/gitstore/branch"
	"github.com/cp-memory/cp/gitstore/remote"
	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/index/opencode"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
	"github.com/cp-memory/cp/vault/exchange"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/phrase"
	"github.com/cp-memory/cp/vault/transcript"
	"github.com/cp-memory/cp/vault/tree"
	"github.com/cp-memory/cp/vault/watch"
	"github.com/cp-memory/cp/vault/worktree"
)

// exchange puts an open vault together with its remote side.
func (o *opener) exchange(s *app.Session, driver string, limit time.Duration) (*exchange.Exchange, error) {
	repo, err := o.openCached(s.Root)
	if err != nil {
		return nil, err
	}
	repo = repo.Exchanging(driver, limit, s.Settings.ShareUsage)
	link, err := branch.For(s.Root)
	if err == nil && link != nil {
		var dir string
		dir, err = link.Beside(context.Background()) // it reads a file
		repo = repo.Beside(dir)
	}
	if err != nil {
		return nil, err
	}
	prefix, err := filepath.Rel(repo.Top(), s.Root)
	if err != nil {
		return nil, vault.Errorf(vault.CodeInternal, "", "the vault %s is not in the work tree %s", s.Root, repo.Top())
	}
	if prefix == "." {
		prefix = ""
	}
	x := &exchange.Exchange{Vault: s.Syncer, Remote: repo, History: exchange.History{Ancestry: repo, Joins: repo, Outbound: repo, Keeper: repo}, Prefix: filepath.ToSlash(prefix), Alone: link != nil, Pause: remote.StepAside}
	if s.Settings.ShareUsage {
		x.Counters, x.Team = s.Counters, repo
	}
	return x, nil
}

// watchVault watches an open vault. The mirror it keeps current is opened
// beside the session's, which asks the watcher like any reader.
func (o *opener) watchVault(ctx context.Context, s *app.Session, how tree.Watch, told func(tree.Pass) error, warn func(string)) error {
	repo, state, err := o.openMendedRepo(ctx, s.Settings)
	if err != nil && vault.CodeOf(err) != vault.CodeNoGit {
		return err
	}
	store, err := openStore(s.Settings, state, repo, err)
	if err != nil {
		return err
	}
	mirror, err := openMirror(s.Settings, store, repo, index.Options{})
	if err != nil {
		return err
	}
	defer mirror.Close()
	return watch.Run(ctx, watch.Options{
		Watch: how, Vault: s.Syncer, Mirror: mirror, Reader: s.Index, Folders: store,
		Root: store.Root(), Rules: func(ctx context.Context) string { return store.Rules(ctx) + s.Rules(ctx) }, Place: watchPlace(s), Git: gitFolders(store.Root()), Build: watchBuild(s.Settings),
		Hides: worktree.Hides(s.Settings.Ignore),
		Foreign: func() bool {
			v := index.SchemaOf(indexPath(s.Root))
			now, err := settings.Marker(s.Root)
			return v != 0 && v != index.Schema() || err == nil && !slices.Equal(now.Ignore, s.Settings.Ignore)
		},
		Idle: func() { // what fails now is tried again after the next rest
			_ = o.collectLoose(ctx, s)
			if s.Settings.Embedding.ByItself() {
				_ = embedLater(s, "")
			}
		},
		Told: told, Warn: warn,
	})
}

// collectLoose lets git collect loose objects in the background when it is time to.
func (o *opener) collectLoose(ctx context.Context, s *app.Session) error {
	repo, err := o.openCached(s.Root)
	if err != nil {
		return err
	}
	return repo.Tidy(ctx)
}

func watchPlace(s *app.Session) string { return watch.LockFolder(s.State.Root(), s.State.StateDir()) }

// watchProtocol is the version of how readers and watchers talk. Together with
// the index's it says whether they can.
const watchProtocol = 1

func watchBuild(s settings.Settings) string {
	return fmt.Sprintf("%d.%d.%08x", watchProtocol, index.Schema(), crc32.ChecksumIEEE([]byte(strings.Join(s.Ignore, "\n"))))
}

// gitFolders are the folders of the repository that tell where HEAD stands.
func gitFolders(root string) []string {
	repo, err := gitstore.FindRepo(root)
	if err != nil {
		return nil
	}
	return slices.Compact([]string{repo.GitDir(), repo.CommonDir()})
}

// embedders returns the models of the settings, each made once in the life of
// the process: a static one reads its tokens when it is first asked.
func embedders() func(*app.Session) embed.Ports {
	var mu sync.Mutex
	made := map[settings.Embedding]embed.Embedder{}
	return func(s *app.Session) embed.Ports {
		e := s.Settings.Embedding
		mu.Lock()
		defer mu.Unlock()
		if made[e] == nil {
			made[e] = embed.Remember(embedder(e))
		}
		return embed.Ports{Model: made[e], Vectors: s.Vectors, Weights: s.Weights, Holders: s.Holders, Files: s.Store}
	}
}

func embedder(e settings.Embedding) embed.Embedder {
	if e.Provider == "static" {
		model := static.New(e.Folder)
		if dir, err := os.UserCacheDir(); err == nil {
			model.Shelves = filepath.Join(dir, "cp-memory")
		}
		return model
	}
	model, err := generate.NewEmbedder(generate.EmbedderOptions{
		Options:   generate.Options{Provider: e.Provider, Model: e.Model, KeyEnv: e.KeyEnv, BaseURL: e.BaseURL, Env: os.Getenv},
		Dimension: e.Dimension, Rate: e.Rate,
	})
	if err != nil {
		return embed.Unusable{Err: err}
	}
	return model
}

// generator returns the language model of the settings.
func generator(g settings.Generation) (phrase.Generator, error) {
	return languageModel(g, []byte(phrase.Schema))
}

// drawer returns the language model of the settings, that answers by a schema of facts.
func drawer(g settings.Generation, schema []byte) (graph.Generator, error) {
	return languageModel(g, schema)
}

// openCode reads a session of the agent opencode.
func openCode(ctx context.Context, path, id, dir string) (transcript.Session, error) {
	return opencode.Read(ctx, path, opencode.Which{ID: id, Dir: dir})
}

func languageModel(g settings.Generation, schema []byte) (*generate.Model, error) {
	return generate.New(generate.Options{
		Provider: g.Provider,
		Model:    g.Model,
		KeyEnv:   g.KeyEnv,
		BaseURL:  g.BaseURL,
		Timeout:  g.Timeout,
		Env:      os.Getenv,
		Schema:   schema,
	})
}
