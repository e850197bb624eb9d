package about_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/about"
)

// A row says an earlier text, a letter a line, with the bound lines in brackets, and a later one.
func TestMapRange(t *testing.T) {
	for _, row := range []struct {
		name, was, is string
		want          about.Mapping
	}{
		{"nothing changed", "ab[cde]fg", "abcdefg", about.Mapping{From: 3, To: 5, Of: 3, Kind: about.Same}},
		{"lines below changed", "ab[cde]fg", "abcdexyz", about.Mapping{From: 3, To: 5, Of: 3, Kind: about.Same}},
		{"lines above", "ab[cde]fg", "xyabcdefg", about.Mapping{From: 5, To: 7, Of: 3, Kind: about.Moved}},
		{"fewer above", "ab[cde]fg", "cdefg", about.Mapping{From: 1, To: 3, Of: 3, Kind: about.Moved}},
		{"a line directly above", "ab[cde]fg", "abxcdefg", about.Mapping{From: 4, To: 6, Of: 3, Kind: about.Moved}},
		{"a line directly below", "ab[cde]fg", "abcdexfg", about.Mapping{From: 3, To: 5, Of: 3, Kind: about.Same}},
		{"the line above replaced", "ab[cde]fg", "axcdefg", about.Mapping{From: 3, To: 5, Of: 3, Kind: about.Same}},
		{"one of them replaced", "ab[cde]fg", "abcxefg", about.Mapping{From: 3, To: 5, Changed: 1, Of: 3, Kind: about.Changed}},
		{"one of them gone", "ab[cde]fg", "abcefg", about.Mapping{From: 3, To: 4, Changed: 1, Of: 3, Kind: about.Changed}},
		{"two lines between them", "ab[cde]fg", "abcxydefg", about.Mapping{From: 3, To: 7, Changed: 2, Of: 3, Kind: about.Changed}},
		{"many lines between them", "ab[cde]fg", "abcuvwxyzdefg", about.Mapping{From: 3, To: 11, Changed: 3, Of: 3, Kind: about.Changed}},
		{"all gone", "ab[cde]fg", "abfg", about.Mapping{From: 3, To: 2, Changed: 3, Of: 3, Kind: about.Changed}},
		{"the text is empty", "ab[cde]fg", "", about.Mapping{From: 1, To: 0, Changed: 3, Of: 3, Kind: about.Changed}},
		{"a change over the upper end", "ab[cde]fg", "axydefg", about.Mapping{From: 3, To: 5, Changed: 1, Of: 3, Kind: about.Changed}},
		{"a change over the lower end", "ab[cde]fg", "abcdxyzg", about.Mapping{From: 3, To: 5, Changed: 1, Of: 3, Kind: about.Changed}},
		{"two blocks swapped", "ab[cde]fghij", "fghijabcde", about.Mapping{From: 8, To: 10, Of: 3, Kind: about.Moved}},
		{"moved down, a longer one stays", "[abc]defghi", "defghiabc", about.Mapping{From: 7, To: 9, Of: 3, Kind: about.Moved}},
		{"a block that begins alike comes above", "x[/b}]y", "x/a}/b}y", about.Mapping{From: 5, To: 7, Of: 3, Kind: about.Moved}},
		{"a block that begins alike goes above", "x/a}[/b}]y", "x/b}y", about.Mapping{From: 2, To: 4, Of: 3, Kind: about.Moved}},
		{"a block that ends alike comes below", "x[fb}]y", "xfb}fc}y", about.Mapping{From: 2, To: 4, Of: 3, Kind: about.Same}},
		{"a changed copy is not found in the unchanged one", "[abc]xyabc", "aBcxyabc", about.Mapping{From: 1, To: 3, Changed: 1, Of: 3, Kind: about.Changed}},
		{"one of two copies moves", "[abc]xyzuvabc", "xyzuvabcwabc", about.Mapping{From: 10, To: 12, Of: 3, Kind: about.Moved}},
		{"copied to two places", "[abc]xyzuvw", "Aabcxyzabcuvw", about.Mapping{From: 2, To: 4, Of: 3, Kind: about.Moved}},
		{"beyond the end", "ab[c]", "abc", about.Mapping{From: 3, To: 3, Of: 1, Kind: about.Same}},
	} {
		above, rest, _ := strings.Cut(row.was, "[")
		bound, below, _ := strings.Cut(rest, "]")
		from := len(above) + 1
		got := about.MapRange(lines(above+bound+below), lines(row.is), from, from+len(bound)-1)
		if got != row.want {
			t.Errorf("%s: got %+v, want %+v", row.name, got, row.want)
		}
	}
}

// Of changed lines what is left is told: what stands between the signs, in both texts.
func TestWhatIsLeftOfChangedLines(t *testing.T) {
	for name, row := range map[string][2]string{
		"the last line changed, with an edit below it": {
			"def send():\n«    retry = 3\n    wait = 1\n    return retry, wait»\n\ndef other():\n    pass\n",
			"def send():\n«    retry = 3\n    wait = 1\n    return retry, wait * 2»\n\n@overload\ndef another(a):\n    ...\n\n@overload\ndef another(b):\n    ...\n\ndef other():\n    pass\n"},
		"the first line changed, with an edit above it": {
			"        return item(value)\n\n«def guess(kind, default):\n    if kind is None:\n        return STRING»\n",
			"        return type(item)\n\n@overload\ndef make(a: None) -> str: ...\n\n@overload\ndef make(a: int) -> int: ...\n\n«def guess(kind: Any, default: Any):\n    if kind is None:\n        return STRING»\n"},
		"a bracket that another statement has as well": {
			"def check(path):\n«    if not path:\n        raise InvalidURL(\n            message\n        )»\n    return path\n",
			"def check(path):\n«    if not path:\n        char = next(\n            candidates\n        )\n        text = describe(char)\n        raise InvalidURL(text)»\n    return path\n"},
		"all gone, others in their place": {
			"context = make()\n«context.set_alpn([\"http/1.1\"])\nif http2:\n    context.set_alpn([\"h2\"])»\nkeylog = os.environ.get(\"KEYLOG\")\n",
			"context = make()\n\nfor name in files:\n    print(name)\n    done += 1\n    rest -= 1\n    more(1)\n    more(2)\n    more(3)\nkeylog = os.environ.get(\"KEYLOG\") or \"\"\n"},
		"one line, replaced by what is not like it": {"a = first()\n«b = 1»\nc = third()\n", "a = first()\n«retry(seven)»\nc = third()\n"},
		"a brace stays at the end":                  {"head of it\n«func f() {\n\tone()\n}»\n\nfunc g() {\n}\n", "head of it\n«func f() {\n\tquite(another)\n\tthing()\n}»\n\nfunc g() {\n}\n"},
		"the text ends with it":                     {"head of it\n«last = one(1)\n}»", "head of it\n«last = one(2)\n}»\nmore of it\n"},
		"braces alone":                              {"first line\n«}\n}»\nlast line\n", "first line\n«}»\nlast line\n"},
	} {
		was, from, to := marked(row[0])
		is, wantFrom, wantTo := marked(row[1])
		if got := about.MapRange(was, is, from, to); got.Kind != about.Changed || got.From != wantFrom || got.To != wantTo {
			t.Errorf("%s: got %+v, want lines %d-%d", name, got, wantFrom, wantTo)
		}
	}
}

// marked returns the lines of a text, and which of them stand between « and »: 1 and 0 without.
func marked(text string) (all []string, from, to int) {
	above, rest, found := strings.Cut(text, "«")
	bound, _, _ := strings.Cut(rest, "»")
	all = about.SplitLines([]byte(strings.NewReplacer("«", "", "»", "").Replace(text)))
	if !found {
		return all, 1, 0
	}
	from = 1 + strings.Count(above, "\n")
	return all, from, from + strings.Count(bound, "\n")
}

// Lines beyond the text are not bound; a range without lines changed.
func TestMapRangeBeyondTheText(t *testing.T) {
	if got, want := about.MapRange(lines("abc"), lines("xabc"), 2, 9), (about.Mapping{From: 3, To: 4, Of: 2, Kind: about.Moved}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := about.MapRange(lines("abc"), lines("abc"), 4, 9); got.Kind != about.Changed {
		t.Errorf("got %+v", got)
	}
}

// Whatever happens to a text, bound lines that live on stand where the mapping says.
func TestMapRangeSaysWhereTheyStand(t *testing.T) {
	const seed = 42
	r := rand.New(rand.NewSource(seed))
	for n := range 3000 {
		was := make([]string, 1+r.Intn(30))
		for i := range was {
			was[i] = string(rune('a' + r.Intn(6)))
		}
		is := slices.Clone(was)
		for range r.Intn(4) {
			at := r.Intn(len(is) + 1)
			end := at + r.Intn(len(is)-at+1)
			is = slices.Replace(is, at, min(end, at+4), lines("xyzabc"[:r.Intn(6)])...)
		}
		from := 1 + r.Intn(len(was))
		to := min(len(was), from+r.Intn(5))
		m := about.MapRange(was, is, from, to)
		what := fmt.Sprintf("seed %d, round %d: %s lines %d-%d to %s: %+v", seed, n, strings.Join(was, ""), from, to, strings.Join(is, ""), m)
		if m.From < 1 || m.To > len(is) || m.To < m.From-1 || m.Of != to-from+1 || m.Changed > m.Of {
			t.Fatal(what)
		}
		if stays := slices.Equal(was[from-1:to], is[m.From-1:m.To]); m.Kind != about.Changed && !stays || m.Kind == about.Changed && (m.Changed == 0 || len(about.FindLines(is, was[from-1:to])) == 0 && stays) {
			t.Fatal(what)
		}
	}
}

// A text of 100,000 lines of which each tenth changed is mapped as a short one.
func TestMapRangeOfALongText(t *testing.T) {
	was := make([]string, 100_000)
	for i := range was {
		was[i] = fmt.Sprint("line ", i)
	}
	is := slices.Clone(was)
	for i := 5; i < len(is); i += 10 {
		is[i] += " changed"
	}
	is = slices.Insert(is, 0, "a", "b")
	if got, want := about.MapRange(was, is, 50_007, 50_010), (about.Mapping{From: 50_009, To: 50_012, Of: 4, Kind: about.Moved}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := about.MapRange(was, is, 50_001, 50_010); got.Kind != about.Changed || got.Changed != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestLinesChanged(t *testing.T) {
	for _, row := range []struct {
		was, is, removed string
		share            float64
	}{
		{"abcd", "abcd", "", 0}, {"abcd", "axcd", "b", 0.25}, {"abcd", "abxycd", "", 0.5}, {"abcd", "", "abcd", 1}, {"", "ab", "", 1}, {"abcd", "xyzuvw", "abcd", 1}, {"", "", "", 0},
	} {
		removed, share := about.LinesChanged(lines(row.was), lines(row.is))
		if strings.Join(removed, "") != row.removed || share != row.share {
			t.Errorf("%s to %s: got %v, %v, want %s, %v", row.was, row.is, removed, share, row.removed, row.share)
		}
	}
}
