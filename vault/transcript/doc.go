// Package transcript reads what agents keep of a session, for what the person said.
//
// Agents write a session down in files of their own, whose shapes are internal and change. A
// [Reader] takes the lines of one and returns the turns of the person: without what a hook, a
// client or this program had put into them ([Clean]), without results of tools, and without
// those of sub-agents. A turn keeps the id of its message, so that it is asked about once.
//
// Its promise: what cannot be read is counted and passed over; nothing of an agent, a tool or a
// memory that was recalled comes out as a person's word. It opens no file.
//
//	r := transcript.NewReader("claude")
//	for line := range lines {
//		r.Line(line)
//	}
//	for _, turn := range r.Session().Turns {
//		fmt.Println(turn.At, turn.Text)
//	}
//
// opencode keeps its sessions in a database: package index/opencode reads that.
//
// # Gather
//
// This part has a language model propose observations from a session with an agent.
//
// The model is shown what the person said, turn by turn, with what looks like a credential
// taken out. It answers by [ProposalSchema]: a sentence, the words of the person that it stands on,
// and their turn. A proposal whose quote does not stand in the turn that it names is dropped,
// and so is one that looks like it holds a credential; each is named. What is kept becomes an
// observation that waits for a person (see package journal), with the quote below it, the
// session among those that have seen it, and the message as its source. A turn that an
// observation was made of is not shown again.
//
//	part := transcript.SessionParts(session.Turns)
//	found, skipped, err := transcript.AskProposals(ctx, model, part[0])
//	out, receipt, err := vault.Do(ctx, v, transcript.Keep{Agent: "claude", Session: id, Proposals: found}, vault.Options{})
package transcript
