package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The lists in this file are policy (design: arrows point down only), not an
// obstacle to a build: a package or import that is not in them was not decided
// on yet. Tests may reach further than the code they test; they are not read.

const module = "github.com/cp-memory/cp"

// below lists, for every package of the module, the ones it may import.
var below = map[string][]string{
	"pointer":                   {},
	"vault/frontmatter":         {},
	"vault/disk":                {},
	"vault/kind":                {},
	"vault/family":              {},
	"vault/dochash":             {"vault"},
	"index/docs":                {"index/sqlite"},
	"vault/filename":            {},
	"vault/fact":                {},
	"vault/journal":             {"vault/recall", "vault/family", "vault/core", "vault", "vault/field", "vault/filename", "vault/kind", "vault/tree", "vault/tier"},
	"vault/graph":               {"vault", "vault/family"},
	"vault/graph/union":         {"vault", "vault/family", "vault/graph"},
	"vault/record":              {"vault", "vault/dochash", "vault/extract", "vault/facts", "vault/field", "vault/graph", "vault/past", "vault/tree", "vault/fact"},
	"vault/extract":             {"vault", "vault/fact", "vault/facts", "vault/secret"},
	"cmd/internal/meter":        {"vault", "vault/disk"},
	"vault/graph/draw":          {"vault", "vault/graph"},
	"vault/facts":               {"vault", "vault/dochash", "vault/fact", "vault/filename", "vault/tree"},
	"vault/findings":            {"pointer", "vault", "vault/filename", "vault/journal", "vault/kind", "vault/recall", "vault/tree"},
	"vault/review":              {"vault", "vault/family", "vault/field", "vault/tree", "vault/kind", "vault/recall", "vault/tier", "vault/core"},
	"index/rare":                {"index/analyse", "index/docs", "index/sqlite", "vault/family"},
	"index/scoring":             {"index/analyse", "index/docs", "index/filter", "index/sqlite", "index/tongue", "vault", "vault/family", "vault/recall"},
	"index/tongue":              {"index/analyse"},
	"index/factfiles":           {"index/graph", "index/naming", "index/sqlite", "vault", "vault/fact", "vault/listing"},
	"index/links":               {"index/naming", "index/sqlite", "vault"},
	"index/graph":               {"index/analyse", "index/links", "index/naming", "index/sqlite", "vault", "vault/fact", "vault/graph", "index/filter", "vault/recall"},
	"index/anchors":             {"index/analyse", "index/naming", "index/sqlite", "index/tongue", "vault"},
	"index/siblings":            {"index/filter", "index/sqlite", "vault", "vault/branch"},
	"vault/branch":              {"vault", "vault/tier"},
	"index/waiting":             {"index/sqlite", "vault", "vault/kind", "vault/review"},
	"vault/tier":                {"vault", "vault/field", "vault/kind"},
	"vault/core":                {"vault", "vault/field", "vault/tier"},
	"vault/transcript":          {},
	"vault/gather":              {"vault/recall", "vault", "vault/journal", "vault/kind", "vault/secret", "vault/tier", "vault/transcript"},
	"index/opencode":            {"index/sqlite", "vault", "vault/transcript"},
	"cmd/internal/sessions":     {"cmd/internal/app", "cmd/internal/console", "cmd/internal/meter", "cmd/internal/render", "vault", "vault/disk", "vault/gather", "vault/recall", "vault/transcript"},
	"cmd/internal/intake":       {"cmd/internal/app", "cmd/internal/console", "cmd/internal/knowledge", "cmd/internal/render", "cmd/internal/sources", "vault", "vault/facts", "vault/transfer"},
	"vault/verify":              {"vault"},
	"index/inventory":           {"index/filter", "index/sqlite", "vault", "vault/journal", "vault/kind", "vault/verify"},
	"vault/field":               {"vault/frontmatter", "vault/kind"},
	"vault/listing":             {"vault"},
	"vault/merge":               {"pointer", "vault/field", "vault/frontmatter", "vault/readonly"},
	"vault/secret":              {},
	"vault/prose":               {"vault/spelling", "pointer", "vault/field", "vault/frontmatter", "vault/readonly"},
	"vault":                     {"pointer", "vault/fact", "vault/family", "vault/field", "vault/frontmatter", "vault/merge", "vault/prose", "vault/secret", "vault/filename", "vault/tokens", "vault/readonly"},
	"vault/tokens":              {},
	"vault/spelling":            {},
	"vault/options":             {"vault", "vault/spelling"},
	"vault/seats":               {"vault", "vault/readonly"},
	"vault/readonly":            {"vault/field", "vault/frontmatter"},
	"vault/spare":               {"vault", "vault/secret"},
	"vault/embed":               {"vault", "vault/passage", "vault/recall"},
	"vault/calibrate":           {"vault", "vault/embed", "vault/passage", "vault/recall"},
	"cmd/internal/cli/measure":  {"cmd/internal/app", "cmd/internal/console", "cmd/internal/render", "vault", "vault/calibrate", "vault/recall"},
	"vault/passage":             {"vault"},
	"vault/sync/converge":       {"vault", "vault/frontmatter", "vault/merge", "vault/seats"},
	"vault/sync":                {"pointer", "vault", "vault/fact", "vault/facts", "vault/field", "vault/frontmatter", "vault/merge", "vault/prose", "vault/relink", "vault/spare", "vault/sync/converge", "vault/filename", "vault/seats", "vault/readonly"},
	"vault/doctor":              {"vault", "vault/secret", "vault/sync", "vault/filename"},
	"vault/relink":              {"vault", "vault/frontmatter", "vault/prose", "vault/filename"},
	"vault/tree":                {"vault/spelling", "vault/branch", "vault/brief", "pointer", "vault", "vault/family", "vault/field", "vault/merge", "vault/prose", "vault/relink", "vault/secret", "vault/spare", "vault/filename", "vault/tier", "vault/dochash", "vault/fact"},
	"vault/recall":              {"vault", "vault/brief", "vault/passage", "vault/family", "vault/field", "vault/pool", "vault/tree", "vault/filename", "vault/tier"},
	"vault/pool":                {"vault", "vault/family", "vault/tree"},
	"vault/worktree/watch":      {"vault", "vault/disk", "vault/sync", "vault/tree", "vault/filename"},
	"vault/guide":               {"vault", "vault/branch", "vault/brief"},
	"vault/brief":               {"vault"},
	"vault/exchange":            {"vault", "vault/fact", "vault/merge", "vault/secret", "vault/sync", "vault/filename"},
	"vault/worktree":            {"vault", "vault/disk", "vault/listing", "vault/past", "vault/sync", "vault/sync/converge", "vault/worktree/displaced", "vault/worktree/sections", "vault/worktree/files", "vault/worktree/ignore", "vault/worktree/operation", "vault/worktree/remake", "vault/filename"},
	"vault/worktree/sections":   {"vault", "vault/core", "vault/disk", "vault/worktree/files"},
	"vault/worktree/displaced":  {"vault/disk", "vault/worktree/files", "vault/worktree/operation"},
	"vault/worktree/remake":     {"vault", "vault/disk", "vault/worktree/files", "vault/worktree/operation"},
	"vault/worktree/operation":  {"vault", "vault/field"},
	"vault/worktree/files":      {"vault", "vault/disk", "vault/listing", "vault/worktree/ignore", "vault/filename"},
	"vault/worktree/ignore":     {},
	"vault/phrase":              {"vault", "vault/secret"},
	"vault/past":                {"pointer", "vault", "vault/family", "vault/field", "vault/frontmatter", "vault/prose", "vault/dochash"},
	"vault/transfer":            {"pointer", "vault", "vault/dochash", "vault/family", "vault/field", "vault/frontmatter", "vault/journal", "vault/kind", "vault/fact", "vault/facts", "vault/prose", "vault/secret", "vault/filename", "vault/seats", "vault/tier"},
	"generate":                  {"vault", "vault/embed"},
	"generate/generatetest":     {},
	"gitstore/plumb":            {"vault"},
	"gitstore/object":           {"gitstore/plumb", "vault", "vault/disk"},
	"gitstore/branch":           {"gitstore/plumb", "gitstore/remote", "vault", "vault/disk"},
	"gitstore/repair":           {"gitstore/plumb", "vault", "vault/disk", "vault/doctor"},
	"gitstore/gitindex":         {"gitstore/object", "gitstore/plumb", "vault", "vault/disk"},
	"gitstore/remote":           {"gitstore/object", "gitstore/plumb", "vault"},
	"gitstore/past":             {"gitstore/object", "gitstore/plumb", "vault", "vault/past", "vault/sync/converge"},
	"gitstore":                  {"gitstore/gitindex", "gitstore/object", "gitstore/past", "gitstore/plumb", "gitstore/remote", "vault", "vault/disk", "vault/sync/converge"},
	"generate/static":           {"vault", "vault/disk", "vault/embed"},
	"index/analyse":             {},
	"index/filter":              {"index/sqlite", "vault", "vault/family", "vault/field", "vault/kind"},
	"index/naming":              {"vault", "vault/readonly"},
	"index/trail":               {"index/sqlite", "vault"},
	"index/changed":             {"index/links", "index/sqlite", "vault"},
	"index/sqlite":              {"vault", "vault/disk"},
	"index/usage":               {"index/sqlite", "vault", "vault/disk"},
	"index/vectors":             {"index/sqlite", "vault", "vault/disk", "vault/embed"},
	"index":                     {"index/siblings", "vault/branch", "pointer", "vault", "vault/listing", "vault/field", "vault/disk", "vault/embed", "vault/recall", "index/analyse", "index/filter", "index/naming", "index/sqlite", "index/trail", "index/usage", "index/vectors", "index/docs", "index/scoring", "vault/family", "index/inventory", "index/rare", "index/waiting", "index/factfiles", "index/graph", "index/tongue", "vault/prose", "vault/verify", "vault/review", "vault/tier", "vault/journal", "vault/dochash", "index/links", "index/anchors", "vault/readonly", "index/changed"},
	"cmd/internal/settings":     {"vault", "vault/disk", "vault/kind", "vault/tier", "vault/core", "vault/readonly"},
	"cmd/internal/app":          {"vault/frontmatter", "vault/prose", "vault/options", "vault/spelling", "vault/calibrate", "vault/branch", "vault/transcript", "vault/guide", "cmd/internal/settings", "cmd/internal/sources", "vault", "vault/disk", "vault/fact", "vault/doctor", "vault/embed", "vault/exchange", "vault/merge", "vault/past", "vault/phrase", "vault/recall", "vault/sync", "vault/transfer", "vault/tree", "vault/filename", "vault/journal", "vault/review", "vault/tier", "vault/core", "vault/verify", "vault/worktree/sections", "vault/facts", "vault/findings", "vault/graph", "vault/extract", "vault/family", "vault/family", "vault/family"},
	"cmd/internal/knowledge":    {"cmd/internal/app", "cmd/internal/meter", "vault", "vault/disk", "vault/tree", "vault/embed", "vault/extract", "vault/facts", "vault/graph", "vault/graph/draw"},
	"cmd/internal/cli/projects": {"cmd/internal/registry", "cmd/internal/console", "cmd/internal/render", "cmd/internal/settings", "vault/family"},
	"cmd/internal/target":       {"vault", "vault/past", "vault/family", "cmd/internal/registry", "cmd/internal/app"},
	"cmd/internal/ask":          {"vault/transfer", "vault/pool", "vault", "cmd/internal/target", "vault/tier", "vault/tree", "vault/past", "vault/kind", "vault/recall", "vault/family", "vault/graph", "vault/findings", "vault/facts", "vault/graph/union", "cmd/internal/registry", "cmd/internal/app", "vault/journal"},
	"cmd/internal/queue":        {"vault/tree", "vault/journal", "vault/tier", "vault", "vault/core", "cmd/internal/target", "vault/past", "vault/family", "cmd/internal/app", "vault/review", "cmd/internal/ask"},
	"cmd/internal/registry":     {"vault/family", "cmd/internal/settings", "cmd/internal/app", "vault/doctor", "vault", "vault/disk"},
	"cmd/internal/codereview":   {"cmd/internal/app", "vault", "vault/disk", "vault/findings", "vault/kind"},
	"cmd/internal/render":       {"cmd/internal/queue", "cmd/internal/ask", "vault/prose", "vault/kind", "cmd/internal/app", "cmd/internal/knowledge", "cmd/internal/codereview", "vault", "vault/doctor", "vault/embed", "vault/exchange", "vault/guide", "vault/past", "vault/phrase", "vault/recall", "vault/relink", "vault/sync", "vault/transfer", "vault/tree", "vault/journal", "vault/review", "vault/tier", "vault/facts", "vault/findings", "vault/graph", "vault/extract", "vault/core"},
	"cmd/internal/reviewlines":  {"cmd/internal/queue", "cmd/internal/render", "vault", "vault/past", "vault/review"},
	"cmd/internal/tui":          {"cmd/internal/queue", "cmd/internal/render", "vault", "vault/past", "vault/review", "vault/tier"},
	"cmd/internal/fit":          {"vault", "vault/tree"},
	"cmd/internal/mcp":          {"cmd/internal/registry", "cmd/internal/target", "cmd/internal/ask", "vault/options", "vault/prose", "cmd/internal/app", "cmd/internal/fit", "cmd/internal/knowledge", "cmd/internal/render", "cmd/internal/settings", "vault", "vault/brief", "vault/journal", "vault/kind", "vault/past", "vault/phrase", "vault/recall", "vault/tree"},
	"cmd/internal/cli/serve":    {"cmd/internal/console", "cmd/internal/mcp", "cmd/internal/web/guard", "vault", "vault/disk"},
	"cmd/internal/topics":       {},
	"cmd/internal/house":        {},
	"cmd/internal/passthrough":  {"vault/spelling"},
	"cmd/internal/console":      {"cmd/internal/registry", "cmd/internal/target", "vault/options", "vault/spelling", "cmd/internal/app", "cmd/internal/render", "cmd/internal/settings", "vault", "vault/disk", "vault/phrase", "vault/tree"},
	"cmd/internal/cli": {"cmd/internal/ask", "cmd/internal/registry", "cmd/internal/target", "cmd/internal/queue", "cmd/internal/cli/measure", "cmd/internal/fit", "cmd/internal/cli/projects", "cmd/internal/sessions", "cmd/internal/cli/browse", "cmd/internal/cli/serve", "cmd/internal/cli/agents", "cmd/internal/intake", "cmd/internal/app", "cmd/internal/console", "cmd/internal/knowledge", "cmd/internal/codereview", "cmd/internal/render", "cmd/internal/topics", "cmd/internal/reviewlines", "cmd/internal/tui",
		"vault", "vault/disk",
		// The rooms that commands call, one a line.
		"vault/doctor",
		"vault/embed",
		"vault/exchange",
		"vault/guide",
		"vault/merge",
		"vault/past",
		"vault/recall",
		"vault/sync",
		"vault/transfer",
		"vault/options", "vault/tree", "vault/journal", "vault/kind", "vault/review", "vault/tier", "vault/facts", "vault/findings", "vault/field", "vault/graph", "vault/graph/draw"},
	"cmd/internal/background": {"vault", "vault/disk"},
	"cmd/internal/sources":    {"vault", "vault/disk", "vault/fact", "vault/transfer"},
	"cmd/internal/wire": {"index/opencode", "vault/transcript", "cmd/internal/background", "vault/extract", "cmd/internal/settings", "cmd/internal/app", "cmd/internal/cli", "cmd/internal/console", "cmd/internal/passthrough",
		"vault", "vault/doctor", "vault/embed", "vault/exchange", "vault/past", "vault/phrase", "vault/recall", "vault/sync", "vault/tree", "vault/worktree", "vault/worktree/watch", "gitstore", "gitstore/branch", "gitstore/plumb", "gitstore/remote", "gitstore/repair", "index", "index/sqlite", "index/usage", "index/vectors", "generate", "generate/static", "vault/core", "vault/worktree/remake"},
	"cmd/cp":        {"cmd/internal/wire"},
	"cmd/cp-memory": {"cmd/internal/wire"},

	// The memory browser.
	"cmd/internal/web/guard":    {"vault", "vault/disk"},
	"cmd/internal/web/markdown": {"cmd/internal/render", "pointer", "vault"},
	"cmd/internal/web/page":     {"cmd/internal/web/markdown"},
	"cmd/internal/web/jump":     {"vault", "vault/branch"},
	"cmd/internal/web/live":     {"cmd/internal/settings", "cmd/internal/app", "vault"},
	"cmd/internal/web":          {"cmd/internal/settings", "cmd/internal/registry", "cmd/internal/queue", "cmd/internal/ask", "cmd/internal/target", "vault/branch", "vault/family", "cmd/internal/app", "cmd/internal/knowledge", "cmd/internal/render", "cmd/internal/web/jump", "cmd/internal/web/live", "cmd/internal/web/markdown", "cmd/internal/web/page", "vault", "vault/doctor", "vault/field", "vault/findings", "vault/graph", "vault/graph/draw", "vault/kind", "vault/merge", "vault/past", "vault/review", "vault/spelling", "vault/tree"},
	"cmd/internal/cli/browse":   {"cmd/internal/target", "cmd/internal/settings", "cmd/internal/registry", "cmd/internal/ask", "vault/doctor", "cmd/internal/cli/agents", "cmd/internal/app", "cmd/internal/console", "cmd/internal/render", "cmd/internal/web", "cmd/internal/web/guard", "cmd/internal/web/live", "vault", "vault/tree"},

	// How agents come to a memory.
	"cmd/internal/setup/splice": {},
	"cmd/internal/setup":        {"cmd/internal/setup/splice", "vault", "vault/core", "vault/disk"},
	"cmd/internal/hook":         {"cmd/internal/registry", "cmd/internal/ask", "cmd/internal/target", "vault/prose", "cmd/internal/app", "cmd/internal/background", "cmd/internal/render", "cmd/internal/settings", "vault", "vault/journal", "vault/kind", "vault/past", "vault/recall", "vault/secret", "vault/transcript", "vault/tree"},
	"cmd/internal/cli/agents":   {"vault/kind", "cmd/internal/console", "cmd/internal/hook", "cmd/internal/render", "cmd/internal/settings", "cmd/internal/setup", "vault", "vault/doctor"},
}

// owners lists who may import what else: each technology lives in the leaves
// named here. An entry holds for the import path and all below it; the longest
// entry that fits decides.
var owners = map[string][]string{
	"github.com/tailscale/hujson":  {"cmd/internal/setup"},
	"github.com/pelletier/go-toml": {"cmd/internal/setup", "vault/frontmatter"},

	"database/sql":                  {"index"},
	"github.com/mattn/go-sqlite3":   {"index"},
	"github.com/go-git":             {"gitstore"},
	"github.com/adrg/frontmatter":   {"vault/frontmatter"},
	"go.yaml.in/yaml":               {"vault/frontmatter", "cmd"},
	"github.com/spf13/cobra":        {"cmd"},
	"github.com/spf13/pflag":        {"cmd"},
	"golang.org/x/term":             {"cmd"},
	"github.com/mattn/go-runewidth": {"cmd"},
	"charm.land":                    {"cmd/internal/tui"},
	"github.com/charmbracelet":      {"cmd/internal/tui"},
	"github.com/fsnotify/fsnotify":  {"vault/worktree/watch"},
	"github.com/gofrs/flock":        {"vault/worktree", "index", "cmd/internal"},
	"os/exec":                       {"gitstore", "cmd"},
	"net":                           {"cmd/internal/web", "cmd/internal/cli/browse", "generate", "cmd/internal/mcp", "cmd/internal/cli/serve"},
	"google.golang.org/genai":       {"generate"},
	"net/url":                       {"cmd/internal/web", "vault/worktree", "index", "generate", "cmd/internal/mcp"}, // escaping; it opens nothing
	"log":                           {"generate"},                                                                    // to silence Google's client
	"io/ioutil":                     {},
	"math/rand":                     {"vault/worktree", "gitstore", "index", "generate/generatetest"}, // for how long to wait; for what is made up
	"crypto/rand":                   {"vault/worktree", "index", "cmd"},                               // names of operations; the key by which this clone knows its own index

	"github.com/modelcontextprotocol": {"cmd/internal/mcp"},
}

// mayImport reports whether pkg may import path, and who else may where it may not.
func mayImport(pkg, path string) (bool, []string) {
	longest := ""
	for what := range owners {
		if within(path, what) && len(what) > len(longest) {
			longest = what
		}
	}
	who := owners[longest]
	return longest == "" || slices.ContainsFunc(who, func(o string) bool { return within(pkg, o) }), who
}

// world is what the stone, the hall and the rooms do without: the disk, other
// programs, the network, the clock's and the system's state. path/filepath is
// here because it asks the disk.
var world = []string{
	"os", "io/fs", "io/ioutil", "path/filepath", "net", "database/sql", "syscall", "golang.org/x/sys",
	"log", "crypto/rand", "math/rand", "runtime", "plugin", "testing", "flag", "expvar", "unsafe",
}

// pure reports whether a package does no I/O: everything that is not a face or
// an adapter.
func pure(pkg string) bool {
	return pkg == "pointer" || pkg == "vault" || strings.HasPrefix(pkg, "vault/") && pkg != "vault/disk" && !within(pkg, "vault/worktree")
}

// within reports whether path is dir or lies below it.
func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// Every arrow between our packages is in the list, and every package is.
func TestArrowsPointDown(t *testing.T) {
	for _, s := range sources(t) {
		allowed, listed := below[s.pkg]
		if !listed {
			t.Errorf("%s: package %q is not in the list of arrows", s.name, s.pkg)
		}
		for _, path := range s.imports {
			ours, ok := strings.CutPrefix(path, module+"/")
			if ok && !slices.Contains(allowed, ours) {
				t.Errorf("%s: %s may not import %s", s.name, s.pkg, ours)
			}
		}
	}
}

// ARCHITECTURE.md says of each package what it is about, and of no other one.
func TestArchitectureNamesThePackages(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(top, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| package | subject |\n")
	listed := make(map[string]bool)
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| [^|]+ \\|$").FindAllStringSubmatch(table, -1) {
		if listed[row[1]] = true; below[row[1]] == nil {
			t.Errorf("ARCHITECTURE.md lists %s, which is no package", row[1])
		}
	}
	for pkg := range below {
		if !listed[pkg] {
			t.Errorf("ARCHITECTURE.md does not list %s", pkg)
		}
	}
}

// NOTICE names each module that is linked into the program, in the version that is linked.
func TestNoticeNamesTheModules(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(top, "NOTICE"))
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, row := range regexp.MustCompile(`(?m)^(\S+/\S+ v\S+) [A-Z]\S+$`).FindAllStringSubmatch(string(text), -1) {
		named = append(named, row[1])
	}
	linked := strings.Split(strings.TrimSpace(golist(t, "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", "./cmd/cp")), "\n")
	slices.Sort(linked)
	linked = slices.Compact(linked)
	if got, want := strings.Join(named, "\n"), strings.Join(linked, "\n"); got != want {
		t.Errorf("NOTICE names\n%s\nthe program has\n%s\nwrite it anew: make notice", got, want)
	}
}

// A package in the list that is not in the module would make the policy lie.
func TestArrowsNameRealPackages(t *testing.T) {
	real := map[string]bool{}
	for _, s := range sources(t) {
		real[s.pkg] = true
	}
	for pkg := range below {
		if !real[pkg] {
			t.Errorf("package %q is in the list of arrows and not in the module", pkg)
		}
	}
}

// An arrow that is listed and not drawn would make the picture lie.
func TestArrowsAreDrawn(t *testing.T) {
	drawn := map[string]map[string]bool{}
	for _, s := range sources(t) {
		if drawn[s.pkg] == nil {
			drawn[s.pkg] = map[string]bool{}
		}
		for _, path := range s.imports {
			drawn[s.pkg][strings.TrimPrefix(path, module+"/")] = true
		}
	}
	for pkg, allowed := range below {
		for _, to := range allowed {
			if !drawn[pkg][to] {
				t.Errorf("%s does not import %s: take it out of the list", pkg, to)
			}
		}
	}
}

// SQL, git, the terminal and other programs stay in their leaves.
func TestTechnologyStaysInLeaves(t *testing.T) {
	for _, s := range sources(t) {
		for _, path := range s.imports {
			if ok, who := mayImport(s.pkg, path); !ok {
				t.Errorf("%s: %s imports %s; only %v may", s.name, s.pkg, path, who)
			}
		}
	}
}

// The core does no I/O and has no clock: two runs on the same input are the same run.
func TestTheCoreDoesNoIO(t *testing.T) {
	for _, s := range sources(t) {
		if !pure(s.pkg) {
			continue
		}
		for _, path := range s.imports {
			if slices.ContainsFunc(world, func(w string) bool { return within(path, w) }) {
				t.Errorf("%s: %s imports %s", s.name, s.pkg, path)
			}
		}
		for _, f := range s.clock() {
			t.Error(f)
		}
	}
}

// Only faces print; results are values.
func TestOnlyFacesPrint(t *testing.T) {
	for _, s := range sources(t) {
		if within(s.pkg, "cmd") || s.name == "vault/disk/point_failpoints.go" { // the test build says where it dies
			continue
		}
		for _, f := range s.prints() {
			t.Error(f)
		}
	}
}

// Every change to the file system goes through vault/disk, where a test build
// can fail it or die before it. There are no exceptions; what is not ours (the
// lock's file, SQLite's) is opened by the libraries that own it.
func TestOnlyDiskChangesTheDisk(t *testing.T) {
	for _, s := range sources(t) {
		if s.pkg == "vault/disk" {
			continue
		}
		for _, f := range s.changes() {
			t.Error(f)
		}
	}
}

// The top of the repository holds what the design names and nothing else.
func TestTopOfTheRepository(t *testing.T) {
	want := strings.Fields(".ci .gitignore ARCHITECTURE.md BENCH.md CHANGELOG.md CONTRIBUTING.md LICENSE Makefile NOTICE README.md SECURITY.md cmd generate gitstore go.mod go.sum index pointer testdata vault")
	list := exec.Command("git", "ls-files", "-z")
	list.Dir = top
	out, err := list.Output()
	if err != nil {
		t.Skipf("not a git checkout: %v", err)
	}
	for path := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		entry, _, _ := strings.Cut(path, "/")
		if !slices.Contains(want, entry) {
			t.Errorf("%s does not belong at the top of the repository", entry)
		}
	}
}
