package tui

import (
	"cmp"
	"context"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/past"
)

// LineReview is what the line mode asks of the use case.
type LineReview interface {
	Queue(ctx context.Context, q queue.Query) (journal.Queue, error)
	Item(ctx context.Context, item journal.Item) (journal.Item, error)
	Decide(ctx context.Context, item journal.Item, d queue.Decision) (queue.Outcome, error)
	Undo(ctx context.Context) (past.UndoRow, error)
}

// LinePerson is who is asked.
type LinePerson struct {
	Screen render.Screen
	Warn   func(...string)
	Line   func() string                                          // reads a line that the person types, with its end
	Break  func()                                                 // ends the line of a question that nobody has ended
	Echo   bool                                                   // answers come out of a pipe, and show beside their questions
	Edit   func(ctx context.Context, text string) (string, error) // in the person's editor
}

// lines is the review in line mode: a paragraph for each item and an answer on a line of its
// own. Nothing is drawn twice, so that a screen reader can follow.
type lines struct {
	LinePerson
	r     LineReview
	items []journal.Item
	at    int            // the item that is asked about
	done  map[string]int // how often each decision was made, without those taken back
	trail []lineStep     // the decisions, the last one last
}

// lineStep is a decision that was made: at which item, and which.
type lineStep struct {
	at int
	do string
}

// skip is the answer that decides nothing.
const skip = "skip"

// RunLines asks the person about each item of the queue.
func RunLines(ctx context.Context, r LineReview, q queue.Query, p LinePerson) error {
	q.Bare = true
	found, err := r.Queue(ctx, q)
	if err != nil {
		return err
	}
	render.LeftOver(p.Screen, found.LeftOver)
	l := &lines{LinePerson: p, r: r, items: found.Items, done: map[string]int{}}
	if len(l.items) == 0 {
		p.Screen.Println("Nothing waits for a decision.")
		return nil
	}
	p.Screen.Printf("Review in lines: %d to decide. A letter and Enter answers; ? lists the letters.\n", len(l.items))
	for l.at < len(l.items) {
		more, err := l.askItem(ctx)
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	return l.tellSum()
}

// askItem shows the item and takes answers until one decides. more is false if the person has
// had enough.
func (l *lines) askItem(ctx context.Context) (more bool, err error) {
	item, err := l.r.Item(ctx, l.items[l.at])
	switch {
	case vault.CodeOf(err) == vault.CodeNotFound:
		l.Screen.Printf("\n%d of %d. %s waits no more.\n", l.at+1, len(l.items), l.items[l.at].ID)
		l.at++
		return true, nil
	case err != nil:
		return false, err
	}
	l.Screen.Printf("\n")
	render.Item(l.Screen, item, l.at+1, len(l.items))
	for at := l.at; at == l.at; {
		answer, ok := l.askLine(ctx, questionAbout(item))
		if !ok || answer == "q" || answer == "quit" {
			return false, context.Cause(ctx)
		}
		if again, err := l.decide(ctx, item, answer); again || err != nil {
			return err == nil, err
		}
	}
	return true, nil
}

// questionAbout names the letters that decide about an item.
func questionAbout(item journal.Item) string {
	if item.Why != journal.ChangedCode {
		return "[a]pprove [d]eny [s]kip [u]ndo [q]uit > "
	}
	if item.Unconfirmable != "" {
		return "[e]dit un[b]ind [x] resolve [s]kip [u]ndo [q]uit > "
	}
	return "[c]onfirm [e]dit un[b]ind [x] resolve [s]kip [u]ndo [q]uit > "
}

// decide acts on an answer. again says that the item has to be shown anew.
func (l *lines) decide(ctx context.Context, item journal.Item, answer string) (again bool, err error) {
	word, rest, _ := strings.Cut(answer, " ")
	rest = strings.TrimSpace(rest)
	d := queue.Decision{}
	switch word {
	case "a", "approve":
		d = queue.Decision{Do: queue.Approve, Summary: rest}
		if item.Why == journal.Phrase && rest == "" {
			d.Summary, _ = l.askLine(ctx, "when does one need it? > ")
		}
	case "p", "parent":
		if rest == "" {
			rest, _ = l.askLine(ctx, "below which memory? > ")
		}
		if rest == "" {
			return false, nil
		}
		d = queue.Decision{Do: queue.Approve, Parent: rest}
	case "d", "deny":
		d = queue.Decision{Do: queue.Deny, Reason: rest}
	case "c", queue.Confirm:
		d = queue.Decision{Do: queue.Confirm}
	case "b", queue.Unbind:
		d = queue.Decision{Do: queue.Unbind}
	case "x", queue.Resolve:
		d = queue.Decision{Do: queue.Resolve, Ending: rest}
	case "m", "merge":
		d = queue.Decision{Do: queue.Merge, Into: rest}
	case "e", queue.Edit:
		return l.editItem(ctx, item)
	case "s", skip:
		l.countDecision(skip)
		return false, nil
	case "u", "undo":
		return l.undo(ctx)
	case "o":
		l.Screen.WriteText(strings.Join(append([]string{"sessions: " + strings.Join(item.Sessions, ", "), "sources: " + strings.Join(item.Sources, ", ")}, item.Text), "\n"))
		return false, nil
	default:
		render.ReviewKeys(l.Screen)
		return false, nil
	}
	return l.applyDecision(ctx, item, d)
}

// applyDecision makes a decision. What failed is told, and the item stays.
func (l *lines) applyDecision(ctx context.Context, item journal.Item, d queue.Decision) (again bool, err error) {
	out, err := l.r.Decide(ctx, item, d.WithSuggestions(item))
	switch {
	case err != nil && ctx.Err() != nil:
		return false, err
	case vault.CodeOf(err) == vault.CodeConflict || vault.CodeOf(err) == vault.CodeNotFound && d.Parent+d.Into == "":
		l.Screen.Printf("Not done: %s.\n", err)
		return true, nil
	case err != nil:
		l.Screen.Printf("Not done: %s.\n", err)
		return false, nil
	}
	l.Warn(out.Warnings...)
	render.Outcome(l.Screen, out)
	l.countDecision(d.Do)
	return false, nil
}

// editItem lets the person edit the item's text, and shows the item anew.
func (l *lines) editItem(ctx context.Context, item journal.Item) (again bool, err error) {
	was := cmp.Or(item.Text, item.Title)
	text, err := l.Edit(ctx, was)
	if text = strings.TrimSpace(text); err != nil || text == was {
		l.Warn(whyNot(err)...)
		return false, context.Cause(ctx)
	}
	if d := rewriting(item, text); d.Do != queue.Edit {
		return l.applyDecision(ctx, item, d)
	}
	at := l.at
	again, err = l.applyDecision(ctx, item, queue.Decision{Do: queue.Edit, Text: text})
	again = again || l.at != at
	l.at = at
	return again, err
}

// rewriting gives an item another text. Where that is all there was to do about its code, the code is
// confirmed with it.
func rewriting(item journal.Item, text string) queue.Decision {
	if item.Why == journal.ChangedCode && item.Unconfirmable == "" {
		return queue.Decision{Do: queue.Confirm, Text: text}
	}
	return queue.Decision{Do: queue.Edit, Text: text}
}

// whyNot says what an error says; of none, that nothing was changed.
func whyNot(err error) []string {
	if err == nil {
		return []string{"the text is as it was"}
	}
	return []string{err.Error()}
}

// countDecision counts a decision and goes on.
func (l *lines) countDecision(do string) {
	l.done[do]++
	l.trail = append(l.trail, lineStep{l.at, do})
	l.at++
}

// undo goes back to the item before. A decision about it is taken back.
func (l *lines) undo(ctx context.Context) (again bool, err error) {
	if len(l.trail) == 0 {
		l.Screen.Println("Nothing was decided yet.")
		return false, nil
	}
	last := l.trail[len(l.trail)-1]
	if last.do != skip {
		if _, err := l.r.Undo(ctx); err != nil {
			if ctx.Err() != nil {
				return false, err
			}
			l.Screen.Printf("Not done: %s.\n", err)
			return false, nil
		}
		l.Screen.Printf("Taken back: %s %s.\n", last.do, l.items[last.at].ID)
	}
	l.done[last.do]--
	l.trail, l.at = l.trail[:len(l.trail)-1], last.at
	return true, nil
}

// tellSum tells what was done.
func (l *lines) tellSum() error {
	l.Screen.Printf("\n")
	render.WriteReviewed(l.Screen, l.at, len(l.items), l.done)
	return nil
}

// askLine asks and reads a line. ok is false at the end of the input and after an interrupt.
func (l *lines) askLine(ctx context.Context, question string) (text string, ok bool) {
	l.Screen.Printf("%s", question)
	typed := make(chan string, 1)
	go func() { typed <- l.Line() }()
	select {
	case text = <-typed:
	case <-ctx.Done():
	}
	if !strings.HasSuffix(text, "\n") {
		l.Break()
	} else if l.Echo { // an answer out of a pipe shows beside its question
		l.Screen.Printf("%s\n", strings.TrimSpace(text))
	}
	return strings.TrimSpace(text), text != ""
}
