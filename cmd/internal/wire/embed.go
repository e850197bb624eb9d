package wire

import (
	"context"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/background"
)

// embedWork is the making of vectors in the background. All work trees of a repository share
// the vectors, so they share the work.
func embedWork(s *app.Session) background.Work {
	return background.Work{Dir: s.State.CommonStateDir(), Name: "embed"}
}

// embedLater starts a process that makes the missing vectors of an open vault. Without git
// there is no place for its state, and nothing is started.
func embedLater(s *app.Session, config string) error {
	w := embedWork(s)
	if w.Dir == "" {
		return nil
	}
	if err := w.NoteWanted(); err != nil {
		return err
	}
	args := []string{"admin", "embed-backfill", "--background", "--no-input", "--vault", s.Root}
	if config != "" {
		args = append(args, "--config", config)
	}
	return background.Start(s.Root, args...)
}

// embedAlone makes vectors while a person waits, after the process that makes some already, so
// that no text is paid for twice. Without git there is no place for the lock.
func embedAlone(ctx context.Context, s *app.Session, do func() error) error {
	w := embedWork(s)
	if w.Dir == "" {
		return do()
	}
	return w.Alone(ctx, do)
}

// embedding does the work of the process that embedLater started.
func embedding(s *app.Session, do func() error) error { return embedWork(s).Do(do) }
