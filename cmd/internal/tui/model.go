package tui

import (
	"context"
	"maps"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// screen is what the screen shows, and so what the keys mean.
type screen int

const (
	browsing screen = iota // the list
	reading                // the details of an item, on all of the screen
	sourcing               // its sessions, sources and text
	helping                // the keys
	listing                // what is left over in agents' files
	typing                 // a line of text
	choosing               // a parent
	asking                 // for a yes or a no
	copying                // likewise, with what would become of the agents' files
)

// Model is the state of the screen.
type Model struct {
	Options
	ctx  context.Context
	stop context.CancelFunc
	gate *gate

	width, height int
	tabs          [2]tab
	at            int    // the list that is shown
	on            screen // what is shown
	back          screen // what is shown once this screen is left
	scroll        int    // lines of the screen that are above its top

	reads bool // the port only reads
	later pressed
	busy  string // what the port does; empty if it does nothing
	note  string // what the last line says
	line  input
	pick  picker
	ask   question
	copy  copies
	batch batch

	trail  []step
	gone   map[vault.ID]journal.Reason // decided about here, and why it had waited
	seen   map[vault.ID]bool           // decided about or skipped
	first  string                      // the g of gg
	held   held
	total  int
	counts [2]int
	over   []string // what is left over in files that agents load, a line each

	leaving, interrupted bool
	fault                error // a mistake of the program's own; the screen ends

	away   asks    // what the screen was left for; nil if it was not
	begins tea.Cmd // what it does when it is shown
}

// step is a decision that was made here.
type step struct {
	do      string
	row     row
	tab, at int
}

// pressed is a key that waits until an item is read.
type pressed struct {
	name string
	id   vault.ID
}

// held is the last key, when it came, and whether it was taken for one that is held down.
type held struct {
	key     string
	at      time.Time
	repeats bool
}

// New returns the screen before anything is known of the queue.
func New(ctx context.Context, o Options) Model {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Warnings == nil {
		o.Warnings = func() []string { return nil }
	}
	m := Model{Options: o, tabs: newTabs(), gate: new(gate), gone: map[vault.ID]journal.Reason{}, seen: map[vault.ID]bool{}}
	m.ctx, m.stop = context.WithCancel(ctx)
	m.busy, m.reads = "Reading what waits", true
	m.begins = m.call(m.readPage(0))
	return m
}

// Init goes on where the screen was left; at first it reads the queue.
func (m Model) Init() tea.Cmd { return m.begins }

// Update returns the state after a key, a new size or an answer of the port.
func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	next, cmd := m, tea.Cmd(nil)
	if err := guard(func() { next, cmd = m.after(msg) }); err != nil {
		m.fault = err
		return m, tea.Quit
	}
	return next, cmd
}

// guard returns a panic in do as an error.
func guard(do func()) error {
	return vault.Guard("the review screen", debug.Stack, func() error { do(); return nil })
}

func (m Model) after(msg tea.Msg) (Model, tea.Cmd) {
	m.gone, m.seen = maps.Clone(m.gone), maps.Clone(m.seen)
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		m, cmd = m.pressKey(tea.Key(msg))
	case tea.PasteMsg:
		m = m.paste(msg.Content)
	case reply:
		m, cmd = m.takeReply(msg)
	}
	return m.clampView(), cmd
}

// View draws the state. The alternate screen has to be asked for each time.
func (m Model) View() tea.View {
	text := ""
	if err := guard(func() { text = m.draw() }); err != nil {
		text = err.Error()
	}
	v := tea.NewView(text)
	v.AltScreen = true
	v.KeyboardEnhancements.ReportEventTypes = true // tells a key that is held down from one that is pressed
	return v
}

// clampView keeps the cursor on the list and the scroll on the text.
func (m Model) clampView() Model {
	t := m.tab()
	shown := len(t.shownRows())
	t.cursor = max(min(t.cursor, shown-1), 0)
	t.top = max(min(t.top, t.cursor), t.cursor-max(m.bodyHeight(), 1)+1, 0)
	m.tabs[m.at] = t
	m.scroll = max(min(m.scroll, len(m.scrollLines())-m.bodyHeight()), 0)
	return m
}

// countReview tells how far the review went.
func (m Model) countReview() Sum {
	s := Sum{Seen: len(m.seen), Total: m.total, Done: map[string]int{}}
	for _, step := range m.trail {
		s.Done[step.do]++
	}
	if skipped := len(m.seen) - len(m.gone); skipped > 0 {
		s.Done["skip"] = skipped
	}
	return s
}
