package index

import "github.com/cp-memory/cp/index/naming"

// short returns the part of a mark that a row keeps: 47 bits of its hash. The whole mark
// is in the folder's listing. The number is negative for a file that cannot be a memory,
// and 0 without a mark.
func short(mark string) int64 {
	if mark == "" {
		return 0
	}
	h := int64(uint64(naming.Hash(mark))>>17) | 1
	if mark[0] == '!' {
		return -h
	}
	return h
}
