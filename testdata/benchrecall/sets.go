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

// set is a group of queries that is told of in one line, and the vault that they are asked.
type set struct {
	name    string
	root    string
	scopes  []string // "" asks the whole vault, --under the folder of the query
	queries []labelled
	all     []labelled        // those, and others that are not asked
	ids     map[string]string // of the files, where they were asked for
}

type labelled struct {
	ID, Task, Scope, Title, Text string
	Neutral                      []string // paths that do not count: the question was taken from them
	answers                      map[string]bool
}

// under asks within the folder that holds the answer.
const under = "--under"

// load writes the vaults below dir that are not there yet. Of the questions it takes each
// every-th, from the first on.
func load(data, dir string, every int) ([]*set, error) {
	md, err := mdbench(filepath.Join(data, "mdbench"), dir)
	if err != nil {
		return nil, err
	}
	talk, err := dialogues(filepath.Join(data, "dialogues"), filepath.Join(dir, "dialogues"))
	if err != nil {
		return nil, err
	}
	sets := []*set{md, talk}
	languages, err := os.ReadDir(filepath.Join(data, "xquad"))
	for _, l := range languages {
		if err == nil {
			var s *set
			s, err = paragraphs(filepath.Join(data, "xquad", l.Name()), filepath.Join(dir, "xquad", l.Name()), "xquad "+l.Name())
			sets = append(sets, s)
		}
	}
	if err != nil {
		return nil, err
	}
	for _, s := range sets {
		s.all = s.queries
		kept := []labelled{}
		for i := 0; i < len(s.queries); i += every {
			kept = append(kept, s.queries[i])
		}
		s.queries = kept
	}
	return sets, nil
}

// mdbench unpacks its trees as one vault.
func mdbench(data, dir string) (*set, error) {
	s := &set{name: "mdbench", root: filepath.Join(dir, "store"), scopes: []string{"", under}}
	if _, err := os.Stat(s.root); err != nil {
		if out, err := exec.Command("tar", "xzf", filepath.Join(data, "store.tar.gz"), "-C", dir).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("tar: %w: %s", err, out)
		}
	}
	return s, s.ask(data, func(answer string) string { return answer })
}

// dialogues makes a vault with a folder for each conversation, in it one for each session,
// and in that a file for each turn.
func dialogues(data, root string) (*set, error) {
	s := &set{name: "dialogues", root: root, scopes: []string{under}}
	err := records(filepath.Join(data, "docs.jsonl"), func(d labelled) error {
		return s.write(turn(d.ID), "# "+d.Title+"\n\n"+d.Text+"\n")
	})
	if err != nil {
		return nil, err
	}
	return s, s.ask(data, turn)
}

// turn is the file of a turn: conv-26/D1:3 is conv-26/D01/003.md.
func turn(id string) string {
	var conversation string
	var session, n int
	_, _ = fmt.Sscanf(strings.NewReplacer("/D", " ", ":", " ").Replace(id), "%s %d %d", &conversation, &session, &n)
	return fmt.Sprintf("%s/D%02d/%03d.md", conversation, session, n)
}

// write writes a file that is not there yet.
func (s *set) write(path, text string) error {
	full := filepath.Join(s.root, path)
	if _, err := os.Stat(full); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		return err
	}
	return os.WriteFile(full, []byte(text), 0o666)
}

// ask reads the questions and their answers; file is the file of an answer.
func (s *set) ask(data string, file func(answer string) string) error {
	answers, err := readAnswers(filepath.Join(data, "qrels.tsv"))
	if err != nil {
		return err
	}
	return records(filepath.Join(data, "queries.jsonl"), func(q labelled) error {
		q.answers = map[string]bool{}
		for _, a := range answers[q.ID] {
			q.answers[file(a)] = true
			if q.Scope == "" {
				q.Scope, _, _ = strings.Cut(file(a), "/")
			}
		}
		if len(q.answers) > 0 {
			s.queries = append(s.queries, q)
		}
		return nil
	})
}

// paragraphs makes a vault with a file for each paragraph.
func paragraphs(data, root, name string) (*set, error) {
	s := &set{name: name, root: root, scopes: []string{""}}
	err := records(filepath.Join(data, "docs.jsonl"), func(p labelled) error { return s.write(p.ID+".md", p.Text+"\n") })
	if err != nil {
		return nil, err
	}
	return s, s.ask(data, func(answer string) string { return answer + ".md" })
}

// records calls fn with each line of a JSONL file.
func records(path string, fn func(labelled) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewScanner(file)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var q labelled
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
