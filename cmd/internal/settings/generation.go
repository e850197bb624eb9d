package settings

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/cp-memory/cp/vault"
)

// Generation says which language model writes trigger phrases: the section
// generation of the user's own file, over which the environment goes. It is not
// checked here, so that a slip in it stops the commands that need it only.
type Generation struct {
	Provider string
	Model    string
	KeyEnv   string // the name of the environment variable that holds the key
	BaseURL  string
	Timeout  time.Duration // 0 means the default

	warnings []string
}

// Given reports whether a model is configured.
func (g Generation) Given() bool { return g.Provider != "" }

// UnmarshalYAML reads the section. No message holds a value: a key may have got
// into it.
func (g *Generation) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		if n.Tag == "!!null" {
			return nil
		}
		return fmt.Errorf("line %d: generation has keys of its own, like provider and model", n.Line)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if value.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: generation.%s takes a single value", value.Line, clip(key.Value))
		}
		if err := g.set(key.Value, value.Value); err != nil {
			return fmt.Errorf("line %d: %w", value.Line, err)
		}
	}
	return nil
}

// generationKeys are the keys of the section; api_key_env is another name for
// key_env.
var generationKeys = []string{"provider", "model", "key_env", "base_url", "timeout"}

func (g *Generation) set(key, value string) error {
	switch key {
	case "provider":
		g.Provider = value
	case "model":
		g.Model = value
	case "key_env", "api_key_env":
		g.KeyEnv = value
	case "base_url":
		g.BaseURL = value
	case "timeout":
		t, err := time.ParseDuration(value)
		if err != nil || t <= 0 {
			return errors.New("generation.timeout is a time like 30s")
		}
		g.Timeout = t
	case "key", "api_key", "token":
		g.warnings = append(g.warnings, "generation."+key+" is not read: put the key into an environment variable, and its name into generation.key_env")
	default:
		g.warnings = append(g.warnings, fmt.Sprintf("generation.%s is not one of its keys, which are %v", clip(key), generationKeys))
	}
	return nil
}

// environ lets CP_GENERATION_PROVIDER, …_MODEL, …_KEY_ENV, …_BASE_URL and
// …_TIMEOUT go over the file.
func (g *Generation) environ(p Place) error {
	for _, key := range generationKeys {
		name := "CP_GENERATION_" + strings.ToUpper(key)
		if value := p.Env(name); value != "" {
			if err := g.set(key, value); err != nil {
				return vault.Errorf(vault.CodeConfig, "correct "+name, "%w", err)
			}
		}
	}
	return nil
}
