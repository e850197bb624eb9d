package tui_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/cmd/internal/tui"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/tier"
)

// desk is a queue in memory. It decides as the program does, and notes what it is asked.
type desk struct {
	items   []journal.Item
	places  []journal.NearMemory
	files   []queue.CoreFile
	said    []string // the decisions that were made, and those that were taken back
	ops     []journal.Item
	failing map[string]error // by the name of the call
	reads   []queue.Query
	over    []tier.LeftOver
	next    map[vault.ID]journal.Reason // for which an item waits after a decision about it
}

func (d *desk) Queue(_ context.Context, q queue.Query) (journal.Queue, error) {
	d.reads = append(d.reads, q)
	out := journal.Queue{Counts: map[journal.Reason]int{}, LeftOver: d.over}
	for _, item := range d.items {
		out.Counts[item.Why]++
		if len(q.Why) == 0 || slices.Contains(q.Why, item.Why) {
			item.Nearest, item.Parent, item.Sessions = nil, nil, nil
			out.Items = append(out.Items, item)
		}
	}
	out.Total = len(out.Items)
	out.Items = out.Items[min(q.Offset, len(out.Items)):]
	if q.Limit > 0 {
		out.Items = out.Items[:min(q.Limit, len(out.Items))]
	}
	return out, d.failing["queue"]
}

func (d *desk) at(id vault.ID) int {
	return slices.IndexFunc(d.items, func(i journal.Item) bool { return i.ID == id })
}

func (d *desk) Item(_ context.Context, item journal.Item) (journal.Item, error) {
	at := d.at(item.ID)
	if at < 0 {
		return item, vault.Errorf(vault.CodeNotFound, "", "%s waits no more", item.ID)
	}
	return d.items[at], d.failing["item"]
}

func (d *desk) Decide(_ context.Context, item journal.Item, do queue.Decision) (queue.Outcome, error) {
	if err := d.failing["decide"]; err != nil {
		return queue.Outcome{}, err
	}
	at := d.at(item.ID)
	if at < 0 {
		return queue.Outcome{}, vault.Errorf(vault.CodeNotFound, "", "%s is gone: it was taken away meanwhile", item.ID)
	}
	if d.items[at].Hash != item.Hash {
		return queue.Outcome{}, vault.Errorf(vault.CodeConflict, "", "%s was changed meanwhile", item.ID)
	}
	words := []string{do.Do, string(item.ID)}
	for _, word := range []string{do.Parent, do.Summary, do.Reason, do.Ending, do.Into, do.Text, strings.Join(do.Targets, "+")} {
		if word != "" {
			words = append(words, word)
		}
	}
	d.said = append(d.said, strings.Join(words, " "))
	d.ops = append(d.ops, d.items[at])
	if why := d.next[item.ID]; why != "" {
		d.items = slices.Clone(d.items)
		d.items[at].Why, d.items[at].Hash = why, d.items[at].Hash+"'"
	} else if do.Do == queue.Edit {
		d.items[at].Text, d.items[at].Hash = do.Text, d.items[at].Hash+"'"
	} else {
		d.items = slices.Delete(slices.Clone(d.items), at, at+1)
	}
	return queue.Outcome{QueueDecided: journal.QueueDecided{ID: item.ID, Title: item.Title, Path: "here.md"}, Do: do.Do, Level: string(tier.LongTerm)}, nil
}

func (d *desk) Undo(context.Context) (past.UndoRow, error) {
	if err := d.failing["undo"]; err != nil {
		return past.UndoRow{}, err
	}
	last := d.ops[len(d.ops)-1]
	d.ops = d.ops[:len(d.ops)-1]
	d.said = append(d.said, "undo "+string(last.ID))
	if at := d.at(last.ID); at >= 0 {
		d.items[at] = last
	} else {
		d.items = append(d.items, last)
	}
	return past.UndoRow{}, nil
}

func (d *desk) Places(context.Context, journal.Item) ([]journal.NearMemory, error) {
	return d.places, d.failing["places"]
}

func (d *desk) Core(context.Context, journal.Item) ([]queue.CoreFile, error) {
	return d.files, d.failing["core"]
}

// waiting returns a desk with an item for each reason.
func waiting() *desk {
	parent := journal.NearMemory{ID: "pf-p1", Title: "Operations", Path: "operations.md", Summary: "When something runs"}
	near := journal.NearMemory{ID: "pf-n1", Title: "Worker pool", Path: "operations/worker-pool.md", Similarity: 0.5}
	d := &desk{failing: map[string]error{}, places: []journal.NearMemory{parent, near, {ID: "pf-p2", Title: "Networks", Path: "networks.md"}}}
	for i, why := range []journal.Reason{journal.ReasonObservation, journal.ReasonPlace, journal.Alike, journal.Phrase, journal.Deferred, journal.IsBelow, journal.Core, journal.Stale} {
		item := journal.Item{Why: why, ID: vault.ID(fmt.Sprintf("pf-%d", i+1)), Title: "Item of " + string(why), Text: "Text of " + string(why) + ".",
			Type: "observation", Path: vault.Path(fmt.Sprintf("o%d.md", i+1)), Hash: fmt.Sprint("h", i+1), Count: 3, Sessions: []string{"s1", "s2", "s3"}, Sources: []string{"bot"}}
		if why == journal.ReasonObservation {
			item.Nearest, item.Parent = []journal.NearMemory{near}, &parent
		}
		d.items = append(d.items, item)
	}
	d.files = []queue.CoreFile{
		{Target: "claude_md", File: "/code/CLAUDE.md", Was: "# Rules\n", Is: "# Rules\n\n## Item\n", Chosen: true},
		{Target: "agents_md", File: "/code/AGENTS.md", Is: "## Item\n"},
	}
	return d
}

// play is a screen with the desk behind it, and a clock that stands still.
type play struct {
	t     *testing.T
	model tea.Model
	now   time.Time
	desk  *desk
	ended bool
	slow  []tea.Cmd // what was begun and waits, where calls are held back
	hold  bool
}

// start shows the first page of the desk.
func start(t *testing.T, d *desk, width, height int, set ...func(*tui.Options)) *play {
	t.Helper()
	p := &play{t: t, desk: d, now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
	o := tui.Options{Port: d, Dir: "/code", Now: func() time.Time { return p.now }, Thresholds: tier.Default()}
	for _, s := range set {
		s(&o)
	}
	p.model = tui.New(t.Context(), o)
	p.run(p.model.Init())
	p.send(tea.WindowSizeMsg{Width: width, Height: height})
	return p
}

// send hands the screen a message, and answers for the port.
func (p *play) send(msg tea.Msg) {
	var cmd tea.Cmd
	p.model, cmd = p.model.Update(msg)
	p.run(cmd)
}

func (p *play) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if p.hold {
		p.slow = append(p.slow, cmd)
		return
	}
	msg := cmd()
	if _, ok := msg.(tea.QuitMsg); ok {
		p.left()
		return
	}
	p.send(msg)
}

// left shows the screen again after the editor, and ends it else.
func (p *play) left() {
	m, ok := p.model.(tui.Model)
	if !ok || !m.Away() {
		p.ended = true
		return
	}
	m = m.Back()
	p.model = m
	p.run(m.Init())
}

// release answers what was held back.
func (p *play) release() {
	p.hold = false
	for len(p.slow) > 0 {
		cmd := p.slow[0]
		p.slow = p.slow[1:]
		p.run(cmd)
	}
}

// named are the keys that are more than a letter.
var named = map[string]tea.Key{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "backspace": {Code: tea.KeyBackspace},
	"space": {Code: tea.KeySpace, Text: " "}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "pgup": {Code: tea.KeyPgUp},
	"pgdown": {Code: tea.KeyPgDown}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "ctrl+c": {Code: 'c', Mod: tea.ModCtrl},
	"ctrl+z": {Code: 'z', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl}, "ctrl+w": {Code: 'w', Mod: tea.ModCtrl},
}

// keys presses keys, a second after each other.
func (p *play) keys(names ...string) *play {
	p.t.Helper()
	for _, name := range names {
		k, ok := named[name]
		if !ok {
			k = tea.Key{Code: []rune(name)[0], Text: name}
		}
		p.now = p.now.Add(time.Second)
		p.send(tea.KeyPressMsg(k))
	}
	return p
}

// typing presses the keys of a text.
func (p *play) typing(text string) *play {
	for _, letter := range text {
		p.keys(map[bool]string{true: "space", false: string(letter)}[letter == ' '])
	}
	return p
}

// screen returns what is shown, without styles.
func (p *play) screen() string { return ansi.Strip(p.model.View().Content) }

// here returns the row under the cursor.
func (p *play) here() string {
	for line := range strings.Lines(p.screen()) {
		if strings.HasPrefix(line, ">") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// want fails unless the screen shows the texts, and does not show those behind a "!".
func (p *play) want(texts ...string) {
	p.t.Helper()
	screen := strings.Join(strings.Fields(p.screen()), " ")
	for _, text := range texts {
		text, not := strings.CutPrefix(text, "!")
		if strings.Contains(screen, text) == not {
			p.t.Errorf("shown %v, want %v: %q in\n%s", not, !not, text, p.screen())
		}
	}
}

// made fails unless the desk was told just this.
func (p *play) made(want ...string) {
	p.t.Helper()
	if !slices.Equal(p.desk.said, want) {
		p.t.Errorf("decided %q, want %q:\n%s", p.desk.said, want, p.screen())
	}
}
