package merge

import "slices"

// DiffLines returns the changes from base to side, in order, as [Hunk] says. Between two is at
// least one line that both texts have. The lines are compared whole, with or without their ends. The
// diff of a short text is the shortest there is. A text in which more than 4,000 lines remain between its first and
// last difference is cut at lines that occur once in each version, in the longest row of these that
// has one order in both; a piece with more than 4,000 differing lines is one hunk.
func DiffLines(base, side []string) []Hunk {
	head := common(base, side, func(s []string, i int) string { return s[i] })
	b, s := base[head:], side[head:]
	tail := common(b, s, func(s []string, i int) string { return s[len(s)-1-i] })
	b, s = b[:len(b)-tail], s[:len(s)-tail]
	if len(b)+len(s) <= diffLines {
		return hunks(base, side)
	}
	var all []Hunk
	done := [2]int{}
	for _, next := range append(commonUniqueLines(b, s), [2]int{len(b), len(s)}) {
		for _, h := range hunks(b[done[0]:next[0]], s[done[1]:next[1]]) {
			x, y := head+done[0], head+done[1]
			all = append(all, Hunk{h.At + x, h.Gone, h.From + y, h.Till + y})
		}
		done = [2]int{next[0] + 1, next[1] + 1}
	}
	return lowerInsertions(base, side, all)
}

// commonUniqueLines returns where lines stand that occur once in each of two texts: the longest
// row of them that is in order in both.
func commonUniqueLines(base, side []string) (row [][2]int) {
	inBase, inSide := uniqueLines(base), uniqueLines(side)
	type place struct {
		at     [2]int
		before int // of the row that ends here, in all; -1 at its beginning
	}
	var all []place
	var ends []int // in all, the place with the smallest line of side that ends a row of each length
	for i, line := range base {
		j, ok := inSide[line]
		if _, once := inBase[line]; !ok || !once {
			continue
		}
		n, _ := slices.BinarySearchFunc(ends, j, func(e, j int) int { return all[e].at[1] - j })
		before := -1
		if n > 0 {
			before = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, 0)
		}
		ends[n] = len(all)
		all = append(all, place{[2]int{i, j}, before})
	}
	if len(ends) == 0 {
		return nil
	}
	for e := ends[len(ends)-1]; e >= 0; e = all[e].before {
		row = append(row, all[e].at)
	}
	slices.Reverse(row)
	return row
}
