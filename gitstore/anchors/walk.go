package anchors

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault/header"
)

// listAlike returns the commits that HEAD reaches by their keys without subjects, of the authors' times
// that the strayed ones have.
func (f *follower) listAlike(ctx context.Context, strayed []header.Anchor) (map[header.CommitKey][]string, error) {
	wanted := map[string]bool{}
	for _, a := range strayed {
		if key, ok := header.ParseCommitKey(a.CommitKey); ok {
			wanted[strconv.FormatInt(key.Time, 10)] = true
		}
	}
	alike := map[header.CommitKey][]string{}
	if len(wanted) == 0 || f.head == "" {
		return alike, nil
	}
	err := f.repo.Stream(ctx, nil, []string{"rev-list", "--format=%at %ae", f.head, "--"}, func(out io.Reader) (bool, error) {
		lines, commit := bufio.NewReader(out), ""
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return true, endOf(err)
			}
			line = strings.TrimSuffix(line, "\n")
			if id, ok := strings.CutPrefix(line, "commit "); ok {
				commit = id
				continue
			}
			if authored, email, _ := strings.Cut(line, " "); wanted[authored] {
				seconds, _ := strconv.ParseInt(authored, 10, 64)
				same := header.NewCommitKey(seconds, email, "").WithoutSubject()
				alike[same] = append(alike[same], commit)
			}
		}
	})
	return alike, err
}

func endOf(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}
