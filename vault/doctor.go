package vault

import (
	"context"
	"fmt"
)

// Check is the record of one finding of doctor; its fields are promises.
type Check struct {
	Check    string `json:"check"`    // a stable name
	Severity string `json:"severity"` // "ok", "info", "warning", "error"
	Evidence string `json:"evidence"`
	Fix      string `json:"fix"` // the command or step that mends it; empty when there is nothing to do
	Path     Path   `json:"path,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// The severities of a Check.
const (
	SeverityOK      = "ok"
	SeverityInfo    = "info"
	SeverityWarning = "warning"
	SeverityError   = "error"
)

const (
	fixSync = "cp memory sync"
	fixEdit = "mend it in an editor, then cp memory sync"
)

// checks are those of the vault's contents, in the order of the report. Names
// are promises: add, never change.
var checks = [...]struct {
	name     string
	severity string
	fix      string
	ok       string   // what is said when nothing is found
	problems []string // the kinds of Problem that are findings as they stand
}{
	{"duplicate_ids", SeverityError, fixSync, "every id stands in one file", []string{ProblemDuplicateID}},
	{"conflict_markers", SeverityError, fixEdit, "no conflict markers", []string{ProblemMarkers}},
	{"two_versions", SeverityWarning, fixEdit, "no passage in two versions", []string{ProblemVersions}},
	{"front_matter", SeverityError, fixEdit, "every front matter can be read", []string{ProblemFrontMatter, ProblemID}},
	{"invalid_blocks", SeverityWarning, fixSync, "every pointer block can be read", []string{ProblemBlock}},
	{"too_many_pointers", SeverityWarning, "cp memory sync, which removes pointers to what is gone; else put folders between", "no pointer block has more than 10,000 entries", []string{ProblemPointers}},
	{"pointers", SeverityWarning, fixSync, "pointer blocks, files and HEAD agree", nil},
	{"unreadable", SeverityError, "check its permissions", "every file can be read", []string{ProblemUnreadable}},
	{"not_text", SeverityWarning, "convert it to UTF-8, or move it out of the vault", "every file is UTF-8 text", []string{ProblemEncoding}},
	{"lfs_pointers", SeverityWarning, "git lfs pull; better keep memories out of git-lfs, in .gitattributes", "no file is kept by git-lfs", []string{ProblemUnfetched}},
	{"too_big", SeverityWarning, "split it: a memory's file may have 4 MiB", "no file is too big", []string{ProblemTooBig}},
	{"bad_names", SeverityWarning, "rename it", "every name is one that all systems hold", []string{ProblemName, ProblemTwin}},
	{"too_deep", SeverityWarning, "move it up: cp reads 64 levels of folders", "no folder is too deep", []string{ProblemTooDeep}},
	{"not_files", SeverityInfo, "put the file itself there, or leave it: cp does not follow it", "no symbolic links or devices", []string{ProblemSymlink, ProblemNotRegular}},
	{"nested_repositories", SeverityWarning, "move it out of the vault; `git config --global safe.bareRepository explicit` keeps git from trusting a bare one anywhere", "no repository inside the vault", []string{ProblemNestedRepo}},
	{"empty_files", SeverityInfo, "write into it, or delete it", "no empty files", []string{ProblemEmpty}},
	{"conflict_copies", SeverityWarning, "compare it with the file beside it and delete one", "no copies that a cloud folder or a person left", []string{ProblemCopy}},
	{"evicted_files", SeverityWarning, "open it, so that the cloud folder brings it back; better keep a vault out of one", "no file is kept in the cloud only", []string{ProblemEvicted}},
	{"secrets", SeverityWarning, "change the credential wherever it is used, then take it out: the history keeps it", "nothing looks like a credential", []string{ProblemSecret}},
	{"broken_links", SeverityInfo, "mend the link", "every link leads to a memory", nil},
	{"no_phrase", SeverityInfo, `cp memory update <id> --summary "when one needs it"`, "every pointer says when its memory is needed", nil},
	{"long_phrases", SeverityInfo, "say it in 120 characters", "no trigger phrase is longer than 120 characters", nil},
	{"deep_tree", SeverityInfo, "cp memory promote <id>", "no memory is deeper than 5 levels", nil},
}

// maxFindings is how many findings of one check are listed; the rest is counted.
const maxFindings = 20

// comfortable is the depth from which on add-sub warns.
const comfortable = 5

// Doctor examines the vault's contents and changes nothing. Each check has at
// least one record: "ok" where it found nothing.
func (v *Vault) Doctor(ctx context.Context) ([]Check, error) {
	var found Synced
	d := examination{v: v, found: make(map[string][]Check)}
	err := v.View(ctx, Scope{None: true}, func(t Tree) error {
		if _, err := v.planSync(ctx, t, Sync{DryRun: true, Force: true, AllowSecret: true}, &found); err != nil {
			return err
		}
		d.discrepancies(found.Discrepancies)
		d.problems(found.Problems)
		return d.memories(ctx, t)
	})
	if err != nil {
		return nil, err
	}
	return d.report(), nil
}

// examination collects the findings by the check's name.
type examination struct {
	v     *Vault
	found map[string][]Check
}

func (d *examination) add(check string, p Path, line int, format string, args ...any) {
	d.found[check] = append(d.found[check], Check{Path: p, Line: line, Evidence: fmt.Sprintf(format, args...)})
}

// report lists the findings in the order of the checks.
func (d *examination) report() []Check {
	var out []Check
	for _, c := range checks {
		found := d.found[c.name]
		if len(found) == 0 {
			out = append(out, Check{Check: c.name, Severity: SeverityOK, Evidence: c.ok})
		}
		if n := len(found) - maxFindings; n > 0 {
			found = append(found[:maxFindings:maxFindings], Check{Evidence: fmt.Sprintf("and %d more", n)})
		}
		for _, f := range found {
			f.Check, f.Severity = c.name, c.severity
			if f.Fix == "" {
				f.Fix = c.fix
			}
			out = append(out, f)
		}
	}
	return out
}

func (d *examination) problems(all []Problem) {
	for _, p := range all {
		for _, c := range checks {
			for _, kind := range c.problems {
				if kind == p.Kind {
					d.add(c.name, p.Path, p.Line, "%s", p.Msg)
				}
			}
		}
	}
}

// discrepancies sums up what sync would settle; what has a check of its own is left to that.
func (d *examination) discrepancies(all []Discrepancy) {
	count := make(map[string]int)
	for _, x := range all {
		switch x.Type {
		case DuplicateID, InvalidBlock, ConflictMarkers:
		default:
			count[x.Type]++
		}
	}
	for _, kind := range sortedKeys(count) {
		d.add("pointers", "", 0, "%s: %d", kind, count[kind])
	}
}
