package options

import "slices"

// Keys are the keys of a verb in JSON, each list in the order of the struct.
type Keys struct {
	Needs, OneOf, Others []string            // those that cannot be empty, those of which one has to be there, and the others
	Inner                map[string][]string // the keys of those that are objects
}

// KeysOf returns the keys of a verb.
func KeysOf(verb any) (k Keys) {
	for _, o := range Of(verb) {
		if o.Key != "" {
			k.addOption(o)
		}
	}
	return k
}

func (k *Keys) addOption(o Option) {
	to := &k.Others
	switch {
	case o.Need:
		to = &k.Needs
	case o.OneOf:
		to = &k.OneOf
	}
	*to = append(*to, o.Key)
	if o.Also != "" {
		*to = append(*to, o.Also)
	}
	for _, in := range o.Inner {
		if k.Inner == nil {
			k.Inner = make(map[string][]string)
		}
		k.Inner[o.Key] = append(k.Inner[o.Key], in.Key)
	}
}

// All returns all of them.
func (k Keys) All() []string { return slices.Concat(k.Needs, k.OneOf, k.Others) }

// Optional returns the keys of a verb of which nothing has to be there.
func (k Keys) Optional() Keys { return Keys{Others: k.All(), Inner: k.Inner} }
