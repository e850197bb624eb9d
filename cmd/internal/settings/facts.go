package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Facts says how the facts of memories are drawn.
type Facts struct {
	Auto        bool     // the facts of each memory are to be drawn; without it, of those that are named
	DailyTokens int      // how many tokens a clone may spend on them a day; 0 is no limit
	Types       []string // of entities; empty is the default list
}

// factsAuto is the mode in which the facts of each memory are to be drawn.
const factsAuto = "auto"

// facts is the key facts: a mode, or a mapping.
type facts struct {
	Mode        string   `yaml:"mode"`
	DailyTokens tokens   `yaml:"daily_tokens"`
	Types       []string `yaml:"types"`
}

func (f *facts) UnmarshalYAML(n *yaml.Node) error {
	type plain facts
	if f.Mode = n.Value; n.Kind != yaml.ScalarNode {
		if n.Kind != yaml.MappingNode || n.Decode((*plain)(f)) != nil {
			return factsError(n)
		}
	}
	if !slices.Contains([]string{"", factsAuto, "manual"}, f.Mode) {
		return factsError(n)
	}
	for i, t := range f.Types {
		if f.Types[i] = strings.Join(strings.Fields(t), " "); f.Types[i] == "" || len(t) > maxName {
			return factsError(n)
		}
	}
	return nil
}

func factsError(n *yaml.Node) error {
	return fmt.Errorf("line %d: facts is auto or manual, or {mode: auto, daily_tokens: 200000, types: [person, service]}", n.Line)
}

// tokens is a number of tokens.
type tokens int

func (t *tokens) UnmarshalYAML(n *yaml.Node) error {
	count, err := strconv.Atoi(n.Value)
	if err != nil || count < 0 {
		return fmt.Errorf("line %d: daily_tokens is a number of tokens", n.Line)
	}
	*t = tokens(count)
	return nil
}

// factsOf takes what costs money from the user alone, and the types from the vault first: a
// team names its entities alike.
func factsOf(own, user file) Facts {
	f := Facts{Auto: user.Facts.Mode == factsAuto, DailyTokens: int(user.Facts.DailyTokens), Types: own.Facts.Types}
	if len(f.Types) == 0 {
		f.Types = user.Facts.Types
	}
	return f
}
