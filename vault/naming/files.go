package naming

import (
	"path"

	"golang.org/x/text/unicode/norm"

	"github.com/cp-memory/cp/vault"
)

// Files returns the files that a reference may name as a path, the likeliest first: it
// may lack its .md, begin with ./ or end with a slash, and be typed in another Unicode form.
// within is what else it may be, empty for nothing.
func Files(ref, within string) (all []vault.Path) {
	for _, name := range [...]string{ref, within} {
		if name == "" {
			continue
		}
		name = path.Clean(name)
		forms := []string{name}
		for _, form := range [...]norm.Form{norm.NFC, norm.NFD} {
			if other := form.String(name); other != name {
				forms = append(forms, other)
			}
		}
		for _, form := range forms {
			if p := vault.Path(form); p.IsNote() {
				all = append(all, p)
			}
			all = append(all, vault.Path(form)+".md")
		}
	}
	return all
}
