package about

// FindLines returns where the bound lines stand in a text, side by side: the first line of each
// place, 1-based, in order. It takes a time of both lengths together (Knuth, Morris, Pratt, 1977).
func FindLines(is, bound []string) (places []int) {
	if len(bound) == 0 || len(bound) > len(is) {
		return nil
	}
	back, held := borders(bound), 0
	for i, line := range is {
		for held > 0 && (held == len(bound) || bound[held] != line) {
			held = back[held-1]
		}
		if bound[held] == line {
			held++
		}
		if held == len(bound) {
			places = append(places, i+2-held)
		}
	}
	return places
}

// borders returns for each line how many lines up to it are also those at the beginning.
func borders(lines []string) []int {
	back := make([]int, len(lines))
	held := 0
	for i := 1; i < len(lines); i++ {
		for held > 0 && lines[held] != lines[i] {
			held = back[held-1]
		}
		if lines[held] == lines[i] {
			held++
		}
		back[i] = held
	}
	return back
}

// sumBytes is how much FindSum reads at the most: a quarter of a second.
const sumBytes = 256 << 20

// FindSum returns where n lines stand side by side whose SumLines is sum, 1-based. ok is false if the
// text is too long to search: each place is a sum of its own, so the time is that of the lines × n.
func FindSum(is []string, n int, sum string) (places []int, ok bool) {
	total := 0
	for _, line := range is {
		total += len(line) + 1
	}
	if n > 0 && total > sumBytes/n {
		return nil, false
	}
	for i := 0; n > 0 && i+n <= len(is); i++ {
		if SumLines(is[i:i+n]) == sum {
			places = append(places, i+1)
		}
	}
	return places, true
}
