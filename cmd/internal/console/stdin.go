package console

import (
	"context"
	"io"
)

// Stdin is the program's input for a command that reads all of it: an interrupt ends the
// waiting. The reading then ends with the process.
func (f Console) Stdin(ctx context.Context) io.Reader { return &interruptible{ctx: ctx, in: f.In} }

type interruptible struct {
	ctx context.Context
	in  io.Reader
}

// Read reads into a piece of its own, which it may still fill when nobody waits any more.
func (r *interruptible) Read(p []byte) (int, error) {
	type piece struct {
		b   []byte
		err error
	}
	read := make(chan piece, 1)
	go func() {
		b := make([]byte, len(p))
		n, err := r.in.Read(b)
		read <- piece{b[:n], err}
	}()
	select {
	case got := <-read:
		return copy(p, got.b), got.err
	case <-r.ctx.Done():
		return 0, context.Cause(r.ctx)
	}
}
