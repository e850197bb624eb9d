package tier

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// FindSection returns the section of a memory. The error is CodeDamaged where the region cannot be
// read.
func FindSection(text []byte, key string) (CoreCopy, error) {
	r, err := parseRegion(string(text))
	return r.findSection(key), err
}

// ReadSections returns the sections of a file, in order, and how the file came about.
func ReadSections(text []byte) ([]CoreCopy, FileOrigin, error) {
	r, err := parseRegion(string(text))
	return r.sections, r.FileOrigin, err
}

// InsertSection returns the file with the section, in place of the one with its key. A file without
// a region gets one at its end, which remembers the origin. The same section again changes
// nothing.
func InsertSection(text []byte, s Section, from FileOrigin) ([]byte, error) {
	r, err := parseRegion(string(text))
	if err != nil {
		return nil, err
	}
	if err := s.checkReadable(); err != nil {
		return nil, err
	}
	if !r.there {
		r.makeRegion(from)
	}
	fresh := CoreCopy{Section: s, There: true}
	i := slices.IndexFunc(r.sections, func(c CoreCopy) bool { return c.Key == s.Key })
	switch {
	case i < 0:
		r.sections = append(r.sections, fresh)
	case r.sections[i].Text == s.Text && !r.sections[i].Edited:
		return text, nil
	default:
		r.sections[i] = fresh
	}
	return r.format(), nil
}

// checkReadable refuses what could not be read again.
func (s Section) checkReadable() error {
	if vault, id, ok := strings.Cut(s.Key, "/"); ok && vault != "" && id != "" && !strings.ContainsAny(s.Key, " \t\r\n<>") {
		if !strings.Contains(s.Text, "<!--") && !strings.Contains(s.Text, "-->") && !strings.Contains(s.Text, "\r") && strings.HasSuffix(s.Text, "\n") {
			return nil
		}
	}
	return vault.Errorf(vault.CodeInternal, "", "'%s' cannot be a section", vault.Clip(s.Key, 80))
}

// makeRegion makes the region at the end of the file.
func (r *region) makeRegion(from FileOrigin) {
	r.FileOrigin, r.there = from, true
	if r.before == "" || from.Made {
		return
	}
	for r.gap = 2; r.gap > 0; r.gap-- {
		if strings.HasSuffix(r.before, strings.Repeat(r.eol, 3-r.gap)) {
			continue
		}
		break
	}
	r.before += strings.Repeat(r.eol, r.gap)
}

// RemoveSection returns the file without the section. With the last section the region goes, and
// what was put in beside it. It returns nil where the file was made by [InsertSection] and nothing
// else is in it by now. A file without the section stays as it is.
func RemoveSection(text []byte, key string) ([]byte, error) {
	r, err := parseRegion(string(text))
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(r.sections, func(c CoreCopy) bool { return c.Key == key })
	if i < 0 {
		return text, nil
	}
	if r.sections = slices.Delete(r.sections, i, i+1); len(r.sections) > 0 {
		return r.format(), nil
	}
	return r.without(), nil
}

// without returns the file without its region.
func (r *region) without() []byte {
	gap := r.gap
	if r.after != "" {
		gap = min(gap, 1) // text that stands behind by now begins a line of its own
	}
	for before := r.before; gap > 0 && strings.HasSuffix(before, r.eol); gap-- {
		before = strings.TrimSuffix(before, r.eol)
		r.before = before
	}
	rest := r.before + r.after
	if r.Made && preamble(rest) {
		return nil
	}
	return []byte(rest)
}

// StripSections returns a file's text without its managed region: what people wrote. A region that
// cannot be read stays.
func StripSections(text []byte) []byte {
	r, err := parseRegion(string(text))
	if err != nil || !r.there {
		return text
	}
	return r.without()
}
