package about

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// AtCommit returns the code as a commit has it: its files stand for the work tree, and it for HEAD.
func AtCommit(code Code, commit string) Code {
	return Code{Root: code.Root + "@" + commit, Files: &committed{code, commit}, Past: headAt{code.Past, commit}}
}

// headAt is the past of which a commit is HEAD.
type headAt struct {
	Past
	commit string
}

// HeadCommit returns the commit.
func (h headAt) HeadCommit(context.Context) (string, error) { return h.commit, nil }

// committed are the files of a commit.
type committed struct {
	Code
	commit string
}

// Stat finds no file, so that each is judged by the commit's version.
func (c *committed) Stat(string) (vault.Stat, bool, string) { return vault.Stat{}, false, "" }

// Read is never asked for what Stat does not find.
func (c *committed) Read(path string) ([]byte, error) {
	return nil, vault.Errorf(vault.CodeNotFound, "", "%s is read from the commit", path)
}

func (c *committed) BlobOf(text []byte) string    { return c.Code.Files.BlobOf(text) }
func (c *committed) RawBlobOf(text []byte) string { return c.Code.Files.RawBlobOf(text) }

// WhyAbsent gives no reason: what a commit does not have is not there.
func (c *committed) WhyAbsent(context.Context, string) (string, error) { return "", nil }

// Attribute asks the work tree.
func (c *committed) Attribute(ctx context.Context, path, name string) (string, error) {
	return c.Code.Files.Attribute(ctx, path, name)
}
