// Package recall finds memories by what they are about. It ranks, mixes and packs,
// and does no I/O itself.
//
// # Legs
//
// The lexical leg stands on its own: it finds memories by their words and needs
// nothing but the mirror. There may be a second one ([Leg]), usually of vectors. Its
// findings are mixed in by score ([Mix]). A leg that fails costs a warning and never
// the answer.
//
// There may be a third one ([Web], Finder.Reach): from the best candidates it
// takes a step to what they have in common with others, an entity, a label or a link, through
// what few have more than through what many have, and adds a share of the best score.
//
//	f := &recall.Finder{Vault: v, Lexicon: index, Leg: embed.Leg{Ports: ports}}
//	answer, err := f.Recall(ctx, recall.Query{Text: "how do I roll back", Budget: 1000})
package recall
