package tree

import (
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/secret"
)

// Unadopted say which files that are in no commit are left alone.
type Unadopted struct {
	None        bool                  // all
	Unwanted    func(vault.Path) bool // those of these names; nil is none
	AllowSecret bool                  // not those that hold a likely secret
}

// Why tells why a file is left alone; the zero Why is that of one that is not.
type Why struct {
	Barred bool   // it is not to be adopted
	Secret string // what in it looks like a secret, for a sentence
	Line   int    // where that is
}

// FileReader reads files.
type FileReader interface {
	Read(p vault.Path) ([]byte, error)
}

// JudgeFile decides about a file. It looks into a new one for a secret, whether it is barred or
// not; one that cannot be read is among the problems, or gone.
func (r Unadopted) JudgeFile(in FileReader, d vault.Drift) Why {
	if d.Head != "" || d.Hash == "" {
		return Why{}
	}
	why := Why{Barred: r.None || r.Unwanted != nil && r.Unwanted(d.Path)}
	if r.AllowSecret {
		return why
	}
	text, err := in.Read(d.Path)
	if err != nil {
		return why
	}
	if found := secret.FindCredentials(text); len(found) > 0 {
		why.Secret, why.Line = found[0].String(text), found[0].Line
	}
	return why
}

// NamelessFiles returns the files to which sync gives no id, committed or not, by what is wrong
// with them.
func NamelessFiles(problems []vault.Problem) map[vault.Path]bool {
	all := make(map[vault.Path]bool)
	for _, p := range problems {
		if p.KeepsID() {
			all[p.Path] = true
		}
	}
	return all
}
