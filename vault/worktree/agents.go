package worktree

// writeSections writes what agents load, or takes that back. A file that cannot be written is told
// of and keeps no write from being finished: what is decided stands in the commit.
func (r *run) writeSections(back bool) {
	w := SectionWriter{Op: r.in.Op, SectionLedger: SectionLedgerIn(r.s.state), Keep: func(name, path, sum string) error {
		_, err := r.s.displacedFiles().Keep(r.in.Op, name, path, sum)
		return err
	}}
	for _, s := range r.in.Sections {
		if back {
			s.Text, s.Was = s.Was, s.Text
		}
		if err := w.Write(s); err != nil {
			r.note("%v", err)
		}
	}
}
