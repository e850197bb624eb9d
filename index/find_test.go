package index

import (
	"context"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// What is typed means an id, a path, the beginning of an id, a title or an alias; else what
// a link of these words would lead to; and where links would take the first of several, none.
func TestFindTakesWhatLinksCallAMemory(t *testing.T) {
	f := newFolder(t, false)
	for file, head := range map[string]string{
		"f/Deep Note.md":   "id: pf-7k2m9qx4\ntitle: A heading of its own\naliases: [handbook]\n",
		"f/ops/README.md":  "id: pf-80000000\ntitle: How it is run\n",
		"g/Twice.md":       "id: pf-90000000\ntitle: One\n",
		"h/Twice.md":       "id: pf-a0000000\ntitle: Other\n",
		"Handbook/Über.md": "id: pf-b0000000\ntitle: Deep Note\n",
		"one/two/three.md": "id: pf-c0000000\ntitle: Three\n",
		"f/tagged.md":      "id: pf-d0000000\ntitle: \"[[Twice]]\"\n",
	} {
		f.write(file, "---\n"+head+"---\n")
	}
	d := f.caughtUp()
	for typed, want := range map[string]vault.ID{
		"deep note": "pf-b0000000", "[[f/Deep Note]]": "pf-7k2m9qx4", "[[Deep Note]]": "pf-b0000000", // its title comes before the file's name
		"f/Deep%20Note.md": "pf-7k2m9qx4", "memory://f/Deep%20Note": "pf-7k2m9qx4", "memory://pf-7k2m9qx4": "pf-7k2m9qx4", "Deep Note.md": "pf-7k2m9qx4",
		"`pf-7k2m9qx4`": "pf-7k2m9qx4", "[words](/f/Deep%20Note.md#part)": "pf-7k2m9qx4", "[[Handbook|words]]": "pf-7k2m9qx4", "A Heading of its own": "pf-7k2m9qx4",
		"ops": "pf-80000000", "f/ops": "pf-80000000", "über": "pf-b0000000", "U\u0308BER": "pf-b0000000", "[[Handbook/Über]]": "pf-b0000000",
		"two/three": "pf-c0000000", "three.md": "pf-c0000000", "g/twice": "pf-90000000", "[[Twice]]": "pf-d0000000",
		"[[nobody]]": "", "eep Note": "", "wo/three": "", "memory://": "", "[[]]": "", "..": "", "../f/Deep Note.md": "", "": "",
	} {
		if n, err := d.Find(context.Background(), typed); n.ID != want || (err == nil) != (want != "") || err != nil && vault.CodeOf(err) != vault.CodeNotFound {
			t.Errorf("%q: got %s, %v, want %s", typed, n.ID, err, want)
		}
	}
	for _, typed := range []string{"Twice", "twice.md", "[[Twice|words]]"} {
		if n, err := d.Find(context.Background(), typed); vault.CodeOf(err) != vault.CodeAmbiguous {
			t.Errorf("%q: got %s, %v, want the candidates", typed, n.ID, err)
		}
	}
}
