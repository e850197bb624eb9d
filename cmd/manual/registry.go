package main

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/setup"
)

// schemaURL says by which schema the registry of MCP servers reads server.json. "make lint" checks it.
const schemaURL = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// server is our entry in that registry.
type server struct {
	Schema      string     `json:"$schema"`
	Name        string     `json:"name"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	Version     string     `json:"version"`
	Repository  repository `json:"repository"`
	Packages    []pack     `json:"packages"`
}

type repository struct {
	URL    string `json:"url"`
	Source string `json:"source"`
}

// pack is one way to get the server and start it.
type pack struct {
	Type       string     `json:"registryType"`
	Identifier string     `json:"identifier"`
	Version    string     `json:"version"`
	Runtime    string     `json:"runtimeHint"`
	Transport  transport  `json:"transport"`
	Arguments  []argument `json:"packageArguments"`
}

type transport struct {
	Type string `json:"type"`
}

type argument struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// newPack is the package of that version in a registry, started by runtime as "cp-memory mcp".
func newPack(registry, runtime, version string) pack {
	return pack{Type: registry, Identifier: program, Version: version, Runtime: runtime, Transport: transport{"stdio"}, Arguments: []argument{{"positional", "mcp"}}}
}

// describeServer returns server.json. Its name stands in the packages as well, which proves that they are ours.
func describeServer(version string) ([]byte, error) {
	version = strings.TrimPrefix(version, "v")
	python := strings.Replace(version, "-rc.", "rc", 1) // as PEP 440 writes it
	b, err := json.MarshalIndent(server{
		Schema: schemaURL, Name: "io.github.cp-memory/cp", Title: "cp memory", Version: version,
		Description: "Git-backed memory for agents: Markdown files in a tree, one commit per write",
		Repository:  repository{"https://github.com/cp-memory/cp", "github"},
		Packages:    []pack{newPack("npm", "npx", version), newPack("pypi", "uvx", python)},
	}, "", "  ")
	return append(b, '\n'), err
}

// listRegistry returns what places that list servers and plugins read: server.json, and a marketplace
// whose plugin starts the server from npm, so that nothing need be installed before.
func listRegistry(version string) (map[string][]byte, error) {
	entry, err := describeServer(version)
	all := map[string][]byte{filepath.Join("registry", "server.json"): entry}
	for name, text := range setup.Plugin(version, "npx", "-y", program, "mcp") {
		all[filepath.Join("registry", "plugin", name)] = []byte(text)
	}
	return all, err
}
