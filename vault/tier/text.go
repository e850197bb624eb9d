package tier

import (
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// SectionKey names a memory in every file: the vault's name and the id.
func SectionKey(project string, id vault.ID) string { return project + "/" + string(id) }

// SectionKeyParts returns the vault's name and the id of a [SectionKey].
func SectionKeyParts(key string) (project string, id vault.ID) {
	i := strings.LastIndexByte(key, '/')
	return key[:max(i, 0)], vault.ID(key[i+1:])
}

// SectionText returns the section of a memory: its title as one heading line, its prose, and for what
// was observed the count, the dates and the sessions. A comment in the text becomes visible
// text, so that nothing in it can be a marker.
func SectionText(m *vault.Memory) string {
	var b strings.Builder
	b.WriteString("## " + strings.Join(strings.Fields(m.Title), " ") + "\n")
	prose := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(m.Prose)
	if prose = strings.TrimSpace(prose); prose != "" {
		b.WriteString("\n" + prose + "\n")
	}
	if lines := describeObserved(&m.Header); lines != "" {
		b.WriteString("\n" + lines)
	}
	return strings.NewReplacer("<!--", "&lt;!--", "-->", "--&gt;").Replace(b.String())
}

// describeObserved says how often and when a memory was observed.
func describeObserved(h *vault.Header) string {
	n := CountSessions(h)
	if n == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("- Count: " + strconv.Itoa(n) + "\n")
	for _, d := range [...]struct {
		name string
		at   time.Time
	}{{"First seen", h.FirstSeen}, {"Last seen", h.LastSeen}} {
		if !d.at.IsZero() {
			b.WriteString("- " + d.name + ": " + d.at.UTC().Format(time.DateOnly) + "\n")
		}
	}
	if all := header.UniqueItems(h.Sessions); len(all) > 0 {
		b.WriteString("- Sessions: " + strings.Join(strings.Fields(strings.Join(all, ", ")), " ") + "\n")
	}
	return b.String()
}

// SameSection reports whether two sections say the same of a memory: title and text count, and how
// often it was observed does not.
func SameSection(a, b string) bool { return cutCounts(a) == cutCounts(b) }

// cutCounts returns a section without the lines of counts at its end.
func cutCounts(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	n := len(lines)
	for n > 0 && isCountLine(lines[n-1]) {
		n--
	}
	return strings.TrimRight(strings.Join(lines[:n], "\n"), "\n")
}

func isCountLine(line string) bool {
	for _, name := range [...]string{"Count", "First seen", "Last seen", "Sessions"} {
		if strings.HasPrefix(line, "- "+name+": ") {
			return true
		}
	}
	return false
}
