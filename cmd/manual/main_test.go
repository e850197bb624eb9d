package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/topics"
)

// written makes all files, and returns their texts by their names.
func written(t *testing.T, dir string) map[string]string {
	t.Helper()
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	if err := writeAll(dir, "v0.1.0"); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, pattern := range []string{"man/*/*", "completions/*/*", "registry/*.json", "registry/plugin/*/.claude-plugin/*", "registry/plugin/.claude-plugin/*"} {
		names, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[name[len(dir)+1:]] = string(b)
		}
	}
	return all
}

// Every command but those below memory, and every topic, has a page that names program and version; two
// makes are the same bytes, also over the earlier ones.
func TestEachCommandAndTopicHasAPage(t *testing.T) {
	dir := t.TempDir()
	all := written(t, dir)
	want := []string{"man/man1/cp-memory.1", "man/man1/cp-memory-recall.1", "man/man1/cp-memory-fact-add.1", "man/man1/cp-memory-init.1"}
	for _, topic := range topics.All() {
		want = append(want, "man/man7/cp-memory-"+topic.Name+".7")
	}
	for _, name := range want {
		if text := all[name]; !strings.Contains(text, "cp memory v0.1.0") || !strings.Contains(text, "Nov 2023") {
			t.Errorf("%s: no version or no date: %.200q", name, text)
		}
	}
	if all["man/man1/cp-memory-memory-recall.1"] != "" {
		t.Error("a command has two pages")
	}
	if again := written(t, dir); !maps.Equal(all, again) {
		t.Error("the second make differs")
	}
}

// No page calls the program by its other name, and none shows a mark for Markdown.
func TestPagesNameTheProgram(t *testing.T) {
	for name, text := range written(t, t.TempDir()) {
		if i := max(strings.Index(text, "\ncp memory add"), strings.Index(text, `\\\\`)); strings.HasPrefix(name, "man/") && i >= 0 {
			t.Errorf("%s: %.80q", name, text[i:])
		}
	}
}

// The completions are those of four shells, for the name that packages install.
func TestFourShellsAreCompleted(t *testing.T) {
	all := written(t, t.TempDir())
	names := slices.Sorted(maps.Keys(completions))
	if len(names) != 4 {
		t.Errorf("got %v", names)
	}
	for shell, name := range completions {
		if text := all["completions/"+shell+"/"+name]; !strings.Contains(text, "cp-memory") {
			t.Errorf("%s: %.80q", shell, text)
		}
	}
}
