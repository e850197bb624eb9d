// Package agents holds the commands by which agents come to a memory: setup, which connects
// them, and hook, which they call.
//
// The promise: setup writes nothing that was not shown, unless --yes says so. hook exits with
// 0 whatever it is given.
//
//	group.AddCommand(agents.Setup(console), agents.Hook(console))
package agents
