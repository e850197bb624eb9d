package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// The smallest terminal on which anything can be read, and the smallest one on which the
// details stand beside the list.
const (
	leastWidth, leastHeight = 20, 5
	besideFrom              = 80
	lowBelow                = 10 // lines, with which there is room for one line below the list
)

// draw returns the screen, a line for each line of the terminal.
func (m Model) draw() string {
	switch {
	case m.width == 0:
		return ""
	case m.width < leastWidth || m.height < leastHeight:
		return clip(fmt.Sprintf("Needs %dx%d cells", leastWidth, leastHeight), m.width)
	}
	lines := append([]string{m.headerLine()}, padLines(m.main(), m.bodyHeight())...)
	return strings.Join(append(lines, m.footer()...), "\n")
}

// bodyHeight is the number of lines between the first and the last ones.
func (m Model) bodyHeight() int { return max(m.height-1-len(m.footer()), 1) }

// bodyScreen is the screen that the body shows: below a line that is typed, the one before.
func (m Model) bodyScreen() screen {
	if m.on == typing {
		return m.back
	}
	return m.on
}

// main returns the lines between.
func (m Model) main() []string {
	_, some := m.cursorRow()
	switch base := m.bodyScreen(); {
	case base == browsing && m.width >= besideFrom && some:
		return m.listWithDetails()
	case base == browsing:
		return m.listRows(m.width)
	case base == choosing:
		return m.parentChoices()
	}
	return window(m.scrollLines(), m.scroll, m.bodyHeight())
}

// scrollLines returns all lines of a screen that scrolls.
func (m Model) scrollLines() []string {
	switch m.bodyScreen() {
	case reading:
		if r, ok := m.cursorRow(); ok {
			return m.detail(r, m.width)
		}
	case sourcing:
		if r, ok := m.cursorRow(); ok {
			return sources(r, m.width)
		}
	case helping:
		return help(m.width)
	case listing:
		return wrapAll(m.over, m.width)
	case asking:
		return wrapAll(m.ask.lines, m.width)
	case copying:
		return m.copyLines()
	}
	return nil
}

// window returns n lines from the one at top on. A last line that is cut off says so.
func window(lines []string, top, n int) []string {
	lines = lines[min(top, len(lines)):]
	if len(lines) > n && n > 1 {
		lines = append(lines[:n-1:n-1], faint(fmt.Sprintf("↓ %d more", len(lines)-n+1)))
	}
	return lines[:min(len(lines), n)]
}

// headerLine names the lists and what was decided.
func (m Model) headerLine() string {
	var parts []string
	for i, t := range m.tabs {
		name := t.name + " " + strconv.Itoa(m.counts[i])
		if i == m.at {
			parts = append(parts, bold("["+name+"]"))
			continue
		}
		parts = append(parts, " "+name+" ")
	}
	left := strings.Join(parts, " ")
	if t := m.tab(); t.filter != "" {
		left += "  /" + safeLine(t.filter)
	}
	right := ""
	if n := len(m.gone); n > 0 {
		right = strconv.Itoa(n) + " decided"
	}
	if n := len(m.tab().markedRows()); n > 0 {
		right = strconv.Itoa(n) + " marked  " + right
	}
	if n := len(m.over); n > 0 {
		right = strings.TrimSpace(strconv.Itoa(n) + " left over: l  " + right)
	}
	if gap := m.width - lipgloss.Width(left) - lipgloss.Width(right); right != "" && gap >= 2 {
		return left + strings.Repeat(" ", gap) + right
	}
	return clip(left, m.width)
}

// footer says what happened or is under way, and names keys. On a low terminal it is one
// line.
func (m Model) footer() []string {
	said := safeLine(m.note)
	switch {
	case m.on == typing:
		said = string(m.line.field) + " " + tail(safeLine(m.line.text), m.width-lipgloss.Width(string(m.line.field))-2) + "_"
	case m.leaving:
		said = "Leaving once this is done: " + safeLine(m.busy)
	case m.on == asking || m.on == copying:
		said = strings.TrimSpace(said + " Yes or no? (y/N)")
	case said != "":
	case m.busy != "":
		said = safeLine(m.busy) + " …"
	case m.on == browsing && m.width < besideFrom && m.height >= lowBelow:
		said = m.because()
	}
	if m.height < lowBelow {
		if said == "" {
			said = m.keyHints()
		}
		return []string{clip(said, m.width)}
	}
	lines := wrap(said, m.width)
	if len(lines) > 3 {
		lines = append(lines[:2], clip(lines[2]+"…", m.width))
	}
	return append(lines, faint(m.keyHints()))
}

// because says why the item under the cursor waits, where its details are not beside it.
func (m Model) because() string {
	r, ok := m.cursorRow()
	if !ok {
		return ""
	}
	return safeLine(render.Because(r.Item))
}

// hintsHere returns the hints of the screen. Of an item whose code has changed they are its own.
func (m Model) hintsHere() []string {
	r, ok := m.cursorRow()
	if !ok || r.Why != journal.ChangedCode || m.on != browsing && m.on != reading {
		return hints[m.on]
	}
	others := slices.DeleteFunc(slices.Clone(hints[m.on]), func(h string) bool {
		return slices.Contains([]string{"a approve", "d deny", "e edit", "p parent"}, h)
	})
	return append([]string{"c confirm", "e edit", "b unbind", "x resolve"}, others...)
}

// keyHints names as many keys as there is room for.
func (m Model) keyHints() string {
	last := strings.Join(always[m.on], "  ")
	out := ""
	for _, h := range m.hintsHere() {
		if lipgloss.Width(out+h+"  "+last) > m.width {
			break
		}
		out += h + "  "
	}
	return clip(strings.TrimSpace(out+last), m.width)
}

// whyEmpty says why a list has nothing to show.
func (m Model) whyEmpty() string {
	t, core := m.tab(), m.Thresholds.ToCore
	switch {
	case !t.read:
		return ""
	case t.filter != "":
		return "Nothing here has these words. Esc takes the filter away."
	case len(m.gone) > 0 && m.at == 0:
		return "All observations are reviewed."
	case len(m.gone) > 0:
		return "All promotions are reviewed."
	case m.at == 0:
		return "No observations wait."
	}
	return fmt.Sprintf("No memory is ready for the agents' files. That takes %s and %s in the tree.",
		vault.Plural(core.MinCount, "session", "sessions"), vault.Plural(core.MinDays, "day", "days"))
}
