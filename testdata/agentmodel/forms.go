package agentmodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// write writes the nth answer in the form of the vendor whose address was asked.
func write(w http.ResponseWriter, r Request, n int, a Answer) {
	whole, events := "", []string(nil)
	switch {
	case strings.Contains(r.Path, "/messages"):
		whole, events = messages(n, a)
	case strings.Contains(r.Path, "/responses"):
		whole, events = responses(n, a, r.Body)
	case strings.Contains(r.Path, "enerateContent"):
		whole, events = content(a)
	default:
		whole, events = chat(n, a)
	}
	if !r.streams() {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, whole)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		name, data, _ := strings.Cut(e, "|")
		if name != "" {
			fmt.Fprintf(w, "event: %s\n", name)
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
}

const tokens = `"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}`

// quoted is a text as JSON.
func quoted(text string) string {
	b, _ := json.Marshal(text) // of a text it does not fail
	return string(b)
}

// messages answers in Anthropic's form.
func messages(n int, a Answer) (whole string, events []string) {
	message := func(content, stop string) string {
		return `{"id":"m` + strconv.Itoa(n) + `","type":"message","role":"assistant","model":"mock","content":` + content + `,"stop_reason":` + stop + `,"stop_sequence":null,` + tokens + `}`
	}
	block, empty := `{"type":"text","text":`+quoted(a.Text)+`}`, `{"type":"text","text":""}`
	delta, stop := `{"type":"text_delta","text":`+quoted(a.Text)+`}`, `"end_turn"`
	if a.Call != nil {
		call := func(input string) string {
			return `{"type":"tool_use","id":"toolu_` + strconv.Itoa(n) + `","name":"` + a.Call.Tool + `","input":` + input + `}`
		}
		block, empty = call(a.Call.Arguments), call("{}")
		delta, stop = `{"type":"input_json_delta","partial_json":`+quoted(a.Call.Arguments)+`}`, `"tool_use"`
	}
	return message("["+block+"]", stop), []string{
		`message_start|{"type":"message_start","message":` + message("[]", "null") + `}`,
		`content_block_start|{"type":"content_block_start","index":0,"content_block":` + empty + `}`,
		`content_block_delta|{"type":"content_block_delta","index":0,"delta":` + delta + `}`,
		`content_block_stop|{"type":"content_block_stop","index":0}`,
		`message_delta|{"type":"message_delta","delta":{"stop_reason":` + stop + `,"stop_sequence":null},"usage":{"output_tokens":1}}`,
		`message_stop|{"type":"message_stop"}`,
	}
}

// ourServer finds the namespace in which the responses API has the tools of our server.
var ourServer = regexp.MustCompile(`"name": ?"(mcp__cp[-_]memory(?:__)?)"`)

// responses answers in the form of OpenAI's responses.
func responses(n int, a Answer, asked string) (whole string, events []string) {
	item := `{"type":"message","id":"i` + strconv.Itoa(n) + `","role":"assistant","status":"completed","content":[{"type":"output_text","text":` + quoted(a.Text) + `,"annotations":[]}]}`
	if a.Call != nil {
		space := ""
		if m := ourServer.FindStringSubmatch(asked); m != nil && strings.HasPrefix(a.Call.Tool, "memory_") {
			space = `"namespace":"` + m[1] + `",`
		}
		item = `{"type":"function_call","id":"f` + strconv.Itoa(n) + `","call_id":"c` + strconv.Itoa(n) + `",` + space + `"name":"` + a.Call.Tool + `","arguments":` + quoted(a.Call.Arguments) + `,"status":"completed"}`
		if !strings.HasPrefix(a.Call.Arguments, "{") { // a tool that takes a text
			item = `{"type":"custom_tool_call","id":"f` + strconv.Itoa(n) + `","call_id":"c` + strconv.Itoa(n) + `","name":"` + a.Call.Tool + `","input":` + quoted(a.Call.Arguments) + `,"status":"completed"}`
		}
	}
	whole = `{"id":"r","object":"response","status":"completed","output":[` + item + `],` + tokens + `}`
	return whole, []string{
		`response.created|{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","output":[]}}`,
		`response.output_item.done|{"type":"response.output_item.done","output_index":0,"item":` + item + `}`,
		`response.completed|{"type":"response.completed","response":` + whole + `}`,
	}
}

// content answers in Google's form.
func content(a Answer) (whole string, events []string) {
	part := `{"text":` + quoted(a.Text) + `}`
	if a.Call != nil {
		part = `{"functionCall":{"name":"` + a.Call.Tool + `","args":` + a.Call.Arguments + `}}`
	}
	whole = `{"candidates":[{"content":{"role":"model","parts":[` + part + `]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`
	return whole, []string{"|" + whole}
}

// chat answers in the form of OpenAI's chat.
func chat(n int, a Answer) (whole string, events []string) {
	form := func(object, choice string) string {
		return `{"id":"c","object":"` + object + `","created":1,"model":"mock","choices":[{"index":0,` + choice + `}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`
	}
	said, stop := `"content":`+quoted(a.Text), "stop"
	if a.Call != nil {
		said, stop = `"content":null,"tool_calls":[{"index":0,"id":"c`+strconv.Itoa(n)+`","type":"function","function":{"name":"`+a.Call.Tool+`","arguments":`+quoted(a.Call.Arguments)+`}}]`, "tool_calls"
	}
	return form("chat.completion", `"message":{"role":"assistant",`+said+`},"finish_reason":"`+stop+`"`), []string{
		"|" + form("chat.completion.chunk", `"delta":{"role":"assistant",`+said+`},"finish_reason":null`),
		"|" + form("chat.completion.chunk", `"delta":{},"finish_reason":"`+stop+`"`), "|[DONE]",
	}
}
