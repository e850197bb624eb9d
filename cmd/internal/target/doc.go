// Package target decides what a command is about before it runs: which vault, which project in
// it, and whether those below answer too. A command that names a memory which the current
// vault has not is about the vault of the family that has it.
//
// It promises that a command is never run to find that out, and never twice: the vault is opened,
// the first memory that is named is looked for by one point read, and only where it is not there
// are the vaults of the family asked. A vault that is alone is asked nothing. The vault in which
// the memory was found stays open and is the one that the command gets. Where the command then
// says that there is no such memory, the answer is explained: it may be one of another project.
//
// What is asked for is a [Request], a value that nobody changes, and what is decided is a [Target]:
//
//	r := target.Resolver{App: a}
//	err := r.Do(ctx, target.Request{About: about, Verb: "show", Refs: ids}, func(t target.Target) error {
//		return show(ctx, t.Session, ids)
//	})
package target
