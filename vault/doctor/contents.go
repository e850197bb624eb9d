package doctor

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/vault"
)

const (
	fixSync = "cp memory sync"
	fixEdit = "mend it in an editor, then cp memory sync"
)

// content is a check of the vault's files.
type content struct {
	name     string
	severity string
	fix      string
	ok       string   // what is said when nothing is found
	problems []string // the kinds of Problem that are findings as they stand

	// each looks at every memory; nil at none.
	each func(ctx context.Context, x *examination, n memory) ([]Finding, error)
}

// contents are these checks, in the order of the report.
var contents = [...]content{
	{"duplicate_ids", Error, fixSync, "every id stands in one file", []string{vault.ProblemDuplicateID}, nil},
	{"conflict_markers", Error, fixEdit, "no conflict markers", []string{vault.ProblemMarkers}, nil},
	{"two_versions", Warning, fixEdit, "no passage in two versions", []string{vault.ProblemVersions}, nil},
	{"front_matter", Error, fixEdit, "every front matter can be read", []string{vault.ProblemFrontMatter}, nil},
	{"facts", Warning, "mend it in an editor, or delete it and draw or add the facts again (cp help graph)", "every facts file can be used", []string{vault.ProblemFacts}, nil},
	{"unfit_ids", Warning, fixSync + ", which writes one of ours below it, as cp_id", "every id line can serve, or ours stands below it", []string{vault.ProblemID}, nil},
	{"no_front_matter", Info, "leave it, or write keys with values there: until then it has no id", "every front matter has keys", []string{vault.ProblemNoKeys}, nil},
	{"other_shapes", Info, "leave it, or write it as `cp help format` says", "every key can be read", []string{vault.ProblemShape}, nil},
	{"protections", Warning, "write `protected: true`, `protected: append` or neither (cp help format)", "every protection can be read", []string{vault.ProblemProtection}, nil},
	{"invalid_blocks", Warning, fixSync, "every pointer block can be read", []string{vault.ProblemBlock}, nil},
	{"too_many_pointers", Warning, "cp memory sync, which removes pointers to what is gone; else put folders between", "no pointer block has more than 10,000 entries", []string{vault.ProblemPointers}, nil},
	{"pointers", Warning, fixSync, "pointer blocks, files and HEAD agree", nil, nil},
	{"unreadable", Error, "check its permissions", "every file can be read", []string{vault.ProblemUnreadable}, nil},
	{"not_text", Warning, "convert it to UTF-8, or move it out of the vault", "every file is UTF-8 text", []string{vault.ProblemEncoding}, nil},
	{"filters", Warning, "unlock, install or mend the filter or encoding that git's attributes name for it: git check-attr -a FILE", "git's filters take every file that is to be committed", []string{vault.ProblemFilter}, nil},
	{"lfs_pointers", Warning, "git lfs pull; better keep memories out of git-lfs, in .gitattributes", "no file is kept by git-lfs", []string{vault.ProblemUnfetched}, nil},
	{"too_big", Warning, "split it: a memory's file may have 4 MiB", "no file is too big", []string{vault.ProblemTooBig}, nil},
	{"bad_names", Warning, "rename it", "every name is one that all systems hold", []string{vault.ProblemName, vault.ProblemTwin}, portable},
	{"too_deep", Warning, "move it up: cp reads 64 levels of folders", "no folder is too deep", []string{vault.ProblemTooDeep}, nil},
	{"not_files", Info, "put the file itself there, or leave it: cp does not follow it", "no symbolic links or devices", []string{vault.ProblemSymlink, vault.ProblemNotRegular}, nil},
	{"nested_repositories", Warning, "move it out of the vault; `git config --global safe.bareRepository explicit` keeps git from trusting a bare one anywhere", "no repository inside the vault", []string{vault.ProblemNestedRepo}, nil},
	{"empty_files", Info, "write into it, or delete it", "no empty files", []string{vault.ProblemEmpty}, nil},
	{"conflict_copies", Warning, "compare it with the file beside it and delete one", "no copies that a cloud folder or a person left", []string{vault.ProblemCopy}, checkCopy},
	{"evicted_files", Warning, "open it, so that the cloud folder brings it back; better keep a vault out of one", "no file is kept in the cloud only", []string{vault.ProblemEvicted}, nil},
	{"secrets", Warning, "change the credential wherever it is used, then take it out: the history keeps it", "nothing looks like a credential", nil, secrets},
	{"broken_links", Info, "mend the link", "every link leads to a memory", nil, links},
	{"no_phrase", Info, `cp memory update <id> --summary "when one needs it"`, "every pointer says when its memory is needed", nil, phraseless},
	{"long_phrases", Info, "say it in 120 characters", "no trigger phrase is longer than 120 characters", nil, long},
	{"deep_tree", Info, "cp memory promote <id>", "no memory is deeper than 5 levels", nil, deep},
}

// maxFindings bounds the findings of one check that are listed; the rest is counted.
const maxFindings = 20

// examination holds what the checks of the contents look at.
type examination struct {
	vault.Tree
	files    vault.Files
	found    sync.Synced // by sync, which changed nothing
	memories []memory
	stands   map[vault.Path]bool       // a memory, at that path
	nowhere  map[vault.ID][]vault.Edge // links that lead to no memory
}

// ExamineContents makes the checks of the files. Each has at least one record: "ok"
// where it found nothing.
func (p *Patient) ExamineContents(ctx context.Context) (all []Finding) {
	x := &examination{Tree: p.Mirror.Tree, files: p.Store.Files, stands: make(map[vault.Path]bool), nowhere: make(map[vault.ID][]vault.Edge)}
	var err error
	if x.found, err = p.Survey(ctx); err == nil {
		_, err = x.Walk(ctx, vault.WalkOptions{MaxDepth: vault.MaxDepth + 1, Closed: true, Each: x.keepMemory})
	}
	if err == nil {
		err = x.sortLinks(ctx, p.Index)
	}
	for i := 0; i < len(contents) && err == nil; i++ {
		var found []Finding
		found, err = contents[i].look(ctx, x)
		all = append(all, found...)
	}
	if err != nil {
		return []Finding{NewFailure("contents", err)}
	}
	return all
}

// sortLinks sorts the links that lead nowhere by the memories that they stand in.
func (x *examination) sortLinks(ctx context.Context, index Index) error {
	all, err := index.Nowhere(ctx)
	for _, e := range all {
		x.nowhere[e.From] = append(x.nowhere[e.From], e)
	}
	return err
}

// look makes the check.
func (c content) look(ctx context.Context, x *examination) ([]Finding, error) {
	found := x.problems(c.problems)
	if c.name == "pointers" {
		found = x.discrepancies()
	}
	for i := 0; i < len(x.memories) && c.each != nil; i++ {
		more, err := c.each(ctx, x, x.memories[i])
		if err != nil {
			return nil, err
		}
		for _, f := range more {
			f.Path = x.memories[i].Path
			found = append(found, f)
		}
	}
	if n := len(found) - maxFindings; n > 0 {
		found = append(found[:maxFindings:maxFindings], Finding{Evidence: fmt.Sprintf("and %d more", n)})
	}
	return Check{Name: c.name, Severity: c.severity, Fix: c.fix, OK: c.ok}.report(found), nil
}

// problems returns the problems of the given kinds.
func (x *examination) problems(kinds []string) (found []Finding) {
	for _, p := range x.found.Problems {
		if slices.Contains(kinds, p.Kind) {
			found = append(found, Finding{Type: p.Kind, Path: p.Path, Line: p.Line, Evidence: p.Msg})
		}
	}
	return found
}

// discrepancies sums up what sync would settle. Kinds that have a check of their own are
// left to it.
func (x *examination) discrepancies() (found []Finding) {
	count := make(map[string]int)
	for _, d := range x.found.Discrepancies {
		switch d.Type {
		case sync.DuplicateID, sync.InvalidBlock, sync.ConflictMarkers:
		default:
			count[d.Type]++
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		found = append(found, Finding{Type: kind, Evidence: fmt.Sprintf("%s: %d", kind, count[kind])})
	}
	return found
}
