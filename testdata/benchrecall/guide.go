package main

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// read is how many results of recall an agent reads that does not walk.
const read = 5

// walks is what was counted in the vault.
type walks struct {
	whole         int // tokens of all files
	asked         int
	guided, found int   // questions whose answer the guide and recall came to
	guide, flat   []int // tokens read for each question
	phrases       int   // of those of the guide: in phrases
}

// guide measures how far trigger phrases alone lead: the share of the questions whose
// answer lies on the way that "cp memory guide" takes, and the tokens read on it. Beside
// it stand recall, of which the first five results are read, and reading everything.
func (s *set) guide(program string) error {
	fmt.Println("| tree | queries | guide reaches it | tokens read | of them phrases | recall, 5 read | tokens read | everything |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	w, err := s.walks(program)
	if err != nil {
		return err
	}
	w.print(s.name)
	if err := s.identify(program); err != nil {
		return err
	}
	return s.guideWithin(program)
}

// guideWithin counts the answers of the guide within a budget that show what is asked for, by
// titles alone and from what recall finds, as text and JSON, and the tokens of the largest.
func (s *set) guideWithin(program string) error {
	fmt.Printf("\n| within %d tokens | asked | form | shown | tokens at the most |\n|---|---|---|---|---|\n", budgetTokens)
	for _, how := range []struct {
		name string
		args []string
	}{{"guide", nil}, {"recall-assisted", []string{"--recall"}}} {
		for _, scope := range s.scopes {
			for _, form := range []string{"text", "json"} { // yaml and jsonl lie between
				n, shown, most := 0, 0, 0
				for q := range s.sample() {
					args := slices.Concat([]string{program, "memory", "guide", "--budget", fmt.Sprint(budgetTokens), "-o", form}, how.args)
					if scope == under {
						args = append(args, under, q.Scope)
					}
					out, err := runIn(s.root, append(args, "--", q.Text)...)
					if err != nil {
						return err
					}
					if n++; s.shows(string(out), q) {
						shown++
					}
					most = max(most, vault.Tokens(string(out)))
				}
				fmt.Printf("| %s | %s%s, %d | %s | %d | %d |\n", how.name, s.name, scope, n, form, shown, most)
			}
		}
	}
	return nil
}

// sample yields some of the questions, from all tasks.
func (s *set) sample() iter.Seq[labelled] {
	return func(yield func(labelled) bool) {
		step := max(len(s.queries)/budgetAsked, 1)
		for i := 0; i < len(s.queries) && i < step*budgetAsked; i += step {
			if !yield(s.queries[i]) {
				return
			}
		}
	}
}

// shows reports whether an answer has the id of a memory that was asked for.
func (s *set) shows(out string, q labelled) bool {
	for path := range q.answers {
		if id := s.ids[path]; id != "" && strings.Contains(out, id) {
			return true
		}
	}
	return false
}

// identify reads the ids of all memories.
func (s *set) identify(program string) error {
	s.ids = make(map[string]string)
	for {
		var rows []struct{ ID, Path string }
		err := s.json(&rows, program, "memory", "list", "--limit", "1000", "--offset", fmt.Sprint(len(s.ids)), "-o", "json")
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			s.ids[r.Path] = r.ID
		}
	}
}

// walks asks the questions .
func (c *set) walks(program string) (*walks, error) {
	w := &walks{}
	if err := c.commit(program); err != nil {
		return nil, err
	}
	var status struct {
		Counts struct{ Tokens int }
		Tokens int
	}
	err := c.json(&status, program, "status", "-o", "json")
	w.whole = max(status.Tokens, status.Counts.Tokens)
	for _, q := range c.queries {
		if err == nil {
			err = w.ask(c, program, q)
		}
	}
	return w, err
}

// commit makes a vault of the set in which everything is committed.
func (c *set) commit(program string) error {
	if err := c.init(program); err != nil {
		return err
	}
	for _, args := range [][]string{{"git", "add", "-A"},
		{"git", "-c", "user.name=b", "-c", "user.email=b@example.org", "commit", "-q", "--allow-empty", "-m", "all"}} {
		if _, err := runIn(c.root, args...); err != nil {
			return err
		}
	}
	return nil
}

// json runs a program in the set and reads what it prints.
func (c *set) json(into any, args ...string) error {
	out, err := runIn(c.root, args...)
	if err != nil {
		return err
	}
	return json.Unmarshal(out, into)
}

// ask asks one question both ways.
func (w *walks) ask(c *set, program string, q labelled) error {
	var walk struct {
		Steps   []struct{ Path string }
		Tokens  int
		Phrases int `json:"phrase_tokens"`
	}
	if err := c.json(&walk, program, "memory", "guide", "-o", "json", "--", q.Text); err != nil {
		return err
	}
	w.asked++
	if slices.ContainsFunc(walk.Steps, func(x struct{ Path string }) bool { return q.answers[x.Path] }) {
		w.guided++
	}
	w.guide, w.phrases = append(w.guide, walk.Tokens), w.phrases+walk.Phrases
	return w.askFlat(c, program, q)
}

// askFlat asks recall and reads the first results that count.
func (w *walks) askFlat(c *set, program string, q labelled) error {
	var hits []struct{ Path, Title, Summary, Passage string }
	if err := c.json(&hits, program, "memory", "recall", "-o", "json", "--limit", "20", "--", q.Text); err != nil {
		return err
	}
	tokens, texts, found := 0, 0, false
	for _, h := range hits {
		if slices.Contains(q.Neutral, h.Path) || texts == read {
			continue
		}
		texts++
		text, err := os.ReadFile(filepath.Join(c.root, h.Path))
		if err != nil {
			return err
		}
		tokens += vault.Tokens(h.Title+h.Summary+h.Passage) + 12 + vault.Tokens(string(text))
		found = found || q.answers[h.Path]
	}
	if found {
		w.found++
	}
	w.flat = append(w.flat, tokens)
	return nil
}

func (w *walks) print(name string) {
	n := max(w.asked, 1)
	share := func(k int) string { return fmt.Sprintf("%.3f", float64(k)/float64(n)) }
	fmt.Printf("| %s | %d | %s | %d | %d | %s | %d | %d |\n", name, w.asked, share(w.guided), median(w.guide), w.phrases/n, share(w.found), median(w.flat), w.whole)
}

func median(all []int) int {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}
