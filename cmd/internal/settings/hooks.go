package settings

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// Hooks says what the hooks of agents do beside telling at the start what there is.
type Hooks struct {
	Prompt bool // a prompt is answered with the memories that fit it
	NoFile bool // what is known of a file is not told where an agent reads or changes it
}

// hooks is the key hooks.
type hooks Hooks

func (h *hooks) UnmarshalYAML(n *yaml.Node) error {
	var plain struct {
		Prompt bool  `yaml:"prompt"`
		File   *bool `yaml:"file"`
	}
	if n.Kind != yaml.MappingNode || n.Decode(&plain) != nil {
		return fmt.Errorf("line %d: hooks is {prompt: true, file: false}, each of them true or false", n.Line)
	}
	h.Prompt, h.NoFile = plain.Prompt, plain.File != nil && !*plain.File
	return nil
}

// AutoCapture says whether the end of an agent's session is kept in the journal. Its zero value
// is no.
type AutoCapture struct {
	Enabled    bool          `json:"enabled"`
	Namespaces []header.Kind `json:"namespaces"` // the kinds of entries that are kept; empty is all
}

// Keeps reports whether entries of a kind are kept.
func (a AutoCapture) Keeps(k header.Kind) bool {
	return a.Enabled && (len(a.Namespaces) == 0 || slices.Contains(a.Namespaces, k))
}

// UnmarshalYAML reads true or false, or a mapping, which is switched on unless it says otherwise.
func (a *AutoCapture) UnmarshalYAML(n *yaml.Node) error {
	shape := fmt.Errorf("line %d: auto_capture is true, false, or {enabled: true, namespaces: [progress, decisions]}", n.Line)
	if n.Kind == yaml.ScalarNode {
		if n.Decode(&a.Enabled) != nil {
			return shape
		}
		return nil
	}
	var plain struct {
		Enabled    *bool    `yaml:"enabled"`
		Namespaces []string `yaml:"namespaces"`
	}
	if n.Kind != yaml.MappingNode || n.Decode(&plain) != nil {
		return shape
	}
	a.Enabled = plain.Enabled == nil || *plain.Enabled
	for _, word := range plain.Namespaces {
		k, ok := header.ParseKind(word)
		if !ok {
			return fmt.Errorf("line %d: auto_capture.namespaces holds %q, which is no kind of entry", n.Line, vault.Clip(word, 40))
		}
		a.Namespaces = append(a.Namespaces, k)
	}
	return nil
}
