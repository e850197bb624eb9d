package code

import "context"

// isIgnored reports whether git ignores a path where nothing is. It is what add says of it:
// check-ignore knows no literal paths.
func (f files) isIgnored(ctx context.Context, name string) (bool, error) {
	_, err := f.repo.Run(ctx, nil, "add", "--dry-run", "--ignore-missing", "--", name)
	return err != nil, ctx.Err()
}
