package doctor

// Damage describes what a power cut or a prune broke in the repository itself. The zero
// value is a sound repository.
type Damage struct {
	Found    []string   `json:"found"`    // what is wrong, a sentence each
	Steps    []string   `json:"steps"`    // what a repair does, in order
	Commands []string   `json:"commands"` // what a person has to run first, for a shell
	Branches []TakeBack `json:"-"`
	Index    bool       `json:"-"` // the index is to be made anew

	Top string `json:"-"` // of the work tree
	Dir string `json:"-"` // the git directory of the work tree
}

// TakeBack takes a branch back to a commit that is whole.
type TakeBack struct {
	Ref string // in full: refs/heads/main
	To  string // the newest whole commit of its reflog; empty when there is none
}

// LostBranch returns a branch that cannot be helped: no commit of its log is whole. It is empty
// if there is none.
func (d Damage) LostBranch() string {
	for _, b := range d.Branches {
		if b.To == "" {
			return b.Ref
		}
	}
	return ""
}

// Sound reports whether there is nothing to repair.
func (d Damage) Sound() bool { return len(d.Found) == 0 }
