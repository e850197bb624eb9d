// Package opencode reads the sessions that the agent opencode keeps in a database of its own.
//
// The database is another program's: it is opened to be read only, never waited for long, and
// no row of it is believed to have a shape. Table session has id, directory and parent_id (a
// sub-agent's session has one), message and part have JSON in data:
//
//	session(id, directory, parent_id, time_updated)
//	message(id, session_id, time_created, data)      {"role":"user"}
//	part(id, message_id, session_id, data)           {"type":"text","text":"Use tabs.","synthetic":false}
//
//	s, err := opencode.Read(ctx, path, opencode.Which{Dir: "/app"})
//	for _, turn := range s.Turns {
//		fmt.Println(turn.Text)
//	}
package opencode
