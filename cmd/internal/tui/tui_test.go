package tui_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/tui"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/review"
)

// Each key that decides does so about the item under the cursor, and about nothing else.
func TestKeysDecide(t *testing.T) {
	for name, row := range map[string]struct {
		keys []string
		made []string
		want []string
	}{
		"approve":                {[]string{"a"}, []string{"approve pf-1"}, []string{"Approved pf-1: here.md; u takes it back", "Observations 5", "1 decided", "!Item of observation"}},
		"deny":                   {[]string{"d"}, []string{"deny pf-1"}, []string{"Denied pf-1; u takes it back"}},
		"skip":                   {[]string{"s"}, nil, []string{"Observations 6"}},
		"undo an approval":       {[]string{"a", "u"}, []string{"approve pf-1", "undo pf-1"}, []string{"Taken back: the approval of “Item of observation”", "Observations 6", "!decided"}},
		"undo nothing":           {[]string{"u"}, nil, []string{"Nothing was decided here yet"}},
		"undo after a skip":      {[]string{"s", "u"}, nil, []string{"Nothing was decided here yet"}},
		"undo from another list": {[]string{"a", "tab", "u"}, []string{"approve pf-1", "undo pf-1"}, []string{"[Observations 6]"}},
		"merge, yes":             {[]string{"m", "y"}, []string{"merge pf-1 pf-n1"}, []string{"Merged pf-1"}},
		"merge, no":              {[]string{"m", "n"}, nil, []string{"Nothing was done"}},
		"merge, return":          {[]string{"m", "enter"}, nil, []string{"Nothing was done"}},
		"merge, another key":     {[]string{"m", "a"}, nil, []string{"into “Worker pool” (50 % the same)?"}},
		"nothing near":           {[]string{"j", "m"}, nil, []string{"Nothing is near it"}},
		"a lifted deferral":      {[]string{"j", "j", "j", "j", "a"}, []string{"approve pf-5"}, nil},
		"a phrase is asked for":  {[]string{"j", "j", "j", "a"}, nil, []string{"When does one need it? _"}},
		"a phrase":               {[]string{"j", "j", "j", "a", "X", "enter", "a"}, []string{"approve pf-4 X"}, nil},
		"no phrase":              {[]string{"j", "j", "j", "a", "X", "esc", "a"}, nil, nil},
		"a phrase for a place":   {[]string{"w", "X", "enter", "a"}, []string{"approve pf-1 X"}, nil},
		"a reason":               {[]string{"r", "N", "o", "enter", "d"}, []string{"deny pf-1 No"}, nil},
		"a reason, erased":       {[]string{"r", "N", "o", "backspace", "enter", "d"}, []string{"deny pf-1 N"}, nil},
		"a parent":               {[]string{"p", "n", "e", "t", "enter", "a"}, []string{"approve pf-1 pf-p2"}, nil},
		"a parent, by arrows":    {[]string{"p", "down", "down", "up", "enter", "a"}, []string{"approve pf-1 pf-n1"}, nil},
		"no parent":              {[]string{"p", "esc", "a"}, []string{"approve pf-1"}, nil},
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
		"many":                   {[]string{"space", "space", "A", "y"}, []string{"approve pf-1", "approve pf-2"}, []string{"Approved 2", "2 decided"}},
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

// A key that is held down decides once.
func TestAHeldKeyDecidesOnce(t *testing.T) {
	p := start(t, waiting(), 120, 30)
	for range 20 {
		p.now = p.now.Add(600 * time.Millisecond)
		p.send(tea.KeyPressMsg(tea.Key{Code: 'd', Text: "d"}))
	}
	p.made("deny pf-1")
	p.want("A key that is held down decides nothing")
	p.keys("d").made("deny pf-1", "deny pf-2")
	p.now = p.now.Add(time.Hour)
	p.send(tea.KeyPressMsg(tea.Key{Code: 'a', Text: "a", IsRepeat: true}))
	p.made("deny pf-1", "deny pf-2")
	p.now = p.now.Add(time.Millisecond)
	p.send(tea.KeyPressMsg(tea.Key{Code: 'k', Text: "k"}))
	p.send(tea.KeyPressMsg(tea.Key{Code: 'a', Text: "a"}))
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

// The cursor goes through the list and stays on it.
func TestMoving(t *testing.T) {
	for keys, want := range map[string]string{
		"":                          "observation",
		"j":                         "place",
		"down down":                 "alike",
		"j j k":                     "place",
		"up":                        "observation",
		"G":                         "below",
		"G j":                       "below",
		"G g g":                     "observation",
		"G g":                       "below",
		"G g k g":                   "deferred",
		"end home":                  "observation",
		"pgdown":                    "phrase",
		"pgdown pgdown pgup":        "alike",
		"tab":                       "core",
		"tab j tab":                 "observation",
		"tab j tab tab":             "stale",
		"j enter j j enter":         "place",
		"j enter esc":               "place",
		"j enter q":                 "place",
		"j o q":                     "place",
		"j enter o o enter":         "place",
		"j ? esc":                   "place",
		"s s":                       "alike",
		"j space":                   "alike",
		"G s":                       "below",
		"s up s":                    "place",
		"j enter s backspace":       "alike",
		"enter tab":                 "core",
		"j enter m n enter":         "place",
		"j enter r X enter d enter": "alike",
		"j enter p esc enter k":     "observation",
	} {
		p := start(t, waiting(), 60, 5)
		if keys != "" {
			p.keys(strings.Fields(keys)...)
		}
		if want = "Item of " + want; !strings.Contains(p.here(), want) || p.ended {
			t.Errorf("%q: at %q, want %q:\n%s", keys, p.here(), want, p.screen())
		}
	}
}

// q and Esc go back, and end the screen only where there is nothing to go back to. Ctrl+C
// ends it everywhere.
func TestLeaving(t *testing.T) {
	for keys, want := range map[string]bool{
		"q": true, "esc": true, "enter q": false, "enter q q": true, "? q": false, "o esc": false, "m esc": false, "tab a q": false,
		"p esc": false, "p q": false, "/ q": false, "r esc": false, "/ x enter esc": false, "/ x enter esc esc": true, "/ x enter q": true,
		"ctrl+c": true, "enter ctrl+c": true, "? ctrl+c": true, "/ ctrl+c": true, "p ctrl+c": true, "m ctrl+c": true, "tab a ctrl+c": true,
	} {
		if p := start(t, waiting(), 100, 20).keys(strings.Fields(keys)...); p.ended != want {
			t.Errorf("%q: ended %v, want %v:\n%s", keys, p.ended, want, p.screen())
		}
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
	p.made("approve pf-1")
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

// Long lists are read in two steps: a page, and the rest once it is needed.
func TestPages(t *testing.T) {
	for _, keys := range [][]string{{"G"}, {"/", "x"}, {"end"}} {
		d := &desk{failing: map[string]error{}}
		for i := range 450 {
			d.items = append(d.items, review.Item{Why: review.Observation, ID: vault.ID(fmt.Sprint("pf-", i)), Title: fmt.Sprintf("Title %03d", i)})
		}
		p := start(t, d, 100, 20)
		p.want("Observations 450")
		if len(d.reads) != 1 || d.reads[0].Limit == 0 {
			t.Fatalf("it read %v at first, want a page", d.reads)
		}
		p.keys("d").keys(keys...)
		if len(d.reads) != 2 || d.reads[1].Limit != 0 {
			t.Errorf("%v: it read %v, want the rest", keys, d.reads)
		}
		p.keys("esc", "G")
		p.want("Observations 449", "Title 449", "!Title 000")
	}
	d := waiting()
	start(t, d, 100, 20, func(o *tui.Options) { o.Limit, o.Offset = 2, 1 }).keys("G").want("Item of alike", "!Item of observation", "!Item of below")
}

// Where nothing is left the screen says so.
func TestEmpty(t *testing.T) {
	p := start(t, &desk{}, 100, 20)
	p.want("No observations wait.", "[Observations 0]")
	for _, key := range []string{"a", "d", "s", "e", "m", "p", "w", "r", "u", "A", "D", "enter", "o", "space", "j", "k", "G", "?", "esc"} {
		p.keys(key)
	}
	p = start(t, &desk{}, 100, 20).keys("tab")
	p.want("No memory is ready for the agents' files. That takes 3 sessions and 7 days in the tree.")
	d := waiting()
	d.items = d.items[:1]
	p = start(t, d, 60, 20).keys("enter", "d")
	p.want("All observations are reviewed.", "1 decided")
}

// Texts cannot steer the terminal, and no line is wider or the screen higher than it.
func TestTheScreenHolds(t *testing.T) {
	d := waiting()
	evil := "\x1b[2J\x1b]0;title\x07\u202eevil\r\x9b31m\ttab 漢字漢字 👩‍👩‍👧 e\u0301 " + strings.Repeat("long", 60)
	for i := range d.items {
		item := &d.items[i]
		item.Title, item.Text, item.Sessions, item.Type = evil, evil+"\n"+evil, []string{evil}, evil
		item.Sources, item.Path = []string{evil}, vault.Path(evil)
		item.Nearest = []review.Near{{ID: "pf-x", Title: evil, Summary: evil, Path: vault.Path(evil)}}
		item.Parent = &item.Nearest[0]
		item.Targets = []string{evil}
	}
	d.files = []app.CoreFile{{Target: evil, File: evil, Was: evil, Is: evil + "\n" + evil, Chosen: true}, {Target: "b", Err: errors.New(evil)}}
	d.places = d.items[0].Nearest
	d.failing["undo"] = errors.New(evil)
	for _, size := range [][2]int{{120, 40}, {80, 14}, {79, 24}, {40, 12}, {40, 8}, {20, 5}, {18, 4}, {1, 1}} {
		for _, keys := range []string{"", "enter", "o", "?", "m", "p", "p x", "r x", "/ x", "/ i", "space A", "tab", "tab a", "tab enter", "d", "d u", "w x enter", "enter pgdown pgdown"} {
			p := start(t, d, size[0], size[1]).keys(strings.Fields(keys)...)
			content := p.model.View().Content
			if lines := strings.Split(content, "\n"); len(lines) > size[1] {
				t.Errorf("%v, %q: %d lines:\n%s", size, keys, len(lines), p.screen())
			}
			for line := range strings.Lines(p.screen()) {
				if n := ansi.StringWidth(strings.TrimRight(line, "\n")); n > size[0] {
					t.Errorf("%v, %q: a line of %d cells: %q", size, keys, n, line)
				}
			}
			if strings.ContainsAny(styles.ReplaceAllString(content, ""), "\x1b\x07\r\t\u202e\u009b") {
				t.Errorf("%v, %q: it steers the terminal: %q", size, keys, content)
			}
			if v := p.model.View(); !v.AltScreen {
				t.Errorf("%v, %q: not on the alternate screen", size, keys)
			}
		}
	}
}

// styles are the escapes of our own.
var styles = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// From 80 columns on the details stand beside the list, below that on a screen of their own.
func TestSizes(t *testing.T) {
	p := start(t, waiting(), 80, 14)
	p.want("> 3x Item of observation", "Text of observation.")
	p.send(tea.WindowSizeMsg{Width: 79, Height: 14})
	p.want("> 3x Item of observation", "!Text of observation.", "ready for a place in the tree")
	p.keys("enter").want("!> 3x", "Text of observation.")
	p.send(tea.WindowSizeMsg{Width: 40, Height: 8})
	p.want("Text of observation.")
	p.send(tea.WindowSizeMsg{Width: 19, Height: 5})
	p.want("Needs 20x5 cells", "!Item")
	p.keys("q")
	p.send(tea.WindowSizeMsg{Width: 20, Height: 5})
	p.want("> 3x", "!Needs")
	p.send(tea.WindowSizeMsg{Width: 20, Height: 4})
	p.want("Needs 20x5 cells")
}

// Each key of the help is a key of the screen: it changes what is shown, or leaves.
func TestHelpNamesKeys(t *testing.T) {
	spelled := map[string]string{"↑": "up", "↓": "down", "PgUp": "pgup", "PgDn": "pgdown", "Tab": "tab", "Enter": "enter", "Space": "space", "Esc": "esc", "Ctrl+C": "ctrl+c"}
	for _, row := range tui.Keys() {
		for _, name := range strings.Fields(strings.ReplaceAll(strings.ReplaceAll(row.Keys, ",", ""), "gg", "g/g")) {
			p := start(t, waiting(), 100, 10, func(o *tui.Options) {
				o.Edit = func(context.Context, string) (string, error) { return "", nil }
			}).keys("space", "d", "j")
			before := p.screen()
			names := strings.Split(name, "/")
			if name == "/" {
				names = []string{"/"}
			}
			for _, name := range names {
				if key := spelled[name]; key != "" {
					name = key
				}
				p.keys(name)
			}
			if p.screen() == before && !p.ended {
				t.Errorf("%q does nothing", name)
			}
		}
	}
}

// Where its context has ended the screen ends with the cause.
func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("stopped")
	cancel(why)
	_, err := tui.Run(ctx, tui.Options{Port: waiting(), In: strings.NewReader(""), Out: new(strings.Builder)})
	if !errors.Is(err, why) {
		t.Errorf("got %v, want %v", err, why)
	}
}
