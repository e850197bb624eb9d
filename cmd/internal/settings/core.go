package settings

import (
	"fmt"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/cp-memory/cp/vault"
	agents "github.com/cp-memory/cp/vault/tier"
)

// Core says where a promotion to core writes to. It is the user's alone: a shared file could
// name files of this machine.
type Core struct {
	Targets []string          `yaml:"targets"` // of a promotion that names none
	Project map[string]string `yaml:"project"` // files in the place of an adapter's, below the top of the code repository
	User    map[string]string `yaml:"user"`    // likewise of the user's own files, absolute
}

// core is the key of the same name in the user's file.
type core Core

func (c *core) UnmarshalYAML(n *yaml.Node) error {
	type plain core
	if err := n.Decode((*plain)(c)); err != nil {
		return fmt.Errorf("line %d: core is {targets: [claude_md], project: {claude_md: docs/CLAUDE.md}, user: {claude_md: ~/notes/CLAUDE.md}}", n.Line)
	}
	names := append([]string{}, c.Targets...)
	for name, file := range c.Project {
		if names = append(names, name); !filepath.IsLocal(file) {
			return fmt.Errorf("line %d: core.project holds %q, which is no path below the top of a repository", n.Line, vault.Clip(file, 80))
		}
	}
	for name := range c.User {
		names = append(names, name)
	}
	for _, name := range names {
		if _, err := agents.AdapterNamed(name); err != nil {
			return fmt.Errorf("line %d: core: %w", n.Line, err)
		}
	}
	return nil
}

// under makes the paths of the user's files absolute.
func (c core) under(p Place) {
	for name, file := range c.User {
		c.User[name] = Absolute(file, p)
	}
}
