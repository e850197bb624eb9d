package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// The budget whose answers are looked at, and of how many questions.
const (
	budgetTokens = 1500
	budgetAsked  = 100
)

// budget counts the answers within a budget that hold what is asked for, of questions from
// all tasks, and their tokens as they are printed.
func (s *set) budget(program string) error {
	if err := s.init(program); err != nil {
		return err
	}
	n, found, free := 0, 0, 0
	var text, machine []int
	for q := range s.sample() {
		n++
		for _, o := range []struct {
			args   []string
			found  *int
			tokens *[]int
		}{
			{[]string{"--budget", fmt.Sprint(budgetTokens), "-o", "json"}, &found, &machine},
			{[]string{"--budget", fmt.Sprint(budgetTokens)}, nil, &text},
			{[]string{"-o", "json"}, &free, nil},
		} {
			out, err := runIn(s.root, slices.Concat([]string{program, "memory", "recall"}, o.args, []string{"--", q.Text})...)
			if err != nil {
				return err
			}
			if o.tokens != nil {
				*o.tokens = append(*o.tokens, vault.Tokens(string(out)))
			}
			if o.found != nil && s.holds(out, q) {
				*o.found++
			}
		}
	}
	fmt.Printf("budget of %d tokens, %s: the target is in %d of %d answers, in %d without a budget; tokens at the most %d, as JSON %d\n",
		budgetTokens, s.name, found, n, free, slices.Max(text), slices.Max(machine))
	return nil
}

// holds reports whether an answer in JSON has a row that was asked for.
func (s *set) holds(out []byte, q labelled) bool {
	var rows []struct{ Path string }
	if json.Unmarshal(out, &rows) != nil {
		return false
	}
	return slices.ContainsFunc(rows, func(r struct{ Path string }) bool { return q.answers[r.Path] })
}
