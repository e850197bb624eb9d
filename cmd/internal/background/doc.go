// Package background has work done after an answer, by a process of its own: nobody waits
// for it, and it holds none of the vault's locks meanwhile.
//
// It promises that one process at a time does the work in a clone, that what is asked for
// while it works is done, too, and that no file or terminal of the command that asked stays
// open in it. A process that is killed loses nothing: the next one that is asked for does
// the work.
//
// The command asks, and starts the program once more:
//
//	w := background.Work{Dir: stateDir, Name: "embed"}
//	if w.NoteWanted() == nil {
//		err = background.Start(root, "admin", "embed-backfill", "--background")
//	}
//
// and that process does it:
//
//	err := w.Do(func() error { _, err := session.Embed(ctx, embed.Run{}); return err })
package background
