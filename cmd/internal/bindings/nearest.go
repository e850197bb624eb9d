package bindings

import (
	"slices"
	"sync"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
)

// found is a memory that a question has found.
type found struct {
	path   vault.Path
	match  int
	rows   []about.Row // its bindings to the file, of which the nearest gives what follows; none where it was found otherwise
	at     string
	now    string // where that stands now, if elsewhere
	meets  bool   // it has the lines that are asked for
	apart  bool   // it has other lines of the file
	hidden bool
}

// nearest returns what was found by the binding that is nearest to the question. code tells how the bindings stand.
func (f found) nearest(asked about.Binding, code *vault.CodeState, lines func() []string) found {
	best := f
	for i, row := range f.rows {
		if g := f.by(row, asked, code, lines); i == 0 || g.before(best) {
			best = g
		}
	}
	return best
}

// by returns what was found by one of the bindings. lines are those of the file.
func (f found) by(row about.Row, asked about.Binding, code *vault.CodeState, lines func() []string) found {
	b, _ := about.Parse(row.Text)
	f.at, f.now, f.match = row.Text, placeNow(code, row.Text), matchOf(b)
	if row.Finding {
		f.match = Finding
	}
	if asked.From == 0 {
		return f
	}
	if moved, err := about.Parse(f.now); err == nil {
		b = moved
	}
	if b.Symbol != "" {
		b.From, b.To, _ = about.FindSymbol(b.Path, lines(), b.Symbol)
	}
	if b.From > 0 {
		f.meets = b.Meets(asked)
		f.apart = !f.meets
	}
	return f
}

// placeNow says where the code of a binding stands now; empty where it stands as before.
func placeNow(code *vault.CodeState, at string) string {
	if code == nil {
		return ""
	}
	i := slices.IndexFunc(code.Bindings, func(b vault.BindingState) bool { return b.At == at })
	if i < 0 {
		return ""
	}
	return code.Bindings[i].Now
}

func matchOf(b about.Binding) int {
	switch {
	case b.Glob:
		return Glob
	case b.IsFolder():
		return Folder
	case b.Symbol != "":
		return Symbol
	case b.HasRange():
		return Lines
	}
	return File
}

// before reports whether one find is nearer to the question than another.
func (f found) before(g found) bool {
	if f.meets != g.meets {
		return f.meets
	}
	return f.match < g.match
}

// fileLines returns the lines of a file in the work tree, which is read at the first call; none where it cannot be.
func (r Room) fileLines(path string) func() []string {
	return sync.OnceValue(func() []string {
		judge, err := r.Judge()
		if err != nil || judge.Code.Files == nil {
			return nil
		}
		text, _ := judge.Code.Files.Read(path)
		return about.SplitLines(text)
	})
}
