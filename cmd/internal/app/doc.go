// Package app is what every face can ask for: the use cases that lie between a
// verb of a room and what a person or a program is shown. It opens the vault by
// the settings, delivers what waits before it writes, has a model draft a phrase
// and a person approve it, looks for what says the same already, turns filters as
// people write them into those of the rooms, judges the health of a vault, makes
// a vault, and reads the lines of a batch and the files of an import.
//
// It promises that no face needs thoughts of its own: flags, tools and forms fill
// the same options, and what comes back is a value. It prints nothing and asks
// nobody: what is to be told beside an answer goes to the functions that the face
// gives, and who is to be asked is a [Person]. Nothing of the vault is touched
// before a face asks for it, and nothing is locked while a model or a person
// thinks.
//
// The way in is an [App], filled where things are wired, and the doors of a
// vault, [Read], [Look] and [Write]:
//
//	a := &app.App{Env: os.Getenv, Dir: dir, Now: time.Now, Wire: wire, Finder: finder}
//	told := func(t vault.Tended) { /* what was committed on the way */ }
//	err := a.With(ctx, flags, func(s *app.Session) error {
//		app.Write.Enter(ctx, s, told)
//		added, err := s.Add(ctx, tree.Add{Text: "How the gateway is restarted."})
//		if err == nil && added.Queued {
//			fmt.Println("waits until the", added.Busy, "ends")
//		}
//		return err
//	})
//
// # Fit
//
// This part makes answers as large as a budget of tokens allows, however they are printed.
package app
