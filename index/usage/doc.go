// Package usage is the access telemetry of one clone: who read which memory when,
// and how often. It implements [vault.Usage] ([DB]) in a file of its own, usage.db,
// that outlives the index, and repeats nothing that could be derived from the files.
//
// Its promise: no reading is lost however many processes read at once, and of two
// states of another clone's counts the greater number counts (team.go). What cannot
// be counted fails no command.
//
// The way in is [New], which opens the file with the first question:
//
//	u := usage.New(path, nil)
//	err := u.Touch(ctx, []vault.Access{{ID: "pf-7k2m9qx4", At: now, By: "agent"}})
//	reads, err := u.Reads(ctx, []vault.ID{"pf-7k2m9qx4"}) // {1 now}
//
// A mirror that repeats the counts, so that SQL can order by them, asks for what
// has changed since ([DB.News]).
package usage
