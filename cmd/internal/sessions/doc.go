// Package sessions is `observe --from-session`: what a person said to an agent becomes
// observations that wait for a decision.
//
// It finds the file in which an agent keeps a session, reads it for the person's turns
// (vault/transcript, index/opencode), has the configured model propose observations
// (vault/transcript), asks the person for each where there is one, and writes what is kept in one
// commit. It promises that nothing is sent before it is told how much, that nothing is written
// without a word, and that a transcript is only read.
//
//	sessions.Extend(c, observe)
//	out, err := sessions.Room{App: a, Session: s}.Observe(ctx, sessions.Observe{From: "latest"}, tell, nil)
package sessions
