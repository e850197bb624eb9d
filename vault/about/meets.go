package about

// Meets reports whether two bindings about one file may be about the same lines: one of them is not about
// lines, or they overlap.
func (b Binding) Meets(other Binding) bool {
	return b.From == 0 || other.From == 0 || b.From <= other.To && other.From <= b.To
}
