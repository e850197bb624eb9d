package house

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// heavy lists packages whose start alone costs every command more than it can
// give: each linked package is initialised by every call of cp, a completion
// included. Figures on 2 cores, for one process start.
var heavy = map[string]string{
	"charm.land/glamour":                 "12-18 ms, it builds all of chroma's lexers",
	"github.com/charmbracelet/glamour":   "12-18 ms, it builds all of chroma's lexers",
	"github.com/alecthomas/chroma":       "compiles its lexers at the start",
	"go.opencensus.io":                   "starts a goroutine and registers views",
	"charm.land/bubbles":                 "asks for a go-runewidth that builds its tables at the start",
	"github.com/charmbracelet/bubbletea": "its v2 is charm.land/bubbletea, which initialises in 0.3 ms",
	"github.com/cpuguy83/go-md2man":      "only the generator of man pages needs it",
	"net/http/pprof":                     "opens handlers nobody asked for",
}

// The process starts light: nothing heavy is linked into the binary.
func TestStartupLinksNothingHeavy(t *testing.T) {
	for dep := range strings.Lines(golist(t, "-deps", "./cmd/cp")) {
		for path, why := range heavy {
			if dep = strings.TrimSpace(dep); within(dep, path) {
				t.Errorf("cmd/cp links %s: %s", dep, why)
			}
		}
	}
}

// go-runewidth before v0.0.28 builds its tables at the start, 17-21 ms of it.
func TestStartupRunewidthIsLazy(t *testing.T) {
	version := golist(t, "-m", "-f", "{{.Version}}", "github.com/mattn/go-runewidth")
	got := make([]int, 3)
	if _, err := fmt.Sscanf(version, "v%d.%d.%d", &got[0], &got[1], &got[2]); err != nil {
		t.Fatalf("cannot read the version %q: %v", version, err)
	}
	if slices.Compare(got, []int{0, 0, 28}) < 0 {
		t.Errorf("github.com/mattn/go-runewidth is %s; v0.0.28 is the first that builds its tables when asked", version)
	}
}

// largeInit is how many bytes a package may allocate to initialise. Every call of cp pays
// for each, a completion included. Bytes are the same on every machine, and stand for the
// time: 100 kB take some 0.2 ms.
const largeInit = 200_000

// No package of ours, and none that we chose, does much to initialise. What Google's
// client alone brings along is aside: it has no other way in.
func TestStartupInitialisesNothingLarge(t *testing.T) {
	chosen := withoutGenai(t)
	for pkg, bytes := range initialised(t) {
		if chosen[pkg] && bytes > largeInit {
			t.Errorf("%s allocates %d bytes to initialise, more than %d", pkg, bytes, largeInit)
		}
	}
}

// What the full screen of the review brings along is little; nothing of it may ask the
// terminal before it runs.
func TestStartupTheScreenIsLight(t *testing.T) {
	all := 0
	for pkg, bytes := range initialised(t) {
		if strings.HasPrefix(pkg, "charm.land/") || strings.HasPrefix(pkg, "github.com/charmbracelet/") {
			all += bytes
		}
	}
	if all == 0 || all > largeInit {
		t.Errorf("its packages allocate %d bytes to initialise, want some and at most %d", all, largeInit)
	}
}

// initialised returns how many bytes each package allocated to initialise in a start of the
// program.
func initialised(t *testing.T) map[string]int {
	t.Helper()
	program := built(t)
	start := exec.Command(program, "version")
	start.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	said, err := start.CombinedOutput()
	if err != nil {
		t.Fatalf("cp version: %v\n%s", err, said)
	}
	all := make(map[string]int)
	for line := range strings.Lines(string(said)) {
		var pkg string
		var at, took float64
		var bytes int
		if n, _ := fmt.Sscanf(line, "init %s @%f ms, %f ms clock, %d bytes", &pkg, &at, &took, &bytes); n == 4 {
			all[pkg] = bytes
		}
	}
	if len(all) < 20 {
		t.Fatalf("the trace names %d packages only", len(all))
	}
	return all
}

// withoutGenai returns the packages that are linked for another reason than Google's client.
func withoutGenai(t *testing.T) map[string]bool {
	t.Helper()
	imports := map[string][]string{}
	for line := range strings.Lines(golist(t, "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./cmd/cp")) {
		words := strings.Fields(line)
		imports[words[0]] = words[1:]
	}
	imports["main"] = imports[module+"/cmd/cp"] // as the trace calls it
	seen := map[string]bool{"main": true, "runtime": true}
	for next := []string{"main"}; len(next) > 0; {
		at := next[0]
		next = next[1:]
		for _, pkg := range imports[at] {
			if !seen[pkg] && pkg != "google.golang.org/genai" {
				seen[pkg] = true
				next = append(next, pkg)
			}
		}
	}
	return seen
}
