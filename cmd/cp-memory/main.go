// Command cp-memory is cp under a name that the system's cp does not have: clients
// of agents and scripts call it where a PATH could lead them to the other one. It is
// the same program: "cp-memory recall …" is "cp memory recall …".
package main

import (
	"os"

	"github.com/cp-memory/cp/cmd/internal/wire"
)

// version is set by the linker: -X main.version=v1.2.3.
var version string

func main() { os.Exit(wire.Main(version)) }
