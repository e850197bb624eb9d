package merge

import "slices"

// Hunk is a change of one side: its lines [From, Till) replace Gone lines of the base,
// beginning with the line At, all counted from 0. Gone is 0 for an insertion.
type Hunk struct{ At, Gone, From, Till int }

// insertion reports whether the hunk removes no line of the base.
func (h Hunk) insertion() bool { return h.Gone == 0 }

// hunks returns the changes from base to side, in order. Between two hunks is at least
// one line that both texts have. An insertion stands as far down as it can, as in git: so
// several inserted paragraphs are one hunk, and two sides that insert at one place do so
// at the same line.
func hunks(base, side []string) []Hunk {
	head := common(base, side, func(s []string, i int) string { return s[i] })
	b, s := base[head:], side[head:]
	tail := common(b, s, func(s []string, i int) string { return s[len(s)-1-i] })
	b, s = b[:len(b)-tail], s[:len(s)-tail]
	all := differences(b, s)
	for i := range all {
		h := &all[i]
		h.At, h.From, h.Till = h.At+head, h.From+head, h.Till+head
	}
	return lowerInsertions(base, side, all)
}

// common returns how many lines at the beginning of two texts are equal. at returns the
// nth line, so that the lines can be counted from the end too.
func common(a, b []string, at func([]string, int) string) (n int) {
	for n < min(len(a), len(b)) && at(a, n) == at(b, n) {
		n++
	}
	return n
}

// differences returns the changes that Myers' greedy algorithm finds (An O(ND) Difference
// Algorithm, 1986). If more than diffLines lines differ, it returns one hunk with all lines.
func differences(base, side []string) (all []Hunk) {
	x, y := len(base), len(side)
	rows := findFurthestPaths(base, side)
	if rows == nil {
		return []Hunk{{0, x, 0, y}}
	}
	for d := len(rows) - 1; d > 0; d-- {
		k := x - y
		after, added := diagonalStep(rows[d-1], (k+d)/2)
		h := Hunk{after - 1, 1, after - k, after - k}
		if added {
			h = Hunk{after, 0, after - k - 1, after - k}
		}
		x, y = h.At, h.From
		if n := len(all) - 1; n >= 0 && all[n].At == h.At+h.Gone && all[n].From == h.Till {
			all[n] = Hunk{h.At, h.Gone + all[n].Gone, h.From, all[n].Till}
		} else {
			all = append(all, h)
		}
	}
	slices.Reverse(all)
	return all
}

// findFurthestPaths returns a row for each number d of added and removed lines, up to the number
// that turns base into side. Place i of a row is the line x of the base that d changes
// lead to on the diagonal x-y = 2i-d. It returns nil if d exceeds diffLines.
func findFurthestPaths(base, side []string) (rows [][]int32) {
	for d := 0; d <= diffLines; d++ {
		row := make([]int32, d+1)
		rows = append(rows, row)
		for i := range row {
			x, k := 0, 2*i-d
			if d > 0 {
				x, _ = diagonalStep(rows[d-1], i)
			}
			for x < len(base) && x-k < len(side) && base[x] == side[x-k] {
				x++
			}
			row[i] = int32(x)
			if x == len(base) && x-k == len(side) {
				return rows
			}
		}
	}
	return nil
}

// diagonalStep returns the line of the base that one more change leads to on diagonal i, before
// equal lines are followed. The change is an added line, from the diagonal on one side, or
// a removed one, from the diagonal on the other.
func diagonalStep(last []int32, i int) (x int, added bool) {
	if i == 0 || i < len(last) && last[i-1] < last[i] {
		return int(last[i]), true
	}
	return int(last[i-1]) + 1, false
}

// lowerInsertions moves each insertion as far down as it can go, and joins two insertions that
// meet there.
func lowerInsertions(base, side []string, all []Hunk) []Hunk {
	for i := len(all) - 1; i >= 0; i-- {
		h, end := all[i], len(base)
		last := i == len(all)-1
		if !last {
			end = all[i+1].At
		}
		for h.insertion() && h.At < end && base[h.At] == side[h.From] {
			h = Hunk{h.At + 1, 0, h.From + 1, h.Till + 1}
		}
		switch meets := !last && h.At == end; {
		case !meets:
			all[i] = h
		case all[i+1].insertion():
			all[i] = Hunk{h.At, 0, h.From, all[i+1].Till}
			all = append(all[:i+1], all[i+2:]...)
			i++ // as one it may go further
		}
	}
	return all
}
