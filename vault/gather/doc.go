// Package gather has a language model propose observations from a session with an agent.
//
// The model is shown what the person said, turn by turn, with what looks like a credential
// taken out. It answers by [Schema]: a sentence, the words of the person that it stands on,
// and their turn. A proposal whose quote does not stand in the turn that it names is dropped,
// and so is one that looks like it holds a credential; each is named. What is kept becomes an
// observation that waits for a person (see package journal), with the quote below it, the
// session among those that have seen it, and the message as its source. A turn that an
// observation was made of is not shown again.
//
//	part := gather.Parts(session.Turns)
//	found, skipped, err := gather.Ask(ctx, model, part[0])
//	out, receipt, err := vault.Do(ctx, v, gather.Keep{Agent: "claude", Session: id, Proposals: found}, vault.Options{})
package gather
