package tier

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault/header"
)

// What a view says of an item.
const (
	AwaitsCore      = "pending_core_promotion"
	ApprovedForCore = "approved_for_core"
)

// View returns items as the document long-term-memory.md: each is its section with a line
// that says whether a person has approved it for core.
//
//	# Long-Term Memory
//
//	## The worker hangs at midnight
//	- Count: 5
//	…
//	- Status: pending_core_promotion
func View(items []Item) string {
	var b strings.Builder
	b.WriteString("# Long-Term Memory\n")
	for i := range items {
		status := AwaitsCore
		if IsApproved(items[i].asHeader()) {
			status = ApprovedForCore
		}
		b.WriteString("\n" + items[i].Section() + "- Status: " + status + "\n")
	}
	return b.String()
}

// ParseView returns the items of such a document, in its order. An item whose lines cannot be
// read is named by a warning and left out. The document does not tell when an item was
// promoted: that is taken to be when it was last seen, or first, or else the time otherwise.
// Items have no id.
func ParseView(text string, otherwise time.Time) (items []Item, warnings []string) {
	p := viewParser{otherwise: otherwise}
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		if err := p.readLine(strings.TrimSpace(line), n); err != nil {
			warnings = append(warnings, fmt.Sprintf("line %d: %v", n, err))
		}
	}
	p.takeItem()
	return p.items, warnings
}

// viewKeys are the words before the colons.
var viewKeys = [...]string{"Count", "First seen", "Last seen", "Sessions", "Status"}

// viewParser reads a view line by line.
type viewParser struct {
	otherwise time.Time
	items     []Item
	item      Item // that the lines are about; it has no text before the first one
	approved  bool
	broken    bool // one of its lines cannot be read
}

// readLine reads one line. An error is about that line alone.
func (p *viewParser) readLine(line string, n int) error {
	if text, ok := strings.CutPrefix(line, "## "); ok {
		p.takeItem()
		p.item = Item{Text: joinWords(text)}
		return nil
	}
	key, value, ok := strings.Cut(strings.TrimPrefix(line, "- "), ":")
	switch {
	case line == "" || n == 1 && strings.HasPrefix(line, "# "):
		return nil
	case !ok || !strings.HasPrefix(line, "- ") || !slices.Contains(viewKeys[:], key) || p.item.Text == "":
		return fmt.Errorf("%q is not understood", header.OneLine(shortenText(line)))
	}
	err := p.readKey(key, strings.TrimSpace(value))
	if err != nil {
		p.broken = true
		return fmt.Errorf("the item is skipped: %w", err)
	}
	return nil
}

// readKey reads what a line says of the item.
func (p *viewParser) readKey(key, value string) (err error) {
	switch i := &p.item; key {
	case "Count":
		i.Count, err = strconv.Atoi(value)
		if err != nil || i.Count < 0 || i.Count > maxCount {
			err = fmt.Errorf("its count cannot be %q", shortenText(value))
		}
	case "First seen":
		i.FirstSeen, err = viewDate(value)
	case "Last seen":
		i.LastSeen, err = viewDate(value)
	case "Sessions":
		for name := range strings.SplitSeq(value, ",") {
			if name = joinWords(name); name != "" {
				i.Sessions = append(i.Sessions, name)
			}
		}
	case "Status":
		if p.approved = value == ApprovedForCore; !p.approved && value != AwaitsCore {
			err = fmt.Errorf("its status cannot be %q", shortenText(value))
		}
	}
	return err
}

func viewDate(value string) (time.Time, error) {
	at := header.ParseDate(value)
	if at.IsZero() {
		return at, fmt.Errorf("%q is no date", shortenText(value))
	}
	return at.UTC(), nil
}

// takeItem takes up the item that the lines were about.
func (p *viewParser) takeItem() {
	i := p.item
	if i.Text != "" && !p.broken {
		for _, at := range [...]time.Time{i.LastSeen, i.FirstSeen, p.otherwise} {
			if i.LongTerm.IsZero() {
				i.LongTerm = at
			}
		}
		if p.approved {
			i.Approved = i.LongTerm.Add(time.Second)
		}
		p.items = append(p.items, i)
	}
	p.item, p.approved, p.broken = Item{}, false, false
}

// shortenText returns the beginning of a text for a warning.
func shortenText(s string) string {
	if all := []rune(s); len(all) > 60 {
		return string(all[:60]) + "…"
	}
	return s
}
