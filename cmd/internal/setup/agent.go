package setup

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Agent is a row of the table: a program that works with a memory, and where its files are.
type Agent struct {
	Name, Title string
	Also        []string // other names that people type
	Tried       bool     // what is set up was run in the program itself
	Signs       []string // files and folders that show that it is there
	Programs    []string // likewise, on the PATH
	User        Site
	Project     Site
	Needs       string // what a person has to do beside it
	Trust       string // what a project's files wait for
	Keeps       string // the folder of its own memory; * stands for the project
	Forget      string // how a person switches it off where setup cannot
	Asks        string // how a person spares the questions where the settings have no list of allowed tools
}

// Site is one scope of an agent. Paths begin with ~/ or with a name of [Place.base], or are
// below the project's folder. Of several paths between bars the first that is there counts,
// else the first.
type Site struct {
	Config string // where MCP servers are entered
	Shape  Shape
	Hooks  string // where hooks are entered
	Rules  string // what the agent loads every time
	Head   string // what a new file of rules begins with
	Reads  string // the settings that name the file of rules
	Skills string // the folder of skills
	Allow  Grant  // by which it need not ask for each tool
	Own    Switch // of its own memory
}

// Shape is how an agent's settings enter an MCP server.
type Shape int

// The shapes.
const (
	Servers  Shape = iota + 1 // mcpServers, with type stdio
	VSCode                    // the same under servers
	Zed                       // under context_servers, without a type
	Copilot                   // mcpServers, with type local and all tools
	Opencode                  // mcp, with the command as one list
	TOML                      // [mcp_servers.cp-memory]
	Goose                     // extensions, in YAML
	Amp                       // the same as Servers under amp.mcpServers
)

// Scope says for whom an agent is set up.
type Scope string

// The scopes.
const (
	User    Scope = "user"    // this person, in every folder
	Project Scope = "project" // everybody who has the project, in files to commit
)

// Part is one of the ways by which an agent comes to its memory.
type Part string

// The parts, in the order in which they are set up.
const (
	MCP   Part = "mcp"   // the server with its tools
	Hook  Part = "hook"  // what is loaded at the start
	Rules Part = "rules" // the section in the file that the agent loads every time
	Skill Part = "skill" // when to read and when to write, loaded when it fits
	Allow Part = "allow" // the tools may be called without asking
	Own   Part = "own"   // its own memory is off; only where it was asked for
)

// Parts lists all parts.
func Parts() []Part { return []Part{MCP, Hook, Rules, Skill, Allow, Own} }

// UsualParts lists those that are set up where none is named.
func UsualParts() []Part { return []Part{MCP, Hook, Rules, Skill, Allow} }

// SiteFor returns the site of a scope.
func (a Agent) SiteFor(s Scope) Site {
	if s == Project {
		return a.Project
	}
	return a.User
}

// Has lists the usual parts that can be set up in a site.
func (s Site) Has() (all []Part) {
	for _, part := range UsualParts() {
		if s.path(part) != "" {
			all = append(all, part)
		}
	}
	return all
}

func (s Site) path(p Part) string {
	switch p {
	case MCP:
		return s.Config
	case Hook:
		return s.Hooks
	case Rules:
		return cmp.Or(s.Rules, s.Reads)
	case Allow:
		return s.Allow.File
	case Own:
		return s.Own.File
	}
	return s.Skills
}

// FindAgent returns the agent of a name. The error names those that come near it, or all.
func FindAgent(name string) (Agent, error) {
	all := Agents()
	low := strings.ToLower(name)
	for _, a := range all {
		if a.Name == low || slices.Contains(a.Also, low) {
			return a, nil
		}
	}
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = a.Name
	}
	return Agent{}, vault.Errorf(vault.CodeInvalid, "it knows "+strings.Join(names, ", "), "there is no set-up for '%s'", vault.Clip(name, 40))
}
