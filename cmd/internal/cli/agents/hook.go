package agents

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/hook"
	"github.com/cp-memory/cp/cmd/internal/settings"
)

// The times of a hook: an agent waits for it.
const (
	listening = 200 * time.Millisecond // for the agent's input
	answering = 600 * time.Millisecond // until the vault as it is now is given up for its index; beside many others a process takes 200 more to begin and to end
)

// Hook answers an agent's hook. It reads its own flags, since a flag that it does not know
// must not stop an agent.
func Hook(f console.Console) *cobra.Command {
	return &cobra.Command{
		Use:   "hook <start|file|prompt|end> --agent name",
		Short: "Answer the hook of an agent",
		Long: `For the hooks of agents, which "cp memory setup" enters. It reads what the agent sends
on stdin and answers in its form. The exit code is 0 whatever happens: outside of any vault
it says nothing, and of a vault that cannot be read one line.

  start    what was handed over on this branch ("cp memory handoff"), and closes it; then
           what "cp memory prime" prints; after a conversation was compacted also what was
           written since it began
  file     up to five memories that are bound to the file which the agent has just read or
           changed, each once a session; and after an edit which of them are about lines
           that it changed; hooks: {file: false} in ~/.cp/config.yaml switches it off
  prompt   up to three memories that the prompt is about, if ~/.cp/config.yaml says
           hooks: {prompt: true}
  end      keeps the last answer as an entry of the journal, if ~/.cp/config.yaml says
           auto_capture: true

With --tools it names the tools of the server where it would name commands; "cp memory
setup" enters that for an agent that has them.

An agent is answered within a second. Where the index takes longer, the answer comes from
the index as it was, or says so, and "hook index" brings it up to date in the background.
Of a file the index answers as it was after a tenth of a second. "hook compact" prints
nothing: it has what was told of files told again, where an agent tells the start nothing of
a conversation that was compacted.`,
		Example:            `  echo '{"source":"startup"}' | cp memory hook start --agent claude-code`,
		Args:               cobra.ArbitraryArgs,
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			event, flags, tools, help := parseHookArgs(args)
			if help {
				return cmd.Help()
			}
			if event == hook.Index {
				if err := hook.Catch(cmd.Context(), f.App, flags); err != nil {
					f.Debugf("the index is not current: %v", err)
				}
				return nil
			}
			answerEvent(cmd.Context(), f, flags, event, tools)
			return nil
		},
	}
}

// parseHookArgs reads the command line of a hook.
func parseHookArgs(args []string) (event string, flags settings.Flags, tools, help bool) {
	flags.Writer.Tool = true
	values := map[string]*string{"--agent": &flags.Agent, "--vault": &flags.Vault, "--config": &flags.Config}
	for i := 0; i < len(args); i++ {
		name, value, valued := strings.Cut(args[i], "=")
		switch to := values[name]; {
		case args[i] == "-h" || args[i] == "--help":
			return "", flags, false, true
		case args[i] == "--tools":
			tools = true
		case to != nil && valued:
			*to = value
		case to != nil && i+1 < len(args):
			i++
			*to = args[i]
		case !strings.HasPrefix(args[i], "-") && event == "":
			event = args[i]
		}
	}
	return event, flags, tools, false
}

// answerEvent answers an event. Nothing of it fails: an agent goes on without.
func answerEvent(ctx context.Context, f console.Console, flags settings.Flags, event string, tools bool) {
	defer func() { _ = recover() }()
	deadline := f.Now().Add(answering)
	in := heard(f)
	in.Tools = tools
	text := hook.Run(ctx, f.App, flags, event, in, deadline)
	_, _ = f.Out.Write(hook.Answer(flags.Agent, event, in, text))
}

// heard reads what the agent sends. An agent that sends nothing, and leaves stdin open, is
// not waited for; the reading ends with the process.
func heard(f console.Console) hook.Input {
	if f.InTTY || f.In == nil {
		return hook.Input{}
	}
	read := make(chan hook.Input, 1)
	go func(in io.Reader) { read <- hook.Read(in) }(f.In)
	select {
	case in := <-read:
		return in
	case <-time.After(listening):
		return hook.Input{}
	}
}
