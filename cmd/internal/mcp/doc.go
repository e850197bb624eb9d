// Package mcp is the face that agents see: a server of the Model Context Protocol with eight
// tools for the memories of a vault, a resource for each memory, and three prompts.
//
// A tool fills the options of a verb, calls the same use case as the command line, and answers
// in text. The server promises:
//
//   - What is said of it (discover, initialize, tools/list) needs no vault and opens none. A
//     vault is opened by the first call that needs it, and stays open; the settings are read
//     again at each call.
//   - Calls run side by side, each on a session of its own, and beside other processes. A write
//     that has begun is finished or undone, whatever becomes of the client.
//   - What a memory says is data: it stands between <memory> and </memory>, with its author and
//     its date, and holds nothing that looks like one of the two. Nothing of it is in what the
//     server says of itself.
//   - A call that cannot be done answers with a sentence and a hint. A line that is no message
//     is answered with an error and harms no other.
//   - It keeps the index of each vault in use current, if nobody else does. It never commits by
//     itself.
//
// The way in is [New], then [Server.Stdio] or [Server.HTTP]:
//
//	server := mcp.New(mcp.Options{App: a, Warn: warn})
//	defer server.Close()
//	err := server.Stdio(ctx, os.Stdin, os.Stdout)
package mcp
