package transfer

import "strings"

// Letta keeps its memory in a git repository: system/*.md is in every prompt, the rest is read
// when it is needed. A header has description, read_only and limit. The description is the
// phrase; what is in every prompt gets the label system.

// letta reads the form.
func (r *reader) letta() {
	for _, n := range r.notes() {
		n.place = r.freePlace(n.stem())
		if strings.HasPrefix(n.Rel, "system/") {
			n.label("system")
		}
		r.takeNote(n)
	}
}
