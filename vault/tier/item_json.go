package tier

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault/header"
)

// The JSON of an item, with the names that seed 5's MemoryItem has:
//
//	{
//	  "id": "obs-1", "text": "The worker hangs", "count": 5, "sessionRefs": ["s1", "s2"],
//	  "firstSeen": "2026-01-20T00:00:00Z", "lastSeen": "2026-01-26T00:00:00Z",
//	  "level": "long_term", "approvedAt": "…", "promotedToLongTermAt": "…"
//	}
//
// "level" decides, and a date beyond it does not count. Where it says nothing the dates do.
// Members that are not known are kept and written behind the others. A "status" of approved
// or denied stands for the date that is missing, and is not written again.

// members are those of a JSON object that are not read yet.
type members map[string]json.RawMessage

// document is the JSON of an item as it is written.
type document struct {
	ID        string    `json:"id"`
	Text      string    `json:"text"`
	Count     int       `json:"count"`
	Sessions  []string  `json:"sessionRefs"`
	FirstSeen time.Time `json:"firstSeen,omitzero"`
	LastSeen  time.Time `json:"lastSeen,omitzero"`
	Level     string    `json:"level"`
	Denied    time.Time `json:"deniedAt,omitzero"`
	Approved  time.Time `json:"approvedAt,omitzero"`
	LongTerm  time.Time `json:"promotedToLongTermAt,omitzero"`
	Core      time.Time `json:"promotedToCoreAt,omitzero"`
	Targets   []string  `json:"coreMemoryTargets,omitempty"`
}

// MarshalJSON returns the item's JSON.
func (i Item) MarshalJSON() ([]byte, error) {
	d := document{ID: i.ID, Text: i.Text, Count: i.CountSeen(), Sessions: header.UniqueItems(i.Sessions), FirstSeen: i.FirstSeen.UTC(), LastSeen: i.LastSeen.UTC(),
		Level: strings.ReplaceAll(string(i.Level()), "-", "_"), Denied: i.Denied.UTC(), Approved: i.Approved.UTC(),
		LongTerm: i.LongTerm.UTC(), Core: i.Core.UTC(), Targets: i.Targets}
	if d.Sessions == nil {
		d.Sessions = []string{}
	}
	own, err := indentJSON(d, "")
	if err != nil || len(i.more) == 0 {
		return own, err
	}
	more, err := indentJSON(i.more, "")
	return slices.Concat(own[:len(own)-1], []byte(","), more[1:]), err
}

// indentJSON returns JSON without escapes for the sake of HTML, and without a final line feed.
func indentJSON(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// UnmarshalJSON reads an item. The error says which member cannot be read.
func (i *Item) UnmarshalJSON(b []byte) error {
	r := memberReader{all: make(members)}
	if err := json.Unmarshal(b, &r.all); err != nil {
		return errors.New("it is no JSON object")
	}
	*i = Item{
		ID: r.takeText("id"), Text: r.takeText("text"), Count: r.takeCount("count"), Sessions: r.readTexts("sessionRefs"),
		FirstSeen: r.date("firstSeen"), LastSeen: r.date("lastSeen"), Denied: r.date("deniedAt"), Approved: r.date("approvedAt"),
		LongTerm: r.date("promotedToLongTermAt"), Core: r.date("promotedToCoreAt"), Targets: r.readTexts("coreMemoryTargets"),
	}
	level, status := r.takeText("level"), r.takeText("status")
	if strings.TrimSpace(i.Text) == "" && r.err == nil {
		r.err = errors.New("text is missing")
	}
	if r.err != nil {
		return r.err
	}
	if !i.takeStatus(status) {
		r.all["status"], _ = indentJSON(status, "")
	}
	if len(r.all) > 0 {
		i.more = maps.Clone(r.all)
	}
	return i.setLevel(level)
}

// takeStatus takes up a status in the place of a date that is missing. It reports whether the
// item says all that the status does.
func (i *Item) takeStatus(status string) bool {
	seen := i.LastSeen
	if seen.IsZero() {
		seen = i.FirstSeen
	}
	switch status {
	case "", "pending":
	case "approved":
		if i.Approved.IsZero() {
			i.Approved = seen
		}
		return !i.Approved.IsZero()
	case "denied":
		if i.Denied.IsZero() {
			i.Denied = seen
		}
		return !i.Denied.IsZero()
	default:
		return false
	}
	return true
}

// setLevel puts the item at a level. The date of a promotion that nobody wrote down is taken to
// be the day on which the item was last seen, so that no time in long-term is made up.
func (i *Item) setLevel(level string) error {
	since := i.LastSeen
	if since.IsZero() {
		since = i.FirstSeen
	}
	switch strings.ReplaceAll(level, "-", "_") {
	case "":
		return nil
	case "pending":
		i.LongTerm, i.Core = time.Time{}, time.Time{}
		return nil
	case "long_term":
		i.Core = time.Time{}
	case "core":
		if i.Core.IsZero() {
			i.Core = since
		}
	default:
		return fmt.Errorf("level cannot be %q", header.OneLine(level))
	}
	if i.LongTerm.IsZero() {
		i.LongTerm = since
	}
	if i.LongTerm.IsZero() || level == "core" && i.Core.IsZero() {
		return errors.New("no date says since when it is " + level)
	}
	return nil
}

// memberReader takes members out of an object. It keeps the first error.
type memberReader struct {
	all members
	err error
}

// readMember reads a member into v. One that is null or not there leaves v as it is.
func (r *memberReader) readMember(name string, v any, what string) {
	raw, ok := r.all[name]
	delete(r.all, name)
	if ok && json.Unmarshal(raw, v) != nil && r.err == nil {
		r.err = fmt.Errorf("%s is no %s", name, what)
	}
}

func (r *memberReader) takeText(name string) (s string) {
	r.readMember(name, &s, "text")
	return s
}

func (r *memberReader) readTexts(name string) (all []string) {
	r.readMember(name, &all, "list of texts")
	return all
}

func (r *memberReader) date(name string) time.Time {
	s := r.takeText(name)
	at := header.ParseDate(s)
	if s != "" && at.IsZero() && r.err == nil {
		r.err = fmt.Errorf("%s is no date", name)
	}
	return at.UTC()
}

func (r *memberReader) takeCount(name string) (n int) {
	r.readMember(name, &n, "number")
	if (n < 0 || n > maxCount) && r.err == nil {
		r.err = fmt.Errorf("%s cannot be %d", name, n)
	}
	return n
}

// maxCount bounds a count: what is above it is no count of sessions.
const maxCount = 1_000_000
