package hook

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/prose"
)

// The bounds of what a start tells of hand-overs.
const (
	handoffCost    = 500 // tokens; a longer one is cut
	handoffsNearby = 3   // those of the branch in other work trees
)

// handover is what a start tells of the hand-overs that are open.
type handover struct {
	left   *journal.OpenHandoff // in this branch and work tree, for this agent; nil for none
	takes  bool                 // it counts as taken up once it is told
	nearby string               // lines about those of the branch in other work trees
	say    func(string) string  // names commands as the agent reaches them
}

// shortly bounds how long a hook waits for the vault's lock.
func shortly(s *settings.Settings) { s.LockTimeout = lockPatience }

// findHandover looks for what was left for this session. It has a third of the time, unless the index
// has to be made, which prime needs as well. What cannot be read in it is told as the index has it, or
// the next time.
func (h hooked) findHandover(ctx, quick context.Context, s *app.Session) (o handover) {
	o.say = h.say
	limit := quick
	if s.HasIndex() {
		var cancel context.CancelFunc
		limit, cancel = context.WithTimeout(quick, h.deadline.Sub(h.Now())/3)
		defer cancel()
	}
	var all []journal.OpenHandoff
	var here journal.Checkout
	if _, err := h.inTime(ctx, limit, s, func(ctx context.Context, s *app.Session) (err error) {
		all, here, err = s.OpenHandoffs(ctx)
		return err
	}); err != nil {
		return o
	}
	all = slices.DeleteFunc(all, func(left journal.OpenHandoff) bool { return !app.IsForAgent(&left, h.flags.Agent) })
	if len(all) > 0 && all[0].Here {
		if shows, takes := h.in.meets(&all[0]); shows {
			o.left, o.takes = &all[0], takes
		}
		all = all[1:]
	}
	all = slices.DeleteFunc(all, func(left journal.OpenHandoff) bool {
		return here.Branch == "" || left.Branch != here.Branch || left.WorkTree == here.WorkTree
	})
	for _, left := range all[:min(len(all), handoffsNearby)] {
		if s.HasCommit(quick, left.Commit) { // else it is another project's
			o.nearby += prose.Harmless(render.Line("- "+left.Title+" ("+origin(&left)+")")) + "\n"
		}
	}
	return o
}

// meets reports whether a session is shown a hand-over, and whether that counts as taking it up. The
// session that wrote it is not shown it, unless it was cleared and knows nothing of it any more. A
// conversation that goes on after it was compacted, or in a copy, has work of its own; one that is
// resumed has taken it up if it is another one for certain.
func (in Input) meets(left *journal.OpenHandoff) (shows, takes bool) {
	own := in.Session != "" && slices.Contains(left.Sessions, in.Session)
	switch in.Source {
	case "clear":
		return true, true
	case "compact", "fork":
		return !own, false
	case "resume":
		return !own, !own && in.Session != "" && len(left.Sessions) > 0
	}
	return !own, !own
}

// takeUp closes the hand-over that the text tells of, and returns what is told. Of two sessions that
// begin at once the second is told that the first one has it. What cannot be closed now, since
// another process has the vault or something is under way in its repository, is told again.
func (h hooked) takeUp(ctx context.Context, s *app.Session, o handover) string {
	if o.left == nil || !o.takes {
		return o.tellHandovers(keptOpen)
	}
	if waiting, err := s.Store.Waiting(ctx); err != nil || len(waiting) > 0 {
		return o.tellHandovers(keptOpen)
	}
	by := firstNonEmpty(oneLine(h.flags.Agent), "an agent")
	if h.in.Session != "" {
		by += " in session " + vault.Clip(oneLine(h.in.Session), 100)
	}
	soon, cancel := context.WithDeadline(ctx, h.deadline.Add(grace))
	defer cancel()
	switch taken, err := (journal.TakeUp{ID: o.left.ID, By: by}).Do(soon, s.Vault); {
	case err != nil:
		return o.tellHandovers(keptOpen)
	case !taken:
		return o.tellHandovers(goneMeanwhile)
	}
	return o.tellHandovers(takenUp)
}

// How a hand-over stands once it is told.
type standing int

const (
	keptOpen standing = iota
	takenUp
	goneMeanwhile // another session has it
)

// tellHandovers is what is told of the hand-overs, before everything else.
func (o handover) tellHandovers(is standing) string {
	var b strings.Builder
	switch {
	case o.left != nil && is == goneMeanwhile:
		fmt.Fprintf(&b, "A hand-over of this branch, %s, was taken up by another session a moment ago.\n\n", render.Line(string(o.left.ID)))
	case o.left != nil:
		b.WriteString(o.leftText(is == takenUp))
	}
	if o.nearby != "" {
		b.WriteString(o.say("Open hand-overs of this branch in other work trees; `cp memory show ID` has the text, `cp memory resolve ID` closes one that is done:\n") + prose.DataStart + o.nearby + prose.DataEnd + "\n")
	}
	return b.String()
}

// leftText tells of the hand-over that is for this session.
func (o handover) leftText(taken bool) string {
	left := o.left
	where := "in this work tree"
	if left.Branch != "" {
		where = "on the branch " + left.Branch
	}
	then := o.say("It stays open: `cp memory resolve " + string(left.ID) + "` closes it once it is done.")
	if taken {
		then = "You have taken it up, and it is closed."
	}
	head := prose.Harmless(render.Line(fmt.Sprintf("HANDED OVER %s (%s). %s", where, origin(left), then))) + "\n" + prose.Notice + prose.DataStart
	foot := prose.DataEnd + "\n"
	body := left.Text
	if !strings.HasPrefix(body, strings.TrimSuffix(left.Title, "…")) {
		body = left.Title + "\n\n" + body
	}
	return head + o.cutToCost(body, string(left.ID), handoffCost-vault.Tokens(head+foot)) + foot
}

// origin tells which hand-over it is, who left it, when, and at which commit.
func origin(left *journal.OpenHandoff) string {
	said := string(left.ID)
	for _, part := range [...][2]string{{"by", left.Creator}, {"on", formatTime(left.Created)}, {"at commit", vault.Short(left.Commit)}} {
		if part[1] != "" {
			said += ", " + part[0] + " " + part[1]
		}
	}
	return said
}

func formatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// cutToCost returns as many lines of a text as the tokens allow.
func (o handover) cutToCost(text, id string, tokens int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = prose.Harmless(strings.TrimRight(line, "\r\n")) + "\n"
		if cost := vault.Tokens(b.String() + line); cost > tokens {
			return b.String() + cutLine(line, tokens-vault.Tokens(b.String())) + o.say("(cut here: cp memory show "+id+" has it all)\n")
		}
		b.WriteString(line)
	}
	return b.String()
}

// cutLine returns the beginning of a line that is worth saying.
func cutLine(line string, tokens int) string {
	runes := []rune(line)
	for n := min(len(runes), 4*max(tokens, 0)); n > 40; n = n * 3 / 4 {
		if cut := string(runes[:n]); vault.Tokens(cut) <= tokens {
			return cut + " …\n"
		}
	}
	return ""
}
