// Command benchguide measures how far trigger phrases lead: for the labelled
// queries of a store of real Markdown trees, the share whose target lies on the
// way that "cp memory guide" takes, and the tokens read on it, beside a flat
// recall whose first five results are read and beside reading everything. "make
// bench-guide" runs it, through the built program. Nothing here is a test.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

func main() {
	data := flag.String("data", "../shared/data/mdbench", "the `folder` of the queries and the store")
	program := flag.String("cp", "bin/cp", "the `program`")
	most := flag.Int("queries", 0, "ask at most this many `queries`; 0 is all")
	flag.Parse()
	if err := run(*data, *program, *most); err != nil {
		fmt.Fprintln(os.Stderr, "benchguide:", err)
		os.Exit(1)
	}
}

func run(data, program string, most int) error {
	if _, err := os.Stat(filepath.Join(data, "queries.jsonl")); err != nil {
		fmt.Printf("the labelled queries are not here (%v); nothing was measured\n", err)
		return nil
	}
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "benchguide-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := bench{cp: program, dir: dir, sums: map[string]*sum{}}
	if b.targets, err = readTargets(filepath.Join(data, "qrels.tsv")); err != nil {
		return err
	}
	if _, err := b.run("/", "tar", "xzf", absolute(filepath.Join(data, "store.tar.gz")), "-C", dir); err != nil {
		return err
	}
	queries, err := readQueries(filepath.Join(data, "queries.jsonl"), most)
	if err != nil {
		return err
	}
	for _, q := range queries {
		if err := b.ask(q); err != nil {
			return err
		}
	}
	b.print()
	return nil
}

func absolute(path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return full
}

// query is a labelled question about one tree of the store.
type query struct {
	ID, Scope, Text string
	Neutral         []string // paths that do not count: the question was taken from them
}

func readQueries(path string, most int) ([]query, error) {
	var all []query
	err := lines(path, func(line []byte) error {
		var q query
		err := json.Unmarshal(line, &q)
		if most == 0 || len(all) < most {
			all = append(all, q)
		}
		return err
	})
	return all, err
}

func readTargets(path string) (map[string][]string, error) {
	targets := map[string][]string{}
	return targets, lines(path, func(line []byte) error {
		f := strings.Split(string(line), "\t")
		targets[f[0]] = append(targets[f[0]], f[1])
		return nil
	})
}

func lines(path string, fn func([]byte) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewScanner(file)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if err := fn(in.Bytes()); err != nil {
			return err
		}
	}
	return in.Err()
}

// bench is one run. sums are by tree.
type bench struct {
	cp, dir string
	targets map[string][]string
	order   []string
	sums    map[string]*sum
}

// sum is what was counted in one tree.
type sum struct {
	vault             string
	whole             int // tokens of all of it
	asked             int
	guided, found     int
	guide, flat       []int // tokens read
	phrases, steps    int
	stoppedAtNoPhrase int
}

// tree makes a vault of a tree of the store, once.
func (b *bench) tree(scope string) (*sum, error) {
	if s := b.sums[scope]; s != nil {
		return s, nil
	}
	s := &sum{vault: filepath.Join(b.dir, "store", scope)}
	b.sums[scope], b.order = s, append(b.order, scope)
	for _, args := range [][]string{{"git", "init", "-q"}, {b.cp, "init", "."}, {"git", "add", "-A"}, {"git", "commit", "-qm", "all"}} {
		if _, err := b.run(s.vault, args...); err != nil {
			return nil, err
		}
	}
	var status struct {
		Counts struct{ Tokens int } `json:"counts"`
		Tokens int                  `json:"tokens"`
	}
	err := b.json(s.vault, &status, "status")
	s.whole = max(status.Tokens, status.Counts.Tokens)
	return s, err
}

// ask asks one question both ways.
func (b *bench) ask(q query) error {
	s, err := b.tree(q.Scope)
	if err != nil {
		return err
	}
	right := func(path string) bool {
		return slices.Contains(b.targets[q.ID], q.Scope+"/"+path)
	}
	s.asked++
	var walk struct {
		Steps           []struct{ Path string }
		Stopped         string
		Tokens, Weighed int
		PhraseTokens    int `json:"phrase_tokens"`
	}
	if err := b.json(s.vault, &walk, "memory", "guide", "--", q.Text); err != nil {
		return err
	}
	if slices.ContainsFunc(walk.Steps, func(x struct{ Path string }) bool { return right(x.Path) }) {
		s.guided++
	}
	s.guide, s.steps, s.phrases = append(s.guide, walk.Tokens), s.steps+len(walk.Steps), s.phrases+walk.PhraseTokens
	if len(walk.Steps) == 0 {
		s.stoppedAtNoPhrase++
	}
	return b.flat(s, q, right)
}

// flat asks recall, and reads the first five that are not left out.
func (b *bench) flat(s *sum, q query, right func(string) bool) error {
	var hits []struct{ Path, Title, Summary, Passage string }
	if err := b.json(s.vault, &hits, "memory", "recall", "--limit", "20", "--", q.Text); err != nil {
		return err
	}
	tokens, read, found := 0, 0, false
	for _, h := range hits {
		if slices.Contains(q.Neutral, q.Scope+"/"+h.Path) || read == 5 {
			continue
		}
		read++
		text, err := os.ReadFile(filepath.Join(s.vault, h.Path))
		if err != nil {
			return err
		}
		tokens += vault.Tokens(h.Title+h.Summary+h.Passage) + 12 + vault.Tokens(string(text))
		found = found || right(h.Path)
	}
	if found {
		s.found++
	}
	s.flat = append(s.flat, tokens)
	return nil
}

func (b *bench) json(dir string, into any, args ...string) error {
	out, err := b.run(dir, slices.Concat([]string{b.cp}, args[:1], []string{"-o", "json"}, args[1:])...)
	if err != nil {
		return err
	}
	return json.Unmarshal(out, into)
}

func (b *bench) run(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+b.dir, "CP_AGENT=bench", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=b", "GIT_AUTHOR_EMAIL=b@example.org", "GIT_COMMITTER_NAME=b", "GIT_COMMITTER_EMAIL=b@example.org")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(args[:min(3, len(args))], " "), err, stderr.String())
	}
	return out, nil
}

// print writes the table, one row for each tree and one for all.
func (b *bench) print() {
	fmt.Println("| tree | queries | guide reaches it | tokens read | of them phrases | recall, 5 read | tokens read | everything |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	all := &sum{}
	for _, scope := range b.order {
		s := b.sums[scope]
		s.print(scope)
		all.asked, all.guided, all.found, all.phrases = all.asked+s.asked, all.guided+s.guided, all.found+s.found, all.phrases+s.phrases
		all.whole, all.steps = all.whole+s.whole, all.steps+s.steps
		all.guide, all.flat = append(all.guide, s.guide...), append(all.flat, s.flat...)
	}
	all.print("all")
}

func (s *sum) print(name string) {
	share := func(n int) string { return fmt.Sprintf("%.3f", float64(n)/float64(max(s.asked, 1))) }
	fmt.Printf("| %s | %d | %s | %d | %d | %s | %d | %d |\n", name, s.asked, share(s.guided), median(s.guide), s.phrases/max(s.asked, 1),
		share(s.found), median(s.flat), s.whole)
}

func median(all []int) int {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}
