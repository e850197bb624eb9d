// Package injected marks the text that a hook puts into a conversation, and finds it again
// there: what a memory said once must not be captured as if somebody had said it anew.
//
// The promise: [Strip] takes out what [Wrap] made, wherever it came to stand, and what agents
// put in themselves in tags of their own. Of a text without such tags every byte stays.
//
//	fmt.Print(injected.Wrap(text))
//	said = injected.Strip(said)
package injected
