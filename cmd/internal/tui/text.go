package tui

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/prose"
)

// The styles. Where colours are not wanted the terminal's writer leaves them out; bold
// stays.
func bold(s string) string  { return lipgloss.NewStyle().Bold(true).Render(s) }
func faint(s string) string { return lipgloss.NewStyle().Faint(true).Render(s) }
func green(s string) string { return lipgloss.NewStyle().Foreground(lipgloss.Green).Render(s) }
func red(s string) string   { return lipgloss.NewStyle().Foreground(lipgloss.Red).Render(s) }

// safeLine returns a text that is not trusted as one line.
func safeLine(s string) string { return render.Line(s) }

// clip cuts a line off at a width, and marks that.
func clip(s string, width int) string { return ansi.Truncate(s, max(width, 0), "…") }

// tail returns the end of a line that is typed, as much of it as there is room for.
func tail(s string, width int) string {
	return ansi.TruncateLeft(s, max(lipgloss.Width(s)-max(width, 1), 0), "")
}

// pad fills a text with spaces up to a width.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-lipgloss.Width(s), 0))
}

// padLines returns exactly n lines.
func padLines(lines []string, n int) []string {
	if len(lines) >= n {
		return lines[:n:n]
	}
	return append(lines, make([]string, n-len(lines))...)
}

// wrap breaks a safe text into lines of a width.
func wrap(s string, width int) []string {
	return strings.Split(ansi.Wrap(s, max(width, 1), ""), "\n")
}

// wrapWith is wrap with a style for each line.
func wrapWith(style func(string) string, s string, width int) []string {
	lines := wrap(s, width)
	for i := range lines {
		lines[i] = style(lines[i])
	}
	return lines
}

// wrapAll breaks texts that are not trusted into lines of a width. Their own lines stay.
func wrapAll(texts []string, width int) (lines []string) {
	for _, text := range texts {
		text = strings.ReplaceAll(strings.TrimRight(prose.Visible(text), "\n"), "\t", "    ")
		lines = append(lines, wrap(text, width)...)
	}
	return lines
}
