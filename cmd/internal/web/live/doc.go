// Package live knows which vaults have changed while a server runs, and which memories in them.
//
// It looks at the generation of each vault's mirror, which a watcher keeps current and every
// write raises, so it sees the writes of all programs; it reads no text. Who listens says what
// they have seen, the stamp of an earlier answer, and is told what came since, or that they are
// to look at everything: after a pause, or when very much has changed.
//
//	f := live.New()
//	go f.Run(ctx, app)
//	l := f.Listen(stamp) // empty: from now on
//	defer l.Leave()
//	<-l.Wake()
//	news, stamp := l.News()
package live
