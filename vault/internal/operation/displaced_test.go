package operation

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/internal/files"
)

func TestRelicNames(t *testing.T) {
	op := "20261102T140247.120-abcdefgh"
	for _, path := range []string{"a.md", "x/y z/é.md", "bad\\xff.md", strings.Repeat("long/", 50) + "é.md"} {
		want := relic{op: op, mtime: 1234567890123456789, digest: files.Digest([]byte("x"))[:digestLen], path: path}
		name := want.name(3)
		got, ok := parseRelic(name)
		if len(path) > nameRoom { // cut in front
			if !strings.HasSuffix(path, strings.TrimPrefix(got.path, "…")) {
				t.Errorf("%q is not the end of %q", got.path, path)
			}
			want.path = got.path
		}
		if !ok || got != want || len(name) > 255 || strings.Contains(name, "/") {
			t.Errorf("%q: got %+v, %v from %q", path, got, ok, name)
		}
	}
}
