// Package hook answers the hooks of agents: at the start of a session with what was handed over to
// it and what the agent should know, after a tool with the memories that are bound to the file which it
// has read or changed, at a prompt with the memories that fit it, and at the end by keeping the last
// answer, where the user's settings ask for it.
//
// Agents agree on a JSON object on stdin and one on stdout, and not on its keys. [Read] takes
// up what any of them sends; [Answer] says a text in the form of one.
//
// The promise: a hook never stops an agent. It ends within a second, whatever it reads and
// whatever state the vault is in; its caller exits with 0. Outside of any vault it says
// nothing, and of a vault that cannot be read one line. What it says stands between tags of ours,
// which package transcript takes out, and is never kept as if somebody had said it.
//
//	in := hook.Read(os.Stdin)
//	text := hook.Run(ctx, app, flags, "start", in, deadline)
//	os.Stdout.Write(hook.Answer("claude-code", "start", in, text))
package hook
