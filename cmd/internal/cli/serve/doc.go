// Package serve has the command that serves a vault to agents: it turns flags into a
// [mcp.Server] and a place to listen at, and ends with its client.
//
// It promises that stdout carries messages alone, and that a server which listens at an
// address or a socket is reached by nobody who does not know its token.
//
// The way in is [MCP]:
//
//	root.AddCommand(serve.MCP(f))
package serve
