package tui

import (
	"strconv"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/journal"
)

// maxText bounds the text of an item among its details, in bytes.
const maxText = 4000

// detail returns what is known of an item, as lines.
func (m Model) detail(r row, width int) []string {
	lines := wrapWith(bold, safeLine(r.Title), width)
	lines = append(lines, wrap(safeLine(render.Because(r.Item)), width)...)
	where := []string{string(r.ID), r.Type, string(r.Path)}
	if r.Project != "" {
		where = append(where, "project "+r.Project)
	}
	lines = append(lines, wrapWith(faint, safeLine(strings.Join(where, ", ")), width)...)
	if r.Text != "" && r.Text != r.Title {
		text, more := r.Text, ""
		if len(text) > maxText {
			text, more = text[:maxText], "… o shows all of it"
		}
		lines = append(append(lines, ""), wrapAll([]string{text, more}, width)...)
	}
	if !r.known {
		return append(lines, "", "…")
	}
	lines = append(append(lines, r.codeLines(width)...), "")
	lines = append(lines, wrap(safeLine(render.Evidence(r.Item)), width)...)
	return append(lines, wrapAll(r.choices(), width)...)
}

// choices says what is near the item, and what a decision would do.
func (r row) choices() (lines []string) {
	if len(r.Nearest) > 0 {
		lines = append(lines, "", "near:")
	}
	for _, n := range r.Nearest {
		lines = append(lines, "- "+n.Title+" ("+render.Likeness(n)+")"+after(": ", n.Summary))
	}
	if r.isForTree() {
		below := "Learned"
		if n := r.approvalParent(); n != nil {
			below = n.Title + " (" + string(n.Path) + ")" + after(": ", n.Summary)
		}
		lines = append(lines, "", "a puts it below: "+below)
	}
	if r.promotes() {
		lines = append(lines, "", "a shows what would become of the agents' files, and asks"+after(": ", strings.Join(r.Targets, ", ")))
	}
	if r.Why == journal.Phrase && r.phrase == "" {
		lines = append(lines, "", "a asks for the phrase: when one needs it")
	}
	if r.phrase != "" {
		lines = append(lines, "", "phrase: "+r.phrase)
	}
	switch {
	case r.reason != "" && r.Why == journal.ChangedCode:
		lines = append(lines, "", "why it holds no more: "+r.reason)
	case r.reason != "":
		lines = append(lines, "", "reason of a denial: "+r.reason)
	}
	return lines
}

// after returns the text behind a sign, or nothing.
func after(sign, text string) string {
	if text == "" {
		return ""
	}
	return sign + text
}

// sources returns who observed an item, where it comes from, and its whole text.
func sources(r row, width int) []string {
	lines := wrapWith(bold, safeLine(r.Title), width)
	unknown := func(all []string) []string {
		if len(all) == 0 {
			return []string{"(unknown)"}
		}
		return all
	}
	all := []string{"", "sessions (" + strconv.Itoa(r.Count) + "):"}
	for _, s := range unknown(r.Sessions) {
		all = append(all, "- "+s)
	}
	all = append(all, "", "sources:")
	for _, s := range unknown(r.Sources) {
		all = append(all, "- "+s)
	}
	return append(lines, wrapAll(append(all, "", r.Text), width)...)
}

// help returns the table of keys.
func help(width int) (lines []string) {
	for _, k := range Keys() {
		for i, text := range wrap(k.Does, max(width-11, 1)) {
			keys := ""
			if i == 0 {
				keys = k.Keys
			}
			lines = append(lines, bold(pad(keys, 11))+text)
		}
	}
	return lines
}

// copyLines returns the agents' files with their digits, and what becomes of those that are
// chosen.
func (m Model) copyLines() []string {
	lines := wrapWith(bold, "Write “"+safeLine(m.copy.row.Title)+"” into the agents' files?", m.width)
	if mark := m.copy.row.Code.Mark(); mark != "" {
		lines = append(lines, wrap(safeLine("["+mark+"]"), m.width)...)
	}
	lines = append(lines, "")
	for i, f := range m.copy.files {
		box, what := "[ ]", ""
		if f.Chosen {
			box = "[x]"
		}
		switch {
		case f.Err != nil:
			what = ": " + f.Err.Error()
		case f.Was == f.Is:
			what = ", where it stands already"
		case f.Was == "":
			what = ", a new file"
		}
		lines = append(lines, wrap(safeLine(strconv.Itoa(i+1)+" "+box+" "+m.here(f.File)+" ("+f.Target+")"+what), m.width)...)
	}
	shown := map[string]bool{}
	for _, f := range m.copy.files {
		if f.Chosen && !shown[f.File] && f.Was != f.Is {
			shown[f.File] = true
			lines = append(append(lines, ""), wrapWith(bold, safeLine(m.here(f.File)), m.width)...)
			lines = append(lines, diff(f.Was, f.Is, m.width)...)
		}
	}
	return lines
}

// here returns a file's path from where the person is.
func (m Model) here(file string) string {
	if rest, ok := strings.CutPrefix(file, m.Dir+"/"); ok {
		return rest
	}
	return file
}
