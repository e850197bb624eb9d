package settings

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/cp-memory/cp/vault"
)

// Embedding says which model makes vectors of memories: the section embedding of
// the user's own file, over which the environment goes. Whether it can work is
// not checked here, so that a slip in it stops the commands that need it only.
type Embedding struct {
	Provider  string
	Model     string
	KeyEnv    string // the name of the environment variable that holds the key
	BaseURL   string
	Folder    string // of a static model: absolute
	Dimension int    // 0 leaves it to the model
	Batch     int    // texts in one request; 0 means the default
	Rate      int    // requests in a minute; 0 means no limit
}

// Given reports whether a model is configured.
func (e Embedding) Given() bool { return e.Provider != "" }

// embeddingKeys are the keys of the section; api_key_env is another name for
// key_env.
var embeddingKeys = []string{"provider", "model", "key_env", "base_url", "folder", "dimension", "batch", "rate"}

// embeddingSection is the section in a file.
type embeddingSection struct {
	Embedding
	warnings []string
}

// UnmarshalYAML reads the section. No message holds a value: a key may have got
// into it.
func (e *embeddingSection) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		if n.Tag == "!!null" {
			return nil
		}
		return fmt.Errorf("line %d: embedding has keys of its own, like provider and model", n.Line)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if value.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: embedding.%s takes a single value", value.Line, clip(key.Value))
		}
		if err := e.read(key.Value, value.Value); err != nil {
			return fmt.Errorf("line %d: %w", value.Line, err)
		}
	}
	return nil
}

// read takes one key of the section.
func (e *embeddingSection) read(key, value string) error {
	switch {
	case key == "api_key_env":
		key = "key_env"
	case key == "key" || key == "api_key" || key == "token":
		e.warnings = append(e.warnings, "embedding."+key+" is not read: put the key into an environment variable, and its name into embedding.key_env")
		return nil
	case !slices.Contains(embeddingKeys, key):
		e.warnings = append(e.warnings, fmt.Sprintf("embedding.%s is not one of its keys, which are %v", clip(key), embeddingKeys))
		return nil
	}
	return e.set(key, value)
}

func (e *Embedding) set(key, value string) (err error) {
	switch key {
	case "provider":
		e.Provider = value
	case "model":
		e.Model = value
	case "key_env":
		e.KeyEnv = value
	case "base_url":
		e.BaseURL = value
	case "folder":
		e.Folder = value
	case "dimension":
		e.Dimension, err = count(key, value)
	case "batch":
		e.Batch, err = count(key, value)
	case "rate":
		e.Rate, err = count(key, value)
	}
	return err
}

// count reads a number of things.
func count(key, value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > 1_000_000 {
		return 0, fmt.Errorf("embedding.%s is a whole number from 0 on", key)
	}
	return n, nil
}

// under makes a folder that the file at path names absolute.
func (e *Embedding) under(path string, p Place) {
	if e.Folder != "" {
		e.Folder = Absolute(e.Folder, Place{Dir: filepath.Dir(path), Env: p.Env})
	}
}

// environ lets CP_EMBEDDING_PROVIDER, …_MODEL, …_KEY_ENV, …_BASE_URL, …_FOLDER,
// …_DIMENSION, …_BATCH and …_RATE go over the file.
func (e *Embedding) environ(p Place) error {
	for _, key := range embeddingKeys {
		name := "CP_EMBEDDING_" + strings.ToUpper(key)
		value := p.Env(name)
		if value == "" {
			continue
		}
		if err := e.set(key, value); err != nil {
			return vault.Errorf(vault.CodeConfig, "correct "+name, "%w", err)
		}
		if key == "folder" {
			e.Folder = Absolute(value, p)
		}
	}
	return nil
}
