// Package codereview is what a face can ask for around the findings of code reviews: the plan
// of a review, its findings added, the artefacts for people, and the work that findings are.
//
// It reads the repository and writes the artefacts; what is remembered is package
// vault/findings. Its promise: an artefact replaces only an artefact, all of it or nothing,
// and none goes where it would become a memory.
//
//	room := codereview.Room{App: a, Session: s}
//	added, err := room.Add(ctx, codereview.Review{}, os.Stdin)
//	reported, err := room.Report(ctx, codereview.Reports{})
package codereview
