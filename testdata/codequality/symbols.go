package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault/about"
)

// counted is how many of how many were right.
type counted struct{ right, all int }

func (c counted) String() string {
	return fmt.Sprintf("%d of %d, %.1f %%", c.right, c.all, 100*float64(c.right)/float64(max(1, c.all)))
}

// label is a symbol and where its definition stands, as somebody else says.
type label struct {
	language, file, symbol string
	first, name, last      int
}

// locateLabelled looks for the symbols of a folder's labels, and tells of each one that it does not find where it is.
func locateLabelled(dir string, out io.Writer) (sum counted, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "labels.tsv"))
	if err != nil {
		return sum, err
	}
	for line := range strings.Lines(string(text)) {
		l, err := readLabel(line)
		if err != nil {
			return sum, err
		}
		source, err := os.ReadFile(filepath.Join(dir, l.file))
		if err != nil {
			return sum, err
		}
		sum.all++
		if wrong := l.locate(source); wrong != "" {
			fmt.Fprintln(out, wrong)
			continue
		}
		sum.right++
	}
	return sum, nil
}

func readLabel(line string) (l label, err error) {
	words := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
	if len(words) != 6 {
		return l, fmt.Errorf("%q is no label", line)
	}
	l.language, l.file, l.symbol = words[0], words[1], words[2]
	_, err = fmt.Sscan(strings.Join(words[3:], " "), &l.first, &l.name, &l.last)
	return l, err
}

// locate looks for a symbol; it returns what is wrong, or nothing.
func (l label) locate(source []byte) string {
	from, to, err := about.FindSymbol(l.file, about.SplitLines(source), l.symbol)
	if err == nil && l.first <= from && from <= l.name && to == l.last {
		return ""
	}
	return fmt.Sprintf("%s: %s#%s is in the lines %d-%d, found in %d-%d, %v", l.language, l.file, l.symbol, l.name, l.last, from, to, err)
}
