package about

import (
	"slices"

	"github.com/cp-memory/cp/vault"
)

// Most bounds the bindings of a memory.
const Most = 50

// New are the options of a verb that makes a memory. Who calls the verb makes the stamps, since
// a room does not see the code.
type New struct {
	About   []string `json:"about,omitempty" flag:"about" help:"<code> it is about: a.py#L10-L24, a.py#Class.method, a.py, src/, 'src/**/*.py'; may be repeated"`
	AboutAt []string `json:"about_at,omitempty" batch:"-"` // stamps
}

// Into puts them into a new memory's header.
func (o New) Into(h *vault.Header) { h.About, h.AboutAt = o.About, o.AboutAt }

// CheckNew refuses what cannot be written.
func (o New) CheckNew() error { return check(o.About) }

// check refuses texts that are no bindings, and too many.
func check(all []string) error {
	if len(all) > Most {
		return vault.Errorf(vault.CodeInvalid, "bind folders or globs, or split the memory", "more than %d bindings", Most)
	}
	for _, text := range all {
		b, err := Parse(text)
		if err == nil {
			err = b.Check()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Change are the options of a verb that changes a memory. Only what is set changes.
type Change struct {
	AddAbout    []string `json:"about" oneof:"yes" flag:"about" help:"<code> that it is about as well, as add has it" tool:"add_about"`
	RemoveAbout []string `json:"remove_about" oneof:"yes" flag:"remove-about" help:"<code> that it is about no more" tool:"remove_about"`
	Confirm     bool     `json:"confirm" oneof:"yes" flag:"confirm" help:"the text is right about the code as it is now" tool:"confirm" about:"it holds for the code as it is"`
	AboutAt     []string `json:"about_at" batch:"-"` // stamps of what is bound and confirmed
}

// IsEmpty reports whether nothing would be written.
func (o Change) IsEmpty() bool { return len(o.AddAbout)+len(o.RemoveAbout)+len(o.AboutAt) == 0 }

// Steps turns the changes into edits of a memory with that header. A stamp whose binding is gone
// goes with it.
func (o Change) Steps(h *vault.Header) ([]vault.Step, error) {
	if o.IsEmpty() {
		return nil, nil
	}
	for _, text := range o.RemoveAbout {
		if !slices.Contains(h.About, text) {
			return nil, vault.Errorf(vault.CodeNotFound, "`cp memory show` lists what it is bound to", "'%s' is not bound to the memory", text)
		}
	}
	left := slices.DeleteFunc(slices.Clone(h.About), func(text string) bool { return slices.Contains(o.RemoveAbout, text) })
	add := slices.DeleteFunc(slices.Clone(o.AddAbout), func(text string) bool { return slices.Contains(left, text) })
	after := append(left, add...)
	if err := check(after); err != nil && len(add) > 0 {
		return nil, err
	}
	var steps []vault.Step
	if len(o.RemoveAbout) > 0 {
		steps = append(steps, vault.Step{Op: vault.OpDropFromList, Key: "about", List: o.RemoveAbout})
	}
	if len(add) > 0 {
		steps = append(steps, vault.Step{Op: vault.OpAddToList, Key: "about", List: add})
	}
	if stamps := stampsAfter(h.AboutAt, o.AboutAt, after); !slices.Equal(stamps, h.AboutAt) {
		if len(stamps) == 0 {
			return append(steps, vault.Step{Op: vault.OpDropKey, Key: "about_at"}), nil
		}
		steps = append(steps, vault.Step{Op: vault.OpSetList, Key: "about_at", List: stamps})
	}
	return steps, nil
}

// stampsAfter returns the stamps of the bindings: the new ones in place of those that are there.
func stampsAfter(was, more, bindings []string) (all []string) {
	then, now := StampsFor(was), StampsFor(more)
	for _, binding := range bindings {
		stamps := now[binding]
		if len(stamps) == 0 {
			stamps = then[binding]
		}
		for _, s := range stamps {
			all = append(all, s.String())
		}
	}
	return all
}
