package console

import "io"

// Replay is stdin for a command that may be run a second time: what it has read by then is
// read again. Without Record it keeps nothing.
type Replay struct {
	in     io.Reader
	record bool
	kept   []byte
	again  []byte // what of kept is still to be read
}

// Record keeps what is read from now on.
func (r *Replay) Record() { r.record = true }

// Rewind has what was kept be read again, and then the rest.
func (r *Replay) Rewind() { r.record, r.again = false, r.kept }

// Read reads what is to be read again, and then the input.
func (r *Replay) Read(p []byte) (int, error) {
	if len(r.again) > 0 {
		n := copy(p, r.again)
		r.again = r.again[n:]
		return n, nil
	}
	n, err := r.in.Read(p)
	if r.record {
		r.kept = append(r.kept, p[:n]...)
	}
	return n, err
}
