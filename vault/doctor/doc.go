// Package doctor tells what is wrong with a vault and with what it stands on.
//
// A [Check] is a value: its name, what is said when it finds nothing, and a
// function that looks. There are four lists of them: the machine, the
// repository, the index and the contents. A check changes nothing, and sees
// the disk, git and SQLite through small ports only ([Machine], [Repository],
// [Attributes], [Folder], [State], [Index]); so a table tests it.
//
// What it answers is a [Finding] with a severity, the evidence, and the next
// step to take. Names and severities are promises: programs read them.
//
//	p := &doctor.Patient{Syncer: syncer, Root: root, Machine: machine, Repository: repository, …}
//	for _, f := range p.Examine(ctx) {
//		fmt.Println(f.Severity, f.Check, f.Evidence, f.Fix)
//	}
//
// [Patient.PlanFix] returns what a program can put right by itself, and
// [Patient.Apply] does it: stale locks of git, the merge driver, a damaged
// index, and what sync settles. A broken repository comes before all that and
// has a type of its own, [Damage].
package doctor
