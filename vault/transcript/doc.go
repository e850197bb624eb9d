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
package transcript
