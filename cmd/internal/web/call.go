package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/cmd/internal/web/live"
	"github.com/cp-memory/cp/cmd/internal/web/page"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// call is one request under way.
type call struct {
	*Server
	w      http.ResponseWriter
	r      *http.Request
	id     string          // of the address
	slug   string          // the project's name in the address
	of     *family.Project // that it names, or that has the memory
	fam    *ask.Family     // that answers
	target target.Target   // the vault that is open
	silent []string        // of the family: who does not answer
	places []place         // the family of the project that is served
	root   string          // of the vault that is open
	json   bool            // the answer is for a program
	notes  []string
	stamp  string // of what the server knew before it looked
	kept   string // the text of a form, which comes back where it was not written
}

// show answers a request from an open vault.
type show func(c *call, ctx context.Context, s *app.Session) error

// nowhere is the error of an address that there is not.
var nowhere = vault.Errorf(vault.CodeNotFound, "the tree has all memories", "there is no such page")

// pageHandler returns the handler of what only shows.
func (s *Server) pageHandler(do show) http.HandlerFunc { return s.handler(do, app.Look) }

// unwritable is the error of a form for a vault that cannot be written.
var unwritable = vault.Errorf(vault.CodeRefused, "look at who may write in its folder", "the vault cannot be written, and is shown read only")

// form returns the handler of what writes.
func (s *Server) form(do show) http.HandlerFunc {
	return s.handler(func(c *call, ctx context.Context, vs *app.Session) error {
		if c.readOnly() {
			return unwritable
		}
		return do(c, ctx, vs)
	}, app.Write)
}

func (s *Server) handler(do show, door app.Door) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := &call{Server: s, w: w, r: r, id: r.PathValue("id"), slug: r.PathValue("project")}
		c.json = strings.HasSuffix(r.URL.Path, ".json")
		if s.Live != nil {
			c.stamp = s.Live.Stamp()
		}
		if last := strings.HasSuffix(r.Pattern, "/{id}"); c.json && last {
			c.id = strings.TrimSuffix(c.id, ".json")
		}
		select {
		case s.open <- struct{}{}:
			defer func() { <-s.open }()
		case <-r.Context().Done():
			return
		}
		done, err := c.chooseProject(r.Context(), c.id != "")
		if err == nil && !done {
			err = vault.Guard("the page "+r.URL.Path, nil, func() error { return c.openVault(door, do) })
		}
		if err != nil && r.Context().Err() == nil {
			c.answerError(err)
		}
	}
}

// openVault opens the vault for a request. What the program would tell on stderr goes into the page.
func (c *call) openVault(door app.Door, do show) error {
	a := *c.App
	a.Warn = func(text string) { c.note(text) }
	a.Progress = nil
	about := c.About
	if c.of != nil {
		about, a.Dir = about.In(*c.of), c.of.Path
		env := a.Env
		a.Env = func(name string) string { // what names the vault that is served does not hold for another one
			if name == "CP_VAULT" || name == "CP_PROJECT" {
				return ""
			}
			return env(name)
		}
	}
	told := func(t vault.Tended) {
		c.note(t.Notes...)
		if len(t.Left) > 0 {
			c.note(render.DescribeUnfinished(t.Left, t.Why))
		}
		for _, d := range t.Added {
			c.note("“" + d.Title + "” waited, and is committed now")
		}
	}
	return target.Resolver{App: &a}.Do(c.r.Context(), target.Request{About: about, Door: door, Told: told}, func(t target.Target) error {
		c.target, c.root = t, t.Root
		return do(c, c.r.Context(), t.Session)
	})
}

// readOnly reports whether nothing can be written in the vault that is open.
func (c *call) readOnly() bool {
	return c.ReadOnly || c.root != "" && c.Writable != nil && !c.Writable(c.root)
}

// note tells something on the page.
func (c *call) note(texts ...string) {
	for _, text := range texts {
		c.notes = append(c.notes, dropFlags(text))
	}
}

// frame returns what is around the page.
func (c *call) frame(title, here string) page.Frame {
	f := page.Frame{Title: title, Here: here, Project: c.Project, ReadOnly: c.readOnly(), Notes: slices.Clip(c.notes), Of: c.id, Query: c.r.URL.Query().Get("q"), Base: c.baseAddress(), Stamp: c.stamp, To: c.to, Called: c.projectLabel, Several: len(c.places) > 1}
	if c.of != nil {
		f.Within = c.of.Name
	}
	if c.id != "" && c.root != "" {
		f.Vault = live.Mark(c.root)
	}
	if f.Several && f.ReadOnly && !c.ReadOnly {
		f.Notes = append(f.Notes, unwritable.Error())
	}
	vaults := []string{c.root}
	if c.fam != nil {
		f.Notes = append(f.Notes, c.fam.Warnings...)
		f.Projects = c.chooser()
		vaults = nil
		for _, m := range c.fam.Members {
			vaults = append(vaults, m.Root)
		}
	}
	for _, root := range vaults {
		if c.Caution != nil && root != "" && c.Caution(root) != "" {
			f.Notes = append(f.Notes, c.Caution(root))
		}
	}
	f.Said, f.Op = c.formOutcome()
	return f
}

// answer answers with a value, as JSON or in a page.
func (c *call) answer(value any, f page.Frame, name string, body any) error {
	if c.json {
		return c.answerJSON(http.StatusOK, value)
	}
	return c.html(http.StatusOK, f, name, body)
}

func (c *call) answerJSON(status int, value any) error {
	c.w.Header().Set("Content-Type", "application/json; charset=utf-8")
	c.w.WriteHeader(status)
	return render.Value(c.w, render.JSON, value)
}

func (c *call) html(status int, f page.Frame, name string, body any) error {
	var b strings.Builder
	if err := c.pages.Write(&b, name, f, body); err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	c.w.WriteHeader(status)
	_, err := c.w.Write([]byte(b.String()))
	return err
}

// statusOf are the answers to errors that are no fault of the server's.
func statusOf(err error) int {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return http.StatusRequestEntityTooLarge
	}
	switch vault.CodeOf(err) {
	case vault.CodeNotFound:
		return http.StatusNotFound
	case vault.CodeAmbiguous:
		return http.StatusMultipleChoices
	case vault.CodeConflict, vault.CodeDirty:
		return http.StatusPreconditionFailed
	case vault.CodeBusy, vault.CodeLocked:
		return http.StatusServiceUnavailable
	case vault.CodeRefused, vault.CodeProtected:
		return http.StatusForbidden
	case vault.CodeQueued:
		return http.StatusAccepted
	case vault.CodeIO, vault.CodeIndex, vault.CodeInternal, vault.CodeDamaged:
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}

// fault is the body of an error's page.
type fault struct {
	Message, Hint, Kept string
	Gone                bool // it was a memory, and is in the history
	Near                []page.Branch
	Several             []page.Project // what the address may mean
}

// answerError answers with an error. A memory that is gone can be restored, and one that never was
// is answered with those near it.
func (c *call) answerError(err error) {
	said, status := faultOf(err), statusOf(err)
	if c.json {
		said = render.FaultOf(err)
	}
	body := fault{Message: said.Message, Hint: said.Hint, Kept: c.kept}
	if vault.CodeOf(err) == vault.CodeNotFound && c.id != "" && strings.Contains(c.r.URL.Path, "/m/") && (c.slug == "" || c.of != nil) {
		_ = c.openVault(app.Look, func(c *call, ctx context.Context, s *app.Session) error {
			if _, err := s.Locate(ctx, c.id); err == nil {
				return nil // it is there: what there is not is a version of it, say
			}
			if body.Gone = isInHistory(ctx, s, c.id); body.Gone {
				status = http.StatusGone
			} else if file := findDeletedFile(ctx, s, c.id); file != "" {
				status, said.Message, said.Hint = http.StatusGone, "the file of "+c.id+" was deleted, and no commit has that: "+string(file), "`git restore` brings it back"
				body.Message, body.Hint = said.Message, said.Hint
			} else {
				body.Near = c.suggestMemories(ctx, s, c.id)
			}
			return nil
		})
	}
	if c.json {
		_ = c.answerJSON(status, struct {
			Error render.Fault `json:"error"`
		}{said})
		return
	}
	if c.html(status, c.frame(http.StatusText(status), ""), "fault", body) != nil {
		http.Error(c.w, said.Message, status)
	}
}

// send answers a script with a value that is not the command line's.
func (c *call) send(value any) error {
	c.w.Header().Set("Content-Type", "application/json; charset=utf-8")
	return json.NewEncoder(c.w).Encode(value)
}
