package worktree

// WithoutExchange and WithoutLinks take away what some file systems lack;
// BeforeExchange calls fn before each exchange, where a person's save may fall.
func (s *Store) WithoutExchange(err error) { s.exchange = func(_, _ string) error { return err } }
func (s *Store) WithoutLinks(err error)    { s.link = func(_, _ string) error { return err } }

// WithoutExchange is [Store.WithoutExchange].
func (w *SectionWriter) WithoutExchange(err error) {
	w.exchange = func(_, _ string) error { return err }
}

func (s *Store) BeforeExchange(fn func(a, b string)) {
	next := s.exchange
	s.exchange = func(a, b string) error {
		fn(a, b)
		return next(a, b)
	}
}

func (s *Store) AfterExchange(fn func(a, b string)) {
	next := s.exchange
	s.exchange = func(a, b string) error {
		err := next(a, b)
		fn(a, b)
		return err
	}
}

// PathOf returns the file that the error of a failed change names.
func (s *Store) PathOf(err error) string { return s.describeError(err).Path }
