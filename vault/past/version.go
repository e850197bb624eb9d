package past

import (
	"context"
	"encoding/json"
	"math"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// Version counts the versions of a memory's record: the commits, back from HEAD by first
// parents and through its moves, in which its text, title, decisions, rationale, source or
// metadata became another one. What the other side of a merge went through is one of them: what
// the merge made of it. Pointers, ids and phrases do not count. It is 1 without git, and for
// what is in no commit. A rebase, a shallow clone or a colleague's merge may lower it.
func (h *History) Version(ctx context.Context, ref string) (int, error) {
	if h.Archive == nil {
		return 1, nil
	}
	n, last := 0, ""
	seen := func(m *vault.Memory) {
		if now := fields(m); now != last {
			n, last = n+1, now
		}
	}
	_, err := h.log(ctx, Log{Ref: ref, Limit: math.MaxInt, line: true}, seen)
	return max(n, 1), ignoreNotFound(err)
}

// fields returns what makes a version of a record another one.
func fields(m *vault.Memory) string {
	metadata, _ := json.Marshal(m.Metadata) // read from YAML, it always can
	return tree.HashOf(m) + "\x00" + m.Title + "\x00" + m.Source + "\x00" + string(metadata)
}
