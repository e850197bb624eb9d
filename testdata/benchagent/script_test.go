package main

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/agentmodel"
)

const (
	tools = `"tools":[{"name":"mcp__m__memory_recall","input_schema":{"properties":{"query":{"type":"string"}},"required":["query"]}},` +
		`{"name":"mcp__m__memory_retire","input_schema":{"properties":{"id":{"type":"string"},"how":{"type":"string","enum":["resolved"]}},"required":["id","how"]}}]`
	start  = `{"role":"user","content":"Close the Old queue."}`
	called = `{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"mcp__m__memory_recall","input":{"query":"x"}}]}`
)

// The script does what the conversation lets it do: without the id, the tool, the argument or the
// word it cannot.
func TestScript(t *testing.T) {
	result := func(text string) string {
		return `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":` + text + `}]}]}`
	}
	closes := task{prompt: "Close the Old queue.", steps: []step{asked, {"memory_retire", map[string]any{"id": "id of Old queue", "how": "resolved"}}}}
	found := `"<memory id=\"pf-7k2m9qx4\" path=\"old-queue.md\">\nOld queue\nwhen: it hangs\n</memory>"`
	for _, row := range []struct{ name, messages, tools, want string }{
		{"it asks first", start, tools, `memory_recall {"query":"Close the Old queue."}`},
		{"by the id that was found", start + "," + called + "," + result(found), tools, `memory_retire {"how":"resolved","id":"pf-7k2m9qx4"}`},
		{"by the id in an outline", start + "," + called + "," + result(`"- pf-7k2m9qx4 Old queue (+2): when it hangs\n- pf-00000000 Old queue of heron: when"`), tools, `memory_retire {"how":"resolved","id":"pf-7k2m9qx4"}`},
		{"no id", start + "," + called + "," + result(`"Old queue\nwhen: it hangs"`), tools, "I cannot"},
		{"another's id", start + "," + called + "," + result(`"pf-7k2m9qx4 New queue: when\n"`), tools, "I cannot"},
		{"another's id above", start + "," + called + "," + result(`"<memory id=\"pf-7k2m9qx4\">\nNew queue\n</memory>\n<memory>\nOld queue"`), tools, "I cannot"},
		{"no such argument", start + "," + called + "," + result(found), strings.ReplaceAll(tools, `"how"`, `"way"`), "I cannot"},
		{"no such word", start + "," + called + "," + result(found), strings.ReplaceAll(tools, `resolved`, `done`), "I cannot"},
		{"no such tool", start + "," + called + "," + result(found), strings.ReplaceAll(tools, `memory_retire`, `memory_end`), "I cannot"},
		{"no tools of ours", start, `"tools":[{"name":"Bash"}]`, "It is done."},
	} {
		a := script{closes}.think(agentmodel.Request{Path: "/v1/messages", Body: `{"messages":[` + row.messages + `],` + row.tools + `}`})
		got := a.Text
		if a.Call != nil {
			got = strings.TrimPrefix(a.Call.Tool, "mcp__m__") + " " + a.Call.Arguments
		}
		if !strings.HasPrefix(got, row.want) {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
	}
}

// What is counted is what stands in the conversation, in both forms.
func TestCount(t *testing.T) {
	for _, row := range []struct{ name, body string }{
		{"messages", `{"system":"<cp-memory>told</cp-memory>","messages":[` + start + `,` + strings.Replace(called, `"query"`, `"words"`, 1) +
			`,{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Error: no"}]}],` + tools + `}`},
		{"chat", `{"messages":[{"role":"system","content":"<cp-memory>told</cp-memory>"},` + start + `,{"role":"assistant","content":null,"tool_calls":[{"id":"t1","function":{"name":"m_memory_recall","arguments":"{\"words\":\"x\"}"}}]},` +
			`{"role":"tool","tool_call_id":"t1","content":"Error: no"}],"tools":[{"function":{"name":"m_memory_recall","parameters":{"properties":{"query":{"type":"string"}},"required":["query"]}}}]}`},
	} {
		r := counted{}
		r.count("a", false, agentmodel.Request{Body: row.body}.Conversation(), []string{"Close the Old queue.", "nowhere"})
		if r.calls != 1 || r.refused != 1 || r.wrong != 1 || r.definitions == 0 || r.texts == 0 || r.answers == 0 || r.asked != 1 || r.solved != 0 {
			t.Errorf("%s: got %+v", row.name, r)
		}
	}
}
