// Package guide holds what agents are told of the memory: one text in three lengths, from one
// source, guide.md. Each of its lines begins with the shortest length that has it.
//
// How an agent reaches the memory is said as it does: by the tools of the server where that
// is connected, else by the program.
//
//	guide.Rules(guide.Ways{Tools: true})                       // for the file that an agent always loads
//	guide.Instructions()                                       // of the server
//	guide.Skill(guide.Ways{Program: "/usr/local/bin/cp-memory"}) // for who wants to know more
package guide
