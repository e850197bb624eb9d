package filename

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

func TestSlug(t *testing.T) {
	for name, row := range map[string]struct{ title, want string }{
		"plain":               {"Nomad Stuck", "nomad-stuck"},
		"punctuation":         {"  What? — A/B: (done)! ", "what-a-b-done"},
		"apostrophe":          {"It's the user’s", "its-the-users"},
		"accents":             {"Café Résumé Ångström ÑANDÚ", "cafe-resume-angstrom-nandu"},
		"decomposed":          {"Cafe\u0301", "cafe"},
		"other letters":       {"Straße Łódź Ærø œuvre", "strasse-lodz-aero-oeuvre"},
		"Turkish":             {"İstanbul ışık", "istanbul-isik"},
		"wide":                {"ＡＢＣ １２", "abc-12"},
		"ligature":            {"ﬁne", "fine"},
		"Hangul":              {"한글 노트", "한글-노트"},
		"Hangul, decomposed":  {"\u1112\u1161\u11ab", "한"},
		"kanji":               {"移行計画", "移行計画"},
		"kanji, digits":       {"2024年 移行!", "2024年-移行"},
		"Cyrillic":            {"Привет, МИР", "привет-мир"},
		"Devanagari":          {"हिन्दी में", "हिन्दी-में"},
		"Persian":             {"می\u200cخواهم", "میخواهم"},
		"a mark alone":        {"\u0301 한", "한"},
		"digits":              {"１２ 34", "12-34"},
		"cut at 120 bytes":    {strings.Repeat("移", 50), strings.Repeat("移", 40)},
		"cut at a word of it": {strings.Repeat("移行 ", 40), strings.TrimSuffix(strings.Repeat("移行-", 17), "-")},
		"cut before a letter": {"ก" + strings.Repeat("กี่", 30), "ก" + strings.Repeat("กี่", 13)},
		"kanji and a word":    {"移行 plan", "plan"},
		"emoji":               {"🔥🚚", "7k2m9qx4"},
		"nothing":             {"", "7k2m9qx4"},
		"device":              {"CON", "con-memory"},
		"device with number":  {"com1", "com1-memory"},
		"no device":           {"Com 10", "com-10"},
		"dots":                {"../../etc/passwd", "etc-passwd"},
		"option":              {"-rf", "rf"},
		"control":             {"a\x00b\nc\x1b[31m", "a-b-c-31m"},
		"cut at a word":       {strings.Repeat("word ", 20), strings.TrimSuffix(strings.Repeat("word-", 12), "-")},
		"cut at 63":           {strings.Repeat("x", 63) + " y", strings.Repeat("x", 63)},
		"one long word":       {strings.Repeat("x", 100), strings.Repeat("x", 63)},
		"not UTF-8":           {"a\xffb", "a-b"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Slug(row.title, "7k2m9qx4"); got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
	if got := Slug("", ""); got != "memory" {
		t.Errorf("without a fallback: got %q", got)
	}
}

func TestFold(t *testing.T) {
	for a, b := range map[string]string{"Case.md": "case.md", "Café.md": "Cafe\u0301.MD", "straße": "STRASSE", "한글": "\u1112\u1161\u11ab\u1100\u1173\u11af"} {
		if Fold(a) != Fold(b) {
			t.Errorf("%q and %q are no twins: %q, %q", a, b, Fold(a), Fold(b))
		}
	}
	if Fold("a") == Fold("á") {
		t.Error("an accent is no difference in form")
	}
}

var slugs = regexp.MustCompile(`^([a-z0-9][a-z0-9-]{0,62}|[\pL\p{Nd}][\pL\p{Nd}\pM-]{0,119})$`)

func TestPortable(t *testing.T) {
	for name, want := range map[string]string{"a.md": "", "con-memory.md": "", "CON.md": "device", "aux": "device", "lpt9.old.md": "device", "a?b.md": "character",
		`a\b.md`: "character", "c:.md": "character", "a.": "drops", "a ": "drops", "移行.md": "", ".hidden.md": ""} {
		if got := Portable(name); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// FuzzSlug: every title gives a valid slug, and a slug is its own slug.
func FuzzSlug(f *testing.F) {
	f.Add("Café 移行", "7k2m")
	f.Add("CON", "nul")
	f.Fuzz(func(t *testing.T, title, fallback string) {
		slug := Slug(title, fallback)
		if !slugs.MatchString(slug) || len(slug) > 120 || !norm.NFC.IsNormalString(slug) || strings.HasSuffix(slug, "-") || Slug(slug, "") != slug {
			t.Fatalf("%q, %q: %q", title, fallback, slug)
		}
		if folded := Fold(title); Fold(folded) != folded {
			t.Fatalf("%q folds to %q and that to %q", title, folded, Fold(folded))
		}
	})
}
