package settings

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Hooks says what the hooks of agents do beside telling at the start what there is.
type Hooks struct {
	Prompt bool // a prompt is answered with the memories that fit it
}

// hooks is the key hooks.
type hooks Hooks

func (h *hooks) UnmarshalYAML(n *yaml.Node) error {
	var plain struct {
		Prompt bool `yaml:"prompt"`
	}
	if n.Kind != yaml.MappingNode || n.Decode(&plain) != nil {
		return fmt.Errorf("line %d: hooks is {prompt: true} or {prompt: false}", n.Line)
	}
	h.Prompt = plain.Prompt
	return nil
}
