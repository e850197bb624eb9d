package fact

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const example = `{"id": "pf-7k2m9qx4", "of": "3f2a91c04b7e", "by": "google/gemini-2.0-flash", "prompt": 1,
"entities": [
{"name": "PostgreSQL 17", "type": "technology", "description": "the primary <database>, on db1 & db2"},
{"name": "db2", "type": "host", "hand": true},
{"name": "Ω", "type": "host", "removed": true}
],
"relations": [
{"from": "db2", "relation": "replicates", "to": "db1"}
]}
`

func TestWhatBytesWroteComesBack(t *testing.T) {
	for name, text := range map[string]string{
		"the example": example,
		"no entries":  "{\"id\": \"pf-a\", \"of\": \"\", \"by\": \"\", \"prompt\": 0,\n\"entities\": [],\n\"relations\": []}\n",
	} {
		f, err := Parse([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(text, string(f.Bytes())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestParse(t *testing.T) {
	entity := func(rest string) string { return `{"id":"pf-a","entities":[{"name":"x"` + rest + `}]}` }
	many := func(n int) string { return `{"id":"pf-a","entities":[` + entries(n) + `]}` }
	for _, row := range []struct{ name, text, want string }{
		{"CRLF", strings.ReplaceAll(example, "\n", "\r\n"), ""},
		{"a BOM", "\ufeff" + example, ""},
		{"no final newline", strings.TrimSpace(example), ""},
		{"on one line", strings.ReplaceAll(example, "\n", ""), ""},
		{"keys that nobody knows", entity(`,"colour":"red"`), ""},
		{"as many entries as there may be", many(MaxEntries), ""},
		{"one more", many(MaxEntries + 1), "1001 entries"},
		{"one more, all by a person", strings.ReplaceAll(many(MaxEntries+1), `"t"}`, `"t","hand":true}`), ""},
		{"too large", entity(`,"description":"` + strings.Repeat("x", MaxSize) + `"`), "larger than the 1 MiB"},
		{"nothing", "", "not the JSON"},
		{"half of it", example[:200], "not the JSON"},
		{"git's conflict markers", "<<<<<<< ours\n" + example + "=======\n" + example + ">>>>>>> theirs\n", "not the JSON"},
		{"two of them", example + example, "more than one"},
		{"a list", "[]", "not the JSON"},
		{"null", "null", "no id"},
		{"no id", `{"entities":[]}`, "no id"},
		{"an entity without a name", `{"id":"a","entities":[{"name":" "}]}`, "without a name"},
		{"a relation without an end", `{"id":"a","relations":[{"from":"x","relation":"y"}]}`, "without its ends"},
		{"a control character in a name", `{"id":"a","entities":[{"name":"x\u001b[2J"}]}`, "control characters in the name"},
		{"one in a type", entity(`,"type":"a\u0000"`), "control characters in the type"},
		{"one in a description", entity(`,"description":"a\nb"`), "control characters in the description"},
		{"one in a verb", `{"id":"a","relations":[{"from":"x","relation":"y\t","to":"z"}]}`, "control characters in the relation"},
		{"one in the id", `{"id":"a\u0007"}`, "control characters in the id"},
		{"no UTF-8", "{\"id\":\"\xff\"}", "not UTF-8"},
		{"nested without end", strings.Repeat("[", 100_000), "not the JSON"},
	} {
		f, err := Parse([]byte(row.text))
		var ours *Error
		switch {
		case row.want == "" && err != nil:
			t.Errorf("%s: %v", row.name, err)
		case row.want != "" && (f != nil || !errors.As(err, &ours) || !strings.Contains(err.Error(), row.want) || ours.Hint == ""):
			t.Errorf("%s: got %v, want %q and a hint", row.name, err, row.want)
		}
	}
}

func entries(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`{"name":"n%d","type":"t"}`, i)
	}
	return strings.Join(all, ",")
}

func TestPath(t *testing.T) {
	seen := make(map[string]string)
	for _, id := range []string{"pf-7k2m9qx4", "ADR-0007", "adr-0007", "CON", "a/../../b", "ü:1"} {
		p := Path(id)
		if len(p) != len(".cp/facts/3f/")+32+len(".json") || p[:len(".cp/facts/")] != ".cp/facts/" || p[10:12] != p[13:15] || seen[p] != "" {
			t.Errorf("%s: %s (also of %q)", id, p, seen[p])
		}
		seen[p] = id
	}
	if got := Path("pf-a"); got != ".cp/facts/59/59bee4af0e94bbcbf4395d04d5ef3124.json" {
		t.Errorf("a published path has changed: %s", got)
	}
}

// A line of the tables is a file: "prompt | entries", each entry "name", with + by hand, with
// - removed, "a>b" for a relation, and ":text" for a description.
func file(line string) *Facts {
	head, rest, _ := strings.Cut(line, "|")
	f := &Facts{ID: "pf-a", Of: "3f2a91c04b7e", By: "m"}
	_, _ = fmt.Sscan(head, &f.Prompt)
	for _, word := range strings.Fields(rest) {
		word, description, _ := strings.Cut(word, ":")
		name := strings.Trim(word, "+-")
		hand, removed := strings.HasPrefix(word, "+"), strings.HasPrefix(word, "-")
		if from, to, ok := strings.Cut(name, ">"); ok {
			f.Relations = append(f.Relations, Relation{from, "r", to, hand, removed})
		} else {
			f.Entities = append(f.Entities, Entity{name, "t", description, hand, removed})
		}
	}
	return f
}

func bytesOf(line string) []byte {
	if line == "" {
		return nil
	}
	return file(line).Bytes()
}

func TestMerge(t *testing.T) {
	for _, row := range []struct{ name, base, ours, theirs, want string }{
		{"nobody changed it", "1|a b", "1|a b", "1|a b", "1|a b"},
		{"one side drew it anew", "1|a b", "1|c", "1|a b", "1|c"},
		{"both did, with one the newer prompt", "1|a", "2|b c", "1|d", "2|b c"},
		{"one drew it anew, the other wrote by hand", "1|a b", "2|a c", "1|a b +d", "2|a c +d"},
		{"both wrote by hand", "1|a", "1|a +b", "1|a +c", "1|a +b +c"},
		{"both wrote one entry", "1|a", "1|a +b:x", "1|a +b:y", "1|a +b:x"},
		{"one removed, the other drew it again", "1|a b", "1|a -b", "2|a b c", "2|a -b c"},
		{"one removed, the other wrote on it", "1|a b", "1|a -b", "1|a +b:x", "1|a +b:x"},
		{"one took back its own", "1|a +b", "1|a", "1|a +b", "1|a"},
		{"one took back, the other changed", "1|a +b:x", "1|a", "1|a +b:y", "1|a +b:y"},
		{"both took back", "1|a +b", "1|a", "1|a", "1|a"},
		{"one by hand is drawn by the other", "1|a", "1|a +b", "1|a b:drawn", "1|a +b"},
		{"both made the file", "", "1|+a", "1|+b", "1|+a +b"},
		{"a relation by hand brings its end along", "", "2|a", "1|b +b>c", "2|a b +b>c"},
		{"names are one without regard to case", "1|a", "1|a +DB", "1|a -db", "1|a +DB"},
	} {
		base, ours, theirs := bytesOf(row.base), bytesOf(row.ours), bytesOf(row.theirs)
		got := Merge(base, ours, theirs)
		if diff := cmp.Diff(string(bytesOf(row.want)), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
		if back := Merge(base, theirs, ours); !bytes.Equal(back, got) {
			t.Errorf("%s: the other way round it is\n%s", row.name, back)
		}
	}
}

func TestMergeOfWhatIsNoFactsFile(t *testing.T) {
	good, other := bytesOf("1|a"), bytesOf("1|b")
	broken, worse := []byte("{"), []byte("<<<<<<<")
	for _, row := range []struct {
		name                     string
		base, ours, theirs, want []byte
	}{
		{"one side is broken", good, broken, other, other},
		{"that nobody else changed", good, broken, good, good},
		{"both are, and the base is not", good, broken, worse, good},
		{"the base is", broken, good, good, good},
		{"all are the same", broken, broken, broken, broken},
	} {
		if got := Merge(row.base, row.ours, row.theirs); !bytes.Equal(got, row.want) {
			t.Errorf("%s: got %q", row.name, got)
		}
	}
	if !bytes.Equal(Merge(broken, broken, worse), Merge(broken, worse, broken)) {
		t.Error("two broken sides do not merge alike")
	}
	moved := file("1|z")
	moved.ID = "pf-b"
	if got := Merge(good, bytesOf("2|a c"), moved.Bytes()); !bytes.Equal(got, moved.Bytes()) {
		t.Errorf("a file that git took for another one: %s", got)
	}
}

// The merge of two full files keeps to the limits, and what people wrote stays.
func TestMergeKeepsToTheLimits(t *testing.T) {
	ours, theirs := file("1|"), file("1|")
	for i := range MaxEntries {
		ours.Entities = append(ours.Entities, Entity{Name: fmt.Sprintf("a%d", i), Type: "t", Hand: i%2 == 0})
		theirs.Entities = append(theirs.Entities, Entity{Name: fmt.Sprintf("b%d", i), Type: "t", Hand: i%2 == 0})
	}
	f, err := Parse(Merge(nil, ours.Bytes(), theirs.Bytes()))
	if err != nil || len(f.Entities) != MaxEntries {
		t.Fatalf("%d entries, %v", len(f.Entities), err)
	}
	for _, e := range f.Entities {
		if !e.Hand {
			t.Fatalf("%q is drawn, and one by hand had to go for it", e.Name)
		}
	}
	long := strings.Repeat("x", 1000)
	for i := range ours.Entities {
		ours.Entities[i].Description, ours.Entities[i].Hand = long, true
		theirs.Entities[i].Description, theirs.Entities[i].Hand = long, true
	}
	for _, n := range []int{520, 600} { // more entries than may be planned, and more bytes than are read
		a, b := *ours, *theirs
		a.Entities, b.Entities = ours.Entities[:n], theirs.Entities[:n]
		merged := Merge(nil, a.Bytes(), b.Bytes())
		if got := bytes.Count(merged, []byte(long)); got != 2*n {
			t.Errorf("%d of %d entries that people wrote are there", got, 2*n)
		}
		if _, err := Parse(merged); (err == nil) != (len(merged) <= MaxSize) {
			t.Error(err)
		}
		c := a
		c.Entities = append(b.Entities[:1:1], a.Entities...)
		if again := Merge(a.Bytes(), merged, c.Bytes()); !bytes.Equal(again, merged) {
			t.Error("what is too large to be used has no say in the next merge")
		}
	}
}

// What one side said of an entry and the other one replaced is told; what both say is not.
func TestDroppedBy(t *testing.T) {
	for _, row := range []struct{ name, base, ours, theirs, want string }{
		{"two descriptions of what neither had", "1|a", "1|+b:x", "1|+b:y", "the description of b (t): x, not y"},
		{"two of what was drawn", "1|a:o", "1|+a:x", "1|+a:y", "the description of a (t): x, not y"},
		{"two of what had one", "1|+a:o", "1|+a:y", "1|+a:x", "the description of a (t): x, not y of ours"},
		{"both made the file", "", "1|+a:x", "1|+a:y", "the description of a (t): x, not y"},
		{"one of them has none", "", "1|+a:x", "1|+a", ""},
		{"the same one", "1|+a:o", "1|+a:x", "1|+a:x", ""},
		{"one side alone", "1|+a:o", "1|+a:x", "1|+a:o", ""},
		{"one by hand and one drawn", "1|a", "1|+a:x", "2|a:y", ""},
		{"one removed what the other described", "1|a", "1|-a", "1|+a:x", "a (t): x, not  of ours"},
		{"one took away what the other changed", "1|+a:o", "1|+a:x", "1|", "a (t): x, not "},
		{"one took away what the other left", "1|+a:o", "1|+a:o", "1|", ""},
		{"a relation", "1|a>b", "1|-a>b", "1|+a>b", "a r b: a, not  of ours"},
		{"two relations", "1|", "1|+a>b", "1|+a>c", ""},
	} {
		var got []string
		base, ours, theirs := bytesOf(row.base), bytesOf(row.ours), bytesOf(row.theirs)
		for _, d := range DroppedBy(base, ours, theirs) {
			side := " of ours"
			if d.Theirs {
				side = ""
			}
			got = append(got, d.Key+": "+d.Kept+", not "+d.Lost+side)
		}
		if diff := cmp.Diff(row.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
		if back := DroppedBy(base, theirs, ours); len(back) != len(got) {
			t.Errorf("%s: the other way round it tells of %d", row.name, len(back))
		}
	}
}

// Random histories: the merge is the same both ways round, parses, loses nothing that one
// side alone wrote, and merging its result with a side again changes nothing.
func TestMergesOfRandomFiles(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	change := func(f *Facts) *Facts {
		c := *f
		c.Entities, c.Relations = nil, nil
		for _, e := range f.Entities {
			if r.IntN(4) > 0 {
				c.Entities = append(c.Entities, e)
			}
		}
		for range r.IntN(3) {
			c.Entities = append(c.Entities, Entity{Name: string(rune('a' + r.IntN(6))), Type: "t", Hand: r.IntN(2) == 0, Removed: r.IntN(4) == 0})
		}
		c.Relations = append(c.Relations, Relation{string(rune('a' + r.IntN(6))), "r", "b", r.IntN(2) == 0, false})
		c.Prompt = r.IntN(3)
		return &c
	}
	for range 2000 {
		base := change(file("1|a b c"))
		ours, theirs := change(base), change(base)
		o, a, b := base.Bytes(), ours.Bytes(), theirs.Bytes()
		m := Merge(o, a, b)
		got, err := Parse(m)
		if err != nil || !bytes.Equal(m, Merge(o, b, a)) || !bytes.Equal(got.Bytes(), m) {
			t.Fatalf("seed %d: %v\n%s\n%s\n%s\n-> %s\n<- %s", seed, err, o, a, b, m, Merge(o, b, a))
		}
		if again := Merge(a, a, m); !bytes.Equal(again, m) {
			t.Fatalf("seed %d: merged again it is another one:\n%s\n%s", seed, m, again)
		}
		was := byHand(base.Entities)
		for key, e := range byHand(got.parsed(a).Entities) {
			if _, had := was[key]; !had && e.Hand && !e.Removed && byHand(got.Entities)[key].Name == "" {
				t.Fatalf("seed %d: %q is lost", seed, e.Name)
			}
		}
	}
}

func (*Facts) parsed(text []byte) *Facts {
	f, _ := Parse(text)
	return f
}

func TestMergeLines(t *testing.T) {
	for _, row := range []struct{ name, base, ours, theirs, want string }{
		{"both added", "a\n", "a\nb\n", "a\nc\n", "a\nb\nc\n"},
		{"one took away", "a\nb\n", "b\n", "a\nb\nc\n", "b\nc\n"},
		{"both added one line", "", "x\n", "x\n", "x\n"},
		{"no final newline, and CRLF", "a\r\nb", "a\nb\nc", "a\r\nb\r\n", "a\nb\nc\n"},
		{"nothing is left", "a\n", "", "a\n", ""},
	} {
		got := string(MergeLines([]byte(row.base), []byte(row.ours), []byte(row.theirs)))
		if back := string(MergeLines([]byte(row.base), []byte(row.theirs), []byte(row.ours))); got != row.want || back != got {
			t.Errorf("%s: got %q and %q, want %q", row.name, got, back, row.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte(`{"id":"a","entities":[{"name":"É"},{"name":"é"}],"relations":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := Parse(text)
		if err != nil {
			return
		}
		once := got.Bytes()
		if len(once) > MaxSize {
			return // what was short in escapes or spaces
		}
		again, err := Parse(once)
		if err != nil || !bytes.Equal(again.Bytes(), once) {
			t.Fatalf("%q becomes %q: %v", text, once, err)
		}
	})
}

func FuzzMerge(f *testing.F) {
	f.Add([]byte(example), []byte(example), []byte(`{"id":"pf-7k2m9qx4","prompt":3,"entities":[{"name":"x","removed":true}]}`))
	f.Add([]byte{}, []byte("{"), []byte(`{"id":"a"}`))
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte) {
		m := Merge(base, ours, theirs)
		if !bytes.Equal(m, Merge(base, theirs, ours)) {
			t.Fatal("it depends on the side")
		}
		_, oerr := Parse(base)
		_, aerr := Parse(ours)
		_, berr := Parse(theirs)
		if _, err := Parse(m); err != nil && (oerr == nil || aerr == nil || berr == nil) {
			t.Fatalf("%q: %v", m, err)
		}
	})
}

// The driver gets a path of the repository, and the vault may be in any folder of it.
func TestMergerByPath(t *testing.T) {
	for path, want := range map[string]string{
		".cp/facts/3f/x.json":                     "entries",
		"memory/.cp/facts/3f/x.json":              "entries",
		"docs/memory/.cp/facts/untracked/a.jsonl": "lines",
		"memory/.cp/facts/3f/x.md":                "",
		"memory/.cp/vault.yaml":                   "",
		"x.cp/facts/3f/x.json":                    "",
		"memory/.cp/facts/.git/x.json":            "",
		"a.md":                                    "",
		"":                                        "",
	} {
		by, got := Merger(path), ""
		if by != nil {
			got = "lines"
			if len(by(nil, []byte("{"), []byte(example))) == len(example) {
				got = "entries"
			}
		}
		if got != want {
			t.Errorf("%s: merged by %q, want %q", path, got, want)
		}
	}
}
