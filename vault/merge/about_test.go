package merge_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/merge"
)

const (
	oldStamp = "a.go#L10-L20 674022c1ee87726c4b6ff83f0e69c0ec4c48fdd9 4a6be0626ea7f7fe83c3a3a9036ef7ab67701186 6af579bbfcd67200 2026-11-28T02:19:39Z"
	myStamp  = "a.go#L10-L20 674022c1ee87726c4b6ff83f0e69c0ec4c48fdd9 4a6be0626ea7f7fe83c3a3a9036ef7ab67701186 6af579bbfcd67200 2026-11-28T02:19:41Z"
	herStamp = "a.go#L10-L20 674022c1ee87726c4b6ff83f0e69c0ec4c48fdd9 4a6be0626ea7f7fe83c3a3a9036ef7ab67701186 6af579bbfcd67200 2026-11-28T02:19:40Z"
	newStamp = "a.go#L1-L3 d40c28aca893de6c876d09fe7ec6c630dffa0048 4a6be0626ea7f7fe83c3a3a9036ef7ab67701186 ff551636e556a991 2026-11-28T02:19:41Z"
)

func about(bindings string, stamps ...string) string {
	return memory("id: pf-a\nabout: ["+bindings+"]\nabout_at:\n  - "+strings.Join(stamps, "\n  - ")+"\n", "p\n")
}

// Two who confirm the same code, and one who binds more: the later stamp stays for each binding.
func TestStampsMerge(t *testing.T) {
	base := about(`"a.go#L10-L20"`, oldStamp)
	mine, hers := about(`"a.go#L10-L20", "a.go#L1-L3"`, myStamp, newStamp), about(`"a.go#L10-L20"`, herStamp)
	for _, side := range [][2]string{{mine, hers}, {hers, mine}} {
		r := merge.Merge([]byte(base), []byte(side[0]), []byte(side[1]), merge.Options{})
		if r.Plain != "" || !strings.Contains(string(r.Text), myStamp) || !strings.Contains(string(r.Text), newStamp) || strings.Contains(string(r.Text), herStamp) {
			t.Errorf("got %q\n%s\nwant\n%s", r.Plain, r.Text, mine)
		}
	}
}
