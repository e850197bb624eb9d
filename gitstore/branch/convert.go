package branch

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// convert begins the branch with the history of a folder: every commit of HEAD that touched
// it, merges included, with its author, dates and message and the folder as its tree. What
// git fast-import reads for one commit:
//
//	commit refs/cp/convert/memory
//	mark :2
//	author … <…> 1700000000 +0100
//	committer … <…> 1700000000 +0100
//	data 12
//	memory: add
//	from :1
//	deleteall
//	M 040000 <tree>
//
// It comes in under another name ([maker.pending]) and then is the branch with one update. That
// name stays until the vault is in its place: see [maker.converting].
func (m *maker) convert(ctx context.Context, root, instead string) error {
	out, err := m.Run(ctx, nil, "rev-list", "--reverse", "--topo-order", "--full-history", "--simplify-merges", "--parents", "HEAD", "--", m.Convert)
	if err != nil {
		return err
	}
	var stream bytes.Buffer
	fmt.Fprintf(&stream, "feature done\nreset %s\nfrom %s\n\n", m.pending(), root)
	marks := map[string]int{}
	for line := range strings.Lines(string(out)) {
		commits := strings.Fields(line)
		marks[commits[0]] = len(marks) + 1
		if err := m.rewriteCommit(ctx, &stream, commits, marks, root); err != nil {
			return err
		}
	}
	stream.WriteString("done\n")
	if _, err = m.Run(ctx, stream.Bytes(), "fast-import", "--quiet", "--done", "--force"); err == nil {
		_, err = m.Run(ctx, nil, "update-ref", "-m", "cp init", "refs/heads/"+m.Name, m.pending(), instead)
	}
	if err == nil {
		m.note("the branch %s holds the %d commits of %s, which is still in the code; take it out with: %s", m.Name, len(marks), m.Convert, m.farewell(ctx))
	}
	return err
}

// pending is the name under which a history comes in.
func (m *maker) pending() string { return "refs/cp/convert/" + m.Name }

// converting reports whether the branch, which is at ours, came from the folder by an init
// that was killed. Without a place it has what that init brought in, and no more.
func (m *maker) converting(ctx context.Context, ours string) (bool, error) {
	if m.Convert == "" || ours == "" {
		return false, nil
	}
	came, err := m.CommitOf(ctx, m.pending())
	return came == ours || came != "" && m.old != nil, err
}

// forgetPending forgets the name under which a history came in.
func (m *maker) forgetPending(ctx context.Context) error {
	came, err := m.CommitOf(ctx, m.pending())
	if err == nil && came != "" {
		_, err = m.Run(ctx, nil, "update-ref", "-d", m.pending(), came)
	}
	return err
}

// farewell returns the command that takes the old vault out of the code. A .cp.yaml that says
// more than where that is stays, and so does a file that no commit has.
func (m *maker) farewell(ctx context.Context) string {
	old, near := vault.Path(m.Convert).QuoteForShell(), ""
	b, err := os.ReadFile(filepath.Join(m.Top(), ".cp.yaml"))
	if _, tracked := m.Run(ctx, nil, "ls-files", "--error-unmatch", "--", ".cp.yaml"); err == nil && tracked == nil && onlyVault(string(b)) {
		near = " .cp.yaml"
	}
	return "git rm -r -q " + old + near + " && git commit -m 'memories are on the branch " + m.Name + "' && rm -f " + old + "/.cp/index.db* && find " + old + " -type d -empty -delete"
}

// onlyVault reports whether a .cp.yaml has no key but vault.
func onlyVault(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !strings.HasPrefix(line, "vault:") {
			return false
		}
	}
	return true
}

// rewriteCommit writes one commit; its parents come behind it.
func (m *maker) rewriteCommit(ctx context.Context, to *bytes.Buffer, commits []string, marks map[string]int, root string) error {
	raw, err := m.Run(ctx, nil, "cat-file", "commit", commits[0])
	if err != nil {
		return err
	}
	header, message, _ := bytes.Cut(raw, []byte("\n\n"))
	fmt.Fprintf(to, "commit %s\nmark :%d\n", m.pending(), marks[commits[0]])
	for line := range strings.Lines(string(header)) {
		for _, key := range []string{"author ", "committer ", "encoding "} {
			if strings.HasPrefix(line, key) {
				to.WriteString(strings.TrimSuffix(line, "\n") + "\n")
			}
		}
	}
	fmt.Fprintf(to, "data %d\n%s\n", len(message), message)
	word := "from"
	for _, parent := range commits[1:] {
		fmt.Fprintf(to, "%s :%d\n", word, marks[parent])
		word = "merge"
	}
	if len(commits) == 1 {
		fmt.Fprintf(to, "from %s\n", root)
	}
	tree, err := m.Run(ctx, nil, "ls-tree", "-d", commits[0], "--", m.Convert)
	if err != nil {
		return err
	}
	to.WriteString("deleteall\n")
	if f := strings.Fields(string(tree)); len(f) > 2 {
		fmt.Fprintf(to, "M 040000 %s \n", f[2])
	}
	to.WriteString("\n")
	return nil
}
