package plumb

import (
	"context"
	"strings"
)

// Command runs a git command in dir as this package runs its own: no hooks, no
// programs that a repository names, no prompts. It returns the standard output
// without its last line feed; the error carries what git said.
func Command(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := run(ctx, dir, nil, nil, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}
