package hook

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// readByShell returns the files that a command line reads: those that one of a few programs is
// given. A line that does anything else, or anything more, reads none.
func readByShell(line, dir string) (all []touched) {
	words, ok := shellWords(line)
	if !ok || len(words) < 2 || !readers[words[0]] || words[0] == "sed" && (words[1] != "-n" || len(words) < 4) {
		return nil
	}
	for _, word := range words[1:] {
		if info, err := os.Stat(below(dir, word)); word != "" && word[0] != '-' && err == nil && info.Mode().IsRegular() {
			all = append(all, touched{path: word})
		}
	}
	if len(all) == 1 {
		all[0].from, all[0].to = shownLines(words)
	}
	return all
}

var readers = map[string]bool{"cat": true, "head": true, "tail": true, "sed": true, "nl": true, "bat": true}

// shellWords cuts a plain command line into its words: quotes hold one together. ok is false for a
// line in which a shell would do more than that.
func shellWords(line string) (words []string, ok bool) {
	if strings.ContainsAny(line, ";|&><$`\\\n\r*?[]{}~#!()") {
		return nil, false
	}
	var word strings.Builder
	begun, quote := false, rune(0)
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			begun, quote = true, r
		case quote == 0 && (r == ' ' || r == '\t'):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			begun = true
			word.WriteRune(r)
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words, quote == 0
}

// shownLines returns the lines that sed -n or head shows; 0, 0 where that is all, or not known.
func shownLines(words []string) (from, to int) {
	switch words[0] {
	case "sed": // -n 10,24p
		script, ok := strings.CutSuffix(words[2], "p")
		first, last, _ := strings.Cut(script, ",")
		if from, to = count(first), count(firstNonEmpty(last, first)); ok && from > 0 && to >= from {
			return from, to
		}
	case "head": // -n 20, -n20, -20
		for i, word := range words {
			if word == "-n" && i+1 < len(words) {
				word += words[i+1]
			}
			if n := count(strings.TrimPrefix(strings.TrimPrefix(word, "-"), "n")); n > 0 && word[0] == '-' {
				return 1, n
			}
		}
		return 1, 10
	}
	return 0, 0
}

// count is a number of lines; 0 for what is none.
func count(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n > toEnd {
		return 0
	}
	return n
}

// resolveFolder is a path with the links of its folder resolved: that is how the vault knows its own. The
// file itself may be gone, or a link, which is not followed.
func resolveFolder(path string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, filepath.Base(path))
}
