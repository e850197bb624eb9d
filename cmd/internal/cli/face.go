package cli

import "github.com/cp-memory/cp/cmd/internal/console"

// face is the console with the commands of this package.
type face struct{ console.Console }
