package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// set is a group of queries that is told of in one line; its vaults are asked
// those of their scope.
type set struct {
	name   string
	vaults []*corpus
}

// corpus is one vault with its queries.
type corpus struct {
	root    string
	queries []query
}

type query struct {
	ID, Scope, Text string
	Neutral         []string // paths that do not count: the question was taken from them
	answers         map[string]bool
}

// load unpacks and writes the vaults below dir. Of the questions of the first set it
// takes the first most; 0 is all.
func load(data, dir string, most int) ([]*set, error) {
	md := &set{name: "mdbench"}
	answers, err := readAnswers(filepath.Join(data, "mdbench", "qrels.tsv"))
	if err != nil {
		return nil, err
	}
	if out, err := exec.Command("tar", "xzf", filepath.Join(data, "mdbench", "store.tar.gz"), "-C", dir).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("tar: %w: %s", err, out)
	}
	scopes := map[string]*corpus{}
	taken := 0
	err = records(filepath.Join(data, "mdbench", "queries.jsonl"), func(q query) error {
		if taken++; most > 0 && taken > most {
			return nil
		}
		c := scopes[q.Scope]
		if c == nil {
			c = &corpus{root: filepath.Join(dir, "store", q.Scope)}
			scopes[q.Scope], md.vaults = c, append(md.vaults, c)
		}
		q.answers = within(answers[q.ID], q.Scope)
		for i, p := range q.Neutral {
			q.Neutral[i] = strings.TrimPrefix(p, q.Scope+"/")
		}
		c.queries = append(c.queries, q)
		return nil
	})
	sets := []*set{md}
	for _, language := range []string{"en", "zh", "th"} {
		if err == nil {
			var s *set
			s, err = paragraphs(filepath.Join(data, "xquad", language), filepath.Join(dir, language), "xquad "+language)
			sets = append(sets, s)
		}
	}
	return sets, err
}

// within takes the scope off paths.
func within(paths []string, scope string) map[string]bool {
	out := map[string]bool{}
	for _, p := range paths {
		out[strings.TrimPrefix(p, scope+"/")] = true
	}
	return out
}

// paragraphs makes a vault with a file for each paragraph.
func paragraphs(data, root, name string) (*set, error) {
	answers, err := readAnswers(filepath.Join(data, "qrels.tsv"))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(root, 0o777); err != nil {
		return nil, err
	}
	c := &corpus{root: root}
	err = records(filepath.Join(data, "docs.jsonl"), func(p query) error {
		return os.WriteFile(filepath.Join(root, p.ID+".md"), []byte(p.Text+"\n"), 0o666)
	})
	if err != nil {
		return nil, err
	}
	err = records(filepath.Join(data, "queries.jsonl"), func(q query) error {
		q.answers = map[string]bool{}
		for _, a := range answers[q.ID] {
			q.answers[a+".md"] = true
		}
		c.queries = append(c.queries, q)
		return nil
	})
	return &set{name: name, vaults: []*corpus{c}}, err
}

// records calls fn with each line of a JSONL file.
func records(path string, fn func(query) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewScanner(file)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var q query
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			return err
		}
		if err := fn(q); err != nil {
			return err
		}
	}
	return in.Err()
}

func readAnswers(path string) (map[string][]string, error) {
	b, err := os.ReadFile(path)
	answers := map[string][]string{}
	for line := range strings.Lines(string(b)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) >= 2 {
			answers[f[0]] = append(answers[f[0]], f[1])
		}
	}
	return answers, err
}
