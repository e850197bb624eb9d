package gitstore

import (
	"github.com/cp-memory/cp/gitstore/gitindex"
	"github.com/cp-memory/cp/gitstore/object"
)

// openPlumber returns the engine that asks the git command for everything.
func (r *Repo) openPlumber() engine {
	objects := object.OpenCommand(r.Git)
	return engine{object.Database{Store: objects, Texts: objects}, r.byGit()}
}

// byGit is the index as the git command reads and writes it.
func (r *Repo) byGit() gitindex.Command { return gitindex.Command{Git: r.Git, IDs: r.IDs} }

// files are those of the work tree.
func (r *Repo) files() gitindex.Files { return gitindex.Files{Top: r.Top(), IDs: r.IDs} }
