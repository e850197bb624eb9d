package gitstore

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/gitstore/internal/gitindex"
	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// engine reads and writes the repository for a publication.
type engine struct {
	object.Database
	stages
}

// stages reads and writes git's index.
type stages interface {
	// OpenStage reads the index, as far as the paths and what lies below them go.
	OpenStage(ctx context.Context, paths []string) (*gitindex.Stage, error)

	// SaveStage writes the index with the changes to path, durably.
	SaveStage(ctx context.Context, s *gitindex.Stage, path string) error
}

// engine returns the engine for edits of the paths.
func (r *Repo) engine(ctx context.Context, paths []string) (engine, error) {
	x, err := gitindex.Read(r.indexFile())
	if errors.Is(err, gitindex.ErrUnknown) {
		return r.openPlumber(), nil
	}
	if err != nil {
		return engine{}, err
	}
	plain, err := r.isKnownNatively(ctx, x.Has, paths)
	if err != nil || !plain || x.StrangeExtension(false) != "" {
		return r.openPlumber(), err
	}
	return r.openNative(x)
}

// opened is an engine, with the index as it was read.
type opened struct {
	engine
	id    gitindex.FileID
	stage *gitindex.Stage
}

// openIndex opens the engine that fits the paths, and the index as far as they go.
func (r *Repo) openIndex(ctx context.Context, paths []string) (o opened, err error) {
	if o.id, err = r.indexID(); err != nil {
		return o, err
	}
	if o.engine, err = r.engine(ctx, paths); err != nil {
		return o, err
	}
	if o.stage, err = o.OpenStage(ctx, paths); err != nil {
		o.Close()
	}
	return o, err
}

// strangeSettings are those that change how objects, index or files are
// written, with the values that do not.
var strangeSettings = map[string]string{
	"core.autocrlf":           "false",
	"core.eol":                "lf native",
	"core.sparsecheckout":     "false",
	"core.splitindex":         "false",
	"core.sharedrepository":   "false umask 0",
	"core.bigfilethreshold":   "",
	"extensions.partialclone": "",
}

// isKnownNatively reports whether the native engine knows all that the repository has, but
// for its index. staged reports whether the index has a file.
func (r *Repo) isKnownNatively(ctx context.Context, staged func(name string) bool, paths []string) (bool, error) {
	if r.format.strange || r.plumbingOnly {
		return false, nil
	}
	s, err := r.Settings(ctx)
	if err != nil {
		return false, err
	}
	for key, plain := range strangeSettings {
		if value, ok := s[key]; ok && !contains(plain, value) {
			return false, nil
		}
	}
	if r.hasNoConversion(s, staged, paths) {
		return true, nil
	}
	converted, err := r.haveAttribute(ctx, paths, converting)
	return !converted, err
}

// contains reports whether one of the words is word, in any case.
func contains(words, word string) bool {
	for w := range strings.FieldsSeq(words) {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// converting are the attributes under which a file differs from its blob.
var converting = []string{"text", "crlf", "eol", "filter", "ident", "working-tree-encoding"}

// haveAttribute reports whether one of the attributes is set for one of the files.
func (r *Repo) haveAttribute(ctx context.Context, paths, attributes []string) (bool, error) {
	args := append([]string{"check-attr", "-z", "--stdin"}, attributes...)
	fields, err := r.List(ctx, []byte(strings.Join(paths, "\x00")+"\x00"), args...)
	for ; len(fields) >= 3; fields = fields[3:] { // the path, the attribute and its value
		if value := fields[2]; value != "unspecified" && value != "unset" {
			return true, nil
		}
	}
	return false, err
}

// pathsOfEdits returns the paths that edits name.
func pathsOfEdits(edits []vault.Edit) []string {
	var paths []string
	for _, e := range edits {
		paths = append(paths, string(e.Path))
		if e.To != "" {
			paths = append(paths, string(e.To))
		}
	}
	return paths
}

// native is the index read and written in this process.
type native struct {
	repo  *Repo
	index *gitindex.Index
}

// openNative returns the engine that works in this process, on an index that was read.
func (r *Repo) openNative(x *gitindex.Index) (engine, error) {
	o, err := r.openObjects()
	return engine{object.Database{Store: o, Texts: o}, native{r, x}}, err
}

// OpenStage begins to change the index.
func (n native) OpenStage(context.Context, []string) (*gitindex.Stage, error) {
	return gitindex.NewStage(n.index), nil
}

// SaveStage splices the changes into the index; where that would damage an extension,
// git writes it.
func (n native) SaveStage(ctx context.Context, s *gitindex.Stage, path string) error {
	if name := n.index.StrangeExtension(s.NamesChange()); name != "" {
		return n.repo.byGit().SaveStage(ctx, s, path)
	}
	return n.index.Save(ctx, n.repo.files(), s, path)
}

// openPlumber returns the engine that asks the git command for everything.
func (r *Repo) openPlumber() engine {
	objects := object.OpenCommand(r.Git)
	return engine{object.Database{Store: objects, Texts: objects}, r.byGit()}
}

// byGit returns the index as the git command reads and writes it.
func (r *Repo) byGit() gitindex.Command { return gitindex.Command{Git: r.Git, IDs: r.IDs} }

// files returns the files of the work tree.
func (r *Repo) files() gitindex.Files { return gitindex.Files{Top: r.Top(), IDs: r.IDs} }

// Objects opens the objects as they are stored.
func (r *Repo) Objects() (object.Store, error) {
	if r.format.strange || r.plumbingOnly {
		return object.OpenCommand(r.Git), nil
	}
	return r.openObjects()
}

// openObjects opens the objects without git.
func (r *Repo) openObjects() (*object.DB, error) {
	return object.Open(filepath.Join(r.CommonDir(), "objects"), r.IDs)
}

// Reader opens the objects, and the texts that the work tree would hold at the paths.
func (r *Repo) Reader(ctx context.Context, paths []string) (object.Database, error) {
	x, err := r.survey()
	if err != nil {
		return object.Database{}, plumb.IOError(err)
	}
	plain := x.Named
	if plain {
		plain, err = r.isKnownNatively(ctx, x.Attribute, paths)
	}
	if err != nil || !plain {
		return r.openPlumber().Database, err
	}
	eng, err := r.openNative(nil)
	return eng.Database, err
}
