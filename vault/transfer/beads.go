package transfer

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// beads exports JSON Lines, an issue or a memory on each:
//
//	{"_type":"issue","id":"bd-a3f2","title":"Fix the login","description":"…","status":"closed","priority":1,
//	 "issue_type":"bug","labels":["auth"],"dependencies":[{"issue_id":"bd-a3f2","depends_on_id":"bd-9x1","type":"blocks"}],
//	 "comments":[{"author":"ada","text":"…","created_at":"…"}],"created_at":"2026-01-15T10:30:00Z","close_reason":"…"}
//	{"_type":"memory","key":"changelog-scope","value":"Fragments feed the release notes."}
//
// An issue keeps its id, dates, status and labels; its parts are sections. A parent-child
// dependency decides its place, the others are links. Its priority is a label, p1.

// issue is one line.
type issue struct {
	where string

	Sort     string `json:"_type"`
	Key      string `json:"key"` // of a memory
	Value    string `json:"value"`
	Schema   string `json:"_schema"`
	Template bool   `json:"is_template"`

	ID          string          `json:"id"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Design      string          `json:"design"`
	Acceptance  string          `json:"acceptance_criteria"`
	Notes       string          `json:"notes"`
	Status      string          `json:"status"`
	Priority    *int            `json:"priority"`
	Kind        string          `json:"issue_type"`
	Assignee    string          `json:"assignee"`
	Labels      []string        `json:"labels"`
	Needs       []dependency    `json:"dependencies"`
	Comments    []comment       `json:"comments"`
	Created     string          `json:"created_at"`
	CreatedBy   string          `json:"created_by"`
	Closed      string          `json:"closed_at"`
	CloseReason string          `json:"close_reason"`
	Defer       string          `json:"defer_until"`
	External    json.RawMessage `json:"external_ref"`
}

type dependency struct {
	On   string `json:"depends_on_id"`
	Type string `json:"type"`
	Also string `json:"dep_type"`
}

type comment struct {
	Author  string `json:"author"`
	Text    string `json:"text"`
	Body    string `json:"body"`
	Created string `json:"created_at"`
}

// beads reads the form.
func (r *reader) beads() {
	known := make(map[string]*issue)
	var all []*issue
	r.eachObjectLine(func(where string, text []byte) {
		i := &issue{where: where}
		if !r.object(where, text, i) || !r.isWanted(i) {
			return
		}
		if i.Sort != "memory" && known[i.ID] == nil {
			known[i.ID] = i
		}
		all = append(all, i)
	})
	if len(all) == 0 {
		return
	}
	folder := r.top("Beads", "When you want to know what is to be done or was done, from beads", "Issues and memories of beads, brought in from its export.\n")
	places := make(map[string]string)
	for _, i := range all {
		if i.Sort == "memory" {
			r.takeMemory(join(folder, "memories"), i)
		} else {
			r.issue(r.seat(folder, places, known, i, 0), known, i)
		}
	}
}

// isWanted reports whether a line is an issue or a memory that is there.
func (r *reader) isWanted(i *issue) bool {
	switch {
	case i.Schema != "":
	case i.Status == "tombstone":
		r.noteLeftOut(i.where, "%s was deleted there", vault.Clip(cleanLine(i.ID), 80))
	case i.Template:
		r.noteLeftOut(i.where, "%s is a template", vault.Clip(cleanLine(i.ID), 80))
	case i.Sort == "memory" && (i.Key == "" || strings.TrimSpace(i.Value) == ""):
		r.noteLeftOut(i.where, "a memory without a key or a text")
	case i.Sort == "memory":
		return true
	case i.Sort != "" && i.Sort != "issue":
		r.noteLeftOut(i.where, "'%s' is neither an issue nor a memory", vault.Clip(cleanLine(i.Sort), 40))
	case i.ID == "" || strings.TrimSpace(i.Title) == "":
		r.noteLeftOut(i.where, "an issue without an id or a title")
	default:
		return true
	}
	return false
}

// seat returns the place of an issue: below its parent where it has one. Parents that go in a
// circle, or too deep, count as none.
func (r *reader) seat(folder string, places map[string]string, known map[string]*issue, i *issue, depth int) string {
	const deepest = 20
	if p := places[i.ID]; p != "" {
		return p
	}
	at := folder
	if up := known[i.parent(known)]; up != nil && up != i && depth < deepest {
		at = r.seat(folder, places, known, up, depth+1)
	}
	if p := places[i.ID]; p != "" { // the circle has come round
		return p
	}
	places[i.ID] = r.placeForTitle(at, i.Title, i.ID)
	return places[i.ID]
}

// parent returns the id of the issue above: the one that a dependency names, else the one
// whose id this one's goes on with a dot.
func (i *issue) parent(known map[string]*issue) string {
	for _, d := range i.Needs {
		if d.kind() == "parent-child" && d.On != i.ID {
			return d.On
		}
	}
	if at := strings.LastIndexByte(i.ID, '.'); at > 0 && known[i.ID[:at]] != nil {
		return i.ID[:at]
	}
	return ""
}

func (d dependency) kind() string { return cmp.Or(d.Type, d.Also, "blocks") }

// issue takes an issue in.
func (r *reader) issue(place string, known map[string]*issue, i *issue) {
	title, whole := titleFromText(i.Title)
	var body strings.Builder
	if !whole {
		body.WriteString(strings.TrimSpace(i.Title) + "\n\n")
	}
	if text := strings.TrimSpace(i.Description); text != "" {
		body.WriteString(text + "\n")
	}
	appendSection(&body, "Design", i.Design)
	appendSection(&body, "Acceptance criteria", i.Acceptance)
	appendSection(&body, "Notes", i.Notes)
	appendSection(&body, "Comments", i.comments())
	item := Item{Source: r.source(i.ID), Place: place, Own: i.ID, Links: i.links(r, known)}
	r.takeComposed(i.where, item, i.issueHeader(title), body.String())
}

// issueHeader returns what the header of an issue says.
func (i *issue) issueHeader(title string) vault.Header {
	words := append([]string{i.Kind}, i.Labels...)
	if i.Priority != nil && *i.Priority >= 0 && *i.Priority < 10 {
		words = append(words, "p"+string(rune('0'+*i.Priority)))
	}
	h := vault.Header{Title: title, Labels: labels(words...), Created: header.ParseDate(i.Created), Creator: cleanLine(i.CreatedBy)}
	switch status := cleanLine(i.Status); status {
	case "closed":
		h.Status, h.Resolved, h.Resolution = vault.StatusClosed, header.ParseDate(i.Closed), cleanLine(i.CloseReason)
	case "deferred":
		h.Status, h.Deferred = vault.StatusDeferred, header.ParseDate(i.Defer)
	case "hooked", "pinned", "open":
	default:
		h.Status = status
	}
	return h
}

// comments returns the comments as a list.
func (i *issue) comments() string {
	var all strings.Builder
	for _, c := range i.Comments {
		text := strings.TrimSpace(cmp.Or(c.Text, c.Body))
		if text == "" {
			continue
		}
		who := strings.Trim(strings.Join([]string{cleanLine(c.Author), cleanLine(c.Created)}, ", "), ", ")
		if who != "" {
			text = who + ": " + text
		}
		all.WriteString(bullet(text))
	}
	return all.String()
}

// links returns the dependencies that decide no place.
func (i *issue) links(r *reader, known map[string]*issue) (all []Link) {
	up := i.parent(known)
	for _, d := range i.Needs {
		if d.On == "" || d.On == i.ID || d.kind() == "parent-child" && d.On == up && known[up] != nil {
			continue
		}
		name := d.On
		if to := known[d.On]; to != nil {
			name = to.Title
		}
		says := map[string]string{"blocks": "waits for", "parent-child": "belongs to", "related": "relates to"}[d.kind()]
		all = append(all, Link{cmp.Or(says, cleanLine(strings.ReplaceAll(d.kind(), "-", " "))), r.source(d.On), cleanLine(name)})
	}
	return all
}

// takeMemory takes a memory in.
func (r *reader) takeMemory(folder string, i *issue) {
	item := Item{Source: r.source("memory:" + i.Key), Place: r.placeForTitle(folder, i.Key, "memory")}
	title, _ := titleFromText(strings.NewReplacer("-", " ", "_", " ").Replace(i.Key))
	r.takeComposed(i.where, item, vault.Header{Title: title, Labels: []string{"remembered"}}, i.Value)
}

// appendSection appends a section to a body, unless it is empty.
func appendSection(body *strings.Builder, name, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	if body.Len() > 0 {
		body.WriteString("\n")
	}
	body.WriteString("## " + name + "\n\n" + text + "\n")
}
