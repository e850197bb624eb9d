package findings

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// Finding is one thing that a review has found, in the shape in which a host hands it over.
type Finding struct {
	Severity    string   `json:"severity"`
	Category    string   `json:"category"`
	File        string   `json:"file,omitempty"` // relative to the top of the code, with slashes; empty concerns the whole
	Line        int      `json:"line,omitempty"` // in File, from 1; 0 concerns the whole file
	Summary     string   `json:"summary"`        // one line of at most journal.MaxTitle characters
	Details     string   `json:"details,omitempty"`
	Remediation string   `json:"remediation,omitempty"` // what to do about it
	Tags        []string `json:"tags,omitempty"`
}

// severities are the words for how bad a finding is, the worst first.
var severities = [...]string{"critical", "high", "medium", "low"}

// Severities lists the words for how bad a finding is, the worst first.
func Severities() []string { return slices.Clone(severities[:]) }

// Quick lists the severities that are dealt with first.
func Quick() []string { return slices.Clone(severities[:2]) }

// MaxFindings bounds the findings of one review: each is a file of one commit.
const MaxFindings = 1000

// Tidy returns the finding with the words of the tables in lower case, its path cleaned and
// its texts trimmed. What cannot be written it leaves as it is, for [Check].
func (f Finding) Tidy() Finding {
	f.Severity, f.Category = foldWord(f.Severity), categoryOf(f.Category)
	f.Summary, f.Details, f.Remediation = strings.TrimSpace(f.Summary), closeFence(normalizeText(f.Details)), closeFence(normalizeText(f.Remediation))
	if f.File = strings.TrimSpace(f.File); f.File != "" {
		f.File = path.Clean(strings.ReplaceAll(f.File, `\`, "/"))
	}
	if f.File == "." {
		f.File = ""
	}
	tags := make([]string, 0, len(f.Tags))
	for _, t := range f.Tags {
		if t = strings.TrimSpace(t); t != "" && !slices.Contains(tags, t) {
			tags = append(tags, t)
		}
	}
	if f.Tags = tags; len(tags) == 0 {
		f.Tags = nil
	}
	return f
}

func foldWord(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// normalizeText returns a text with the line ends of Unix and nothing around it.
func normalizeText(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
}

// Title is that of the finding's memory: "[HIGH] SQL injection in user_query()".
func (f *Finding) Title() string { return "[" + strings.ToUpper(f.Severity) + "] " + f.Summary }

// Where names the place: "src/user.py:42", "src/user.py", or nothing.
func (f *Finding) Where() string {
	if f.File == "" || f.Line == 0 {
		return f.File
	}
	return f.File + ":" + strconv.Itoa(f.Line)
}

// Phrase is the trigger phrase of the finding's memory.
func (f *Finding) Phrase() string {
	if f.File == "" {
		return "When you work on the " + f.Category + " of this code"
	}
	return vault.Clip("When you change "+f.File, vault.TriggerLimit)
}

// Rank returns the place of a severity among [Severities]; beyond the last for no severity.
func Rank(severity string) int {
	if i := slices.Index(severities[:], severity); i >= 0 {
		return i
	}
	return len(severities)
}

// Check refuses findings that cannot be written. The error names the first one by its row,
// counted from 1.
func Check(all []Finding) error {
	if len(all) > MaxFindings {
		return vault.Errorf(vault.CodeInvalid, "add them in parts", "a review has at most %d findings; these are %d", MaxFindings, len(all))
	}
	for i := range all {
		if err := all[i].checkFinding(); err != nil {
			return atRow(i+1, err)
		}
	}
	return nil
}

func (f *Finding) checkFinding() error {
	if err := CheckSeverity(f.Severity); err != nil {
		return err
	}
	if err := CheckCategory(f.Category); err != nil {
		return err
	}
	if n := utf8.RuneCountInString(f.Summary); n > journal.MaxTitle {
		return vault.Errorf(vault.CodeInvalid, `say it shorter, and put the rest into "details"`, "the summary has %d characters; a finding's has at most %d", n, journal.MaxTitle)
	}
	if strings.TrimSpace(f.Summary) == "" {
		return vault.Errorf(vault.CodeInvalid, `say in one line what is wrong: {"summary": "SQL injection in user_query()"}`, "the finding has no summary")
	}
	return cmp.Or(vault.CheckTitle(f.Title()), f.checkPlace(), journal.CheckBody(f.findingText()), vault.CheckLine("tag", f.Tags...))
}

// checkPlace refuses a place that is not in the code.
func (f *Finding) checkPlace() error {
	outside := path.IsAbs(f.File) || f.File == ".." || strings.HasPrefix(f.File, "../") || len(f.File) > 1 && f.File[1] == ':'
	switch {
	case outside:
		return vault.Errorf(vault.CodeInvalid, "name it from the top of the repository, as in src/user.py", "'%s' is not in the repository", vault.Clip(f.File, 80))
	case f.Line < 0:
		return vault.Errorf(vault.CodeInvalid, "lines are counted from 1; 0 stands for the whole file", "%d is no line", f.Line)
	case f.Line > 0 && f.File == "":
		return vault.Errorf(vault.CodeInvalid, `add "file"`, "line %d of no file", f.Line)
	}
	return vault.CheckLine("file", f.File)
}

// CheckSeverity refuses words that are no severity.
func CheckSeverity(all ...string) error {
	for _, s := range all {
		if !slices.Contains(severities[:], s) {
			return vault.Errorf(vault.CodeInvalid, "severities are "+strings.Join(severities[:], ", "), "'%s' is no severity", vault.Clip(s, 40))
		}
	}
	return nil
}

// CheckCategory refuses words that are no category.
func CheckCategory(all ...string) error {
	for _, c := range all {
		if !slices.Contains(Categories(), c) {
			return vault.Errorf(vault.CodeInvalid, "categories are "+strings.Join(Categories(), ", "), "'%s' is no category", vault.Clip(c, 40))
		}
	}
	return nil
}
