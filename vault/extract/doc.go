// Package extract has a language model draw the facts of memories: the entities that a text
// speaks of, and how they stand to each other.
//
// The text is HEAD's, so facts publish nothing that is in no commit, and what looks like a
// credential is taken out of it. A long text is cut at its headings; what the parts give is
// joined by name. An answer follows [Schema], with types out of a closed list. One that does
// not is asked for once more; then what is right of it is taken, and the rest is named.
//
// Each batch of memories is one commit, so a run that ends early keeps what it has, and the
// next one goes on. What a person wrote by hand stays, and what one removed does not come
// back. A model that fails leaves the facts as they were.
//
//	chosen, err := extract.Choose(ctx, v, extract.Which{Missing: true, Stale: true})
//	run := extract.Run{Vault: v, Model: model, By: "google/gemini-2.0-flash", AtOnce: 4}
//	result, err := run.Do(ctx, chosen)
package extract
