package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// leastArgs are the fewest arguments of each tool. The memories ID and DONE are as they say already, so
// that no tool writes.
var leastArgs = map[string]object{
	"memory_recall": {"query": "linker"}, "memory_show": {"id": "ID"}, "memory_tree": {}, "memory_history": {},
	"memory_add": {"title": "Linker", "body": "The linker needs nine gigabytes.", "summary": "If the build dies"}, "memory_update": {"id": "ID", "title": "Linker"},
	"memory_move": {"id": "ID", "parent": "root"}, "memory_retire": {"id": "DONE", "how": "resolved"},
}

// wrongValues are what models send in place of a value of a kind.
var wrongValues = map[string][]any{
	"string":  {7, 1.5, true, []string{"a"}, object{"a": "b"}},
	"integer": {"eight", 1.5, true, []int{8}, object{"a": 8}, 1e12},
	"boolean": {"yes", 1, []bool{true}, object{"a": true}},
	"array":   {7, true, object{"a": "b"}, []any{1}, []any{"a", []string{"b"}}},
}

// emptyValues are what clients send for a parameter that they do not mean.
var emptyValues = map[string][]any{"string": {nil, "", " \n"}, "integer": {nil, ""}, "boolean": {nil, "", false, "false", "False"}, "array": {nil, "", []string{}, []string{"", " "}, "[]", ","}}

// limits are the least and the most that a number may be. The schema does not have them.
var limits = map[string][2]int{
	"memory_recall limit": {1, 100}, "memory_recall budget": {100, 100000}, "memory_show depth": {0, 5}, "memory_show budget": {100, 100000},
	"memory_tree max_depth": {0, 10}, "memory_tree budget": {100, 100000}, "memory_history limit": {1, 100},
}

// checkLimits has a number at its limits, which is taken, and beyond them.
func (c *conversation) checkLimits(p parameter, ids object) {
	c.t.Helper()
	at := limits[p.tool+" "+p.name]
	for _, beyond := range []int{min(at[0]-1, -1), at[1] + 1} { // 0 may say nothing
		c.fails(p.tool, argsWith(p.tool, ids, object{p.name: beyond}), fmt.Sprintf("%q has to be %d to %d, and is %d", p.name, at[0], at[1], beyond))
	}
	for _, within := range []any{at[0], at[1], fmt.Sprintf("%d", at[1]), json.RawMessage(fmt.Sprintf("%d.0", at[1]))} {
		c.does(p.tool, argsWith(p.tool, ids, object{p.name: within}), "Linker|resolve pf-")
	}
}

// parameter is one of a tool, as the tool's schema has it.
type parameter struct {
	tool, name, kind string
	needs            bool
}

// parameters lists those of all tools.
func (c *conversation) parameters() (all []parameter) {
	c.t.Helper()
	list, err := c.ListTools(context.Background(), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, tool := range list.Tools {
		var schema struct {
			Required   []string
			Properties map[string]struct{ Type string }
		}
		text, _ := json.Marshal(tool.InputSchema)
		if err := json.Unmarshal(text, &schema); err != nil {
			c.t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
			all = append(all, parameter{tool.Name, name, schema.Properties[name].Type, slices.Contains(schema.Required, name)})
		}
	}
	return all
}

// argsWith are the least arguments of a tool, with others.
func argsWith(tool string, ids, more object) object {
	args := maps.Clone(leastArgs[tool])
	if name, ok := args["id"].(string); ok {
		args["id"] = ids[name]
	}
	maps.Copy(args, more)
	return args
}

// Each parameter refuses by name what is of another kind or beyond its limits, and takes what says
// nothing for nothing. None of it writes.
func TestMCPEachValue(t *testing.T) {
	c := converse(t, false)
	ids := object{"ID": c.add(argsWith("memory_add", nil, nil)), "DONE": c.add(object{"title": "Cable", "body": "It was replaced.", "summary": "If it is old"})}
	c.does("memory_retire", argsWith("memory_retire", ids, nil), "Resolved")
	before := c.cp("memory", "log", "-o", "jsonl")
	says := map[string]string{}
	for tool := range leastArgs {
		says[tool] = c.does(tool, argsWith(tool, ids, nil), "")
	}
	all := c.parameters()
	for _, p := range all {
		for _, value := range wrongValues[p.kind] {
			c.fails(p.tool, argsWith(p.tool, ids, object{p.name: value}), fmt.Sprintf("%q has to be ", p.name))
		}
		for _, value := range emptyValues[p.kind] {
			args := argsWith(p.tool, ids, object{p.name: value})
			if _, least := leastArgs[p.tool][p.name]; p.needs {
				c.fails(p.tool, args, fmt.Sprintf("%s needs %q", p.tool, p.name))
			} else if least { // without it there is nothing to do
				c.fails(p.tool, args, `there is nothing to change|needs "query" or "about"|a memory of the tree needs a summary`)
			} else if said, failed := c.call(p.tool, args); failed || said != says[p.tool] {
				t.Errorf("%s %v: got (error: %t)\n%s\nwant\n%s", p.tool, args, failed, said, says[p.tool])
			}
		}
		if p.kind == "integer" {
			c.checkLimits(p, ids)
		}
		c.fails(p.tool, argsWith(p.tool, ids, object{p.name + "x": "v"}), fmt.Sprintf(`%s has no parameter "%sx".*hint: did you mean "%s".*%s takes .*%s`, p.tool, p.name, p.name, p.tool, p.name))
	}
	if len(all) < 35 {
		t.Errorf("%d parameters", len(all))
	}
	if after := c.cp("memory", "log", "-o", "jsonl"); after != before {
		t.Errorf("something was written:\n%s", strings.TrimPrefix(after, before))
	}
}
