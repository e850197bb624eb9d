//go:build !failpoints

package disk

// point is where the test build injects faults; here it does nothing.
func point(_, _ string) error { return nil }

// record is where the test build writes down what was done; here it does nothing.
func record(_, _, _ string, _ []byte) {}
