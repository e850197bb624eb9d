package phrase

import (
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/secret"
)

// Question holds the texts for which a phrase is needed.
type Question struct {
	ParentID vault.ID // empty for a root
	Parent   string   // the parent's prose, without the pointer block
	Title    string   // the memory's
	Text     string   // its prose
}

// maxText bounds the characters of each text that a model is shown. The beginning of a text
// says what it is about.
const maxText = 32_000

// Prompt returns what the model is asked.
func (q Question) Prompt() string {
	var b strings.Builder
	b.WriteString("You are writing a pointer summary for a hierarchical memory system used by AI agents.\n\n")
	if q.ParentID != "" {
		writeSection(&b, "PARENT MEMORY (ID: "+string(q.ParentID)+"):", q.Parent)
		writeSection(&b, "NEW CHILD MEMORY (title: "+q.Title+"):", q.Text)
	} else {
		b.WriteString("PARENT MEMORY: none. The memory stands at the top of the tree.\n\n")
		writeSection(&b, "NEW MEMORY (title: "+q.Title+"):", q.Text)
	}
	b.WriteString(instructions)
	return b.String()
}

func writeSection(b *strings.Builder, heading, text string) {
	b.WriteString(heading + "\n---\n" + strings.TrimSpace(secret.Blot(clip(text))) + "\n---\n\n")
}

// clip returns the text cut at maxText characters.
func clip(text string) string {
	n := 0
	for at := range text {
		if n++; n > maxText {
			return text[:at] + "\n[the rest is left out]"
		}
	}
	return text
}

const instructions = `Generate TWO things:

1. TRIGGER SUMMARY (max 120 chars):
   Write a one-line summary that tells the AI agent WHEN they would need to read
   this child memory. Focus on symptoms, situations, or questions — not just what
   the memory contains.

   Good: "If deploy succeeds but service unchanged, or allocations don't restart"
   Bad:  "Deployment troubleshooting information"

   Good: "When entity counts look wrong or junk entities appear"
   Bad:  "Entity quality issues and fixes"

2. PARENT REVIEW:
   Does the parent memory's prose need updating given this new child? If the parent
   says something that the child contradicts, clarifies, or significantly extends,
   suggest specific edits. If the parent is fine as-is, say "No changes needed."

   Example: If parent says "deployment is straightforward" but the child documents
   5 troubleshooting scenarios, suggest softening the parent text.

Respond as JSON:
{
  "summary": "trigger phrase here",
  "parent_needs_update": true/false,
  "parent_edits": "description of suggested edits, or null"
}
`
