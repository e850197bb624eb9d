package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// modelFolder returns the folder of the static model: the one that was named, or that of the package
// tokenlearn-static-model where the interpreter has it. It is empty where there is neither.
func (o options) modelFolder() (string, error) {
	folder := o.static
	if folder == "" {
		out, err := exec.Command(o.python, "-c", `import importlib.util as u, os; print(os.path.dirname(u.find_spec("static_model").origin))`).Output()
		if err != nil {
			return "", nil
		}
		folder = filepath.Join(strings.TrimSpace(string(out)), "model")
	}
	if _, err := os.Stat(filepath.Join(folder, "model.safetensors")); err != nil {
		return "", fmt.Errorf("the static model: %w", err)
	}
	return filepath.Abs(folder)
}

// withVectors returns the corpus as a person has it who has configured the model.
func (c *corpus) withVectors(folder string) *corpus {
	with := *c
	with.env = append(append([]string{}, c.env...), "CP_EMBEDDING_PROVIDER=static", "CP_EMBEDDING_FOLDER="+folder, "CP_EMBEDDING_AUTO=false",
		"XDG_CACHE_HOME="+filepath.Join(c.bencher.dir, "cache"))
	return &with
}

// question is asked of all legs: words that some notes hold, and no two questions in a row are the same.
func question(n int) string {
	words := []string{markPercent, markPermille, markTenth}
	return words[n%3] + " " + words[n/3%3]
}

// vectors are the rows of a recall that uses words, graph and vectors, beside the same without vectors.
func (c *corpus) vectors() ([]row, error) {
	folder, err := c.modelFolder()
	if err != nil || folder == "" {
		if err == nil {
			c.tell("%d files: no static model, so the rows with vectors are left out; STATIC=FOLDER or PYTHON=INTERPRETER names one", c.size)
		}
		return nil, err
	}
	with := c.withVectors(folder)
	args := func(n int) map[string]any { return map[string]any{"query": question(n)} }
	ms := goal{name: "", value: func(p, _ cost) float64 { return float64(p.CPU) / 1e6 }, limit: 60, unit: "ms cpu", sizes: []int{10_000, 100_000}}
	return []row{
		{what: "recall by words, graph and vectors, warm, watcher live", floor: "the same without vectors", goals: []goal{ms}, watch: true, needs: "mcp",
			first: with.embed, product: with.calls("memory_recall", args), lower: c.calls("memory_recall", args)},
		{what: "recall by words, graph and vectors, cold", floor: "the same without vectors", goals: []goal{ratio(1.3, 10_000, 100_000)},
			first: with.embed, product: each(with.cp("recall", question(2))), lower: each(c.cp("recall", question(2)))},
	}, nil
}

// embed sees to it that each note has its vectors and that recall uses them.
func (c *corpus) embed() error {
	from := time.Now()
	for _, args := range [][]string{{"admin", "embed-backfill"}, {"memory", "recall", question(2)}} {
		cmd := exec.Command(c.options.cp, args...)
		cmd.Dir, cmd.Env = c.dir, append(environment(), c.env...)
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, said.Bytes())
		}
		if args[0] == "memory" && bytes.Contains(said.Bytes(), []byte("vector: ")) {
			return errors.New("recall does not use the vectors: " + said.String())
		}
	}
	c.tell("%d files: each has its vectors, after %.0f s", c.size, time.Since(from).Seconds())
	return nil
}
