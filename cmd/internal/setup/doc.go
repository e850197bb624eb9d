// Package setup connects agents with a memory: it enters the MCP server and the start hook in
// their settings, writes a section into the file that they load every time, and gives them the
// skill.
//
// What each agent wants is one table, [Agents]. The files are other programs' and people's.
// They are changed by package splice, which keeps every byte that it does not mean to change,
// and the section is kept by the rule of package core. A [Place] says where the files are, a
// [Request] what is wanted, and a [Plan] what would be written, with the differences.
//
// The promise: a plan writes nothing. Carried out, it changes what it showed and no more; a
// file that another program saved in the meantime stays as that program left it. The same
// request again changes nothing. A removal gives back each file as it was, byte for byte where
// nobody else changed it, and takes out our own parts only where somebody did. The first
// change of a settings file keeps its text beside it, as NAME.cp-memory.bak, until the
// removal. No value of CP_VAULT is written, and no "cp" as a command, which may be the
// system's.
//
//	plan, err := place.Plan(setup.Request{Agents: agents, Scope: setup.User})
//	if plan.Behind() != nil { … }
//	err = place.Apply(&plan)
package setup
