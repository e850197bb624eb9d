//go:build !failpoints

package disk

// injectFault injects faults in the test build. Here it does nothing.
func injectFault(_, _ string) error { return nil }

// logChange writes down each change in the test build. Here it does nothing.
func logChange(_, _, _ string, _ []byte) {}
