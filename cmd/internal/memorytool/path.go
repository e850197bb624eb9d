package memorytool

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
)

// top is the folder that the tool was promised.
const top = "/memories"

// folder is the vault, or a part of it, as a folder of files.
type folder struct {
	*vault.Vault
	base vault.Path
}

// place is what a path names.
type place struct {
	vault.Path      // of the file or folder; where there is none, as it was said
	file, dir  bool // what it is; neither where there is none
}

// parsePath returns the place in the vault that a path of the tool means. It refuses what leads out
// of /memories in any spelling, and names that are ours or hidden.
func (f *folder) parsePath(said string) (vault.Path, error) {
	rest, ok := strings.CutPrefix(said, top)
	if !ok || rest != "" && rest[0] != '/' {
		return "", refuse("Error: Path must start with %s, got: %s", top, said)
	}
	out := f.base
	for name := range strings.SplitSeq(rest, "/") {
		if name == "" {
			continue
		}
		lower := strings.ToLower(name)
		if name[0] == '.' || strings.ContainsAny(name, `\`) || strings.Contains(lower, "%2e") || strings.Contains(lower, "%2f") || strings.Contains(lower, "%5c") || strings.ContainsFunc(name, unicode.IsControl) {
			return "", refuse("Error: Path %s would escape %s, or names what is hidden", said, top)
		}
		out = out.Join(name)
	}
	if _, err := vault.ParsePath(string(out)); err != nil {
		return "", refuse("Error: Path %s would escape %s, or is no text", said, top)
	}
	return out, nil
}

// newPath is the path of what is to be made: its own names are such that every file system takes
// them, in the usual Unicode form, and the folders that are there keep their spelling.
func (f *folder) newPath(ctx context.Context, said string) (vault.Path, error) {
	p, err := f.parsePath(norm.NFC.String(said))
	if err != nil {
		return "", err
	}
	if p == f.base || strings.HasSuffix(said, "/") {
		return "", refuse("Error: Path %s names a directory; directories come with the files in them", said)
	}
	for name := range strings.SplitSeq(string(p[len(f.base):]), "/") {
		if why := filename.Portable(name); why != "" {
			return "", refuse("Error: Path %s cannot be: the name %s %s", said, name, why)
		}
		if len(name) > 200 {
			return "", refuse("Error: Path %s cannot be: a name has at most 200 bytes", said)
		}
	}
	return f.spelling(ctx, p.Dir()).Join(p.Base()), nil
}

// noteOf returns the file on disk of a name that the tool uses.
func noteOf(p vault.Path) vault.Path {
	if p.IsMarkdown() {
		return p
	}
	return p + ".md"
}

// nameOf is the name under which the tool sees a file: without the .md that it got behind another
// ending.
func nameOf(p vault.Path) string {
	name := p.Base()
	stem := string(p.Stem().Base())
	i := strings.LastIndexByte(stem, '.')
	if i <= 0 || i == len(stem)-1 || len(stem)-i > 9 || !p.IsMarkdown() || vault.Path(stem).IsNote() {
		return name
	}
	if strings.ContainsFunc(stem[i+1:], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) || unicode.IsDigit(rune(stem[i+1])) {
		return name
	}
	return stem
}

// find tells what a path names.
func (f *folder) find(ctx context.Context, said string) (place, error) {
	p, err := f.parsePath(said)
	if err != nil || p == f.base {
		return place{Path: p, dir: p == f.base && err == nil}, err
	}
	at, err := f.look(ctx, p)
	if err == nil && !at.file && !at.dir {
		dir := f.spelling(ctx, p.Dir())
		for _, name := range []string{p.Base(), string(noteOf(vault.Path(p.Base())))} {
			if at, err = f.look(ctx, f.spelling(ctx, dir.Join(name))); err != nil || at.file || at.dir {
				break
			}
		}
	}
	if err == nil && !at.file && !at.dir {
		at.Path = p
	}
	return at, err
}

// look finds what has exactly this name.
func (f *folder) look(ctx context.Context, p vault.Path) (at place, err error) {
	var file, dir, note bool
	_, err = f.Store.Scan(ctx, vault.Scope{Paths: slices.Compact([]vault.Path{p, noteOf(p)})}, func(found vault.File) error {
		if found.Problem == nil {
			file = file || found.Path == p
			note = note || found.Path == noteOf(p)
			dir = dir || found.Path != p && found.Path.Within(p)
		}
		return nil
	})
	named := file || note && nameOf(noteOf(p)) == p.Base()
	switch {
	case file:
		return place{Path: p, file: true}, err
	case named || note && !dir:
		return place{Path: noteOf(p), file: true}, err
	}
	return place{Path: p, dir: dir}, err
}

// spelling returns the path as it is on disk, where case or Unicode form is another one. Names that
// are not there stay.
func (f *folder) spelling(ctx context.Context, p vault.Path) (out vault.Path) {
	for name := range strings.SplitSeq(string(p), "/") {
		names, err := f.Store.List(ctx, out)
		like := slices.IndexFunc(names, func(is string) bool { return filename.Fold(is) == filename.Fold(name) })
		if err == nil && like >= 0 && !slices.Contains(names, name) {
			name = names[like]
		}
		out = out.Join(name)
	}
	return out
}
