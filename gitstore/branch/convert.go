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
//	commit refs/heads/memory
//	mark :2
//	author … <…> 1700000000 +0100
//	committer … <…> 1700000000 +0100
//	data 12
//	memory: add
//	from :1
//	deleteall
//	M 040000 <tree>
func (m *maker) convert(ctx context.Context, root string) error {
	out, err := m.Run(ctx, nil, "rev-list", "--reverse", "--topo-order", "--full-history", "--simplify-merges", "--parents", "HEAD", "--", m.Convert)
	if err != nil {
		return err
	}
	var stream bytes.Buffer
	fmt.Fprintf(&stream, "feature done\nreset refs/heads/%s\nfrom %s\n\n", m.Name, root)
	marks := map[string]int{}
	for line := range strings.Lines(string(out)) {
		commits := strings.Fields(line)
		marks[commits[0]] = len(marks) + 1
		if err := m.rewrite(ctx, &stream, commits, marks, root); err != nil {
			return err
		}
	}
	stream.WriteString("done\n")
	_, err = m.Run(ctx, stream.Bytes(), "fast-import", "--quiet", "--done")
	if err == nil {
		m.note("the branch %s holds the %d commits of %s, which is still in the code; take it out with: %s", m.Name, len(marks), m.Convert, m.farewell(ctx))
	}
	return err
}

// farewell returns the command that takes the old vault out of the code. A .cp.yaml that says
// more than where that is stays.
func (m *maker) farewell(ctx context.Context) string {
	old, near := vault.Path(m.Convert).Quoted(), ""
	b, err := os.ReadFile(filepath.Join(m.Top(), ".cp.yaml"))
	if _, tracked := m.Run(ctx, nil, "ls-files", "--error-unmatch", "--", ".cp.yaml"); err == nil && tracked == nil && onlyVault(string(b)) {
		near = " .cp.yaml"
	}
	return "git rm -r -q " + old + near + " && rm -rf " + old + "/.cp && git commit -m 'memories are on the branch " + m.Name + "'"
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

// rewrite writes one commit; its parents come behind it.
func (m *maker) rewrite(ctx context.Context, to *bytes.Buffer, commits []string, marks map[string]int, root string) error {
	raw, err := m.Run(ctx, nil, "cat-file", "commit", commits[0])
	if err != nil {
		return err
	}
	header, message, _ := bytes.Cut(raw, []byte("\n\n"))
	fmt.Fprintf(to, "commit refs/heads/%s\nmark :%d\n", m.Name, marks[commits[0]])
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
