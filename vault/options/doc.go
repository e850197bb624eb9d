// Package options reads what a verb takes from the tags of its struct, once for all faces:
// the flags of a command, the keys of a line of a batch, the parameters of a tool.
//
//	type Amend struct {
//		Ref    string   `json:"id" need:"yes" tool:"id"`
//		Append *string  `json:"append" oneof:"yes" flag:"append" help:"add a <paragraph> at the end" tool:"append" about:"a paragraph at the end"`
//		Labels []string `json:"labels" oneof:"yes" flag:"label" commas:"yes" help:"<labels> to add" tool:"add_labels"`
//		Verb   string   `json:"-"`
//	}
//
// The tags of a field:
//
//	json     its key in a line of a batch and in the outbox; batch:"-" is one of the outbox alone
//	also     another word for that key
//	need     it has to be there; oneof: one of those that are so has to
//	flag     its flag, with help, where <word> names the value; one without is an argument, or
//	         is bound by hand. commas:"yes" splits the values of a list
//	tool     its parameter; "parent,need" is one that a tool needs and a line may lack. about
//	         tells of it, of lists the words that it can be, default is what it is when it says
//	         nothing, and within holds the least and the largest number
//
// Embedded structs stand in their place; a struct in a field with a key has keys of its own.
//
// It promises: what a face takes is what the struct says, in the order of the struct. It knows
// no verb, and does no I/O. The way in is [Of]; [KeysOf], [Schema] and [Decode] make of it what
// a face needs, and package console binds the flags.
//
//	schema := options.Schema(tree.Amend{})
package options
