// Package knowledge is what a face can ask for around facts and the graph: facts drawn by a
// language model, the graph walked, listed and searched, and what nothing stands for taken away.
//
// It brings the settings, the model and the clone's budget of tokens together; the facts are
// packages vault/graph and vault/graph, the graph is package vault/graph. Its promises: each
// answer is of files as they are now, and what a model will cost is told before it is asked.
//
//	room := knowledge.Room{App: a, Session: s}
//	g, err := room.Graph(ctx, graph.Options{})
//	r, err := room.Extract(ctx, knowledge.Extract{}, tell)
package knowledge

import "github.com/cp-memory/cp/cmd/internal/app"

// Room is an open vault in a run of the program.
type Room struct {
	App *app.App
	*app.Session
}
