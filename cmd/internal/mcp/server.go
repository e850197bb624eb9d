package mcp

import (
	"cmp"
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/guide"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
)

// name is that of the server.
const name = "cp-memory"

// Options say what a server works with.
type Options struct {
	App   *app.App          // as it was wired; each session has a copy
	About registry.About    // what the server is started for
	Warn  func(text string) // for the person who started the server; nil tells nobody
}

// Server answers the calls of agents.
type Server struct {
	sdk    *sdk.Server
	vaults *vaults
}

// New returns a server that has opened nothing yet. Close it after the last call.
func New(o Options) *Server {
	s := &Server{vaults: newVaults(o)}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: name, Title: "cp memory", Version: cmp.Or(o.App.Version, "dev")}, &sdk.ServerOptions{
		Instructions: instructions(o),
		// Without it the server would offer logging, which is deprecated, and lists that change.
		Capabilities:      &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Prompts: &sdk.PromptCapabilities{}, Resources: &sdk.ResourceCapabilities{}},
		CompletionHandler: s.complete,
	})
	s.tools()
	s.resources()
	s.prompts()
	return s
}

// Close ends the watchers and closes the vaults, once the calls under way have ended.
func (s *Server) Close() { s.vaults.closeAll() }

// Serve serves one connection until it ends. An end that was asked for is no error.
func (s *Server) Serve(ctx context.Context, t sdk.Transport) error {
	err := s.sdk.Run(ctx, t)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// instructions are what a client tells its model of the server: where there is no vault, that
// there is none.
func instructions(o Options) string {
	if _, err := settings.Load(o.About.Flags, o.App.Place()); vault.CodeOf(err) == vault.CodeNoVault {
		return guide.None
	}
	return guide.Instructions()
}
