package cli

import (
	"context"
	"crypto/rand"
	"io"
	"net"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/mcp"
	"github.com/cp-memory/cp/cmd/internal/web/guard"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// place says where a server listens; nowhere is stdin and stdout.
type place struct {
	HTTP      string `flag:"http" help:"listen at this loopback <address>, as 127.0.0.1:7777; port 0 is any"`
	Socket    string `flag:"socket" help:"listen at this socket <file>"`
	TokenFile string `flag:"token-file" help:"the <file> with the token that clients have to send"`
}

// ServeCommand serves the memories to an agent.
func ServeCommand(f console.Console) *cobra.Command {
	var at place
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the memories to an agent (Model Context Protocol)",
		Long: `A server of the Model Context Protocol on stdin and stdout: an agent's client starts it and
ends it. It has eight tools (memory_recall, memory_show, memory_tree, memory_add,
memory_update, memory_move, memory_retire, memory_history), the resource
memory://{+path} and three prompts. The vault is the one that a command in the same
folder would find; it is opened by the first call. cp help mcp tells more.

With --http or --socket it serves several clients, each of which has to send the token:
"Authorization: Bearer TOKEN". The token is that of --token-file, else of CP_MCP_TOKEN, else
a new one that is told on stderr. The address is http://ADDRESS/mcp.`,
		Example: `  cp memory mcp --vault ~/memory
  cp memory mcp --http 127.0.0.1:7777 --token-file ~/.cp/token`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if os.Getenv("GOGC") == "" {
				debug.SetGCPercent(collectAt)
			}
			server := mcp.New(mcp.Options{App: f.App, About: f.Request().About, Warn: func(text string) { f.Warn(text) }})
			defer server.Close()
			if at.HTTP == "" && at.Socket == "" {
				return stdio(cmd.Context(), f, server)
			}
			return at.serve(cmd, f, server)
		},
	}
	console.Bind(cmd, &at)
	cmd.MarkFlagsMutuallyExclusive("http", "socket")
	return cmd
}

// collectAt has the heap of a server, of which 15 MB live, grow to four times that before a
// collection: a tenth less work for each call.
const collectAt = 300

// stdio serves the client that has started us.
func stdio(ctx context.Context, f console.Console, server *mcp.Server) error {
	if f.InTTY {
		f.Errs().Printf("An agent's client starts this command and talks to it on stdin; Ctrl+D ends it. See cp help mcp.\n")
	}
	in, ok := f.In.(io.ReadCloser)
	if !ok {
		in = io.NopCloser(f.In)
	}
	return server.Stdio(ctx, in, f.Out)
}

// serve listens and tells where.
func (at place) serve(cmd *cobra.Command, f console.Console, server *mcp.Server) error {
	token, told, err := at.token(f)
	if err != nil {
		return err
	}
	l, err := at.listen(cmd.Context(), f)
	if err != nil {
		return err
	}
	where := "http://" + l.Addr().String() + mcp.Path
	if at.Socket != "" {
		where = "the socket " + at.Socket
	}
	f.Errs().Printf("Serving MCP at %s\n", where)
	if told {
		f.Errs().Printf("Authorization: Bearer %s\n", token)
	}
	return server.HTTP(cmd.Context(), l, token)
}

// listen opens the socket, which its owner alone may use, or the address, which has to be of
// this machine: there is no encryption.
func (at place) listen(ctx context.Context, f console.Console) (net.Listener, error) {
	if at.Socket != "" {
		return guard.ListenAt(ctx, f.Abs(at.Socket))
	}
	host, _, err := net.SplitHostPort(at.HTTP)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, vault.Errorf(vault.CodeInvalid, "use 127.0.0.1:PORT; a tunnel brings it to another machine", "--http takes an address of this machine with a port, not %q", vault.Clip(at.HTTP, 60))
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", at.HTTP)
	if err != nil {
		return nil, vault.Errorf(vault.CodeIO, "choose another port; 0 is any", "cannot listen at %s: %w", at.HTTP, err)
	}
	return l, nil
}

// tokenEnv is the variable with the token.
const tokenEnv = "CP_MCP_TOKEN"

// leastToken is the fewest characters of a token that nobody guesses.
const leastToken = 16

// token returns the token, and whether it is new and has to be told.
func (at place) token(f console.Console) (token string, told bool, err error) {
	token = strings.TrimSpace(f.Env(tokenEnv))
	if at.TokenFile != "" {
		text, err := os.ReadFile(f.Abs(at.TokenFile))
		if err != nil {
			return "", false, vault.Errorf(vault.CodeIO, "check the path", "cannot read the token: %w", disk.Cause(err))
		}
		token = strings.TrimSpace(string(text))
	} else if token == "" {
		return rand.Text(), true, nil
	}
	if len(token) < leastToken || strings.ContainsAny(token, " \t\r\n") {
		return "", false, vault.Errorf(vault.CodeInvalid, "`openssl rand -hex 16` makes one", "a token is one word of at least %d characters", leastToken)
	}
	return token, false, nil
}
