package family_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault/family"
)

// episodes are the projects of a developer's machine, with how many memories each had.
var episodes = map[string]int{
	"/p/TTS": 3, "/p/TTS/TrueTTS": 399, "/p/TTS/TrueTTS/frontend-new": 141, "/p/TTS/mic-launch-video": 20,
	"/p/MM": 95, "/p/MM/src/frontend": 31, "/p/MM/.worktrees/plan/src/backend": 47,
	"/p/claude-memory": 41, "/p/claude-monitor": 0, "/p/claude-powerline-audit": 6,
}

// machine returns them as projects: the folder's name is the project's, and MM is one
// repository with two work trees.
func machine() (all []family.Project) {
	for path := range episodes {
		p := at(path)
		switch {
		case strings.HasPrefix(path, "/p/MM/.worktrees/plan"):
			p.Repo, p.Top = "/p/MM/.git", "/p/MM/.worktrees/plan"
		case strings.HasPrefix(path, "/p/MM"):
			p.Repo, p.Top = "/p/MM/.git", "/p/MM"
		}
		all = append(all, p)
	}
	return all
}

// at returns a vault whose project has a path.
func at(path string) family.Project {
	return family.Project{Name: path[strings.LastIndex(path, "/")+1:], Path: path, Vault: path + "/memory"}
}

func paths(all []family.Project) (out []string) {
	for _, p := range all {
		out = append(out, p.Path)
	}
	return out
}

func named(t *testing.T, ref string, all []family.Project) family.Project {
	t.Helper()
	found := family.Rules{}.FindProjects(ref, all)
	if len(found) != 1 {
		t.Fatalf("%s means %v", ref, paths(found))
	}
	return found[0]
}

// The tree of that machine: parents, families and what a question is answered from.
func TestTheFamiliesOfAMachine(t *testing.T) {
	all := machine()
	for _, c := range []struct {
		name, parent string
		family       []string
		count        int
	}{
		{"TTS", "", []string{"TTS", "TTS/TrueTTS", "TTS/TrueTTS/frontend-new", "TTS/mic-launch-video"}, 563},
		{"TrueTTS", "/p/TTS", []string{"TTS/TrueTTS", "TTS/TrueTTS/frontend-new"}, 540},
		{"frontend-new", "/p/TTS/TrueTTS", []string{"TTS/TrueTTS/frontend-new"}, 141},
		{"mic-launch-video", "/p/TTS", []string{"TTS/mic-launch-video"}, 20},
		{"MM", "", []string{"MM", "MM/.worktrees/plan/src/backend", "MM/src/frontend"}, 173},
		{"frontend", "/p/MM", []string{"MM/src/frontend"}, 31},
		{"backend", "/p/MM", []string{"MM/.worktrees/plan/src/backend"}, 47},
		{"claude-memory", "", []string{"claude-memory"}, 41},
		{"claude-monitor", "", []string{"claude-monitor"}, 0},
		{"claude-powerline-audit", "", []string{"claude-powerline-audit"}, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := named(t, c.name, all)
			parent, ok := family.Rules{}.DetectParent(p.Path, all)
			if parent.Path != c.parent || ok != (c.parent != "") {
				t.Errorf("parent: got %q, want %q", parent.Path, c.parent)
			}
			members, count := family.Rules{}.Family(p, all), 0
			var got []string
			for _, m := range members {
				got, count = append(got, strings.TrimPrefix(m.Path, "/p/")), count+episodes[m.Path]
			}
			if diff := cmp.Diff(c.family, got); diff != "" {
				t.Errorf("family (-want +got):\n%s", diff)
			}
			if count != c.count {
				t.Errorf("memories: got %d, want %d", count, c.count)
			}
		})
	}
}

// Nothing stores parenthood: who comes between, goes or is renamed re-parents the others.
func TestProjectsReparentByThemselves(t *testing.T) {
	const deep = "/p/TTS/TrueTTS/frontend-new"
	parent := func(all ...family.Project) string {
		p, _ := family.Rules{}.DetectParent(deep, all)
		return p.Path
	}
	tts, mid, low := at("/p/TTS"), at("/p/TTS/TrueTTS"), at(deep)
	for _, c := range []struct {
		name string
		all  []family.Project
		want string
	}{
		{"alone", []family.Project{low}, ""},
		{"below the topmost", []family.Project{tts, low}, "/p/TTS"},
		{"one inserted between", []family.Project{tts, low, mid}, "/p/TTS/TrueTTS"},
		{"and removed", []family.Project{tts, low}, "/p/TTS"},
		{"renamed to what is no prefix", []family.Project{tts, low, at("/p/TTS/TrueTTS2")}, "/p/TTS"},
		{"in any order", []family.Project{mid, low, tts}, "/p/TTS/TrueTTS"},
	} {
		if got := parent(c.all...); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPrefixesAreWholeComponents(t *testing.T) {
	all := []family.Project{at("/a/TTS"), at("/a/TTS2"), at("/a/TTS-b/x"), at("/a/TTS/x"), at("/")}
	if got := paths(family.Rules{}.Family(all[0], all)); !slices.Equal(got, []string{"/a/TTS", "/a/TTS/x"}) {
		t.Errorf("family of /a/TTS: %v", got)
	}
	if p, _ := (family.Rules{}).DetectParent("/a/TTS2", all); p.Path != "/" {
		t.Errorf("parent of /a/TTS2: %q", p.Path)
	}
	if p, ok := (family.Rules{}).DetectParent("/", all); ok {
		t.Errorf("/ has the parent %q", p.Path)
	}
	for dir, want := range map[string]string{"/a/TTS/x/deep/er": "/a/TTS/x", "/a/TTS/xy": "/a/TTS", "/a/TTS/": "/a/TTS", "/a/b/../TTS2/./y": "/a/TTS2", "/b": "/"} {
		if p, _ := (family.Rules{}).Current(dir, all); p.Path != want {
			t.Errorf("current project of %s: got %q, want %q", dir, p.Path, want)
		}
	}
}

// On a file system that takes upper and lower case for one, paths that differ in that are one.
func TestAFoldingFileSystem(t *testing.T) {
	all := []family.Project{at("/Users/e/TTS"), at("/users/E/tts/TrueTTS")}
	if _, ok := (family.Rules{}).DetectParent(all[1].Path, all); ok {
		t.Error("a file system that tells case apart has a parent")
	}
	folding := family.Rules{Fold: strings.ToLower}
	if p, _ := folding.DetectParent(all[1].Path, all); p.Path != all[0].Path {
		t.Errorf("parent: got %q", p.Path)
	}
	if got := folding.Family(all[0], all); len(got) != 2 {
		t.Errorf("family: %v", paths(got))
	}
}

func TestNamesAndPaths(t *testing.T) {
	all := []family.Project{at("/b/app"), at("/a/app"), at("/a/lib")}
	for ref, want := range map[string][]string{
		"app": {"/a/app", "/b/app"}, "lib": {"/a/lib"}, "none": nil, "": nil,
		"/b/app": {"/b/app"}, "/b/app/": {"/b/app"}, "/b/app/memory": {"/b/app"}, "/b": nil, "/b/ap": nil,
	} {
		if got := paths((family.Rules{}).FindProjects(ref, all)); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", ref, got, want)
		}
	}
}

// Who stands apart feeds nobody above, and neither does what lies below it; it has a family
// of its own.
func TestWhatStandsApart(t *testing.T) {
	vendored := at("/a/vendor/lib")
	vendored.Apart = "it is a submodule"
	all := []family.Project{at("/a"), vendored, at("/a/vendor/lib/sub"), at("/a/own")}
	if got := paths((family.Rules{}).Family(all[0], all)); !slices.Equal(got, []string{"/a", "/a/own"}) {
		t.Errorf("family of /a: %v", got)
	}
	if got := paths((family.Rules{}).Family(vendored, all)); !slices.Equal(got, []string{"/a/vendor/lib", "/a/vendor/lib/sub"}) {
		t.Errorf("its own family: %v", got)
	}
}

// What a person has added is in the families above it, whatever stands apart between, and what
// lies below it follows; asked for all, it answers.
func TestWhatJoins(t *testing.T) {
	lib, sub := at("/a/vendor/lib"), at("/a/vendor/lib/sub")
	lib.Apart, sub.Joins = "git ignores its folder", true
	low, other := at("/a/vendor/lib/sub/low"), at("/a/vendor/lib/other")
	all := []family.Project{at("/a"), lib, sub, low, other}
	want := []string{"/a", "/a/vendor/lib/sub", "/a/vendor/lib/sub/low"}
	if got := paths((family.Rules{}).Family(all[0], all)); !slices.Equal(got, want) {
		t.Errorf("family of /a: %v", got)
	}
	if got := paths((family.Rules{}).Everyone(all)); !slices.Equal(got, want) {
		t.Errorf("everyone: %v", got)
	}
	if got := paths((family.Rules{}).ListApart(all[0], all)); !slices.Equal(got, []string{"/a/vendor/lib"}) {
		t.Errorf("aside: %v", got)
	}
}

// What lies in one folder that stands apart is of one family: a home folder whose repository
// ignores everything does not part the projects in it.
func TestWhatStandsApartTogether(t *testing.T) {
	own := func(path string) family.Project {
		p := at(path)
		p.Apart, p.Within = "git ignores its folder", "/home/p/work"
		return p
	}
	all := []family.Project{at("/home/p"), own("/home/p/work/TTS"), own("/home/p/work/TTS/True"), own("/home/p/work/MM"), at("/home/p/notes")}
	for _, c := range []struct {
		of   family.Project
		want []string
	}{
		{all[0], []string{"/home/p", "/home/p/notes"}},
		{all[1], []string{"/home/p/work/TTS", "/home/p/work/TTS/True"}},
		{at("/home/p/work"), []string{"/home/p/work", "/home/p/work/MM", "/home/p/work/TTS", "/home/p/work/TTS/True"}},
	} {
		if got := paths((family.Rules{}).Family(c.of, all)); !slices.Equal(got, c.want) {
			t.Errorf("family of %s: got %v, want %v", c.of.Path, got, c.want)
		}
	}
	if got := paths((family.Rules{}).ListApart(all[0], all)); !slices.Equal(got, []string{"/home/p/work/MM", "/home/p/work/TTS"}) {
		t.Errorf("aside: %v", got)
	}
	if got := paths((family.Rules{}).Everyone(all)); !slices.Equal(got, []string{"/home/p", "/home/p/notes"}) {
		t.Errorf("everyone: %v", got)
	}
	if got := paths((family.Rules{}).Everyone(all[1:4])); len(got) != 3 {
		t.Errorf("everyone, without one that they stand apart from: %v", got)
	}
}

// One path with two projects: the vault wins. A global one is in every family.
func TestTwoProjectsOfOnePathAndGlobalOnes(t *testing.T) {
	part := family.Project{Name: "x", Path: "/a/x", Vault: "/a/memory", Part: "x.md", Folder: "x"}
	global := family.Project{Name: "me", Path: "/home/me/memory", Vault: "/home/me/memory", Global: true}
	all := []family.Project{part, at("/a"), at("/a/x"), global}
	got := (family.Rules{}).Family(at("/a"), all)
	if want := []family.Project{at("/a"), at("/a/x"), global}; !slices.Equal(got, want) {
		t.Errorf("family: %v", got)
	}
	if lost := (family.Rules{}).Clashes(all); !slices.Equal(lost, []family.Project{part}) {
		t.Errorf("clashes: %v", lost)
	}
	if got := (family.Rules{}).Family(at("/b"), all); len(got) != 2 {
		t.Errorf("a project that is in no list: %v", got)
	}
}

// A second work tree of one repository: the same vault is not counted twice, and one that
// the first work tree has not is counted.
func TestWorkTrees(t *testing.T) {
	in := func(path, top string) family.Project {
		p := at(path)
		p.Repo, p.Top = "/r/.git", top
		return p
	}
	first, second, only := in("/r", "/r"), in("/r/.wt/x", "/r/.wt/x"), in("/r/.wt/x/new", "/r/.wt/x")
	beside := in("/s", "/s")
	all := []family.Project{first, second, only, beside, at("/")}
	for _, c := range []struct {
		of   family.Project
		want []string
	}{
		{first, []string{"/r", "/r/.wt/x/new"}},
		{second, []string{"/r/.wt/x", "/r/.wt/x/new"}},
		{at("/"), []string{"/", "/r", "/r/.wt/x/new", "/s"}}, // a clone beside is another matter: equal memories are shown once
	} {
		if got := paths((family.Rules{}).Family(c.of, all)); !slices.Equal(got, c.want) {
			t.Errorf("family of %s: got %v, want %v", c.of.Path, got, c.want)
		}
	}
	if got := paths((family.Rules{}).Everyone(all)); !slices.Equal(got, []string{"/", "/r", "/r/.wt/x/new", "/s"}) {
		t.Errorf("everyone: %v", got)
	}
}

// The tree of all says of each what DetectParent and Family say.
func TestTheTreeAgreesWithTheRules(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		all := map[string]family.Project{}
		for range random.IntN(30) {
			p := ""
			for range 1 + random.IntN(5) {
				p += "/" + []string{"a", "a-b", "a0", "b"}[random.IntN(4)]
			}
			one := at(p)
			if random.IntN(6) == 0 {
				one.Apart = "so"
				one.Within = []string{"", p, p[:2], path.Dir(p)}[random.IntN(4)]
			} else {
				one.Joins = random.IntN(5) == 0
			}
			if random.IntN(3) == 0 {
				one.Repo, one.Top = "r", p[:2]
				if random.IntN(2) == 0 {
					one.Top = p
				}
			}
			all[p] = one
		}
		var list []family.Project
		for _, p := range all {
			list = append(list, p)
		}
		for _, placed := range (family.Rules{}).Tree(list) {
			parent, _ := family.Rules{}.DetectParent(placed.Path, list)
			below := paths((family.Rules{}).Family(placed.Project, list)[1:])
			if parent.Path != placed.Parent || !slices.Equal(below, placed.Below) || placed.Level > 0 != (placed.Parent != "") {
				t.Fatalf("seed %d: of %v, %s has the parent %q and below it %v; the rules say %q and %v", seed, paths(list), placed.Path, placed.Parent, placed.Below, parent.Path, below)
			}
		}
	}
}

// A part of a vault holds its memory and what lies below it; the deepest part decides.
func TestPartsShareAVault(t *testing.T) {
	vault := family.Project{Name: "v", Path: "/v", Vault: "/v"}
	app := family.Project{Name: "app", Path: "/v/app", Vault: "/v", Part: "app.md", Folder: "app"}
	api := family.Project{Name: "api", Path: "/v/src/api", Vault: "/v", Part: "app/api/README.md", Folder: "app/api"}
	all := []family.Project{vault, app, api}
	for file, want := range map[string]string{
		"x.md": "v", "app.md": "app", "app/x.md": "app", "apple.md": "v", "app/api/README.md": "api", "app/api/y/z.md": "api", "app/api.md": "app",
	} {
		if p, _ := family.Holding(all, file); p.Name != want {
			t.Errorf("%s: got %q, want %q", file, p.Name, want)
		}
		for _, chosen := range [][]family.Project{all, {vault}, {app}, {app, api}, {api}, {vault, api}} {
			has := slices.ContainsFunc(chosen, func(c family.Project) bool { return c.Name == want })
			if got := family.ShareOf(chosen, all).Has(file); got != has {
				t.Errorf("%s of %v: got %v, want %v", file, paths(chosen), got, has)
			}
		}
	}
	if s := family.ShareOf(all, all); s.Areas != nil {
		t.Errorf("all of it: %v", s)
	}
}

// 1,000 projects, 20 levels deep.
func thousand() (all []family.Project) {
	for i := range 50 {
		p := fmt.Sprintf("/home/p/%d", i)
		for level := range 20 {
			all = append(all, at(p))
			p += fmt.Sprintf("/level-%d", level)
		}
	}
	return all
}

func BenchmarkFamily(b *testing.B) {
	all := thousand()
	for b.Loop() {
		if got := (family.Rules{}).Family(all[0], all); len(got) != 20 {
			b.Fatal(len(got))
		}
	}
}

func BenchmarkTree(b *testing.B) {
	all := thousand()
	for b.Loop() {
		if got := (family.Rules{}).Tree(all); got[19].Level != 19 || len(got[0].Below) != 19 {
			b.Fatal(got[19].Level)
		}
	}
}
