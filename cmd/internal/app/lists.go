package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
)

// Filter says which memories a list, a search or a recall is about, in the words
// of who asks.
type Filter struct {
	Labels  []string `flag:"label" commas:"yes" help:"with any of these <labels>"`
	Status  []string `flag:"status" commas:"yes" help:"<words> like open,closed (default all but closed and deferred)"`
	Types   []string `flag:"type" commas:"yes" help:"with any of these <types>: kinds like decision or decisions, closed ones too"` // none means memory, "*" any
	Spec    string   `flag:"spec" help:"entries of the piece of work with this <name>"`
	Commits string   `flag:"commits" help:"entries that tell of a commit in this <range>: v1.1..v1.2, main..HEAD or v1.2.."`
	Levels  []string `flag:"level" commas:"yes" help:"with any of these <levels>: pending, long-term, core"`
	Since   string   `flag:"since" help:"created since a <time>: 30m, 24h, 7d, 2w or 2026-01-31; of a file that does not say, its first commit counts"`
	Until   string   `flag:"until" help:"created before a <time>, as for --since"`
	About   string   `flag:"about" help:"only what is about this <file> of the code, or lines of it: a.py, a.py:10-24"`
	Under   string   `flag:"under" help:"only below the memory with this <id>, or in this folder"`
	Roots   bool     `flag:"roots" help:"only memories without a parent"`
	Files   bool     // with the files that the commits of entries changed; of a recall
	Facts   bool     // with what the memories speak of; of a list

	Limit  int
	Offset int `flag:"offset" help:"leave out this many <rows> at the start"`
}

// levels are those that an entry passes through.
var levels = [...]string{"pending", "long-term", "core"}

// Options returns the filter as the rooms take it.
func (s *Session) Options(ctx context.Context, f Filter) (vault.ListOptions, error) {
	o := vault.ListOptions{Labels: f.Labels, Status: f.Status, Types: f.Types, Spec: f.Spec, Levels: f.Levels, Roots: f.Roots, Limit: f.Limit, Offset: f.Offset}
	if f.Offset < 0 {
		return o, vault.Errorf(vault.CodeInvalid, "use --offset 0", "the offset must not be negative")
	}
	for _, level := range f.Levels {
		if !slices.Contains(levels[:], level) {
			return o, vault.Errorf(vault.CodeInvalid, "the levels are "+strings.Join(levels[:], ", "), "'%s' is no level", vault.Clip(level, 40))
		}
	}
	var err error
	if f.About != "" {
		if o.Files, err = s.filesAbout(ctx, f.About); err != nil {
			return o, err
		}
	}
	if o.Until, err = s.app.Since(f.Until); err != nil {
		return o, err
	}
	if f.Commits != "" {
		if o.Commits, err = s.commitsIn(ctx, f.Commits); err != nil {
			return o, err
		}
	}
	if o.Since, err = s.app.Since(f.Since); err != nil || f.Under == "" {
		return o, err
	}
	above, dir, err := s.PlaceBelow(ctx, f.Under)
	o.Under, o.Dir = above.ID, dir
	return o, err
}

// Tree returns the tree, or what lies below the memory or in the folder that ref names.
func (s *Session) Tree(ctx context.Context, ref string, q tree.Outline) (tree.Outlined, error) {
	if ref != "" {
		top, dir, err := s.PlaceBelow(ctx, ref)
		if err != nil {
			return tree.Outlined{}, err
		}
		q.Dir = dir
		if dir == "" {
			q.Root = string(top.ID)
		}
	}
	return q.Read(ctx, s.Vault)
}

// AddParent gives the folder that ref names a memory.
func (s *Session) AddParent(ctx context.Context, ref string, o tree.AddParent) (tree.Parented, error) {
	n, dir, err := s.Place(ctx, ref)
	switch {
	case vault.CodeOf(err) == vault.CodeNotFound && !slices.ContainsFunc(s.findFolders(ref), func(dir vault.Path) bool { return s.hides(ctx, dir) }):
		return tree.Parented{}, vault.Errorf(vault.CodeNotFound, "`cp memory tree` shows the folders", "no memory lies in a folder %s", vault.Clip(ref, 80))
	case err != nil:
		return tree.Parented{}, err
	case dir == "":
		return tree.Parented{}, tree.HasMemory(n.Folder(), n)
	}
	o.Dir = dir
	return o.Do(ctx, s.Vault)
}

// Since returns the moment that a time, as people write one, means; none is the zero time.
func (a *App) Since(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return past.ParseSince(text, a.Now())
}

// Page is a page of a list.
type Page struct {
	tree.Page
	Offset int    // of the first row
	Hint   string // about a label that nobody has, where nothing was found
}

// WithSearchLimit returns the filter with the limit that a search has: a Limit of 0 is that of the
// settings, or 20. The page tells where the next
// one begins.
func (s *Session) WithSearchLimit(f Filter) Filter {
	f.Limit, _ = s.limitRows(f.Limit, searchLimit)
	return f
}

// How many rows there are unless a flag or the settings say otherwise.
const searchLimit, recallLimit = 20, 10

// limitRows returns how many rows a search or a recall gives, and whether that is fewer than
// were asked for.
func (s *Session) limitRows(asked, otherwise int) (limit int, fewer bool) {
	r := s.Settings.Recall
	if asked == 0 {
		asked = min(cmp.Or(r.DefaultLimit, otherwise), r.MaxLimit)
	}
	return min(asked, r.MaxLimit), asked > r.MaxLimit
}

// Finder answers recalls in the vault.
func (s *Session) Finder() *recall.Finder { return s.app.Finder(s) }

// RecallWithLimit asks with the limit that a recall has, and warns where the settings have cut the
// answer. A Limit of 0 is that of the settings, or 10, and within a budget at least 20.
func (s *Session) RecallWithLimit(f Filter, budget int, ask func(Filter) (recall.Answer, error)) (recall.Answer, error) {
	var fewer bool
	if f.Limit == 0 && budget > 0 {
		f.Limit = min(max(recall.BudgetLimit, s.Settings.Recall.DefaultLimit), s.Settings.Recall.MaxLimit)
	}
	f.Limit, fewer = s.limitRows(f.Limit, recallLimit)
	a, err := ask(f)
	if fewer && len(a.Rows) == f.Limit {
		s.app.warn(fmt.Sprintf("no more than %d rows (recall.max_limit); the next ones: --offset %d", f.Limit, f.Offset+f.Limit))
	}
	return a, err
}

// Guide walks by titles and trigger phrases, below what under names, if it is not empty; assisted, from what a recall of the question
// finds.
func (s *Session) Guide(ctx context.Context, o recall.WalkOptions, under string, assisted bool) (recall.Walk, error) {
	filter, err := s.Options(ctx, Filter{Under: under})
	if err != nil {
		return recall.Walk{}, err
	}
	o.Under, o.Dir, o.Titles = filter.Under, filter.Dir, s.Titles
	if assisted {
		filter.Limit = recall.MostFound
		a, err := s.Finder().Recall(ctx, recall.Query{Text: o.Question, MinSimilarity: recall.DefaultSimilarity, Filter: filter})
		if err != nil {
			return recall.Walk{}, err
		}
		s.app.warn(a.Warnings...)
		for i := range a.Rows {
			o.Found = append(o.Found, recall.Ranked{Path: a.Rows[i].Path, Weight: a.Rows[i].Similarity})
		}
	}
	return recall.TakeWalk(ctx, s.Vault, o)
}

// Embed makes the vectors that are missing, after the process that makes some now; Batch and
// Types may be left to the settings.
func (s *Session) Embed(ctx context.Context, o embed.Run) (done embed.Done, err error) {
	if o.DryRun {
		return s.embed(ctx, o)
	}
	err = s.app.EmbedAlone(ctx, s, func() (err error) {
		done, err = s.embed(ctx, o)
		return err
	})
	return done, err
}

func (s *Session) embed(ctx context.Context, o embed.Run) (done embed.Done, err error) {
	err = s.embedding(ctx, "embedding", &o.Batch, &o.Progress, func(p embed.Ports) error {
		done, err = p.Run(ctx, o)
		return err
	})
	return done, err
}

// Calibrate measures how much the vectors of the configured model count beside the words.
func (s *Session) Calibrate(ctx context.Context, o embed.Calibrate) (out embed.Calibrated, err error) {
	err = s.embedding(ctx, "calibrating", &o.Batch, &o.Progress, func(p embed.Ports) error {
		out, err = embed.CalibratePorts{Ports: p, Lexicon: s.Lexicon, Nodes: s.Mirror.Nodes}.Run(ctx, o)
		return err
	})
	out.Settings = float64(s.Settings.Embedding.Weight)
	return out, err
}

// embedding has a run use the configured model, on what the files say by now. The run's batch may
// be left to the settings, and its progress is shown.
func (s *Session) embedding(ctx context.Context, label string, batch *int, progress *func(done, total int), run func(embed.Ports) error) error {
	e := s.Settings.Embedding
	if !e.IsConfigured() {
		return vault.Errorf(vault.CodeConfig, "set embedding.provider in ~/.cp/config.yaml: cp help vectors", "no embedding model is configured")
	}
	if *batch == 0 {
		*batch = e.Batch
	}
	if err := s.View(ctx, vault.Scope{}, func(vault.Tree) error { return nil }); err != nil {
		return err
	}
	var set func(int)
	end := func() {}
	*progress = func(done, total int) { // how much there is shows when it is under way
		if set == nil {
			set, end = s.app.progress(label, total)
		}
		set(done)
	}
	err := run(s.app.Embedder(s))
	end()
	return err
}

// EmbedQuietly does what Embed does, in the process that a write started for it. It returns
// at once if another process is at it.
func (s *Session) EmbedQuietly(ctx context.Context) error {
	return s.app.Embedding(s, func() error {
		done, err := s.embed(ctx, embed.Run{})
		return ErrUnembedded(done, err)
	})
}

// ErrUnembedded is the error to end with after an answer that tells of failures; err
// is the run's own.
func ErrUnembedded(d embed.Done, err error) error {
	if err != nil || d.Failed == 0 {
		return err
	}
	return vault.Errorf(vault.CodeEmbedding, "cp admin embed-backfill tries them again", "%s got no vector: %s: %s",
		vault.Plural(d.Failed, "file", "files"), d.Failures[0].Path, d.Failures[0].Message)
}
