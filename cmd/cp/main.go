// Command cp is a Git-backed memory for agents and the people beside them:
// Markdown files in a tree, one commit per write, an index that can be thrown
// away. See "cp help", and "go doc ./vault" for the design.
//
// Called as cp, it hands every command line that is not its own to the
// system's cp, before anything else is initialised: see package passthrough.
package main

import (
	"os"

	"github.com/cp-memory/cp/cmd/internal/wire"
)

// version is set by the linker: -X main.version=v1.2.3.
var version string

func main() { os.Exit(wire.Main(version)) }
