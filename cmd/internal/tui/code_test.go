package tui_test

import (
	"context"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/tui"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// changed is a desk with a memory whose lines have changed, one whose file is gone, and one that may
// go into agents' files and whose lines have changed.
func changed() *desk {
	lines := &vault.CodeState{State: vault.CodeChanged, Bindings: []vault.BindingState{{At: "a.go#L1-L9", State: vault.CodeChanged, Lines: 1, Of: 9}, {At: "b.go", State: vault.CodeCurrent}}}
	seen := journal.SeenCode{Diff: []string{"-\told", "+\tnew"}, CodeHash: "c"}
	gone := &vault.CodeState{State: vault.CodeGone, Bindings: []vault.BindingState{{At: "z.go", State: vault.CodeGone}}}
	return &desk{failing: map[string]error{}, files: waiting().files, items: []journal.Item{
		{Why: journal.ChangedCode, ID: "pf-1", Title: "Retries", Text: "It retries.", Hash: "h1", Code: lines, SeenCode: seen},
		{Why: journal.ChangedCode, ID: "pf-2", Title: "Lost", Text: "It is there.", Hash: "h2", Code: gone, SeenCode: journal.SeenCode{CodeHash: "c", Unconfirmable: "there is nothing to confirm"}},
		{Why: journal.Deferred, ID: "pf-3", Title: "Later", Hash: "h3"},
		{Why: journal.Core, ID: "pf-4", Title: "Ports", Hash: "h4", Code: lines, SeenCode: seen},
	}}
}

// A memory about code that has changed shows what has, and has keys of its own.
func TestKeysOnChangedCode(t *testing.T) {
	for name, row := range map[string]struct {
		keys []string
		made []string
		want []string
	}{
		"what has changed":        {nil, nil, []string{"code changed: 1 of 9 lines", "code: a.go#L1-L9: changed", "- old", "+ new", "c confirms it", "Observations 3", "c confirm e edit b unbind x resolve s skip", "!a approve"}},
		"confirm":                 {[]string{"c"}, []string{"confirm pf-1"}, []string{"Confirmed pf-1; u takes it back", "Observations 2"}},
		"confirm, taken back":     {[]string{"c", "u"}, []string{"confirm pf-1", "undo pf-1"}, []string{"Taken back: the confirmation of “Retries”", "Observations 3"}},
		"unbind":                  {[]string{"b"}, []string{"unbind pf-1"}, []string{"Unbound pf-1"}},
		"resolve":                 {[]string{"x"}, []string{"resolve pf-1"}, []string{"Resolved pf-1"}},
		"resolve, with a reason":  {[]string{"r", "N", "o", "enter", "x"}, []string{"resolve pf-1 No"}, nil},
		"a reason is shown":       {[]string{"r", "N", "o", "enter"}, nil, []string{"x resolves the item", "why it holds no more: No"}},
		"edit confirms":           {[]string{"e"}, []string{"confirm pf-1 It waits."}, []string{"Confirmed pf-1", "Observations 2"}},
		"no approval":             {[]string{"a"}, nil, []string{"An approval says nothing about code that has changed: c confirms it"}},
		"no denial":               {[]string{"d"}, nil, []string{"A denial says nothing about code that has changed"}},
		"not with others":         {[]string{"space", "A"}, nil, []string{"is left out: its code has changed"}},
		"not denied with others":  {[]string{"space", "D"}, nil, []string{"is left out: its code has changed"}},
		"gone, not confirmed":     {[]string{"j", "c"}, nil, []string{"Not confirmed: there is nothing to confirm", "code: z.go: gone", "!c confirms it"}},
		"gone, edited":            {[]string{"j", "e"}, []string{"edit pf-2 It waits."}, []string{"The text is changed; e edits its text, b unbinds it", "Observations 3"}},
		"gone, unbound":           {[]string{"j", "b"}, []string{"unbind pf-2"}, nil},
		"another reason":          {[]string{"j", "j", "c", "b", "x"}, nil, []string{"Its code has not changed"}},
		"before agents load it":   {[]string{"tab", "a"}, nil, []string{"into the agents' files?", "[code changed: 1 of 9 lines]"}},
		"confirmed before":        {[]string{"tab", "c"}, []string{"confirm pf-4"}, nil},
		"edited, it is edited":    {[]string{"tab", "e"}, []string{"edit pf-4 It waits."}, nil},
		"confirmed, it waits on":  {[]string{"tab", "c"}, []string{"confirm pf-4"}, []string{"Ports", "Promotions 1"}},
		"its mark is in the list": {[]string{"tab"}, nil, []string{"ready for the agents' own files [code changed: 1 of 9 lines]"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := changed()
			if name == "confirmed, it waits on" {
				d.next = map[vault.ID]journal.Reason{"pf-4": journal.Core}
			}
			p := start(t, d, 120, 30, func(o *tui.Options) {
				o.Edit = func(context.Context, string) (string, error) { return "It waits.", nil }
			}).keys(row.keys...)
			p.made(row.made...)
			p.want(row.want...)
		})
	}
}
