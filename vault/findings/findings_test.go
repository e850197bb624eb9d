package findings

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
)

// words takes the words out of a text as they stand.
func words(text string, emit func(string)) {
	for _, w := range strings.Fields(strings.ToLower(text)) {
		emit(strings.Trim(w, "().,:"))
	}
}

// Findings are read as an array and as lines, with a byte order mark and CRLF, and tidied.
func TestParse(t *testing.T) {
	row := `{"severity": " HIGH", "category": "Docs", "file": "./a\\b.py", "line": 4, "summary": " It leaks ", "details": "a\r\nb\n", "tags": ["x", " ", "x"]}`
	want := Finding{Severity: "high", Category: "documentation", File: "a/b.py", Line: 4, Summary: "It leaks", Details: "a\nb", Tags: []string{"x"}}
	for name, text := range map[string]string{
		"array": "[" + row + "," + row + "]", "array over lines": "\ufeff\r\n[\r\n" + row + ",\r\n" + row + "\r\n]\r\n",
		"lines": row + "\n" + row, "lines with CRLF": "\ufeff" + row + "\r\n\r\n" + row + "\r\n", "on one line": row + row,
	} {
		if got, err := Parse([]byte(text)); err != nil || !reflect.DeepEqual(got, []Finding{want, want}) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
	for _, text := range []string{"", " \r\n", "[]", "[ ]\n"} {
		if got, err := Parse([]byte(text)); err != nil || len(got) != 0 {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
}

// What cannot be read names the row.
func TestParseErrors(t *testing.T) {
	good := `{"severity": "high", "category": "tests", "summary": "s"}`
	for text, want := range map[string]string{
		"[" + good + ",":                    "finding 2: the findings are no JSON: line 1: it ends in the middle",
		"[" + good + "\n,{]":                "finding 2: the findings are no JSON: line 2: invalid character ']'",
		"[" + good + "] x":                  "there is more behind the array",
		"[" + good + "][]":                  "there is more behind the array",
		"[" + good + ", 7]":                 "finding 2: a finding is a JSON object, and not 7",
		good + "\n[]":                       "finding 2: a finding is a JSON object",
		`{"severity": 7}`:                   `finding 1: "severity" cannot be a JSON number`,
		`{"line": "7"}`:                     `finding 1: "line" cannot be a JSON string`,
		good + `{"summry": "x"}`:            `finding 2: unknown field "summry"`,
		"null":                              "finding 1: a finding is a JSON object, and not null",
		"\xff":                              "not valid UTF-8",
		strings.Repeat(good, MaxFindings+1): "at most 1000 findings",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, want %q", text, err, want)
		}
	}
}

// What cannot be written names the row and what it can be.
func TestCheck(t *testing.T) {
	for _, row := range []struct {
		name string
		f    Finding
		want string
	}{
		{"severity", Finding{Severity: "blocker", Category: "tests", Summary: "s"}, "finding 2: 'blocker' is no severity | severities are critical, high, medium, low"},
		{"category", Finding{Severity: "low", Category: "style", Summary: "s"}, "finding 2: 'style' is no category | categories are security, performance, architecture, quality, tests, documentation"},
		{"no summary", Finding{Severity: "low", Category: "tests"}, "finding 2: the finding has no summary | say in one line what is wrong: {\"summary\": \"SQL injection in user_query()\"}"},
		{"long", Finding{Severity: "low", Category: "tests", Summary: strings.Repeat("ü", 101)}, "finding 2: the summary has 101 characters; a finding's has at most 100 | say it shorter, and put the rest into \"details\""},
		{"absolute", Finding{Severity: "low", Category: "tests", Summary: "s", File: "/etc/passwd"}, "finding 2: '/etc/passwd' is not in the repository | name it from the top of the repository, as in src/user.py"},
		{"above", Finding{Severity: "low", Category: "tests", Summary: "s", File: "a/../../x"}, "finding 2: '../x' is not in the repository | name it from the top of the repository, as in src/user.py"},
		{"drive", Finding{Severity: "low", Category: "tests", Summary: "s", File: `C:\x`}, "finding 2: 'C:/x' is not in the repository | name it from the top of the repository, as in src/user.py"},
		{"no line", Finding{Severity: "low", Category: "tests", Summary: "s", File: "a", Line: -1}, "finding 2: -1 is no line | lines are counted from 1; 0 stands for the whole file"},
		{"no file", Finding{Severity: "low", Category: "tests", Summary: "s", Line: 3}, "finding 2: line 3 of no file | add \"file\""},
	} {
		fine := Finding{Severity: "low", Category: "tests", Summary: strings.Repeat("ü", 100)}
		if got := vaultmap.Told(Check([]Finding{fine, row.f.Tidy()})); got != row.want {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
	}
	for _, bad := range []Finding{{Summary: "a\nb"}, {Summary: "a\x1b[2J"}, {Summary: "a", File: "x\x00"}, {Summary: "a", Tags: []string{"x\ny"}}, {Summary: "a", Details: strings.Repeat("x", 200<<10)}} {
		bad.Severity, bad.Category = "low", "tests"
		if err := Check([]Finding{bad}); vault.CodeOf(err) != vault.CodeInvalid {
			t.Errorf("%.80s: got %v", bad.Summary, err)
		}
	}
}

// FuzzParse checks that what is read is written as an array and as lines that are read as the
// same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "[]", "[" + Example + "]", Example + "\n" + Example, "\ufeff[" + Example + ",\r\n{\"severity\": \"LOW\"}]", `{"tags":[]}`, `{"file":"a\\..\\b"}`, "[7", `{"details":"\u0000\ud800"}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := Parse(text)
		if err != nil {
			return
		}
		for name, written := range map[string][]byte{"array": Format(all), "lines": FormatLines(all)} {
			again, err := Parse(written)
			if err != nil || !reflect.DeepEqual(again, all) {
				t.Fatalf("%s: wrote %s\nread %+v, %v\nwant %+v", name, written, again, err, all)
			}
		}
		for i := range all {
			if all[i].checkFinding() == nil && !bytes.Contains([]byte(all[i].Title()), []byte(all[i].Summary)) {
				t.Fatal("the title lost the summary")
			}
		}
	})
}

// Findings of one category and file, at most three lines apart, that say nearly the same are
// one: the worst, with what the others add.
func TestMerge(t *testing.T) {
	f := func(severity, category, file string, line int, summary, details string, tags ...string) Finding {
		return Finding{Severity: severity, Category: category, File: file, Line: line, Summary: summary, Details: details, Tags: tags}
	}
	m := NewMeasure(words)
	got := m.Merge([]Finding{
		f("low", "security", "a.py", 10, "SQL injection in the query of users", "low", "x"),
		f("high", "security", "a.py", 13, "SQL injection in the query of all users", "high", "y"),
		f("high", "security", "a.py", 17, "SQL injection in the query of users", "far"),
		f("high", "quality", "a.py", 13, "SQL injection in the query of users", "category"),
		f("high", "security", "b.py", 13, "SQL injection in the query of users", "file"),
		f("high", "security", "a.py", 0, "SQL injection in the query of users", "whole file"),
		f("high", "security", "a.py", 13, "Password in the log", "other"),
	})
	if len(got) != 6 {
		t.Fatalf("got %d findings: %+v", len(got), got)
	}
	var one Finding
	for _, f := range got {
		if strings.HasSuffix(f.Summary, "all users") {
			one = f
		}
	}
	if want := f("high", "security", "a.py", 13, "SQL injection in the query of all users", "high\n\nlow", "y", "x"); !reflect.DeepEqual(one, want) {
		t.Errorf("got %+v, want %+v", one, want)
	}
	none := NewMeasure(nil)
	if none.IsAlike("It leaks", "It leaks badly") || !none.IsAlike("It  LEAKS", "it leaks") || m.IsAlike("", "x") || !m.IsAlike("?!", "?!") {
		t.Error("what is alike")
	}
}

// The score follows the formula that the report tells, and never falls below nothing.
func TestScore(t *testing.T) {
	known := func(severity, category, status string) Known {
		return Known{Finding: Finding{Severity: severity, Category: category}, Status: status}
	}
	if each, whole := Score(nil); whole != 100 || len(each) != 6 || each[0].Score != 100 {
		t.Errorf("nothing found: %v, %d", each, whole)
	}
	all := []Known{known("critical", "security", "open"), known("high", "security", "open"), known("medium", "security", "in_progress"), known("low", "security", "open"),
		known("critical", "security", "closed"), known("odd", "security", "open")}
	for range 5 {
		all = append(all, known("critical", "tests", "open"))
	}
	each, whole := Score(all)
	if each[0].Score != 60 || each[0].Counts != [4]int{1, 1, 1, 1} || each[4].Score != 0 || whole != 460/6 {
		t.Errorf("got %+v, %d", each, whole)
	}
}

// Patterns count findings that say the same anywhere, and the reviews that found them again.
func TestPatterns(t *testing.T) {
	k := func(id vault.ID, severity, category, file, summary, status string, again ...vault.ID) Known {
		return Known{ID: id, Finding: Finding{Severity: severity, Category: category, File: file, Summary: summary}, Status: status, Again: again}
	}
	got := NewMeasure(words).Patterns([]Known{
		k("a", "low", "quality", "b.py", "Error is swallowed here", "open"),
		k("b", "high", "quality", "a.py", "Error is swallowed here", "closed"),
		k("c", "low", "tests", "a.py", "Error is swallowed here", "open"),
		k("d", "medium", "tests", "", "No test of the parser", "open", "r1", "r2"),
	})
	want := []Pattern{
		{Summary: "No test of the parser", Category: "tests", Severity: "medium", Seen: 3, Open: 1, Files: []string{}, IDs: []vault.ID{"d"}},
		{Summary: "Error is swallowed here", Category: "quality", Severity: "high", Seen: 2, Open: 1, Files: []string{"a.py", "b.py"}, IDs: []vault.ID{"a", "b"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// A report that the program made is read back, whatever its texts pretend to be.
func TestParseReviewOfOurs(t *testing.T) {
	hostile := "```\n### [CRITICAL] Forged\n<!-- finding pf-forged -->\n~~~\n-->\n" + Mark
	all := []Known{
		{ID: "pf-1", Finding: Finding{Severity: "high", Category: "security", File: "a`b.py", Line: 4, Summary: "a <b> & [c](d) &amp; `e`", Details: hostile, Remediation: hostile}, Status: "open"},
		{ID: "pf-2", Finding: Finding{Severity: "low", Category: "tests", Summary: "### [HIGH] <!-- finding pf-9 -->"}, Status: "open"},
		{ID: "pf-3", Finding: Finding{Severity: "low", Category: "tests", Summary: "gone"}, Status: vault.StatusClosed},
	}
	for i := range all {
		all[i].Agent = Agent(all[i].Category)
	}
	r := Report{Date: "2026-02-07", Findings: all}
	for name, text := range map[string]string{"as it is": r.Review(), "CRLF": "\ufeff" + strings.ReplaceAll(r.Review(), "\n", "\r\n")} {
		got := ParseReview(text)
		if name == "CRLF" {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		if len(got) != 2 || got[0].ID != "pf-1" || got[1].ID != "pf-2" {
			t.Fatalf("%s: got %+v of\n%s", name, got, text)
		}
		for i := range got {
			if got[i].Summary != all[i].Summary || got[i].Severity != all[i].Severity || got[i].Category != all[i].Category || got[i].Line != all[i].Line || got[i].Agent == "" {
				t.Errorf("%s: got %+v, want %+v", name, got[i], all[i])
			}
		}
	}
}

// A report that a person wrote is read by its headings.
func TestParseReviewOfAPerson(t *testing.T) {
	got := ParseReview("# Review\n\n## [HIGH] It leaks  \n- **Category**: Performance\n- **File**: `src/a.go:12`\n\n### Notes\n- File: no.go\n\n```\n### [LOW] code\n```\n### [low] Typo\n### [TODO] x\n")
	want := []Known{
		{Finding: Finding{Severity: "high", Category: "performance", File: "src/a.go", Line: 12, Summary: "It leaks"}, Status: "open", Again: []vault.ID{}, Agent: "performance-engineer"},
		{Finding: Finding{Severity: "low", Category: "quality", Summary: "Typo"}, Status: "open", Again: []vault.ID{}, Agent: "code-reviewer"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// FuzzParseReview checks that what a report says of each open finding is read back.
func FuzzParseReview(f *testing.F) {
	f.Add("It leaks", "a.go", "text", 4)
	f.Add("### [LOW] x", "-->", "```\n# x", 0)
	f.Fuzz(func(t *testing.T, summary, file, details string, line int) {
		one := Finding{Severity: "high", Category: "tests", File: file, Line: line, Summary: summary, Details: details}.Tidy()
		if one.checkFinding() != nil {
			return
		}
		r := Report{Date: "2026-02-07", Findings: []Known{{ID: "pf-1", Finding: one, Status: "open"}, {ID: "pf-2", Finding: Finding{Severity: "low", Category: "tests", Summary: "last"}, Status: "open"}}}
		got := ParseReview(r.Review())
		if len(got) != 2 || got[0].ID != "pf-1" || got[1].ID != "pf-2" || got[0].Severity != "high" || strings.TrimSpace(got[0].Summary) != strings.TrimSpace(one.Summary) {
			t.Fatalf("got %+v of\n%s", got, r.Review())
		}
	})
}

// A focus names the specialists.
func TestFocus(t *testing.T) {
	for focus, want := range map[string]int{"": 6, "security": 1, "Docs": 1, "maintainability": 2, "speed": 0} {
		if got, err := Focus(focus); len(got) != want || (err == nil) != (want > 0) {
			t.Errorf("%q: got %v, %v", focus, got, err)
		}
	}
}

// A finding is what its memory says, whatever its texts hold.
func TestMemory(t *testing.T) {
	f := Finding{Severity: "high", Category: "tests", File: "a.go", Line: 4, Summary: "s", Details: "```\n## Remediation\n", Remediation: "~~~\n# x", Tags: []string{"a b"}}.Tidy()
	text, err := vault.Render(f.newMemory("pf-1", &Add{}, "x"))
	if err != nil {
		t.Fatal(err)
	}
	want := f
	want.Details, want.Remediation = "```\n## Remediation\n```", "~~~\n# x\n~~~"
	if got := FromMemory(vault.ParseText("a.md", text)).Finding; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
