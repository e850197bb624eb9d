package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTell(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       int
	}{
		{"English", "The worker is restarted by the gateway", englishTongue},
		{"a word that is German, too", "They die in the war", englishTongue},
		{"German", "Der Worker wird vom Gateway neu gestartet, und das dauert.", german},
		{"a short question", "Wo ist der Schlüssel?", german},
		{"French", "Comment la passerelle est redémarrée", french},
		{"Spanish", "¿Cuántos puntos perdió la defensa de los Panthers?", spanish},
		{"Dutch", "Het is niet de bedoeling dat dit wordt gebruikt", dutch},
		{"Turkish", "Bu sunucu çok yavaş ve neden böyle", turkish},
		{"Romanian", "Câți oameni sunt în echipă și cine conduce", romanian},
		{"names alone", "kubernetes gateway restart", unknown},
		{"nothing", "", unknown},
		{"code", "x := y[1:2]", unknown},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, _ := detectLanguage(row.text); got != row.want {
				t.Errorf("got %d, want %d", got, row.want)
			}
		})
	}
}

func TestTellQuestion(t *testing.T) {
	for question, want := range map[string]int{
		"In welchem Jahr starb Tesla?":        german,
		"Was ist in jeder Kennung enthalten":  german,
		"brauche Schluessel fuer Gateway":     german,
		"Luther'in hangi eseri popüler oldu":  turkish,
		"où est-ce qu'il est dans l'histoire": french,
		"who died in the war":                 englishTongue,
		"man page of git":                     englishTongue,
		"Luther's in box":                     englishTongue,
		"gateway restart":                     unknown,
	} {
		if got, _ := tellQuestion(question); got != want {
			t.Errorf("%q is of language %d, want %d", question, got, want)
		}
	}
}

// What a single word or accents tell is not certain, so no word is left out.
func TestAQuestionThatMayBeEnglish(t *testing.T) {
	for _, question := range []string{"AI agents", "OS upgrade", "SIG Architecture", "vi keybindings", "Müller notes", "Nguyễn notes"} {
		if q := NewCutter().Query(question); q.Certain || q.Rest != question || len(q.Terms) == 0 {
			t.Errorf("of %q: certain %v, left %q, forms %q", question, q.Certain, q.Rest, q.Terms)
		}
	}
	for question, rest := range map[string]string{
		"wo ist der Schlüssel":        "   Schlüssel",
		"где сервер":                  " сервер",
		"OS обновление":               "OS обновление",
		"как обновлять OS на сервере": " обновлять OS  сервере",
		"где Zürich":                  " Zürich",
		"the OS upgrade":              "the OS upgrade", // English
		"gateway restart":             "gateway restart",
		"thủ đô của nước nào":         "thủ đô  nước ",
		"dónde está el pedido":        " está  pedido",
		"où est la liste":             "   liste",
		"Luther'in hangi eseri neydi": "Luther'in  eseri ",
	} {
		if q := NewCutter().Query(question); !q.Certain || q.Rest != rest {
			t.Errorf("of %q: certain %v, left %q, want %q", question, q.Certain, q.Rest, rest)
		}
	}
}

func TestText(t *testing.T) {
	for _, row := range []struct{ name, body, title, want string }{
		{"English", "The worker is restarted by the gateway.", "Restart", ""},
		{"Chinese", "黑豹队的防守", "防守", ""},
		{"German", "Das ist die Bestellung", "", "#bestell +.be +bes +est +ste +tel +ell +llu +lun +ung +ng."},
		{"each once", "Das ist die Hut und die Hut", "", "#hut +.hu +hut +ut."},
		{"the title as its text", "Das ist der Hut", "Tor", "#hut +.hu +hut +ut. #tor +.to +tor +or."},
		{"Cyrillic in an English text", "The worker says «готов» and ends", "", "#гот +.го +гот +ото +тов +ов."},
		{"Vietnamese syllables and their pairs", "Thủ đô của Việt Nam có ga nào", "",
			"#thủ #đô #thủ.đô #đô.của #việt #của.việt #nam #việt.nam #nam.có #ga #có.ga #ga.nào"},
		{"German without umlauts", "Das ist für neue Brücken und Quellen", "Bruecken", "#neu +.ne +neu +eue +ue. #bruck +.br +bru +ruc +uck +cke +ken +en. #quell +.qu +que +uel +ell +lle +len"},
		{"no stemmer", "नमस्ते", "", "+.नम +नमस +मस् +स्त +्ते +ते."},
		{"Latin letters of an unknown language", "Ég þarf að læra íslensku", "", "+.eg +eg. +.þa +þar +arf +rf. +.að +að. +.læ +lær +ær" /* and so on */},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := NewCutter().MemoryTerms(row.body, row.title)
			if got != row.want && (row.name != "Latin letters of an unknown language" || !strings.HasPrefix(got, row.want)) {
				t.Errorf("got  %q\nwant %q", got, row.want)
			}
		})
	}
}

// A note of two languages has the forms of the one that is not English alone.
func TestEachPassageHasItsLanguage(t *testing.T) {
	de := strings.Repeat("Der Server wird neu gestartet, und das ist nicht schnell. ", 20)
	en := strings.Repeat("The gateway is not restarted by this, and that is how it should be. ", 20)
	got := strings.Fields(NewCutter().MemoryTerms(de + "\n\n" + en))
	if !slices.Contains(got, "#gestartet") && !slices.Contains(got, "#gestart") {
		t.Errorf("no German stem in %q", got)
	}
	if slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "+gat") }) {
		t.Errorf("English words are in %q", got)
	}
}

// An inflected word shares the stem of its question, in each language with a stemmer.
func TestFormsMeet(t *testing.T) {
	for _, row := range []struct{ text, asked, form string }{
		{"Die Bestellungen sind da und werden geprüft", "Wo ist die Bestellung", "#bestell"},
		{"Он говорит о миграциях базы", "миграция", "#миграц"},
		{"Les commandes sont dans la liste", "où est la commande", "#command"},
		{"Die Brücken sind über dem Fluss", "wo ist die Bruecke ueber den Fluss", "#bruck"},
		{"Thủ đô của Việt Nam", "thủ đô của nước nào", "#thủ.đô"},
		{"Los pedidos están en la lista", "dónde está el pedido", "#ped"},
	} {
		text := strings.Fields(NewCutter().MemoryTerms(row.text))
		asked := NewCutter().Query(row.asked).Terms
		if !slices.Contains(text, row.form) || !slices.Contains(asked, row.form) {
			t.Errorf("%q has %q, asked for are %q, want %s in both", row.text, text, asked, row.form)
		}
	}
}

func TestAnEnglishQuestionHasNoForms(t *testing.T) {
	for _, q := range []string{"how do I restart the worker", "gateway timeout", "検索", ""} {
		if got := NewCutter().Query(q); len(got.Terms) > 0 || got.Rest != q {
			t.Errorf("%q asks for %q and %q", q, got.Terms, got.Rest)
		}
	}
}

func TestStopWordsAreNotAskedFor(t *testing.T) {
	for question, want := range map[string]string{
		"wo ist die Bestellung-Nr.4":      "   Bestellung-Nr.4",
		"ПОЧЕМУ не идёт parseHTTPRequest": "  идёт parseHTTPRequest",
		"wo ist das": "  ",
	} {
		if got := NewCutter().Query(question).Rest; got != want {
			t.Errorf("of %q is left %q, want %q", question, got, want)
		}
	}
}

// FuzzForms holds the terms to what the index and its queries rely on.
func FuzzForms(f *testing.F) {
	for _, s := range []string{"Der Gateway und das Tor", "a\xff\x00\"b\" für die", "ǅ İstanbul'un ve bir", "الكتاب في", "миграция\u0301", "தமிழ் நூல்", strings.Repeat("ß", 90)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := NewCutter()
		seen := make(map[string]bool)
		asked := c.Query(text).Terms
		for _, term := range append(strings.Split(c.MemoryTerms(text, text), " "), asked...) {
			if term == "" {
				continue
			}
			if !IsForm(term) || !utf8.ValidString(term) || strings.ContainsAny(term, " \"\x00") {
				t.Fatalf("term %q of %q", term, text)
			}
		}
		for _, term := range strings.Fields(c.MemoryTerms(text)) {
			if seen[term] {
				t.Fatalf("%q stands twice for %q", term, text)
			}
			seen[term] = true
		}
	})
}
