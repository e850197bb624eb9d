package prose

import "bytes"

// FindLines returns where a run of whole lines stands in a text; -1 where it does not.
func FindLines(text []byte, run string) int {
	for at := 0; run != ""; at++ {
		i := bytes.Index(text[at:], []byte(run))
		if i < 0 {
			break
		}
		at += i
		starts := len(bytes.TrimPrefix(text[:at], []byte("\ufeff"))) == 0 || text[at-1] == '\n'
		if starts && (run[len(run)-1] == '\n' || at+len(run) == len(text)) {
			return at
		}
	}
	return -1
}
