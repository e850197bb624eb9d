package web

import (
	"maps"
	"slices"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/options"
	"github.com/cp-memory/cp/vault/tree"
)

// A form calls an option of a verb as a line of a batch does. What a page has beside it, or
// calls otherwise, is listed here with why.
func TestFormsNameOptions(t *testing.T) {
	verbs := map[string][]any{
		"/new": {tree.Add{}, tree.AddSub{}}, "/m/{id}/edit": {tree.Amend{}}, "/m/{id}/move": {tree.Move{}}, "/m/{id}/delete": {tree.Delete{}},
		"/review/{id} " + queue.Approve: {journal.Promote{}}, "/review/{id} " + queue.Deny: {journal.Deny{}}, "/review/{id} " + queue.Merge: {journal.Merge{}},
		"/m/{id}/code": {tree.Amend{}}, "/m/{id}/restore": nil, "/undo": nil, "/review/{id} " + queue.Edit: nil, "/review/{id} " + queue.ToCore: nil,
		"/review/{id} " + queue.Confirm: nil, "/review/{id} " + queue.Unbind: nil, "/review/{id} " + queue.Resolve: {journal.Resolve{}}, // no lines of a batch
	}
	for place, fields := range formFields() {
		of, known := verbs[place]
		if !known {
			t.Errorf("no verb is known of %s", place)
		}
		var keys []string
		for _, v := range of {
			keys = append(keys, options.KeysOf(v).All()...)
		}
		for _, name := range fields {
			if why := besides[place+" "+name] + besides[name]; of != nil && slices.Contains(keys, name) == (why != "") {
				t.Errorf("%s: the field %q is an option of the verb, or of the page (%q), and not both: the verb has %v", place, name, why, keys)
			}
		}
	}
}

// formFields returns the fields of each form, by its address and what it does.
func formFields() map[string][]string {
	all := make(map[string][]string)
	for pattern, f := range forms() {
		all[pattern] = f.fields
		for _, do := range slices.Sorted(maps.Keys(f.by)) {
			if by := f.by[do]; len(by) > 0 {
				delete(all, pattern)
				all[pattern+" "+do] = slices.Concat(f.fields, by)
			}
		}
	}
	return all
}

// besides are the fields that are no option, in all forms or in one, and why.
var besides = map[string]string{
	secretField: "a flag as well, and in no line", "marked": "the person leaves the marks of a conflict", "why": "for which reason it waits",
	"hash": "the text that the person has seen", "digest": "the plan that the person has seen",
	"base": "what stood in the form, for a merge", "base_title": "likewise", "base_summary": "likewise", "base_labels": "likewise", "base_status": "likewise",
	"/new root": "an empty parent is no way to say it", "/review/{id} approve parent": "a line says under", "/review/{id} approve learned": "an empty parent is no way to say it",
}
