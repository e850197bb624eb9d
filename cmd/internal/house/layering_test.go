package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The rules in this file are policy (design: arrows point down only), not an
// obstacle to a build. Tests may reach further than the code they test; they are not read.

const module = "github.com/cp-memory/cp"

// An import goes to a lower layer of ARCHITECTURE.md's table. Within a layer a package imports
// these alone.
var beside = map[string]string{
	"cmd/cp":                     "cmd/internal/wire",
	"cmd/cp-memory":              "cmd/internal/wire",
	"cmd/internal/cli":           "cmd/internal/cli/agents cmd/internal/cli/browse cmd/internal/demo cmd/internal/intake cmd/internal/mcp cmd/internal/memorytool cmd/internal/sessions cmd/internal/tui",
	"cmd/internal/cli/agents":    "cmd/internal/hook",
	"cmd/internal/cli/browse":    "cmd/internal/web",
	"cmd/internal/console":       "cmd/internal/render",
	"cmd/internal/ask":           "cmd/internal/app cmd/internal/registry cmd/internal/target",
	"cmd/internal/batch":         "cmd/internal/app",
	"cmd/internal/bindings":      "cmd/internal/app cmd/internal/ask cmd/internal/batch",
	"cmd/internal/codereview":    "cmd/internal/app",
	"cmd/internal/knowledge":     "cmd/internal/app",
	"cmd/internal/queue":         "cmd/internal/app cmd/internal/ask cmd/internal/bindings cmd/internal/target",
	"cmd/internal/registry":      "cmd/internal/app",
	"cmd/internal/target":        "cmd/internal/app cmd/internal/registry",
	"cmd/internal/web/live":      "cmd/internal/app",
	"gitstore":                   "gitstore/internal/gitindex gitstore/internal/object gitstore/internal/past gitstore/remote",
	"gitstore/anchors":           "gitstore gitstore/internal/past",
	"gitstore/branch":            "gitstore/remote",
	"gitstore/code":              "gitstore gitstore/internal/object",
	"gitstore/internal/gitindex": "gitstore/internal/object",
	"gitstore/internal/past":     "gitstore/internal/object",
	"gitstore/remote":            "gitstore/internal/object",
	"index":                      "index/code index/internal/graph index/internal/vectors index/query index/usage",
	"index/code":                 "index/query",
	"index/internal/graph":       "index/query",
	"vault/worktree":             "vault/internal/remake",
	"vault/converge":             "vault/tree",
	"vault/doctor":               "vault/sync",
	"vault/embed":                "vault/recall",
	"vault/exchange":             "vault/sync",
	"vault/findings":             "vault/journal vault/recall vault/tree",
	"vault/graph":                "vault/tree",
	"vault/journal":              "vault/recall vault/tree",
	"vault/past":                 "vault/tree",
	"vault/recall":               "vault/tree",
	"vault/record":               "vault/graph vault/past vault/tree",
	"vault/sync":                 "vault/converge vault/graph vault/tree",
	"vault/transcript":           "vault/journal vault/recall",
	"vault/transfer":             "vault/graph vault/journal vault/tree",
	"cmd/internal/settings":      "vault/tier",
	"cmd/internal/setup":         "vault/tier",
	"vault/disk":                 "vault/disk/sysfile",
	"vault/internal/files":       "vault/listing",
	"vault/internal/operation":   "vault/internal/files",
}

// owners lists who may import what else: each technology lives in the leaves
// named here. An entry holds for the import path and all below it; the longest
// entry that fits decides.
var owners = map[string][]string{
	"github.com/tailscale/hujson":  {"cmd/internal/setup"},
	"github.com/pelletier/go-toml": {"cmd/internal/setup", "vault/header"},

	"database/sql":                  {"index"},
	"github.com/mattn/go-sqlite3":   {"index"},
	"github.com/go-git":             {"gitstore"},
	"github.com/adrg/frontmatter":   {"vault/header"},
	"go.yaml.in/yaml":               {"vault/header", "cmd"},
	"github.com/spf13/cobra":        {"cmd"},
	"github.com/spf13/pflag":        {"cmd"},
	"golang.org/x/term":             {"cmd"},
	"github.com/mattn/go-runewidth": {"cmd"},
	"charm.land":                    {"cmd/internal/tui"},
	"github.com/charmbracelet":      {"cmd/internal/tui"},
	"github.com/fsnotify/fsnotify":  {"vault/watch"},
	"github.com/gofrs/flock":        {"vault/worktree", "vault/watch", "index", "cmd/internal"},
	"os/exec":                       {"gitstore", "cmd", "vault/disk/sysfile"},
	"syscall":                       {"vault/disk/sysfile"}, // and nowhere else is it asked which system this is
	"golang.org/x/sys":              {"vault/disk/sysfile"},
	"net":                           {"cmd/internal/web", "cmd/internal/cli", "generate", "cmd/internal/mcp", "cmd/internal/release"},
	"google.golang.org/genai":       {"generate"},
	"net/url":                       {"cmd/internal/web", "vault/worktree", "vault/internal/operation", "index", "generate", "cmd/internal/mcp", "cmd/internal/release"}, // escaping; it opens nothing
	"log":                           {"generate"},                                                                                                                        // to silence Google's client
	"io/ioutil":                     {},
	"math/rand":                     {"vault/worktree", "gitstore", "index"}, // for how long to wait; for what is made up
	"crypto/rand":                   {"vault/worktree", "index", "cmd"},      // names of operations; the key by which this clone knows its own index

	"github.com/modelcontextprotocol": {"cmd/internal/mcp"},
	"github.com/cpuguy83/go-md2man":   {"cmd/manual"},
	"github.com/spf13/cobra/doc":      {"cmd/manual"},
	"golang.org/x/mod":                {"cmd/internal/release"},
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
	adapter := slices.ContainsFunc([]string{"vault/disk", "vault/worktree", "vault/watch", "vault/internal/files", "vault/internal/operation", "vault/internal/remake"}, func(a string) bool { return within(pkg, a) })
	return pkg == "pointer" || within(pkg, "vault") && !adapter
}

// within reports whether path is dir or lies below it.
func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// Nothing asks for a newer version but the command that a person types for that.
func TestOnlyACommandAsksForReleases(t *testing.T) {
	for _, s := range sources(t) {
		if slices.Contains(s.imports, module+"/cmd/internal/release") && s.name != "cmd/internal/cli/version.go" {
			t.Errorf("%s asks for the newest release", s.name)
		}
	}
}

// layers reads the layer of each package from ARCHITECTURE.md.
func layers(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| package | layer | subject |\n")
	all := make(map[string]int)
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (\\d+) \\| [^|]+ \\|$").FindAllStringSubmatch(table, -1) {
		all[row[1]], _ = strconv.Atoi(row[2])
	}
	return all
}

// ARCHITECTURE.md says of each package what it is about and in which layer it lies, and of no
// other one. Every arrow between two of them points to a lower layer, or is in the list.
func TestArrowsPointDown(t *testing.T) {
	layer, drawn := layers(t), make(map[string]bool)
	for _, s := range sources(t) {
		drawn[s.pkg] = true
		if layer[s.pkg] == 0 {
			t.Errorf("%s: package %q has no row in ARCHITECTURE.md", s.name, s.pkg)
		}
		for _, path := range s.imports {
			to, ours := strings.CutPrefix(path, module+"/")
			if !ours {
				continue
			}
			drawn[s.pkg+" "+to] = true
			if listed := slices.Contains(strings.Fields(beside[s.pkg]), to); layer[to] > layer[s.pkg] || layer[to] == layer[s.pkg] && !listed {
				t.Errorf("%s: %s, in layer %d, may not import %s, in layer %d", s.name, s.pkg, layer[s.pkg], to, layer[to])
			}
		}
	}
	for pkg := range layer {
		if !drawn[pkg] {
			t.Errorf("ARCHITECTURE.md lists %s, which is no package", pkg)
		}
	}
	for pkg, all := range beside {
		for to := range strings.FieldsSeq(all) {
			if !drawn[pkg+" "+to] || layer[pkg] != layer[to] {
				t.Errorf("%s does not import %s within a layer: take it out of the list", pkg, to)
			}
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
		if within(s.pkg, "vault/disk") {
			continue
		}
		for _, f := range s.changes() {
			t.Error(f)
		}
	}
}

// The top of the repository holds what the design names and nothing else.
func TestTopOfTheRepository(t *testing.T) {
	want := strings.Fields(".ci .github .gitignore ARCHITECTURE.md BENCH.md CHANGELOG.md CONTRIBUTING.md LICENSE Makefile NOTICE README.md SECURITY.md cmd generate gitstore go.mod go.sum index packaging pointer testdata vault")
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
