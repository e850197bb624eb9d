package hook

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/bindings"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
)

// The bounds of what is told of a file.
const (
	fileFresh = 100 * time.Millisecond // after that the index answers as it is
	fileRows  = 5
	fileGlobs = 2   // those of the rows whose memory is bound to a pattern
	fileCost  = 300 // tokens, with all that stands around the rows
	fileTitle = 80  // characters
)

// narrow is the order of the ways in which a memory is bound to a file.
var narrow = []string{"lines", "symbol", "file", "folder", "glob", "finding"}

// tellOfFiles is what is known of the files that the agent's tool has just read or changed, as far as the
// session does not know it yet.
func (h hooked) tellOfFiles(ctx context.Context) (text string, err error) {
	all := h.in.findFiles(h.flags.Agent, h.Dir)
	if len(all) == 0 {
		return "", nil
	}
	s, err := settings.Load(h.flags, h.Place())
	if err != nil || s.Hooks.NoFile {
		return "", err
	}
	session, err := h.Open(ctx, s)
	if err != nil {
		return "", err
	}
	defer h.Close(session)
	session.Vault.Hasty = false // inTime asks again, and says so
	quick, cancel := context.WithTimeout(ctx, fileFresh)
	defer cancel()
	var known []met
	_, err = h.inTime(ctx, quick, session, func(ctx context.Context, s *app.Session) (err error) {
		known, err = meet(ctx, s, all)
		return err
	})
	if err != nil || len(known) == 0 {
		return "", err
	}
	return h.tellOnce(h.in.toldFile(session), known), nil
}

// met is a memory that is bound to a file which the agent has touched.
type met struct {
	bindings.Known
	edited bool
}

func (m met) isLoud() bool { return m.Code.IsLoud() }

// record is what is kept of it.
func (m met) record() record {
	state := quiet
	if m.isLoud() {
		state = m.Code.State
	}
	return record{id: m.ID, hash: cmp.Or(m.Hash, "-"), state: state}
}

// meet asks for the memories that are bound to the files, each once.
func meet(ctx context.Context, s *app.Session, all []touched) (known []met, err error) {
	at := map[vault.ID]int{}
	for _, t := range all {
		rows, err := bindings.Room{Session: s}.Met(ctx, bindings.Met{File: resolveFolder(t.path), From: t.from, To: t.to})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			i, twice := at[row.ID]
			if !twice {
				at[row.ID] = len(known)
				known = append(known, met{row, t.edited})
				continue
			}
			known[i].edited = known[i].edited || t.edited
		}
	}
	slices.SortStableFunc(known, compareMet)
	return known, nil
}

// compareMet has those whose code has changed come first, and then the closer ones. The rest is the
// order in which they were met.
func compareMet(a, b met) int {
	if a.isLoud() != b.isLoud() {
		return map[bool]int{true: -1, false: 1}[a.isLoud()]
	}
	return cmp.Compare(slices.Index(narrow, a.Match), slices.Index(narrow, b.Match))
}

// tellOnce tells what the session does not know yet, and keeps that it knows it.
func (h hooked) tellOnce(file string, known []met) string {
	k := readTold(file, strconv.Itoa(os.Getpid())+"."+strconv.FormatInt(h.Now().UnixNano(), 36))
	var tell telling
	for _, m := range known {
		if k.isBroken(m) {
			tell.broken = append(tell.broken, m)
		}
	}
	var records []record
	for _, m := range known {
		r := m.record()
		r.told = k.isBroken(m) || !k.knows(r) && h.fits(&tell, m)
		if was, ok := k.last[r.id]; r.told || !ok || !was.same(r) {
			records = append(records, r)
		}
	}
	return h.fileText(tell.without(k.keepRecords(records)))
}

// isBroken reports whether it was the agent's edit that changed the code of a memory: when the session
// met it before, the code was as it should be.
func (k session) isBroken(m met) bool {
	was, ok := k.last[m.ID]
	return ok && was.state == quiet && m.edited && m.isLoud()
}

// telling is what is to be told.
type telling struct {
	rows   []met
	broken []met // of which an edit has changed the code
}

// fits adds a row, if there is room for it.
func (h hooked) fits(t *telling, m met) bool {
	globs := 0
	for _, row := range t.rows {
		if row.Match == "glob" {
			globs++
		}
	}
	if len(t.rows) == fileRows || m.Match == "glob" && globs == fileGlobs {
		return false
	}
	more := telling{append(slices.Clip(t.rows), m), t.broken}
	if vault.Tokens(markAsOurs(h.fileText(more))) > fileCost {
		return false
	}
	*t = more
	return true
}

// without leaves out what others have told.
func (t telling) without(others map[vault.ID]bool) telling {
	gone := func(m met) bool { return others[m.ID] }
	return telling{slices.DeleteFunc(t.rows, gone), slices.DeleteFunc(t.broken, gone)}
}

// fileText says it.
func (h hooked) fileText(t telling) string {
	var b strings.Builder
	for _, m := range t.rows {
		b.WriteString(m.line() + "\n")
	}
	text := ""
	if b.Len() > 0 {
		text = h.say("The memory knows of this file; read one with `cp memory show ID` when its phrase fits.\n") + data(b.String())
	}
	return text + h.brokenText(t.broken)
}

// line is a memory on one line.
func (m met) line() string {
	said := fmt.Sprintf("- %s %s: %s", m.ID, vault.Clip(m.Title, fileTitle), vault.Clip(m.Summary, fileTitle*2))
	if mark := m.Code.Mark(); mark != "" {
		said += " [" + mark + "]"
	}
	return prose.Harmless(render.Line(said))
}

// brokenText says which memories' code an edit has changed, and what to do.
func (h hooked) brokenText(all []met) string {
	if len(all) == 0 {
		return ""
	}
	ids := make([]string, 0, fileRows)
	for _, m := range all[:min(len(all), fileRows)] {
		ids = append(ids, render.Line(string(m.ID)))
	}
	are, it := " is", "it"
	if len(all) > 1 {
		are, it = " are", "each"
	}
	if more := len(all) - len(ids); more > 0 {
		ids = append(ids, strconv.Itoa(more)+" more")
	}
	do := "memory_update " + it + " (confirm: true if it still holds)"
	if !h.in.Tools {
		do = h.say("`cp memory update " + ids[0] + "`, or `cp memory confirm " + ids[0] + "` if it still holds")
	}
	return "your edit changed lines that " + strings.Join(ids, ", ") + are + " about: " + do + "\n"
}
