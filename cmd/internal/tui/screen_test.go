package tui_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/cmd/internal/tui"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

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

// Long lists are read in two steps: a page, and the rest once it is needed.
func TestPages(t *testing.T) {
	for _, keys := range [][]string{{"G"}, {"/", "x"}, {"end"}} {
		d := &desk{failing: map[string]error{}}
		for i := range 450 {
			d.items = append(d.items, journal.Item{Why: journal.ReasonObservation, ID: vault.ID(fmt.Sprint("pf-", i)), Title: fmt.Sprintf("Title %03d", i)})
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
		item.Nearest = []journal.NearMemory{{ID: "pf-x", Title: evil, Summary: evil, Path: vault.Path(evil)}}
		item.Parent = &item.Nearest[0]
		item.Targets = []string{evil}
	}
	d.files = []queue.CoreFile{{Target: evil, File: evil, Was: evil, Is: evil + "\n" + evil, Chosen: true}, {Target: "b", Err: errors.New(evil)}}
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

// What is left over in agents' files is counted beside what waits, and a key lists it; nothing is
// decided about it here.
func TestLeftOver(t *testing.T) {
	d := waiting()
	p := start(t, d, 100, 24)
	p.want("!left over")
	p.keys("l").want("Nothing is left over")
	d = waiting()
	d.over = []tier.LeftOver{{ID: "pf-vpn", File: "/code/CLAUDE.md", Why: "it is denied", Command: "cp memory demote pf-vpn"}}
	p = start(t, d, 100, 24)
	p.want("1 left over: l")
	p.keys("l").want("left over in /code/CLAUDE.md: pf-vpn, though it is denied", "cp memory demote pf-vpn")
	p.keys("a").keys("esc").want("1 left over: l", "Item of observation")
	p.made()
	d.items = nil
	p = start(t, d, 100, 24)
	p.want("No observations wait", "1 left over: l")
	p.keys("l").want("cp memory demote pf-vpn")
}
