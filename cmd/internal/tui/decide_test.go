package tui_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cp-memory/cp/cmd/internal/tui"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// Each key that decides does so about the item under the cursor, and about nothing else.
func TestKeysDecide(t *testing.T) {
	for name, row := range map[string]struct {
		keys []string
		made []string
		want []string
	}{
		"approve":                {[]string{"a"}, []string{"approve pf-1 pf-p1"}, []string{"Approved pf-1: here.md; u takes it back", "Observations 5", "1 decided", "!Item of observation"}},
		"deny":                   {[]string{"d"}, []string{"deny pf-1"}, []string{"Denied pf-1; u takes it back"}},
		"skip":                   {[]string{"s"}, nil, []string{"Observations 6"}},
		"undo an approval":       {[]string{"a", "u"}, []string{"approve pf-1 pf-p1", "undo pf-1"}, []string{"Taken back: the approval of “Item of observation”", "Observations 6", "!decided"}},
		"undo nothing":           {[]string{"u"}, nil, []string{"Nothing was decided here yet"}},
		"undo after a skip":      {[]string{"s", "u"}, nil, []string{"Nothing was decided here yet"}},
		"undo from another list": {[]string{"a", "tab", "u"}, []string{"approve pf-1 pf-p1", "undo pf-1"}, []string{"[Observations 6]"}},
		"merge, yes":             {[]string{"m", "y"}, []string{"merge pf-1 pf-n1"}, []string{"Merged pf-1"}},
		"merge, no":              {[]string{"m", "n"}, nil, []string{"Nothing was done"}},
		"merge, return":          {[]string{"m", "enter"}, nil, []string{"Nothing was done"}},
		"merge, another key":     {[]string{"m", "a"}, nil, []string{"into “Worker pool” (50 % the same)?"}},
		"nothing near":           {[]string{"j", "m"}, nil, []string{"Nothing is near it"}},
		"a lifted deferral":      {[]string{"j", "j", "j", "j", "a"}, []string{"approve pf-5"}, nil},
		"a phrase is asked for":  {[]string{"j", "j", "j", "a"}, nil, []string{"When does one need it? _"}},
		"a phrase":               {[]string{"j", "j", "j", "a", "X", "enter", "a"}, []string{"approve pf-4 X"}, nil},
		"no phrase":              {[]string{"j", "j", "j", "a", "X", "esc", "a"}, nil, nil},
		"a phrase for a place":   {[]string{"w", "X", "enter", "a"}, []string{"approve pf-1 pf-p1 X"}, nil},
		"a reason":               {[]string{"r", "N", "o", "enter", "d"}, []string{"deny pf-1 No"}, nil},
		"a reason, erased":       {[]string{"r", "N", "o", "backspace", "enter", "d"}, []string{"deny pf-1 N"}, nil},
		"a parent":               {[]string{"p", "n", "e", "t", "enter", "a"}, []string{"approve pf-1 pf-p2"}, nil},
		"a parent, by arrows":    {[]string{"p", "down", "down", "up", "enter", "a"}, []string{"approve pf-1 pf-n1"}, nil},
		"no parent":              {[]string{"p", "esc", "a"}, []string{"approve pf-1 pf-p1"}, nil},
		"no such parent":         {[]string{"p", "z", "z", "enter"}, nil, []string{"No memory has these words"}},
		"a parent for none":      {[]string{"j", "j", "p"}, nil, []string{"Only what asks for a place"}},
		"core, yes":              {[]string{"tab", "a", "y"}, []string{"core pf-7 claude_md"}, []string{"Written pf-7"}},
		"core, no":               {[]string{"tab", "a", "n"}, nil, []string{"Nothing was done", "Promotions 2"}},
		"core, return":           {[]string{"tab", "a", "enter"}, nil, []string{"Nothing was done"}},
		"core, both files":       {[]string{"tab", "a", "2", "y"}, []string{"core pf-7 claude_md+agents_md"}, nil},
		"core, no file":          {[]string{"tab", "a", "1", "y"}, nil, []string{"No file is chosen"}},
		"core, no such file":     {[]string{"tab", "a", "9", "y"}, []string{"core pf-7 claude_md"}, nil},
		"a stale copy":           {[]string{"tab", "j", "a", "y"}, []string{"core pf-8 claude_md"}, nil},
		"deny a promotion":       {[]string{"tab", "d"}, []string{"deny pf-7"}, nil},
		"many":                   {[]string{"space", "space", "A", "y"}, []string{"approve pf-1 pf-p1", "approve pf-2"}, []string{"Approved 2", "2 decided"}},
		"many, denied":           {[]string{"space", "j", "space", "D", "y"}, []string{"deny pf-1", "deny pf-3"}, []string{"Denied 2"}},
		"many, no":               {[]string{"space", "space", "A", "q"}, nil, []string{"Nothing was done", "2 marked"}},
		"many, taken back":       {[]string{"space", "space", "D", "y", "u"}, []string{"deny pf-1", "deny pf-2", "undo pf-2"}, []string{"1 decided"}},
		"none marked":            {[]string{"A"}, nil, []string{"Nothing is marked"}},
		"a mark taken away":      {[]string{"space", "up", "space", "D"}, nil, []string{"Nothing is marked"}},
		"many without a phrase":  {[]string{"j", "j", "j", "space", "A"}, nil, []string{"its trigger phrase is missing"}},
		"many promotions":        {[]string{"tab", "space", "A"}, nil, []string{"is approved by itself"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, waiting(), 120, 30).keys(row.keys...)
			p.made(row.made...)
			p.want(row.want...)
		})
	}
}

// Enter, Backspace, a paste and keys without a meaning decide nothing, on any screen.
func TestNothingElseDecides(t *testing.T) {
	for _, before := range []string{"", "enter", "o", "?", "/", "p", "w", "r", "m", "tab", "space"} {
		for _, width := range []int{120, 40} {
			p := start(t, waiting(), width, 20)
			if before != "" {
				p.keys(before)
			}
			p.keys("enter", "enter", "backspace", "backspace", "x", "z", "y", "1", "end", "home")
			p.send(tea.PasteMsg{Content: "a d y\nA"})
			p.keys("enter", "backspace")
			p.made()
		}
	}
}

// A key that is held down decides once. One that is pressed again does so again.
func TestAHeldKeyDecidesOnce(t *testing.T) {
	p := start(t, waiting(), 120, 30)
	press := func(after time.Duration, k tea.Key) {
		p.now = p.now.Add(after)
		p.send(tea.KeyPressMsg(k))
	}
	d := tea.Key{Code: 'd', Text: "d"}
	press(0, d)
	press(660*time.Millisecond, d)
	for range 50 {
		press(40*time.Millisecond, d)
	}
	p.made("deny pf-1")
	p.want("A key that is held down decides nothing; press it again")
	press(500*time.Millisecond, d)
	p.made("deny pf-1", "deny pf-2")
	press(time.Hour, tea.Key{Code: 'a', Text: "a", IsRepeat: true})
	p.made("deny pf-1", "deny pf-2")
	press(time.Millisecond, tea.Key{Code: 'k', Text: "k"})
	press(time.Millisecond, tea.Key{Code: 'a', Text: "a"})
	p.made("deny pf-1", "deny pf-2", "approve pf-3")
}

// What is typed is text, whatever letters it has.
func TestTyping(t *testing.T) {
	p := start(t, waiting(), 120, 30)
	p.keys("/").typing("of a d u q").keys("ctrl+w", "ctrl+w", "ctrl+w", "ctrl+w").typing("core")
	p.want("Nothing here has these words", "Filter of core_")
	p.keys("ctrl+u").typing("PLACE")
	p.want("Item of place", "!Item of alike")
	p.keys("enter", "a").made("approve pf-2")
	p.want("/PLACE")
	p.keys("esc").want("Item of alike", "!/PLACE")
	p.keys("/").typing("alike").keys("esc").want("Item of below")
	p.keys("r")
	p.send(tea.PasteMsg{Content: "Two\nlines\x1b[31m"})
	p.want(`Why deny it? Two lines\x1b[31m_`)
	p.keys("enter", "d")
	p.made("approve pf-2", `deny pf-1 Two lines\x1b[31m`)
	if p.ended {
		t.Error("a typed q ends the screen")
	}
}

// While the port works nothing else is decided, and who leaves waits for it.
func TestBusy(t *testing.T) {
	p := start(t, waiting(), 100, 20)
	p.hold = true
	p.keys("a")
	p.want("Approving “Item of observation” …")
	p.keys("d", "A", "u").want("One moment")
	p.keys("q").want("Leaving once this is done: Approving")
	if p.ended || len(p.slow) != 1 {
		t.Errorf("ended %v with %d calls, want one that it waits for", p.ended, len(p.slow))
	}
	if p.release(); !p.ended {
		t.Error("it did not end after the call")
	}
	p.made("approve pf-1 pf-p1")

	p = start(t, waiting(), 100, 20)
	p.hold = true
	p.keys("space", "k", "D").want("Reading the item")
	p.keys("ctrl+c").want("Leaving once this is done")
	if p.release(); !p.ended {
		t.Error("it did not end after the call")
	}
	p.made()
}

// A decision is taken back by a key that comes while the item is read once more behind it.
func TestUndoAtOnce(t *testing.T) {
	p := start(t, waiting(), 100, 20)
	p.hold = true
	p.keys("a")
	approved := p.slow[0]
	p.slow = nil
	p.send(approved()) // what it reads then is held back
	p.want("Approved pf-1")
	p.keys("u").want("!One moment")
	p.release()
	p.made("approve pf-1 pf-p1", "undo pf-1")
}

// Esc stops the work on what is marked behind the decision that is made.
func TestStopping(t *testing.T) {
	p := start(t, waiting(), 100, 20).keys("space", "space", "space", "D")
	p.hold = true
	p.keys("y", "esc")
	p.release()
	p.made("deny pf-1")
	p.want("Denied 1", "2 marked")
}

// A key that comes before the item is read is done once it is known, unless it would put the
// item to a place that was not shown, or the item is not as it was shown.
func TestEarlyKeys(t *testing.T) {
	for name, row := range map[string]struct {
		keys   []string
		change func(*desk)
		made   []string
		want   string
	}{
		"deny":               {[]string{"j", "d"}, nil, []string{"deny pf-2"}, ""},
		"approve to a place": {[]string{"j", "a"}, nil, nil, "Item of place"},
		"approve":            {[]string{"j", "j", "a"}, nil, []string{"approve pf-3"}, ""},
		"then move":          {[]string{"j", "d", "k"}, nil, nil, ""},
		"then another":       {[]string{"j", "d", "m"}, nil, nil, "Nothing is near it"},
		"changed":            {[]string{"j", "d"}, func(d *desk) { d.items[1].Hash = "other" }, nil, "was changed meanwhile"},
		"gone":               {[]string{"j", "d"}, func(d *desk) { d.items = slices.Delete(d.items, 1, 2) }, nil, "is gone"},
		"after a move":       {[]string{"j", "d", "j", "d"}, nil, []string{"deny pf-3"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := waiting()
			p := start(t, d, 100, 20)
			if row.change != nil {
				row.change(d)
			}
			p.hold = true
			p.keys(row.keys...)
			p.release()
			p.made(row.made...)
			p.want(row.want)
		})
	}
}

// An item that somebody changed or took away is not decided about. The screen shows it as
// it is now.
func TestChangedMeanwhile(t *testing.T) {
	for _, key := range []string{"a", "d", "m"} {
		d := waiting()
		p := start(t, d, 100, 20)
		d.items[0].Hash, d.items[0].Text = "other", "Another text."
		p.keys(key)
		if key == "m" {
			p.keys("y")
		}
		p.made()
		p.want("Not done: pf-1 was changed meanwhile", "Another text.", "Observations 6")
		p.keys("d").made("deny pf-1")

		d = waiting()
		p = start(t, d, 100, 20)
		d.items = d.items[1:]
		if p.keys(key); key == "m" {
			p.keys("y")
		}
		p.made()
		p.want("“Item of observation” is gone", "Observations 5")
	}
	d := waiting()
	p := start(t, d, 100, 20)
	d.items[1].Hash, d.items[1].Text = "other", "Another text."
	p.keys("j").want("was changed meanwhile; this is how it is now", "Another text.")
	d.items = slices.Delete(d.items, 2, 3)
	p.keys("j").want("“Item of alike” is gone")
}

// What fails is told, and the item stays.
func TestFailures(t *testing.T) {
	broken := errors.New("the disk is full")
	for call, keys := range map[string][]string{"decide": {"a"}, "undo": {"d", "u"}, "places": {"p"}, "core": {"tab", "a"}, "item": {"j"}, "queue": {"tab"}} {
		d := waiting()
		p := start(t, d, 100, 20)
		d.failing[call] = broken
		p.keys(keys...).want("Not done: the disk is full")
	}
	d := waiting()
	d.failing["queue"] = broken
	p := start(t, d, 100, 20)
	p.want("Not done: the disk is full")
	if p.keys("q"); !p.ended {
		t.Error("it does not end")
	}
	d = waiting()
	p = start(t, d, 100, 20).keys("space", "space")
	d.failing["decide"] = broken
	p.keys("A", "y").want("Approved 0", "Not done: 2, as the disk is full", "2 marked")
}

// The editor gets the text, and what it saves is the item's text. That decides nothing else.
func TestEditing(t *testing.T) {
	saved, failed := "", error(nil)
	with := func(o *tui.Options) {
		o.Edit = func(_ context.Context, text string) (string, error) { return saved + text[:0], failed }
	}
	for name, row := range map[string]struct {
		saved  string
		failed error
		made   []string
		want   string
	}{
		"a new text":   {"New.\n", nil, []string{"edit pf-1 New."}, "The text is changed; a approves it as it is now"},
		"the same":     {"Text of observation.\n", nil, nil, "The text is as it was"},
		"no editor":    {"", errors.New("no editor is set"), nil, "Not done: no editor is set"},
		"nothing left": {"\n", nil, []string{"edit pf-1"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, waiting(), 100, 20, with)
			saved, failed = row.saved, row.failed
			p.keys("e")
			p.made(row.made...)
			p.want(row.want)
		})
	}
	p := start(t, waiting(), 100, 20, with)
	saved, failed = "New.\n", nil
	p.keys("e")
	p.keys("u").made("edit pf-1 New.", "undo pf-1")
	p.want("Taken back: the new text of", "Text of observation.", "Observations 6")
}

// What waits for another reason after a decision is shown at once, and leaves again with the undo.
func TestAnotherReason(t *testing.T) {
	d := waiting()
	d.next = map[vault.ID]journal.Reason{"pf-1": journal.Core}
	p := start(t, d, 100, 20)
	p.keys("tab").want("Promotions 2") // it is read before
	p.keys("tab", "a").made("approve pf-1 pf-p1")
	p.want("Approved pf-1", "Observations 5", "Promotions 3")
	p.keys("tab", "G").want("> core Item of observation")
	p.keys("u").want("Observations 6", "Promotions 2", "> 3x Item of observation")

	d = waiting()
	d.next = map[vault.ID]journal.Reason{"pf-1": journal.Core}
	p = start(t, d, 100, 20)
	p.keys("a").want("Promotions 3") // it is not read yet
	p.keys("tab").want("Promotions 3", "core Item of observation")

	d = waiting()
	d.next = map[vault.ID]journal.Reason{"pf-5": journal.Phrase, "pf-6": journal.IsBelow}
	p = start(t, d, 100, 20)
	p.keys("G", "a").want("Observations 5", "!Item of below") // it waits as it did, for the next review
	p.keys("G", "a").want("Observations 5", "phrase Item of deferred")
}
