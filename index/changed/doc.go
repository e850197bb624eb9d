// Package changed keeps a short list of the memories that have changed, by the generations of
// the mirror, so that who shows memories can tell which of them to show anew.
//
// Triggers fill the list, so every change is in it, whoever makes it. It has an end: who asks
// about a generation before it, or about one in which very much has changed, is told that the
// list does not say.
//
//	ids, err := changed.Since(t, vault.Generation{Epoch: 7, Number: 41}, 200)
package changed
