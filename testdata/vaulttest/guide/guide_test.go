// Package guide_test walks real vaults with the guide: flat ones, deep ones, ones with odd names.
package guide_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// world is a vault of files, in no commit.
func world(t *testing.T, files map[string]string) *vaulttest.World {
	t.Helper()
	w := vaulttest.Unborn(t)
	for name, text := range files {
		w.Write(name, text)
	}
	return w
}

func take(t *testing.T, w *vaulttest.World, o recall.WalkOptions) recall.Walk {
	t.Helper()
	o.Titles = w.Index.Titles
	walk, err := recall.TakeWalk(w.Ctx, w.Vault, o)
	if err != nil {
		t.Fatal(err)
	}
	return walk
}

// printed counts a walk as a program gets it.
func printed(w recall.Walk) int {
	text, _ := json.Marshal(w)
	return vault.Tokens(string(text))
}

// told returns what a walk tells of, those that it read first.
func told(w recall.Walk) (all []string) {
	for _, s := range w.Steps {
		all = append(all, string(s.Path))
	}
	for _, f := range w.Folders {
		for _, m := range f.Memories {
			all = append(all, string(f.Folder.Join(m.Title)))
		}
	}
	return all
}

func TestAnEmptyVault(t *testing.T) {
	w := world(t, nil)
	if walk := take(t, w, recall.WalkOptions{Question: "anything"}); walk.Stopped != recall.StoppedEmpty || len(told(walk)) > 0 {
		t.Errorf("got %+v", walk)
	}
}

// In a flat forest titles stand in for phrases, and the names of folders count.
func TestFoldersAreLevels(t *testing.T) {
	w := world(t, map[string]string{
		"printers/toner.md":     "# Replace the toner\n\nText.\n",
		"printers/old.md":       "---\nstatus: closed\n---\n# Old toner\n",
		"printers/paper.md":     "# Fill paper in\n",
		"travel/train.md":       "# Take the train\n",
		"2024/printer/entry.md": "# A day\n",
	})
	for question, want := range map[string][]string{
		"toner":         {"printers/toner.md"},
		"printers":      {"printers/", "2024/printer/"},
		"train travel":  {"travel/train.md"},
		"zeppelin":      nil,
		"old":           nil, // closed
		"":              nil,
		"\x00 ' \" ) (": nil,
	} {
		walk := take(t, w, recall.WalkOptions{Question: question})
		got := strings.Join(told(walk), " ")
		for _, one := range want {
			if !strings.Contains(got, one) {
				t.Errorf("%q: %s is not among %s", question, one, got)
			}
		}
		if want == nil && (got != "" || walk.Stopped != recall.StoppedNothing) {
			t.Errorf("%q: got %q, %s", question, got, walk.Stopped)
		}
	}
	if walk := take(t, w, recall.WalkOptions{Question: "toner train", Dir: "travel"}); strings.Contains(strings.Join(told(walk), " "), "toner") || len(told(walk)) != 1 {
		t.Errorf("in a folder: %v", told(walk))
	}
}

// Where pointers lead, they are followed.
func TestPhrasesEverywhere(t *testing.T) {
	files := make(map[string]string)
	for _, root := range []string{"deploy", "travel"} {
		var block []string
		for i := range 5 {
			id := fmt.Sprintf("pf-%s%d", root, i)
			files[fmt.Sprintf("%s/c%d.md", root, i)] = fmt.Sprintf("---\nid: %s\nsummary: When %s number%d fails\n---\n# C%d\n", id, root, i, i)
			block = append(block, fmt.Sprintf(`  {"id": %q, "title": "C%d", "summary": "When %s number%d fails"}`, id, i, root, i))
		}
		files[root+".md"] = fmt.Sprintf("---\nid: pf-%s\nsummary: When you %s\n---\n# %s\n\n<!-- sub-memories -->\n[\n%s\n]\n<!-- /sub-memories -->\n", root, root, root, strings.Join(block, ",\n"))
	}
	w := world(t, files)
	walk := take(t, w, recall.WalkOptions{Question: "deploy number3"})
	if got := told(walk); len(walk.Folders) > 0 || !slices.Contains(got, "deploy.md") || !slices.Contains(got, "deploy/c3.md") {
		t.Errorf("got %v", got)
	}
	if walk := take(t, w, recall.WalkOptions{Question: "number2", Under: "pf-travel"}); !slices.Equal(told(walk), []string{"travel/c2.md"}) {
		t.Errorf("below one: %v", told(walk))
	}
	// What a ranking found comes first, and its folder says where it is.
	walk = take(t, w, recall.WalkOptions{Question: "number2", Found: []recall.Ranked{{Path: "deploy/c4.md", Weight: 0.9}}})
	if got := told(walk); got[0] != "deploy/c4.md" {
		t.Errorf("found: %v", got)
	}
	if walk := take(t, w, recall.WalkOptions{Question: "deploy number3", Steps: 1}); len(walk.Steps) != 1 || walk.Stopped != recall.StoppedSteps {
		t.Errorf("one step: %+v", walk)
	}
}

// A chain as deep as queries walk and a folder of five thousand files are walked as others are.
func TestDeepAndWide(t *testing.T) {
	testlevel.Check(t)
	files := map[string]string{}
	dir := ""
	for i := range vault.TreeCap {
		dir += fmt.Sprintf("l%d/", i)
		files[strings.TrimSuffix(dir, "/")+".md"] = fmt.Sprintf("# Level %d\n", i)
	}
	files[dir+"end.md"] = "# The zebra at the end\n"
	for i := range 5000 {
		files[fmt.Sprintf("wide/n%04d.md", i)] = fmt.Sprintf("# Note %d of heron\n", i)
	}
	files["wide/one.md"] = "# The ocelot alone\n"
	w := world(t, files)
	if got := told(take(t, w, recall.WalkOptions{Question: "zebra"})); !slices.Contains(got, dir+"end.md") {
		t.Errorf("deep: %v", got)
	}
	if got := told(take(t, w, recall.WalkOptions{Question: "ocelot heron"})); got[0] != "wide/one.md" {
		t.Errorf("wide: %v", got)
	}
	for _, budget := range []int{100, 300, 1500, 20000} {
		walk := take(t, w, recall.WalkOptions{Question: "heron", Budget: budget, Measure: printed})
		if n := printed(walk); n > budget || len(told(walk)) == 0 || len(told(walk)) > 2*recall.MostFound {
			t.Errorf("budget %d: %d tokens, %d told", budget, n, len(told(walk)))
		}
	}
}

// Names and titles of a stranger do no harm, and each budget holds, whatever is asked.
func TestHostileNamesWithinBudgets(t *testing.T) {
	names := []string{"'; DROP TABLE memories; --", "a b", "\"", "%s%d", "ﬀ", "移行", "\u202egpj", "-rf", "~", "#", "[x](y)", strings.Repeat("long", 50), "🚚", "..x", "é", "e\u0301x", "(", "NEAR", "AND OR NOT", "*"}
	files := map[string]string{}
	for i, name := range names {
		files[name+".md"] = fmt.Sprintf("# %s worker\n", name)
		files[name+"/deep "+name+".md"] = strings.Repeat("# "+name+" worker "+strings.Repeat("wörd ", i*20)+"\n", 1)
	}
	w := world(t, files)
	r := rand.New(rand.NewSource(1))
	for i := range 60 {
		question := names[r.Intn(len(names))] + " worker"
		if i%10 == 0 {
			question = strings.Repeat(question+" ", 200)
		}
		budget := 100 + r.Intn(3000)
		walk := take(t, w, recall.WalkOptions{Question: question, Budget: budget, Measure: printed})
		if n := printed(walk); n > budget || len(told(walk)) == 0 {
			t.Errorf("%q: %d of %d tokens, %d told", vault.Clip(question, 40), n, budget, len(told(walk)))
		}
	}
	if _, err := recall.TakeWalk(w.Ctx, w.Vault, recall.WalkOptions{Question: "worker", Budget: 5, Measure: printed, Titles: w.Index.Titles}); vault.CodeOf(err) != vault.CodeInvalid || !strings.Contains(err.Error(), "too small for any of it") {
		t.Errorf("five tokens: %v", err)
	}
}
