package house

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The faults that a vault has to survive have numbers: H1-H31 are of people and
// of the state of the repository, M1-M12 of the machine, S1-S17 of those who
// mean harm, O1-O15 were found from outside. A test or story that holds one says so: "faults H7", "Faults H1, H2."

// unheld are the numbers that no test holds, and why.
var unheld = map[string]string{
	"S17": "nothing is put before an agent by itself, so no commit has to be signed for it",
}

// rangesOfFaults are the letters and how many there are of each.
var rangesOfFaults = []struct {
	letter string
	n      int
}{{"H", 31}, {"M", 12}, {"S", 17}, {"O", 15}}

var (
	namesFaults = regexp.MustCompile(`(?i)\bfaults?,? ((?:[HMOS]\d+(?:, | and )?)+)`)
	number      = regexp.MustCompile(`[HMOS]\d+`)
)

// Every number is in a test or in the list of those that are in none, with the
// reason; none is in both.
func TestFaultsHaveTests(t *testing.T) {
	held := faultsHeld(t)
	for _, r := range rangesOfFaults {
		for i := range r.n {
			name := fmt.Sprintf("%s%d", r.letter, i+1)
			switch where, why := held[name], unheld[name]; {
			case where == "" && why == "":
				t.Errorf("%s is in no test, and not in the list of those that are in none", name)
			case where != "" && why != "":
				t.Errorf("%s is in %s, and in the list of those that are in no test", name, where)
			}
			delete(held, name)
		}
	}
	for name, where := range held {
		t.Errorf("%s names %s, and there is no such fault", where, name)
	}
}

// faultsHeld returns the numbers that tests and stories name, each with a file.
func faultsHeld(t *testing.T) map[string]string {
	t.Helper()
	held := make(map[string]string)
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != top {
			return cmp.Or(err, fs.SkipDir)
		}
		if d.Name() == "faults_test.go" || !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".txtar") {
			return nil
		}
		b, err := os.ReadFile(path)
		for _, found := range namesFaults.FindAllStringSubmatch(string(b), -1) {
			for _, name := range number.FindAllString(found[1], -1) {
				held[name] = path
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return held
}
