package registry

import (
	"slices"
	"testing"

	"github.com/cp-memory/cp/vault/family"
)

// A part that a path names is looked for first in the vaults that hold the path, and a name first
// around the current project: only so many vaults are opened.
func TestWhereAPartIsLookedForFirst(t *testing.T) {
	var all []family.Project
	for _, path := range []string{"/a", "/b", "/b/c", "/b/c/d", "/b/e", "/z"} {
		all = append(all, family.Project{Path: path, Vault: path})
	}
	k := Known{Projects: all, Here: all[2]}
	for _, c := range []struct {
		ref  string
		want []string
	}{
		{"part", []string{"/b", "/b/c", "/b/c/d", "/a", "/b/e", "/z"}},
		{"/z/part", []string{"/z", "/b", "/b/c", "/b/c/d", "/a", "/b/e"}},
		{"/b/e/src/part", []string{"/b", "/b/e", "/b/c", "/b/c/d", "/a", "/z"}},
	} {
		var got []string
		for _, p := range k.likely(c.ref) {
			got = append(got, p.Path)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.ref, got, c.want)
		}
	}
}
