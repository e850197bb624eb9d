package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// server.json is what the registry's schema asks for. The schema comes from the registry's Go module, which
// "make lint" fetches and names in MCP_SCHEMA; without it the rules that can break here are checked.
func TestServerFitsItsSchema(t *testing.T) {
	text := written(t, t.TempDir())["registry/server.json"]
	var entry map[string]any
	if err := json.Unmarshal([]byte(text), &entry); err != nil {
		t.Fatal(err)
	}
	if about := entry["description"].(string); len(about) > 100 || entry["version"] != "0.1.0" || entry["name"] != "io.github.cp-memory/cp" {
		t.Errorf("got %s", text)
	}
	name := os.Getenv("MCP_SCHEMA")
	if name == "" {
		t.Skip("no schema: make lint fetches it")
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(b, &schema); err != nil {
		t.Fatal(err)
	}
	if schema.ID != schemaURL {
		t.Errorf("the schema is %s; server.json says %s", schema.ID, schemaURL)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(entry); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	delete(entry, "description")
	if resolved.Validate(entry) == nil {
		t.Error("the schema takes anything")
	}
}

// A release candidate has the name that each registry gives it.
func TestCandidatesAreNamed(t *testing.T) {
	b, err := describeServer("v0.2.0-rc.1")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"version": "0.2.0-rc.1"`, `"version": "0.2.0rc1"`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %s in %s", want, b)
		}
	}
}

// The marketplace's plugin has the release's version, and starts the server from npm.
func TestMarketplaceStartsTheServer(t *testing.T) {
	all := written(t, t.TempDir())
	var market struct {
		Name    string
		Owner   struct{ Name string }
		Plugins []struct{ Name, Source string }
	}
	var plugin struct {
		Name, Version string
		MCPServers    map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(all["registry/plugin/.claude-plugin/marketplace.json"]), &market); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(all["registry/plugin/cp-memory/.claude-plugin/plugin.json"]), &plugin); err != nil {
		t.Fatal(err)
	}
	if market.Name == "" || market.Owner.Name == "" || len(market.Plugins) != 1 || market.Plugins[0].Source != "./"+plugin.Name {
		t.Errorf("got %+v", market)
	}
	s := plugin.MCPServers["cp-memory"]
	if plugin.Version != "0.1.0" || s.Command != "npx" || strings.Join(s.Args, " ") != "-y cp-memory mcp" {
		t.Errorf("got %+v", plugin)
	}
}
