package vault

// Damage is what a power cut or a prune has done to the repository itself, and
// what mending it does. Its zero value is a sound repository.
type Damage struct {
	Found []string `json:"found"` // what is wrong, a sentence each
	Steps []string `json:"steps"` // what mending does, in order

	Top      string     `json:"-"` // of the work tree
	Dir      string     `json:"-"` // the git directory of the work tree
	Common   string     `json:"-"` // the one that all work trees share
	Head     string     `json:"-"` // the branch HEAD is to name; empty where HEAD is sound
	Branches []TakeBack `json:"-"`
	Aside    []string   `json:"-"` // files to move aside: empty objects and refs
	Packs    []string   `json:"-"` // packs to move aside, and to take out of what they still hold
	Index    bool       `json:"-"` // the index is to be made anew
}

// TakeBack takes a branch back to a commit that is whole.
type TakeBack struct {
	Ref string // in full: refs/heads/main
	Was string // what stood there; empty when nothing could be read
	To  string // the newest whole commit of its reflog; empty when there is none
}

// Lost returns the branch that nothing can be done for: no commit of its log is
// whole. Empty is none.
func (d Damage) Lost() string {
	for _, b := range d.Branches {
		if b.To == "" {
			return b.Ref
		}
	}
	return ""
}

// Sound reports whether there is nothing to mend.
func (d Damage) Sound() bool { return len(d.Found) == 0 }
