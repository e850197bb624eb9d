package codereview

import (
	"context"
	"regexp"

	"github.com/cp-memory/cp/vault/findings"
)

var fullID = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// lineMover returns what tells where a line of a file, as it was in a commit, stands now: in the
// files on disk, and in the commit that was reviewed. Each file is compared once. Where git
// cannot compare them it tells nothing.
func (r Room) lineMover(ctx context.Context, reviewed string) func(file, commit string, line int) []int {
	top, err := r.Session.WorkTop()
	if err != nil {
		return nil
	}
	diffs := make(map[[3]string]*string)
	diff := func(file, from, to string) *string {
		key := [3]string{file, from, to}
		text, asked := diffs[key]
		if !asked {
			args := []string{"diff", "-U0", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--end-of-options", from}
			if to != "" {
				args = append(args, to)
			}
			if said, err := r.App.Git(ctx, top, append(args, "--", file)...); err == nil {
				text = &said
			}
			diffs[key] = text
		}
		return text
	}
	return func(file, commit string, line int) (all []int) {
		if !fullID.MatchString(commit) {
			return nil
		}
		versions := []string{reviewed, ""} // "" is what is on disk
		if reviewed == "" {
			versions = versions[1:]
		}
		for _, to := range versions {
			if text := diff(file, commit, to); text != nil {
				all = append(all, findings.Shift([]byte(*text), line))
			}
		}
		return all
	}
}
