package vault

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/prose"
)

const complete = "---\n" +
	"id: pf-7k2m9qx4\ntitle: Troubleshooting\ntype: memory\nstatus: in_progress\nlabels: [deployment, nomad, deployment]\n" +
	"summary: If deploy succeeds but service unchanged\ncreated: 2026-02-07T15:30:00Z\ncreator: agent-penfold\n" +
	"deferred_until: 2026-03-01\nreferences: [pf-aa1]\n" +
	"---\n" +
	"Prose with [[A Note]].\n\n" +
	"<!-- sub-memories -->\n[\n  {\"id\": \"pf-aa3\", \"title\": \"Nomad Stuck\", \"summary\": \"When stuck\"}\n]\n<!-- /sub-memories -->\n"

func TestParseACompleteMemory(t *testing.T) {
	want := &Memory{
		Path: "deployment/troubleshooting.md", ID: "pf-7k2m9qx4",
		Header: Header{
			Title: "Troubleshooting", Type: "memory", Status: "in_progress",
			Labels: []string{"deployment", "nomad"}, Summary: "If deploy succeeds but service unchanged",
			Created: time.Date(2026, 2, 7, 15, 30, 0, 0, time.UTC), Creator: "agent-penfold",
			Deferred: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
		},
		References: []Reference{{Kind: "references", Target: "pf-aa1"}, {Kind: "wikilink", Target: "A Note"}},
		Anchors:    []prose.Anchor{{Reference: Reference{Kind: "wikilink", Target: "A Note"}}},
		Prose:      "Prose with [[A Note]].\n", HasBlock: true,
		Pointers: []pointer.Entry{{ID: "pf-aa3", Title: "Nomad Stuck", Summary: "When stuck"}},
	}
	if diff := cmp.Diff(want, Parse("deployment/troubleshooting.md", []byte(complete))); diff != "" {
		t.Error(diff)
	}
}

func TestRenderIsReadBack(t *testing.T) {
	m := Parse("deployment/troubleshooting.md", []byte(complete))
	doc, err := Render(m)
	if err != nil {
		t.Fatal(err)
	}
	again := Parse(m.Path, doc)
	m.Pointers, m.HasBlock = nil, false
	if diff := cmp.Diff(m, again); diff != "" {
		t.Error(diff)
	}
	fresh, err := Render(&Memory{ID: "pf-1", Header: Header{Title: "A: b"}, Prose: "text"})
	if want := "---\nid: pf-1\ntitle: \"A: b\"\ntype: memory\nstatus: open\n---\ntext\n"; err != nil || string(fresh) != want {
		t.Errorf("got %q, %v", fresh, err)
	}
	if _, err := Render(&Memory{Header: Header{Title: "\xff"}}); CodeOf(err) != CodeInvalid {
		t.Errorf("a title that is not UTF-8: got %v", err)
	}
}

func TestTitles(t *testing.T) {
	for name, row := range map[string]struct{ path, doc, want string }{
		"key":                    {"a.md", "---\ntitle: \"Key\"\n---\n# Head\n", "Key"},
		"first H1":               {"a.md", "\n# Head #\n\n# Other\n", "Head"},
		"H1 further down":        {"a.md", "text\n\n## Sub\n\n#  Head\n", "Head"},
		"setext":                 {"a.md", "Title\n=====\n\nSub\n---\n", "Title"},
		"not in code":            {"a.md", "```\n# code\n```\n\n    # code\n\n# Head\n", "Head"},
		"not in a list":          {"a.md", "- # item\n\n> # quoted\n", "a"},
		"only a hashtag":         {"a.md", "#tag\n", "a"},
		"unclosed fence":         {"a.md", "text\n```\n# y\n", "a"},
		"markup":                 {"a.md", "# Use `cp` **well**, [see](x.md) \\# 1\n", "Use cp well, see # 1"},
		"CRLF":                   {"a.md", "# Head\r\ntext\r\n", "Head"},
		"a null":                 {"a.md", "---\ntitle:\n---\n# Head\n", "Head"},
		"several lines":          {"a.md", "---\ntitle: \"a\\n  b\\x1b\"\n---\n", "a b"},
		"file name":              {"notes/some-note.md", "text\n", "some-note"},
		"folder name, index":     {"notes/deploy/index.md", "text\n", "deploy"},
		"folder name, readme":    {"deploy/README.md", "text\n", "deploy"},
		"readme of the root":     {"README.md", "text\n", "README"},
		"upper-case extension":   {"A.MD", "", "A"},
		"too long":               {"a.md", "# " + strings.Repeat("é", 600) + "\n", strings.Repeat("é", 500)},
		"empty H1, then another": {"a.md", "#\n\n# Head\n", "Head"},
		"H1 below a byte mark":   {"a.md", "\ufeff# Head\n", "Head"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Parse(Path(row.path), []byte(row.doc)).Title; got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

func TestForeignKeys(t *testing.T) {
	m := Parse("a.md", []byte("---\ndescription: >-\n  When one\n  needs it\ntags: [x]\nlabels: a, b\ncreated: 2026-01-02\n---\n"))
	if m.Summary != "When one needs it" || strings.Join(m.Labels, "|") != "a|b|x" || !m.Created.Equal(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("got %+v", m)
	}
	if m := Parse("a.md", []byte("---\ndescription: d\nsummary: s\n---\n")); m.Summary != "s" {
		t.Errorf("got %q, want the summary", m.Summary)
	}
}

func TestProblems(t *testing.T) {
	open, end := pointer.Start+"\n", pointer.End+"\n"
	for name, row := range map[string]struct {
		doc  string
		kind string // empty for none
		line int
		id   ID
	}{
		"nothing wrong":               {complete, "", 0, "pf-7k2m9qx4"},
		"empty":                       {"", ProblemEmpty, 0, ""},
		"blank":                       {" \n\n", ProblemEmpty, 0, ""},
		"broken YAML, id kept":        {"---\nid: pf-1\ntitle: a: b\n---\n", ProblemFrontMatter, 3, "pf-1"},
		"never closed, id kept":       {"---\ntitle: x\nid: 'pf-1'\n\nid: pf-2\n", ProblemFrontMatter, 1, "pf-1"},
		"a repeated key":              {"---\nid: pf-1\na: 1\na: 2\n---\n", ProblemFrontMatter, 4, "pf-1"},
		"an id that is none":          {"---\ntitle: x\nid: a/b\n---\n", ProblemID, 3, ""},
		"a person's id":               {"---\nid: 202301011200\n---\nx", "", 0, "202301011200"},
		"ours beside a person's":      {"---\nid: [intro]\ncp_id: pf-1\n---\nx", "", 0, "pf-1"},
		"both in a broken header":     {"---\nid: intro\ncp_id: pf-1\na: b: c\n---\nx", ProblemFrontMatter, 4, "pf-1"},
		"an id that is a list":        {"---\nid: [pf-1]\n---\n", ProblemID, 2, ""},
		"no id at all":                {"---\nid:\n---\nx", "", 0, ""},
		"conflict in the header":      {"---\nid: pf-1\n<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> x\n---\n", ProblemMarkers, 3, "pf-1"},
		"conflict in the prose":       {"---\nid: pf-1\n---\n# x\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", ProblemMarkers, 5, "pf-1"},
		"conflict shown in code":      {"```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n", "", 0, ""},
		"conflict in the block":       {"---\nid: pf-1\n---\n" + open + "[\n<<<<<<< HEAD\n=======\n>>>>>>> x\n]\n" + end, ProblemMarkers, 6, "pf-1"},
		"invalid JSON":                {"---\nid: pf-1\n---\n\n" + open + "[oops]\n" + end, ProblemBlock, 6, "pf-1"},
		"block never closed":          {"a\n\n" + open + "[]\n", ProblemBlock, 3, ""},
		"closing marker alone":        {"a\n\n" + end, ProblemBlock, 3, ""},
		"two blocks":                  {open + "[]\n" + end + "\n" + open + "[]\n" + end, ProblemBlock, 1, ""},
		"a pointer that stands twice": {open + "[{\"id\": \"a-b\"}, {\"id\": \"a-b\"}]\n" + end, "", 0, ""},
		"Latin-1":                     {"---\nid: pf-1\n---\n# Caf\xe9\n", ProblemEncoding, 4, "pf-1"},
		"NUL bytes":                   {"---\nid: pf-1\n---\na\x00b\n", ProblemEncoding, 4, "pf-1"},
		"UTF-16":                      {"\xff\xfe#\x00 \x00U\x00", ProblemEncoding, 1, ""},
		"too big":                     {"---\nid: pf-1\n---\n" + strings.Repeat("x\n", MaxFile/2), ProblemTooBig, 0, "pf-1"},
	} {
		t.Run(name, func(t *testing.T) {
			m := Parse("a.md", []byte(row.doc))
			if m.ID != row.id {
				t.Errorf("id: got %q, want %q", m.ID, row.id)
			}
			switch {
			case row.kind == "" && len(m.Problems) > 0:
				t.Errorf("got %+v, want no problems", m.Problems)
			case row.kind != "" && (len(m.Problems) != 1 || m.Problems[0].Kind != row.kind || m.Problems[0].Line != row.line || m.Problems[0].Path != "a.md"):
				t.Errorf("got %+v, want one %s at line %d", m.Problems, row.kind, row.line)
			}
		})
	}
}

func TestDamagedBlocksLeaveTheProseWhole(t *testing.T) {
	doc := "---\nid: pf-1\n---\nProse.\n\n" + pointer.Start + "\n[oops]\n" + pointer.End + "\nAfter.\n"
	m := Parse("a.md", []byte(doc))
	if !m.HasBlock || m.Pointers != nil || m.Prose != strings.TrimPrefix(doc, "---\nid: pf-1\n---\n") {
		t.Errorf("got %+v", m)
	}
	doc = "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n\n" + pointer.Start + "\n[\n<<<<<<< a\n=======\n>>>>>>> b\n]\n" + pointer.End + "\n"
	if m := Parse("a.md", []byte(doc)); len(m.Problems) != 2 || m.Problems[1].Line != 1 {
		t.Errorf("conflicts in prose and block: got %+v", m.Problems)
	}
	if m := Parse("a.md", []byte("# Caf\xe9\n")); m.Prose != "# Caf\ufffd\n" || m.Title != "Caf\ufffd" {
		t.Errorf("Latin-1: got %+v", m)
	}
}

// Texts made to be slow for a Markdown parser end, and what can be found in them is.
func TestHostileTextsEnd(t *testing.T) {
	mb := func(s string) string { return strings.Repeat(s, (1<<18)/len(s)) }
	var deep strings.Builder
	for i := range 1400 {
		deep.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	for name, prose := range map[string]string{ // the last two are left unparsed
		"brackets": mb("["), "closing": mb("]"), "links": mb("[a]("), "titles": mb("[a](b \"\n"), "references": mb("[a]: b\n"), "embeds": mb("![["), "nested": strings.Repeat("[", 1<<17) + strings.Repeat("](a.md)", 1<<14),
		"comments": mb("x <!-- "), "one paragraph": mb("[a](b.md)\n"), "quotes": strings.Repeat(">", 1<<20), "deep": deep.String(),
	} {
		t.Run(name, func(t *testing.T) {
			m := Parse("a.md", []byte(prose+"\n\n[[found]]\n\n# Found\n"))
			if name != "deep" && name != "quotes" && (len(m.References) == 0 || m.References[len(m.References)-1].Target != "found") {
				t.Errorf("the last link is not found: %v", m.References)
			}
		})
	}
}

// The texts of the torture archive that concern a single file.
func TestTorture(t *testing.T) {
	files := archive(t, "../../shared/data/torture.tar.gz")
	for name, row := range map[string]struct{ title, problem, links string }{
		"enc/bom.md":           {"BOM", "", ""},
		"enc/crlf.md":          {"CRLF", "", ""},
		"enc/mixed.md":         {"Mixed", "", ""},
		"enc/latin1.md":        {"Caf\ufffd", ProblemEncoding, ""},
		"enc/utf16.md":         {"utf16", ProblemEncoding, ""},
		"enc/nul.md":           {"nul", ProblemEncoding, ""},
		"enc/empty.md":         {"empty", ProblemEmpty, ""},
		"enc/blank.md":         {"blank", ProblemEmpty, ""},
		"enc/no-newline.md":    {"x", "", ""},
		"fm/unclosed.md":       {"unclosed", ProblemFrontMatter, ""},
		"fm/dup-key.md":        {"a", ProblemFrontMatter, ""},
		"fm/tab.md":            {"tab", ProblemFrontMatter, ""},
		"fm/colon.md":          {"colon", ProblemFrontMatter, ""},
		"fm/at.md":             {"at", ProblemFrontMatter, ""},
		"fm/wikilink.md":       {"wikilink", "", ""},
		"fm/date.md":           {"date", "", ""},
		"fm/types.md":          {"types", "", ""},
		"fm/anchors.md":        {"anchors", ProblemFrontMatter, ""},
		"fm/multi-doc.md":      {"multi-doc", "", ""},
		"fm/toml.md":           {"x", "", ""},
		"fm/json.md":           {"x", "", ""},
		"fm/hr-first.md":       {"hr-first", "", ""},
		"fm/scalar.md":         {"scalar", ProblemNoKeys, ""},
		"fm/list.md":           {"list", ProblemNoKeys, ""},
		"fm/unicode-keys.md":   {"unicode-keys", "", ""},
		"fm/huge.md":           {"huge", ProblemFrontMatter, ""},
		"fm/dots.md":           {"x", "", ""},
		"fm/trailing-space.md": {"x", "", ""},
		"body/long-line.md":    {"x", "", ""},
		"body/big.md":          {"big", ProblemTooBig, ""},
		"body/conflict.md":     {"x", ProblemMarkers, ""},
		"body/code-fence.md":   {"x", "", ""},
		"body/setext.md":       {"Title", "", ""},
		"body/dup-headings.md": {"A", "", ""},
		"body/links.md":        {"links", "", "Note dir/Note img.png b c.md ../x.md x.md"},
		"body/deep-list.md":    {"deep-list", "", ""},
		"body/brackets.md":     {"brackets", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := Parse(Path(name), files["torture/"+name])
			problem := ""
			if len(m.Problems) > 0 {
				problem = m.Problems[0].Kind
			}
			var targets []string
			for _, l := range m.References {
				targets = append(targets, l.Target)
			}
			if m.Title != row.title || problem != row.problem || strings.Join(targets, " ") != row.links {
				t.Errorf("got title %q, problems %+v, links %q", m.Title, m.Problems, targets)
			}
		})
	}
}

// archive returns the regular files of a tar.gz, or skips the test.
func archive(t *testing.T, name string) map[string][]byte {
	t.Helper()
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("left out: the texts of %s lie outside of the repository and are not here", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			var b bytes.Buffer
			if _, err := io.Copy(&b, r); err != nil {
				t.Fatal(err)
			}
			files[h.Name] = b.Bytes()
		}
	}
}

// isID reports whether an id is in the form in which ids are compared.
func isID(id ID) bool {
	same, err := ParseID(string(id))
	return err == nil && same == id
}

// FuzzParse: no input panics, and what is said of a file is in order.
func FuzzParse(f *testing.F) {
	f.Add([]byte(complete))
	f.Add([]byte("---\nid: x\n---\n# a\n[[b|c]] [d](e.md)\n<<<<<<< x\n>>>>>>> y\n"))
	f.Add([]byte("\xff\xfe\x00# Caf\xe9\n\n<!-- sub-memories -->\n[\n"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		m := Parse("a/b.md", doc)
		if m.Title == "" || m.Type == "" || m.Status == "" || m.ID != "" && !isID(m.ID) {
			t.Fatalf("%q: %+v", doc, m)
		}
		for _, p := range m.Problems {
			if p.Kind == "" || p.Msg == "" || p.Line > 1+bytes.Count(doc, []byte("\n")) {
				t.Fatalf("%q: %+v", doc, p)
			}
		}
	})
}

func TestParseAReadOnlyNote(t *testing.T) {
	text := "---\nid: pf-7k2m9qx4\ndescription: When: deploying\nglobs: *.nomad\n---\nSee [x](x.mdx).\n\n<!-- sub-memories -->\nno JSON\n"
	got := Parse("rules/deploy.mdc", []byte(text))
	want := &Memory{
		Path: "rules/deploy.mdc", ID: got.ID, Untitled: true, Keywords: "*.nomad\n",
		Header:     Header{Title: "deploy", Type: "memory", Status: "open", Summary: "When: deploying"},
		References: []Reference{{Kind: "link", Target: "x.mdx"}},
		Anchors:    []prose.Anchor{{Reference: Reference{Kind: "link", Target: "x.mdx"}, Text: "x"}},
		Prose:      "See [x](x.mdx).\n\n<!-- sub-memories -->\nno JSON\n",
	}
	if diff := cmp.Diff(want, got); diff != "" || !strings.HasPrefix(string(got.ID), "f-") {
		t.Errorf("%s %s", got.ID, diff)
	}
	if same, moved := Parse("rules/deploy.mdc", nil), Parse("deploy.mdc", []byte(text)); same.ID != got.ID || moved.ID == got.ID {
		t.Errorf("ids %s, %s and %s; the path alone decides", got.ID, same.ID, moved.ID)
	}
}

// An id of ours makes a memory of a read-only note, whatever its header is like.
func TestParseAnAdoptedNote(t *testing.T) {
	const text = "---\nid: theirs\ncp_id: pf-7k2m9qx4\nglobs: *.nomad\n---\nText.\n\n<!-- sub-memories -->\n[\n]\n<!-- /sub-memories -->\n"
	for p, adopted := range map[Path]bool{"a.mdc": true, "x/a.mdx": true, "a.markdown": true, "a.MDC": false} {
		m := Parse(p, []byte(text))
		if m.ReadOnly() == adopted || m.HasBlock != adopted || (m.ID == "pf-7k2m9qx4") != adopted || len(m.Problems) > 0 {
			t.Errorf("%s: %+v", p, m)
		}
	}
	for _, id := range []string{"f-7k2m9qx4", "new-7k2m9qx4", "no id"} {
		if m := Parse("a.mdc", []byte("---\ncp_id: "+id+"\n---\n")); !m.ReadOnly() {
			t.Errorf("%s: %+v", id, m)
		}
	}
}

// A step leaves the lines of a header that are no YAML as they are.
func TestStepsOnAHeaderThatIsNoYAML(t *testing.T) {
	doc := []byte("---\ndescription: When: x\nglobs: *.go\n---\nText.\n")
	steps := []Step{{Op: OpSetID, ID: "pf-7k2m9qx4", Key: "cp_id"}, {Op: OpSetKey, Key: "title", Value: "T"}, {Op: OpAppend, Text: "More."}, {Op: OpSetKey, Key: "globs", Value: "all"}}
	want := "---\ncp_id: pf-7k2m9qx4\ndescription: When: x\nglobs: all\ntitle: T\n---\nText.\n\nMore.\n"
	got, err := ApplySteps(steps, doc)
	if err != nil || strings.ReplaceAll(string(got), "'", "") != want {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := (Step{Op: OpSetKey, Key: "title", Value: "T"}).Apply(doc); CodeOf(err) != CodeDamaged {
		t.Errorf("without an id of ours: %v", err)
	}
}
