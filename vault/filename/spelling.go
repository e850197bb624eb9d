package filename

// Edits returns how many bytes have to be changed, added or dropped to turn a into b
// (Levenshtein).
func Edits(a, b string) int { return editsOf([]byte(a), []byte(b)) }

// EditsOfLetters is [Edits] of characters.
func EditsOfLetters(a, b string) int { return editsOf([]rune(a), []rune(b)) }

func editsOf[T byte | rune](a, b []T) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal, row[j+1] = row[j+1], min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
