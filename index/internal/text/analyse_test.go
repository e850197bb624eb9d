package text

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestAnalyseText(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"punctuation only", `"'*-:() \ ^ ` + "\x00", ""},
		{"English stems", "Deployments running, quickly!", "deploy run quick"},
		{"stop words stay in the index", "to be or not", "to be or not"},
		{"accents and widths", "Café ＡＢＣ naïve", "cafe abc naiv"},
		{"NFD is NFC", "re\u0301sume\u0301", "resum"},
		{"camel case", "parseHTTPRequest", "pars http request parsehttprequest"},
		{"camel case of a word with a stem", "OpenTelemetry Workers", "open telemetri opentelemetri worker"},
		{"snake case", "snake_case_name", "snake case name snakecasenam"},
		{"kebab case", "go-git", "go git gogit"},
		{"dotted", "sqlite.go 1.2.3 end.", "sqlite go sqlite.go 1 2 3 1.2.3 end"},
		{"digits stay with their word", "fts5 v2", "fts5 v2"},
		{"languages", "C++ C# F#, a+b issue#12", "c c++ c c# f f# a b ab issu 12 issue12"},
		{"a heading is no language", "# Title ##", "titl"},
		{"Japanese", "移行計画", "移 行 計 画 移行 行計 計画"},
		{"one letter", "水", "水"},
		{"long vowels belong to the word", "データ", "デ ー タ デー ータ"},
		{"Japanese beside Latin", "Goで書く", "go で 書 く で書 書く"},
		{"Korean", "배포 문제", "배 포 배포 문 제 문제"},
		{"Thai", "ไทย", "ไท ทย ไทย"},
		{"Cyrillic", "Развёртывание", "развертывание"},
		{"Arabic", "نشر الخدمة", "نشر الخدمة"},
		{"emoji", "ship 🚀🚀", "ship 🚀 🚀"},
		{"invisible characters", "soft\u00adhyphen a\u200bb \u202eevil\u202c", "softhyphen ab evil"},
		{"not UTF-8", "a\xffb", "a b"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := NewAnalyser().JoinTerms(row.text); got != row.want {
				t.Errorf("Text(%q) = %q, want %q", row.text, got, row.want)
			}
		})
	}
}

func TestQuery(t *testing.T) {
	for _, row := range []struct {
		name, query string
		want        []string
	}{
		{"stop words go", "how do I deploy the gateway", []string{"deploy", "gateway"}},
		{"unless there is nothing else", "to be or not to be", []string{"to", "be", "or", "not"}},
		{"each term once", "deploy deployed deploying", []string{"deploy"}},
		{"pairs without single letters", "移行計画", []string{"移行", "行計", "計画"}},
		{"a single letter", "水", []string{"水"}},
		{"threes without pairs", "ภาษาไทย", []string{"ภาษ", "าษา", "ษาไ", "าไท", "ไทย"}},
		{"operators are words", `gateway AND "worker" NOT col:val*`, []string{"gateway", "worker", "col", "val"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := NewAnalyser().Query(row.query, 64); !slices.Equal(got, row.want) {
				t.Errorf("Query(%q) = %q, want %q", row.query, got, row.want)
			}
		})
	}
}

// The whole of a name tells how many of its parts stand before it. A stop word and a term that was
// met before do not, and a part that is asked for by itself is none.
func TestTermsTellNames(t *testing.T) {
	for query, want := range map[string][]Term{
		"restart go-git":              {{"restart", 0}, {"go", 0}, {"git", 0}, {"gogit", 2}},
		"OpenTelemetry collects":      {{"open", 0}, {"telemetri", 0}, {"opentelemetri", 2}, {"collect", 0}},
		"OpenTelemetry OpenTelemetry": {{"open", 0}, {"telemetri", 0}, {"opentelemetri", 2}},
		"ad-hoc or ad-lib":            {{"ad", 0}, {"hoc", 0}, {"adhoc", 2}, {"lib", 0}, {"adlib", 1}},
		"git go-git":                  {{"git", 0}, {"go", 0}, {"gogit", 0}},
		"go-git and git":              {{"go", 0}, {"git", 0}, {"gogit", 0}},
		"end-to-end":                  {{"end", 0}, {"endtoend", 1}},
		"how to test end-to-end":      {{"test", 0}, {"end", 0}, {"endtoend", 1}},
		"point-in-time in a":          {{"point", 0}, {"time", 0}, {"pointintim", 2}},
		"ad-hoc adhoc":                {{"ad", 0}, {"hoc", 0}, {"adhoc", 0}},
		"adhoc ad-hoc":                {{"adhoc", 0}, {"ad", 0}, {"hoc", 0}},
		"how-to":                      {{"howto", 0}},
		"C++ and 移行計画":                {{"c", 0}, {"c++", 0}, {"移行", 0}, {"行計", 0}, {"計画", 0}},
		"sqlite.go":                   {{"sqlite", 0}, {"go", 0}, {"sqlite.go", 2}},
		"of":                          {{"of", 0}},
	} {
		if got := NewAnalyser().Terms(query, 64); !slices.Equal(got, want) {
			t.Errorf("Terms(%q) = %v, want %v", query, got, want)
		}
	}
}

func TestQueryIsBounded(t *testing.T) {
	var b strings.Builder
	for r := rune(0x4e00); r < 0x9f00; r++ {
		b.WriteRune(r)
	}
	if got := len(NewAnalyser().Query(b.String(), 64)); got != 64 {
		t.Errorf("%d terms, want 64", got)
	}
}

// FuzzTerms holds the analyser to its promises: terms are valid, short, free of
// what FTS5 could stumble over, and a text is found by its own words.
func FuzzTerms(f *testing.F) {
	for _, s := range []string{"parseHTTPRequest", "移行計画 C++", "a\xff\x00\"b\"", "ไทย🚀", "É\u0301", "İstanbul ǅ", "x.-_+#y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		indexed := strings.Fields(NewAnalyser().JoinTerms(text))
		set := make(map[string]bool)
		for _, term := range indexed {
			set[term] = true
			if !utf8.ValidString(term) || len(term) > maxTerm {
				t.Fatalf("term %q of %q", term, text)
			}
			for _, r := range term {
				if r == '"' || r == 0 || unicode.IsSpace(r) {
					t.Fatalf("term %q of %q", term, text)
				}
			}
		}
		for _, term := range NewAnalyser().Query(text, 1<<20) {
			if !set[term] {
				t.Fatalf("query term %q is not among the indexed terms %q of %q", term, indexed, text)
			}
		}
	})
}

// FuzzASCII holds the short way for ASCII to the long one.
func FuzzASCII(f *testing.F) {
	for _, s := range []string{"The words end. So_ do-these...", "a.b c++ c# x_ HTTPServer v2.0-", "_lead .dot -dash #tag", strings.Repeat("long", 40) + " end"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !IsASCII(text) {
			t.Skip()
		}
		a := NewAnalyser()
		var long []string
		a.emit = func(term string) { long = append(long, term) }
		a.cutFolded(text)
		if got, want := NewAnalyser().JoinTerms(text), strings.Join(long, " "); got != want {
			t.Fatalf("Text(%q) = %q, the long way %q", text, got, want)
		}
	})
}
