package render

import (
	"fmt"
	"strings"
)

// Column is one column of a table.
type Column struct {
	Title string
	Min   int  // cells at least
	Flex  bool // gives way when the line is wider than the screen
	Right bool // aligned to the right
}

// table is [Screen.Table] of rows of any kind.
func table[R any](s Screen, columns []Column, rows []R, cells func(R) []string) {
	all := make([][]string, len(rows))
	for i, r := range rows {
		all[i] = cells(r)
	}
	s.Table(columns, all)
}

// Table writes a head and rows in aligned columns, two spaces apart. On a
// screen with a width the flexible columns are cut, the widest first.
func (s Screen) Table(columns []Column, rows [][]string) {
	rows, more := some(s, rows)
	safe, widths := measure(columns, rows)
	shrink(columns, widths, s.Width)
	head := make([]string, len(columns))
	for i, c := range columns {
		head[i] = c.Title
	}
	fmt.Fprintln(s, string(s.bold(tableLine(columns, widths, head))))
	for _, row := range safe {
		fmt.Fprintln(s, tableLine(columns, widths, row))
	}
	s.More("", more)
}

// measure makes the cells safe and returns how wide each column wants to be.
func measure(columns []Column, rows [][]string) ([][]string, []int) {
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = max(c.Min, width(c.Title))
	}
	safe := make([][]string, len(rows))
	for r, row := range rows {
		safe[r] = make([]string, len(row))
		for i, cell := range row {
			safe[r][i] = Line(cell)
			widths[i] = max(widths[i], width(safe[r][i]))
		}
	}
	return safe, widths
}

// minFlex is the least width of a flexible column: a narrower one is useless.
const minFlex = 12

// shrink takes cells from the widest flexible column until the line fits.
func shrink(columns []Column, widths []int, limit int) {
	total := 2 * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for limit > 0 && total > limit {
		widest := -1
		for i, c := range columns {
			if c.Flex && widths[i] > minFlex && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
		total--
	}
}

func tableLine(columns []Column, widths []int, row []string) string {
	var b strings.Builder
	for i, cell := range row {
		cell = fitCells(cell, widths[i])
		switch {
		case columns[i].Right:
			cell = padLeft(cell, widths[i])
		case i < len(row)-1:
			cell = pad(cell, widths[i])
		}
		if i > 0 {
			b.WriteString("  ")
		}
		b.WriteString(cell)
	}
	return strings.TrimRight(b.String(), " ")
}
