// Package waiting finds the memories that may wait for a person's decision.
//
// It reads rows of the mirror and never files, and it finds them by indexes that hold
// little else. What it returns is a superset: package vault/review decides.
//
//	all, err := waiting.Candidates(t, review.Rules{Thresholds: tier.Default()})
package waiting
