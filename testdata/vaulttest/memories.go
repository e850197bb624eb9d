package vaulttest

import (
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
)

// File and Block write memories as the tables of the plans do.
var File, Block = vaultmap.File, vaultmap.Block

// Family is a vault with a parent and two children, in agreement.
func Family(t *testing.T) *World {
	w := New(t)
	for p, text := range vaultmap.Family() {
		w.Write(string(p), text)
	}
	w.Commit("a family")
	return w
}
