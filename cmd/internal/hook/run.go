package hook

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/guide"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/prose"
	"github.com/cp-memory/cp/vault/tree"
)

// The times and sizes of a hook.
const (
	grace       = 80 * time.Millisecond  // from the deadline on, for what the index says
	closing     = 100 * time.Millisecond // after that, until a hand-over is closed
	maxText     = 9500                   // characters; Claude Code shows 10,000 and puts more into a file
	promptRows  = 3
	promptCost  = 300  // tokens
	promptFrame = 65   // those of them around the rows
	writtenRows = 15   // of what was written since the session began
	maxAnswer   = 2000 // characters of the answer that is kept
)

// name is what the program's texts are marked with.
const name = "cp-memory"

// notReady is what the start tells where there is no index to answer from.
const notReady = "The memory is there, and its index is not ready yet: it is being made. See what it holds: cp memory prime"

// Run does what an event asks for and returns what the agent is told. What goes wrong is
// told in one line at the start, and otherwise not at all. At the deadline the vault as it is
// on disk is given up for what its index says, and a moment later all of it; the index is then
// brought up to date by a process in the background.
func Run(ctx context.Context, a *app.App, flags settings.Flags, event string, in Input, deadline time.Time) string {
	here := *a
	here.Warn, here.Debug, here.Progress = nil, nil, nil
	if info, err := os.Stat(in.Dir); in.Dir != "" && err == nil && info.IsDir() {
		here.Dir = in.Dir
	}
	here.Hasty = event == Start || event == Prompt || event == File
	h := hooked{App: &here, flags: flags, in: in, deadline: deadline, late: new(atomic.Bool), ready: new(atomic.Pointer[string])}
	said := make(chan string, 1)
	go func() { // what does not come to an end in time ends with the process, as if it had been killed
		defer func() {
			if recover() != nil {
				said <- ""
			}
		}()
		said <- h.answer(ctx, event)
	}()
	text := ""
	select {
	case text = <-said:
	case <-time.After(deadline.Add(grace).Sub(a.Now())):
		h.late.Store(true)
		text = h.lateText(event, said)
	}
	if h.late.Load() {
		h.indexLater()
	}
	if text == "" {
		return ""
	}
	return markAsOurs(h.cutAtLineEnd(text))
}

// lateText is what the agent is told when its time is up. What only waits for a hand-over to be closed
// gets a little more.
func (h hooked) lateText(event string, said <-chan string) string {
	ready := h.ready.Load()
	if ready == nil {
		return map[string]string{Start: h.say(notReady)}[event]
	}
	select {
	case text := <-said:
		return text
	case <-time.After(closing):
		return *ready
	}
}

// answer is what the agent is told.
func (h hooked) answer(ctx context.Context, event string) (text string) {
	var err error
	switch event {
	case Start:
		text, err = h.startText(ctx)
	case Prompt:
		text, err = h.prompt(ctx)
	case File:
		text, err = h.tellOfFiles(ctx)
	case Compact:
		err = h.forgetSession(ctx)
	case End:
		err = h.keepLastAnswer(ctx)
	}
	switch {
	case vault.CodeOf(err) == vault.CodeNoVault && h.flags.Vault == "" && h.Env("CP_VAULT") == "":
		return ""
	case vault.CodeOf(err) == vault.CodeLocked && event == Start:
		return h.say(notReady)
	case err != nil && event == Start:
		return "The memory cannot be read: " + render.Line(err.Error()) + h.say("; see: cp doctor")
	}
	return text
}

// markAsOurs marks a text as ours, so that [transcript.Clean] finds it again: what a memory said
// once must not be kept as if somebody had said it anew. A tag of ours in the text becomes
// visible text.
func markAsOurs(text string) string {
	text = strings.NewReplacer("<"+name, "&lt;"+name, "</"+name, "&lt;/"+name).Replace(strings.TrimRight(text, "\n"))
	return "<" + name + ">\n" + text + "\n</" + name + ">"
}

// cutAtLineEnd cuts a text that an agent would put into a file, at a line's end.
func (h hooked) cutAtLineEnd(text string) string {
	runes := []rune(text)
	if len(runes) <= maxText {
		return text
	}
	cut := string(runes[:maxText])
	cut = cut[:strings.LastIndexByte(cut, '\n')+1]
	if strings.Count(cut, "\n"+prose.DataStart) > strings.Count(cut, "\n"+prose.DataEnd) {
		cut += prose.DataEnd
	}
	return cut + h.say("(cut here: cp memory prime shows it all)")
}

// hooked is one call of a hook.
type hooked struct {
	*app.App
	flags    settings.Flags
	in       Input
	deadline time.Time
	late     *atomic.Bool            // the index was not brought up to date in time
	ready    *atomic.Pointer[string] // what is told where the last step takes too long
}

// programName is what the program is called by in what the agent reads: its tools, where the agent has
// them, else as it was started.
func (h hooked) programName() string {
	if h.in.Tools {
		return guide.Tools
	}
	return cmp.Or(h.Name, name)
}

// say is one of our texts as the agent can do what it says.
func (h hooked) say(text string) string { return render.RenameCommands(h.programName(), text) }

// openVault opens the vault for fn, after finishing what others left, and shows what waits.
func (h hooked) openVault(ctx context.Context, set func(*settings.Settings), fn func(target.Target) error) error {
	s, err := settings.Load(h.flags, h.Place())
	if err != nil {
		return err
	}
	set(&s)
	session, err := h.Open(ctx, s)
	if err != nil {
		return err
	}
	defer h.Close(session)
	app.Look.Enter(ctx, session, func(vault.Tended) {})
	session.Vault.Hasty = false // inTime asks again, and says so
	t, err := target.Here(ctx, registry.New(h.App, registry.About{Flags: h.flags}), session)
	if err == nil {
		session.Settings.Project = t.Project.Name
	}
	return fn(t)
}

func asSet(*settings.Settings) {}

// startText is what an agent should know at the start: what was handed over to it, and then what
// prime says. A hand-over is closed last of all, so that it is told to whom it is closed for. After a
// conversation was compacted there is also what was written since it began, and the reminder to keep
// what is not kept yet.
func (h hooked) startText(ctx context.Context) (text string, err error) {
	quick, cancel := context.WithDeadline(ctx, h.deadline)
	defer cancel()
	err = h.openVault(ctx, shortly, func(t target.Target) error {
		if h.in.Source == "compact" || h.in.Source == "clear" {
			h.in.forgetTold(t.Session)
		}
		over := h.findHandover(ctx, quick, t.Session)
		text, err = h.primeText(ctx, quick, t, tree.PrimeBudget-vault.Tokens(over.tellHandovers(keptOpen)))
		if err != nil {
			return err
		}
		open := over.tellHandovers(keptOpen) + text
		h.ready.Store(&open)
		text = h.takeUp(ctx, t.Session, over) + text
		return nil
	})
	return text, err
}

// primeText is the top of the tree and, after a conversation was compacted, what was written since
// it began.
func (h hooked) primeText(ctx, quick context.Context, t target.Target, budget int) (string, error) {
	var b strings.Builder
	screen := render.Screen{Writer: &b, Name: h.programName(), Now: h.Now()}
	var p ask.Primed
	cost := p.FitProjects(h.projectsBelow(quick, t), budget)
	fresh, err := h.inTime(ctx, quick, t.Session, func(ctx context.Context, s *app.Session) (err error) {
		p.Primed, err = s.Prime(ctx, tree.Prime{Budget: budget - cost})
		return err
	})
	if err != nil {
		return "", err
	}
	if !fresh {
		b.WriteString("(not fresh: the vault has changed more than could be read in time)\n\n")
	}
	render.PrimeFamily(screen, t.Settings.Project, p)
	if h.in.Source == "compact" {
		b.WriteString("\n" + h.tellWritten(quick, t.Session))
	}
	return b.String(), nil
}

// tellWritten tells what was written since the session began, and reminds of the rest.
func (h hooked) tellWritten(ctx context.Context, s *app.Session) string {
	var b strings.Builder
	if since := began(h.in.Transcript); !since.IsZero() {
		c, err := s.History().Changes(ctx, past.Changes{Since: since.UTC().Format(time.RFC3339)})
		if err == nil && len(c.Rows) > 0 {
			b.WriteString("Written since this session began:\n" + prose.DataStart + h.writtenIn(c.Rows) + prose.DataEnd + "\n")
		}
	}
	b.WriteString("This conversation was compacted. Keep now what you found out and have not kept: " + h.say("`cp memory add`") + ".\n")
	return b.String()
}

// writtenIn writes a line for each of the first rows.
func (h hooked) writtenIn(rows []past.ChangeRow) string {
	var b strings.Builder
	for i, row := range rows {
		if i == writtenRows {
			fmt.Fprintf(&b, h.say("- (+%d more: cp memory changes --since 8h)\n"), len(rows)-i)
			break
		}
		b.WriteString(prose.Harmless(fmt.Sprintf("- %s %s: %s", render.Line(string(row.ID)), row.Change, render.Line(row.Title))) + "\n")
	}
	return b.String()
}

// data puts what others wrote between lines that say that it is data.
func data(rows string) string { return prose.Notice + prose.DataStart + rows + prose.DataEnd }

// began returns when a conversation began: the first time that its file names.
func began(transcript string) time.Time {
	if !filepath.IsAbs(transcript) {
		return time.Time{}
	}
	info, err := os.Stat(transcript)
	if err != nil || !info.Mode().IsRegular() { // a pipe would hang
		return time.Time{}
	}
	f, err := os.Open(transcript)
	if err != nil {
		return time.Time{}
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, 1<<20))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct {
			Timestamp time.Time `json:"timestamp"`
		}
		if json.Unmarshal(bytes.TrimSpace(lines.Bytes()), &line) == nil && !line.Timestamp.IsZero() {
			return line.Timestamp
		}
	}
	return time.Time{}
}
