package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/cp-memory/cp/vault"
)

// Generation says which language model writes trigger phrases: the section generation of
// the user's own file, overridden by the environment. It is not checked here, so that a
// mistake in it stops only the commands that need it.
type Generation struct {
	Provider string
	Model    string
	KeyEnv   string // the name of the environment variable that holds the key
	BaseURL  string
	Timeout  time.Duration // 0 means the default
}

// IsConfigured reports whether a model is configured.
func (g Generation) IsConfigured() bool { return g.Provider != "" }

func (g *Generation) fields() []field {
	return []field{{"provider", &g.Provider}, {"model", &g.Model}, {"key_env", &g.KeyEnv}, {"base_url", &g.BaseURL}, {"timeout", &g.Timeout}}
}

// Embedding says which model makes vectors of memories: the section embedding of the
// user's own file, overridden by the environment. It is not checked here, so that a
// mistake in it stops only the commands that need it.
type Embedding struct {
	Provider  string
	Model     string
	KeyEnv    string // the name of the environment variable that holds the key
	BaseURL   string
	Folder    string // of a static model: absolute
	Dimension int    // 0 leaves it to the model
	Batch     int    // texts in one request; 0 means the default
	Rate      int    // requests in a minute; 0 means no limit
	Weight    weight // of the vectors beside the words; 0 leaves it to what was measured
	Auto      off    // whether what is written gets its vector by itself
}

// ByItself reports whether what is written gets its vector without being asked for.
func (e Embedding) ByItself() bool { return e.IsConfigured() && !bool(e.Auto) }

// IsConfigured reports whether a model is configured.
func (e Embedding) IsConfigured() bool { return e.Provider != "" }

func (e *Embedding) fields() []field {
	return []field{{"provider", &e.Provider}, {"model", &e.Model}, {"key_env", &e.KeyEnv}, {"base_url", &e.BaseURL},
		{"folder", &e.Folder}, {"dimension", &e.Dimension}, {"batch", &e.Batch}, {"rate", &e.Rate}, {"weight", &e.Weight}, {"auto", &e.Auto}}
}

// under makes a folder absolute that a person in the place p has named.
func (e *Embedding) under(p Place) {
	if e.Folder != "" {
		e.Folder = Absolute(e.Folder, p)
	}
}

// weight is a number from 0.01 to 10.
type weight float64

// off is a switch that is on where nothing is said of it.
type off bool

// field is one key of a section with the place of its value: a *string, *int, *weight,
// *off or *time.Duration.
type field struct {
	key string
	to  any
}

// setValue reads a value. No message holds it: a key to a model may have got into it.
func (f field) setValue(section, value string) (err error) {
	switch to := f.to.(type) {
	case *string:
		*to = value
	case *int:
		if *to, err = strconv.Atoi(value); err != nil || *to < 0 || *to > 1_000_000 {
			return fmt.Errorf("%s.%s is a whole number from 0 on", section, f.key)
		}
	case *weight:
		w, err := strconv.ParseFloat(value, 64)
		if err != nil || !(w >= 0.01 && w <= 10) {
			return fmt.Errorf("%s.%s is a number from 0.01 to 10", section, f.key)
		}
		*to = weight(w)
	case *off:
		on, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("%s.%s is true or false", section, f.key)
		}
		*to = off(!on)
	case *time.Duration:
		if *to, err = time.ParseDuration(value); err != nil || *to <= 0 {
			return fmt.Errorf("%s.%s is a time like 30s", section, f.key)
		}
	}
	return nil
}

// UnmarshalYAML reads the section generation.
func (f *generation) UnmarshalYAML(n *yaml.Node) (err error) {
	f.warnings, err = readSection("generation", n, f.fields())
	return err
}

// UnmarshalYAML reads the section embedding.
func (f *embedding) UnmarshalYAML(n *yaml.Node) (err error) {
	f.warnings, err = readSection("embedding", n, f.fields())
	return err
}

// The sections as a file has them.
type (
	generation struct {
		Generation
		warnings []string
	}
	embedding struct {
		Embedding
		warnings []string
	}
)

// readSection reads the keys of a section, each with a single value; api_key_env is
// another name for key_env. It warns of keys that it does not know.
func readSection(name string, n *yaml.Node, fields []field) (warnings []string, err error) {
	if n.Kind != yaml.MappingNode {
		if n.Tag == "!!null" {
			return nil, nil
		}
		return nil, fmt.Errorf("line %d: %s has keys of its own, like provider and model", n.Line, name)
	}
	var keys []string
	for _, f := range fields {
		keys = append(keys, f.key)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		if value.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("line %d: %s.%s takes a single value", value.Line, name, vault.Clip(key, 40))
		}
		if key == "api_key_env" {
			key = "key_env"
		}
		switch at := slices.Index(keys, key); {
		case at >= 0:
			if err := fields[at].setValue(name, value.Value); err != nil {
				return nil, fmt.Errorf("line %d: %w", value.Line, err)
			}
		case key == "key" || key == "api_key" || key == "token":
			warnings = append(warnings, fmt.Sprintf("%s.%s is not read: put the key into an environment variable, and its name into %[1]s.key_env", name, key))
		default:
			warnings = append(warnings, fmt.Sprintf("%s.%s is not one of its keys, which are %v", name, vault.Clip(key, 40), keys))
		}
	}
	return warnings, nil
}

// environ lets the environment go over a section: CP_GENERATION_PROVIDER and the like.
func environ(section string, fields []field, p Place) error {
	for _, f := range fields {
		name := "CP_" + strings.ToUpper(section+"_"+f.key)
		if value := p.Env(name); value != "" {
			if err := f.setValue(section, value); err != nil {
				return vault.Errorf(vault.CodeConfig, "correct "+name, "%w", err)
			}
		}
	}
	return nil
}
