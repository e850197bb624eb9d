package passthrough

// Code generated from the command tree: go test ./cmd/internal/cli -run TestTheWords -args -update. DO NOT EDIT.

// commands are the words that make a command line ours, each with the words that may
// follow it.
var commands = map[string][]string{
	"admin":        {"embed-backfill", "embed-calibrate", "help"},
	"completion":   {"bash", "fish", "powershell", "zsh"},
	"demo":         {},
	"doctor":       {},
	"help":         {"admin", "agents", "branches", "browse", "code", "compatibility", "completion", "demo", "doctor", "exit-codes", "files", "finding", "findings", "format", "generation", "graph", "import", "init", "journal", "json", "mcp", "memory", "merge-driver", "merging", "project", "projects", "recall", "review", "setup", "shard", "sql", "status", "tasks", "teams", "vectors", "version", "web"},
	"init":         {},
	"mcp":          {},
	"memory":       {"about", "add", "add-parent", "add-sub", "approve", "awareness", "batch", "bind", "blame", "browse", "capture", "changes", "confirm", "context", "defer", "delete", "demote", "deny", "diff", "edit", "eject", "entities", "entity", "export", "extract", "fact", "findings", "gc", "graph", "guide", "handoff", "help", "hook", "hot", "import", "list", "log", "mcp", "merge-into", "move", "observe", "path", "prime", "promote", "pull", "push", "reanchor", "recall", "reindex", "remember", "resolve", "restore", "review", "search", "setup", "show", "stale", "status", "summarize", "supersede", "sync", "tool", "tree", "unbind", "undo", "update", "verify", "watch"},
	"merge-driver": {},
	"project":      {"add", "help", "list", "prune", "scan", "show"},
	"recall":       {},
	"setup":        {"help", "shell"},
	"shard":        {"edges", "help", "list", "show"},
	"status":       {},
	"version":      {},
	"web":          {},
}

// globals are the flags that may stand before a command, and whether a value follows.
var globals = map[string]bool{
	"--agent":         true,
	"--all":           false,
	"--config":        true,
	"--debug":         false,
	"--exact-project": false,
	"--limit":         true,
	"--no-input":      false,
	"--output":        true,
	"-o":              true,
	"--project":       true,
	"--vault":         true,
}
