package about

import "github.com/cp-memory/cp/vault/merge"

// LinesChanged returns the lines that a later text of a whole file no longer has, in order, and the share of the earlier text's lines that
// are touched: a hunk touches as many as it removes or adds, whichever is more. An empty file that
// gains lines is touched whole.
func LinesChanged(was, is []string) (removed []string, share float64) {
	touched := 0
	for _, h := range merge.DiffLines(was, is) {
		removed = append(removed, was[h.At:h.At+h.Gone]...)
		touched += max(h.Gone, h.Till-h.From)
	}
	return removed, min(1, float64(touched)/float64(max(1, len(was))))
}
