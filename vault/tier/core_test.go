package tier_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tier"
)

func section(key string) tier.Section {
	return tier.Section{Key: key, Text: "## Deploys need the VPN\n\nThe gateway answers inside only.\n"}
}

var files = []struct{ name, text string }{
	{"empty", ""},
	{"plain", "# Rules\n\nBe kind.\n"},
	{"no final newline", "# Rules"},
	{"blank lines at the end", "# Rules\n\n\n\n"},
	{"CRLF", "# Rules\r\n\r\nBe kind.\r\n"},
	{"CRLF, no final newline", "# Rules\r\nBe kind."},
	{"byte order mark", "\ufeff# Rules\n"},
	{"only a byte order mark", "\ufeff"},
	{"mixed line ends", "a\r\nb\nc\r"},
	{"not UTF-8", "\xff\xfe\x00"},
	{"an open fence", "```\ncode\n"},
	{"another program's region", "<!-- cp:setup -->\nx\n<!-- /cp:setup -->\n"},
}

func TestRemoveGivesTheFileBack(t *testing.T) {
	for _, f := range files {
		one, err := tier.InsertSection([]byte(f.text), section("pf/pf-a"), tier.FileOrigin{})
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		if !bytes.HasPrefix(one, []byte(f.text)) {
			t.Errorf("%s: the text before the region changed: %q", f.name, one)
		}
		if strings.Contains(f.text, "\r\n") && strings.Contains(f.text, "# Rules\r") && bytes.Count(one, []byte("\n")) != bytes.Count(one, []byte("\r\n")) {
			t.Errorf("%s: a line ends otherwise: %q", f.name, one)
		}
		two, err := tier.InsertSection(one, section("pf/pf-b"), tier.FileOrigin{})
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		back, err := tier.RemoveSection(two, "pf/pf-b")
		if err != nil || !bytes.Equal(back, one) {
			t.Errorf("%s: without the second: got %q, %v; want %q", f.name, back, err, one)
		}
		back, err = tier.RemoveSection(back, "pf/pf-a")
		if err != nil || string(back) != f.text {
			t.Errorf("%s: without both: got %q, %v; want %q", f.name, back, err, f.text)
		}
	}
}

func TestInsertTwiceMakesOneSection(t *testing.T) {
	one, _ := tier.InsertSection([]byte("# Rules\n"), section("pf/pf-a"), tier.FileOrigin{})
	two, err := tier.InsertSection(one, section("pf/pf-a"), tier.FileOrigin{})
	if err != nil || !bytes.Equal(one, two) {
		t.Errorf("got %q, %v; want %q", two, err, one)
	}
	other := section("pf/pf-a")
	other.Text = "## Another\n"
	two, err = tier.InsertSection(one, other, tier.FileOrigin{})
	if err != nil || bytes.Count(two, []byte("<!-- cp:pf/")) != 1 || !bytes.Contains(two, []byte("## Another")) || bytes.Contains(two, []byte("VPN")) {
		t.Errorf("got %q, %v; want the new text alone", two, err)
	}
}

func TestAMadeFileIsRemoved(t *testing.T) {
	for _, head := range []string{"", tier.Adapters()[4].Head} {
		text, err := tier.InsertSection([]byte(head), section("pf/pf-a"), tier.FileOrigin{Made: true, Folders: 2})
		if err != nil {
			t.Fatal(err)
		}
		if _, from, err := tier.ReadSections(text); err != nil || from != (tier.FileOrigin{Made: true, Folders: 2}) {
			t.Errorf("origin: got %+v, %v", from, err)
		}
		if back, err := tier.RemoveSection(text, "pf/pf-a"); err != nil || back != nil {
			t.Errorf("got %q, %v; want no file", back, err)
		}
		typed := append(bytes.Clone(text), "mine\n"...)
		if back, err := tier.RemoveSection(typed, "pf/pf-a"); err != nil || string(back) != head+"mine\n" {
			t.Errorf("got %q, %v; want what a person wrote", back, err)
		}
	}
}

func TestFindTellsAnEditedSection(t *testing.T) {
	text, _ := tier.InsertSection([]byte("# Rules\n"), section("pf/pf-a"), tier.FileOrigin{})
	edit := func(old, new string) []byte { return bytes.Replace(text, []byte(old), []byte(new), 1) }
	for _, test := range []struct {
		name   string
		text   []byte
		edited bool
	}{
		{"as written", text, false},
		{"with other line ends", bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), false},
		{"text elsewhere", edit("# Rules", "# My rules"), false},
		{"a word", edit("gateway", "proxy"), true},
		{"the sum gone", edit("<!-- sum:", "<!-- "), true},
	} {
		got, err := tier.FindSection(test.text, "pf/pf-a")
		if err != nil || !got.There || got.Edited != test.edited || got.Line != 4 {
			t.Errorf("%s: got %+v, %v; want edited %v in line 4", test.name, got, err, test.edited)
		}
	}
	if got, err := tier.FindSection(text, "pf/pf-b"); err != nil || got.There {
		t.Errorf("another memory: got %+v, %v", got, err)
	}
}

func TestAHalfDeletedRegionIsAnError(t *testing.T) {
	whole, _ := tier.InsertSection([]byte("# Rules\n"), section("pf/pf-a"), tier.FileOrigin{})
	lines := strings.SplitAfter(string(whole), "\n")
	for _, test := range []struct {
		name string
		text string
	}{
		{"region not opened", strings.Replace(string(whole), "<!-- cp:core gap=1 -->\n", "", 1)},
		{"region not closed", strings.Replace(string(whole), "<!-- /cp:core -->\n", "", 1)},
		{"section not opened", strings.Replace(string(whole), "<!-- cp:pf/pf-a -->\n", "", 1)},
		{"section not closed", strings.Replace(string(whole), "<!-- /cp:pf/pf-a -->\n", "", 1)},
		{"region twice", string(whole) + strings.Join(lines[2:], "")},
		{"text between", strings.Replace(string(whole), "<!-- /cp:core -->", "mine\n<!-- /cp:core -->", 1)},
		{"an option unknown", strings.Replace(string(whole), "gap=1", "gap=9", 1)},
	} {
		for what, do := range map[string]func() error{
			"find": func() error { _, err := tier.FindSection([]byte(test.text), "pf/pf-a"); return err },
			"insert": func() error {
				_, err := tier.InsertSection([]byte(test.text), section("pf/pf-c"), tier.FileOrigin{})
				return err
			},
			"remove": func() error { _, err := tier.RemoveSection([]byte(test.text), "pf/pf-a"); return err },
		} {
			if err := do(); vault.CodeOf(err) != vault.CodeDamaged {
				t.Errorf("%s: %s: got %v, want an error of the class damaged", test.name, what, err)
			}
		}
	}
}

func TestTextHidesNoMarkers(t *testing.T) {
	m := vault.Parse("a.md", []byte("---\nid: pf-a\ntitle: Two <!-- /cp:core -->\ntype: observation\nsessions: [s1, s2]\nfirst_seen: 2026-01-20T00:00:00Z\nlast_seen: 2026-01-26T00:00:00Z\n---\nSee\n<!-- /cp:pf/pf-a -->\n"))
	got := tier.SectionText(m)
	want := "## Two &lt;!-- /cp:core --&gt;\n\nSee\n&lt;!-- /cp:pf/pf-a --&gt;\n\n- Count: 2\n- First seen: 2026-01-20\n- Last seen: 2026-01-26\n- Sessions: s1, s2\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	m.Header.Sessions, m.Header.LastSeen = append(m.Header.Sessions, "s3"), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	if again := tier.SectionText(m); again == got || !tier.SameSection(again, got) {
		t.Errorf("a new count is another text that says the same: got %q", again)
	}
	m.Title = "Three"
	if tier.SameSection(tier.SectionText(m), got) {
		t.Error("a new title says something else")
	}
}

func TestNamed(t *testing.T) {
	if a, err := tier.AdapterNamed("claude_md"); err != nil || a.Project != "CLAUDE.md" {
		t.Errorf("got %+v, %v", a, err)
	}
	if _, err := tier.AdapterNamed("claude"); vault.CodeOf(err) != vault.CodeInvalid {
		t.Errorf("got %v, want an error", err)
	}
}

func FuzzRemove(f *testing.F) {
	for _, file := range files {
		f.Add([]byte(file.text), "## T\n")
		one, _ := tier.InsertSection([]byte(file.text), section("pf/pf-a"), tier.FileOrigin{})
		f.Add(one, "## T\n\n<b>\n")
	}
	f.Fuzz(func(t *testing.T, text []byte, said string) {
		s := tier.Section{Key: "fz/fz-1", Text: said}
		was, err := tier.FindSection(text, s.Key)
		if err != nil || was.There {
			return
		}
		for _, from := range []tier.FileOrigin{{}, {Folders: 1}} {
			with, err := tier.InsertSection(text, s, from)
			if err != nil {
				return
			}
			found, err := tier.FindSection(with, s.Key)
			if err != nil || !found.There || found.Edited || found.Text != said {
				t.Fatalf("%q of %q: got %+v, %v", said, text, found, err)
			}
			back, err := tier.RemoveSection(with, s.Key)
			if err != nil || !bytes.Equal(back, text) {
				t.Fatalf("got %q, %v; want %q", back, err, text)
			}
		}
	})
}
