package anchors

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault/header"
)

// sameWork is what a rewritten commit keeps.
type sameWork struct {
	time  int64
	email string // as in a key
}

// listAlike returns the commits that HEAD reaches by author and time, of the authors' times that the
// commits have.
func (f *follower) listAlike(ctx context.Context, strayed []header.Anchor) (map[sameWork][]string, error) {
	wanted := map[string]bool{}
	for _, a := range strayed {
		if key, ok := header.ParseCommitKey(a.CommitKey); ok {
			wanted[strconv.FormatInt(key.Time, 10)] = true
		}
	}
	alike := map[sameWork][]string{}
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
				same := sameWork{seconds, header.NewCommitKey(seconds, email, "").Email}
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
