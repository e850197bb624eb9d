// Package doctor finds faults of a vault, its index, its repository and the machine.
//
// A [Check] is a value: its name, a sentence for the case that it finds nothing, and a
// function that looks. There are four lists of them: the machine, the
// repository, the index and the contents. A check changes nothing, and sees
// the disk, git and SQLite through small ports only ([Machine], [Repository],
// [Attributes], [Folder], [State], [Index]); so a table tests it.
//
// Its answer is a [Finding] with a severity, the evidence, and the next step to take.
// Names and severities are promises: programs read them.
//
//	p := &doctor.Patient{Syncer: syncer, Root: root, Machine: machine, Repository: repository, …}
//	for _, f := range p.Examine(ctx) {
//		fmt.Println(f.Severity, f.Check, f.Evidence, f.Fix)
//	}
//
// [Patient.PlanFix] returns the repairs that a program can make by itself, and
// [Patient.ApplyFix] makes them: stale locks of git, the merge driver, a damaged index, and
// discrepancies that sync settles. A broken repository comes before all that and has a
// type of its own, [Damage].
//
// # Verify
//
// This part compares the index with the files, byte for byte.
//
// A command that reads the vault looks at sizes and times to learn which files it must read
// again. Here every file is read: what an index that lost a row, or a file that changed
// without a trace in its times, gets wrong, shows. All rows are compared with those that the
// files would give now, so that one which something else has written into shows as well.
//
// Its promise: it changes nothing. A report without differences means that each readable file
// has its rows, each row its file, and that they say the same.
//
//	r, err := doctor.CompareIndex(ctx, v.Store, mirror)
//	for _, d := range r.Differences { // missing notes/new.md
//		fmt.Println(d.Kind, d.Path)
//	}
package doctor
