package web

import (
	"cmp"
	"context"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/web/markdown"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// queueBody is the body of the queue.
type queueBody struct {
	Queue  journal.Queue
	Denied bool
	Pager  pager
}

// queuePage shows what waits for a person's decision.
func queuePage(c *call, ctx context.Context, s *app.Session, fam *ask.Family) error {
	q := queue.Query{Denied: c.r.URL.Query().Get("denied") != "", Bare: !c.json, Limit: c.limit(20), Offset: c.offset()}
	r := queue.Begin(c.target.In(s), fam)
	defer r.Close()
	found, err := r.Queue(ctx, q)
	if err != nil {
		return err
	}
	return c.answer(found, c.frame("Review", "/review"), "queue", queueBody{found, q.Denied, c.pager(q.Offset, len(found.Items), found.Total, "item", "items")})
}

// coreDiff is what a promotion would do to a file that agents load.
type coreDiff struct {
	queue.CoreFile
	Fault string
	Rows  []diffRow
}

// itemBody is the body of an item of the queue.
type itemBody struct {
	journal.Item
	HTML    any
	Bound   []string // what it is about, where that has changed
	Changed []diffRow
	OfCode  bool // it waits since its code has changed
	Core    []coreDiff
	Places  []journal.NearMemory
	Phrase  bool
	Placed  bool
	CanCore bool
}

// showItem shows an item of the queue with its evidence, and the decisions.
func showItem(c *call, ctx context.Context, s *app.Session) error {
	r := queue.NewOne(s)
	found, err := r.Item(ctx, journal.Item{ID: vault.ID(c.id), Why: c.why()})
	if err != nil {
		return err
	}
	if c.json {
		return c.answerJSON(200, found)
	}
	body := itemBody{Item: found, HTML: c.text.HTML(found.Text, markdown.At{Path: found.Path, Title: found.Title, Base: c.baseAddress()}), Phrase: found.Why == journal.Phrase,
		Placed: found.Why == journal.ReasonObservation || found.Why == journal.ReasonPlace, CanCore: found.Why == journal.Core || found.Why == journal.Stale, OfCode: found.Why == journal.ChangedCode}
	body.Bound, body.Changed = codeRows(found)
	if body.CanCore {
		files, err := r.Core(ctx, found)
		if err != nil {
			return err
		}
		for _, f := range files {
			d := coreDiff{CoreFile: f, Rows: between(f.Was, f.Is)}
			if f.Err != nil {
				d.Fault = f.Err.Error()
			}
			body.Core = append(body.Core, d)
		}
	}
	f := c.frame(found.Title, "/review")
	f.Still = true // a decision is about what the page shows
	return c.html(200, f, "item", body)
}

// codeRows returns what an item is about, where that has changed, and the lines that have.
func codeRows(item journal.Item) (bound []string, rows []diffRow) {
	for _, line := range item.Diff {
		row := diffRow{"add", "+", line[1:]}
		if line[0] == '-' {
			row.Kind, row.Sign = "del", "−"
		}
		rows = append(rows, row)
	}
	return render.CodeOf(item), rows
}

// why is the reason for which an item is looked at; a denied one is found by it alone.
func (c *call) why() journal.Reason { return journal.Reason(c.r.FormValue("why")) }

// decide makes a decision about an item as the page showed it.
func decide(c *call, ctx context.Context, s *app.Session) error {
	r := queue.NewOne(s)
	found, err := r.Item(ctx, journal.Item{ID: vault.ID(c.id), Why: c.why()})
	if err != nil {
		return err
	}
	found.Hash, found.CodeHash = c.r.PostFormValue("hash"), c.r.PostFormValue("code_hash")
	d := queue.Decision{Do: c.r.PostFormValue("do"), Parent: strings.TrimSpace(c.r.PostFormValue("parent")), Learned: c.r.PostFormValue("learned") != "", Summary: c.r.PostFormValue("summary"), Reason: c.r.PostFormValue("reason"), Into: c.r.PostFormValue("into"), Text: c.r.PostFormValue("text"), Targets: c.r.PostForm["target"], Ending: c.r.PostFormValue("resolution")}
	if d.Do == queue.Edit && c.r.PostFormValue("confirm") != "" && strings.TrimSpace(d.Text) != "" {
		d.Do = queue.Confirm
	}
	if found.Hash == "" || found.CodeHash == "" && (d.Do == queue.Confirm || d.Do == queue.Unbind) {
		return unread
	}
	if d.Learned { // a button of its own, beside a field that holds a suggestion
		d.Parent = ""
	}
	c.kept = cmp.Or(d.Text, d.Reason, d.Summary)
	out, err := r.Decide(ctx, found, d)
	if err != nil {
		return err
	}
	c.note(out.Warnings...)
	to := "/review"
	if d.Do == queue.Edit {
		to = c.baseAddress() + "/review/" + c.id
	}
	return c.goOnDone(ctx, s, to, decided[d.Do]+" “"+found.Title+"”", string(found.ID))
}

// decided are the words for a decision that was made.
var decided = map[string]string{queue.Approve: "Approved", queue.Deny: "Denied", queue.Merge: "Merged", queue.Edit: "Changed the text of", queue.ToCore: "Wrote into the agents' files",
	queue.Confirm: "Confirmed", queue.Unbind: "Unbound from the code", queue.Resolve: "Resolved"}
