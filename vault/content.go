package vault

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/cp-memory/cp/vault/header"
)

// Content returns what a model reads of the memory: type, title and prose as "<type>:
// <title>\n\n<prose>", then the decisions and the rationale. It leaves out the rest of the
// front matter, and the block, which is about the children.
func (m *Memory) Content() string {
	return m.Type + ": " + m.Title + "\n\n" + m.Prose + m.Record.Text()
}

// ContentHash returns the first 128 bits of Content's SHA-256, in hex. A vector or a
// trigger phrase, which cost money to derive, are kept with the hash, so that a changed
// content shows. A new child, a label or a status does not change it.
func (m *Memory) ContentHash() string { return TextHash(m.Content()) }

// TextHash returns the first 128 bits of a text's SHA-256, in hex.
func TextHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// A phrase that a model wrote is kept with the content it was written for, in
// the child's front matter, so that it can be found out later that the text has
// changed since, in every clone and without the index:
//
//	summary: If deploy succeeds but service unchanged
//	summary_of: 5f1c09aa37be
//
// A person's phrase has no such key: they knew what they wrote it about.

// summaryOfLen is the number of hex digits of a ContentHash in the key.
const summaryOfLen = 12

// ByModel notes that a model wrote the phrase of a memory that is to be rendered,
// for the title and the prose it has.
func (m *Memory) ByModel() {
	text, err := Render(&Memory{Header: Header{Title: m.Title, Record: m.Record}, Prose: m.Prose})
	if err != nil {
		return // and the write fails by itself
	}
	m.SummaryOf = Parse("x.md", text).ContentHash()[:summaryOfLen]
}

// SetPhrase returns the steps that give a memory a trigger phrase. content is the
// ContentHash of the text that a model wrote it for; empty for a person's phrase.
func SetPhrase(phrase, content string) []Step {
	steps := []Step{{Op: OpSetKey, Key: "summary", Value: phrase}}
	for _, key := range header.KeysAbout("summary") {
		of := Step{Op: OpDropKey, Key: key}
		if content != "" {
			of = Step{Op: OpSetKey, Key: key, Value: content[:min(len(content), summaryOfLen)]}
		}
		steps = append(steps, of)
	}
	return steps
}

// AnchorSteps are the steps that have a memory tell of another commit of the code, or of none.
func AnchorSteps(a header.Anchor) []Step {
	return []Step{setOrDrop("commit", a.Commit), setOrDrop("commit_key", a.CommitKey)}
}

func setOrDrop(key, value string) Step {
	if value == "" {
		return Step{Op: OpDropKey, Key: key}
	}
	return Step{Op: OpSetKey, Key: key, Value: value}
}

// Phrase returns what is said as a trigger phrase. The placeholder says nothing.
func Phrase(said string) string {
	if said == Placeholder {
		return ""
	}
	return said
}

// Phraseless reports whether a memory has no trigger phrase.
func (n *Node) Phraseless() bool { return n.Summary == "" }

// Placeheld reports whether the parent has only a placeholder where one looks for the
// memory's trigger phrase. One that no pointer names ([Node.NeedsPointer]) needs none.
func (n *Node) Placeheld() bool { return n.Parent != "" && n.Phraseless() && n.NeedsPointer() }

// NeedsPointer reports whether the memory's parent is to have a pointer to it, with a phrase that
// says when one needs it.
func (n *Node) NeedsPointer() bool {
	return !n.Unpointed && !n.ReadOnly() && (n.InTree() || !n.IsEntry())
}

// IsOutdated reports whether a model wrote the phrase for another text than the
// memory has now.
func (n *Node) IsOutdated() bool {
	return n.SummaryOf != "" && !strings.HasPrefix(n.Content, n.SummaryOf)
}

// Text reads a memory's file without counting the reading.
func (v *Vault) Text(ctx context.Context, ref string) (Node, *Memory, error) {
	p, err := v.Reading().OpenMemory(ctx, ref)
	if err != nil {
		return Node{}, nil, err
	}
	return p.Node, p.Mem, nil
}
