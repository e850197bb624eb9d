package bindings

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/vault"
)

// AboutInFamily has each vault of a family tell what it knows of a file, the current one first. at is the
// file's absolute path, lines and all: whose code it does not lie in has nothing to tell.
func AboutInFamily(ctx context.Context, fam *ask.Family, q Question, at string) (Answer, error) {
	if !fam.Several() {
		return Room{fam.Members[0].Session}.About(ctx, q)
	}
	lists, err := ask.Each(ctx, fam, fam.AllMembers(), func(ctx context.Context, m ask.Asked) (Answer, error) {
		own := q
		if m.Session != fam.Members[0].Session {
			own.Path = at
		}
		a, err := Room{m.Session}.About(ctx, own)
		if m.Session != fam.Members[0].Session && vault.CodeOf(err) == vault.CodeInvalid {
			return Answer{}, nil // the file is none of its code
		}
		for i := range a.Memories {
			a.Memories[i].Origin = m.Origin(a.Memories[i].Path)
		}
		return a, err
	})
	if err != nil || len(lists) == 0 {
		return Answer{Memories: []Known{}}, err
	}
	out := lists[0]
	for _, a := range lists[1:] {
		out.Memories, out.More, out.Explain = append(out.Memories, a.Memories...), out.More+a.More, slices.Concat(out.Explain, a.Explain)
	}
	return out, nil
}
