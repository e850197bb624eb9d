package main_test

import (
	"fmt"
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
	"charm.land/bubbletea":               "a full-screen program belongs to no plain command",
	"github.com/charmbracelet/bubbletea": "a full-screen program belongs to no plain command",
	"net/http/pprof":                     "opens handlers nobody asked for",
}

// The process starts light: nothing heavy is linked into the binary.
func TestStartupLinksNothingHeavy(t *testing.T) {
	for dep := range strings.Lines(golist(t, "-deps", "-tags", "sqlite_fts5", "./cmd/cp")) {
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

// golist runs the go command on the module.
func golist(t *testing.T, args ...string) string {
	t.Helper()
	list := exec.Command("go", append([]string{"list"}, args...)...)
	list.Dir = top
	var stderr strings.Builder
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}
