package setup

import (
	"bytes"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// left is the temporary file of a run that was killed. It holds, by the moment of the kill:
//
//	before the exchange    the next text, or a beginning of it
//	after the exchange     the text that the file had
//	in a removal           the text of a file of ours, which itself is gone
//	between two exchanges  what another program saved at that very moment
//
// All but the last is ours: it says nothing that the file does not say too, apart from our
// own parts. That is cleared away by the next run; the last stays, and is named.
type left struct {
	text []byte
	ours bool
}

// findLeft reads what a killed run left beside a file.
func (f *file) findLeft() {
	if text, err := readLimited(f.temp()); err == nil {
		f.left = &left{text: text}
	}
}

// clear removes what a killed run left beside a file, if it is ours.
func (f *file) clear() error {
	if f.left == nil {
		return nil
	}
	if !f.left.ours {
		return vault.Errorf(vault.CodeConflict, f.wayOut(), "%s was left by a run that was killed, and says something else than %s", f.temp(), f.name)
	}
	if text, err := readLimited(f.temp()); err != nil || !bytes.Equal(text, f.left.text) {
		return f.changedMeanwhile()
	}
	if err := disk.Remove(f.temp()); err != nil {
		return err
	}
	f.left = nil
	if !f.there && f.text == nil {
		f.removeFolders()
	}
	return nil
}

// wayOut is a command that loses nothing: the text comes back where the file is gone, and is
// compared with it where it is there.
func (f *file) wayOut() string {
	if f.there {
		return "git diff --no-index " + QuotePath(f.temp()) + " " + QuotePath(f.real) + ", take over what is missing, and remove the first"
	}
	return "mv -n " + QuotePath(f.temp()) + " " + QuotePath(f.real)
}

// judge decides what of that which killed runs left is ours. The rest is noted.
func (w *planner) judge() {
	for _, f := range w.files {
		if f.left == nil {
			continue
		}
		f.left.ours = w.isNothingNew(f)
		switch {
		case !f.left.ours:
			w.plan.Notes = append(w.plan.Notes, w.shortPath(f.temp())+" was left by a run that was killed, and says something else than "+w.shortPath(f.name)+": "+f.wayOut())
		case !f.hasChanged():
			w.plan.cleared = append(w.plan.cleared, *f)
		}
	}
}

// isNothingNew reports whether what is left beside a file says nothing but what the file says or
// said, and our own parts.
func (w *planner) isNothingNew(f *file) bool {
	text := f.left.text
	for _, known := range [][]byte{f.was, f.text, f.bak, w.full(f)} {
		if bytes.HasPrefix(known, text) {
			return true
		}
	}
	rest := w.removeParts(f, text)
	return nothing(rest) || f.there && bytes.Equal(stripSpace(rest), stripSpace(w.removeParts(f, f.was)))
}

// full puts all parts that are asked for into the text of a file.
func (w *planner) full(f *file) []byte {
	text := f.was
	for _, a := range w.Agents {
		for _, part := range w.Parts {
			of, _ := w.targets(a, part, w.Scope)
			for _, t := range of {
				if t.file == f.name {
					text = t.putInto(text)
				}
			}
		}
	}
	return text
}

// stripSpace is a text without its white space, which a removal need not leave as it was.
func stripSpace(text []byte) []byte { return bytes.Join(bytes.Fields(text), nil) }

// removeParts takes all parts of ours out of a text of a file.
func (w *planner) removeParts(f *file, text []byte) []byte {
	for _, a := range Agents() {
		for _, scope := range []Scope{User, Project} {
			for _, part := range Parts() {
				for _, t := range w.possibleTargets(a, part, scope) {
					if t.file == f.name {
						f.root = t.root
						text = t.removeIfOurs(text)
					}
				}
			}
		}
	}
	return text
}

// possibleTargets returns the targets of a part in all files in which it may stand.
func (w *planner) possibleTargets(a Agent, part Part, scope Scope) (all []target) {
	of, err := w.targets(a, part, scope)
	if err != nil {
		return nil
	}
	for _, t := range of {
		all = append(append(all, t), w.otherFiles(t)...)
	}
	return all
}

// removeIfOurs takes a target out of a text, if it is there as this program wrote it.
func (t target) removeIfOurs(text []byte) []byte {
	if s, _ := t.state(text); s != Current && s != Stale {
		return text
	}
	next, err := t.remove(text)
	if err != nil {
		return text
	}
	return next
}

// putInto puts a target into a text, if nothing stands in its way.
func (t target) putInto(text []byte) []byte {
	if s, _ := t.state(text); s != Missing && s != Stale {
		return text
	}
	if text == nil && t.form().blank != "" {
		text = []byte(t.form().blank)
	}
	next, err := t.apply(text)
	if err != nil {
		return text
	}
	return next
}
