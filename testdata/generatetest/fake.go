package generatetest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Server is a running fake.
type Server struct {
	*httptest.Server
	ending  chan struct{}
	mu      sync.Mutex
	prompts []string
	asked   int // requests for vectors
}

// Start starts a server on a port of its own.
func Start() *Server {
	s := &Server{ending: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1beta/models/{model}", s.gemini)
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	mux.HandleFunc("POST /v1/embeddings", s.openaiVectors)
	mux.HandleFunc("POST /api/embed", s.ollamaVectors)
	s.Server = httptest.NewServer(mux)
	return s
}

// Stop ends the server and the answers that it still plays.
func (s *Server) Stop() {
	close(s.ending)
	s.Server.CloseClientConnections()
	s.Server.Close()
}

// Prompts returns the prompts and texts that were sent so far.
func (s *Server) Prompts() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.prompts...)
}

// call is one request, and the parts of an answer that differ between the vendors.
type call struct {
	w      http.ResponseWriter
	r      *http.Request
	body   string
	model  string
	prompt string
	key    string

	answer func(text, finish string) any // the protocol's form of an answer
	none   any                           // of no answer
	block  any                           // of a blocked prompt
	words  map[string]string             // its finish reasons
}

func (s *Server) gemini(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Contents []struct {
			Role  string
			Parts []struct{ Text string }
		}
		GenerationConfig struct {
			ResponseMimeType string
			ResponseSchema   struct {
				Type       string
				Properties map[string]struct {
					Type  string
					Items struct {
						Type       string
						Properties map[string]struct{ Enum []string }
					}
				}
			}
		}
	}
	model, method, _ := strings.Cut(r.PathValue("model"), ":")
	if method == "batchEmbedContents" {
		s.geminiVectors(w, r, model)
		return
	}
	body, ok := readRequest(w, r, &in)
	if !ok {
		return
	}
	g := in.GenerationConfig
	if method != "generateContent" || len(in.Contents) != 1 || len(in.Contents[0].Parts) != 1 || in.Contents[0].Role != "user" ||
		g.ResponseMimeType != "application/json" || g.ResponseSchema.Type != "OBJECT" ||
		g.ResponseSchema.Properties["summary"].Type != "STRING" && len(g.ResponseSchema.Properties["observations"].Items.Properties["kind"].Enum) == 0 && (g.ResponseSchema.Properties["relations"].Items.Type != "OBJECT" || len(g.ResponseSchema.Properties["entities"].Items.Properties["type"].Enum) == 0) {
		answerError(w, http.StatusBadRequest, "the request is not what was agreed on: "+body)
		return
	}
	s.play(call{w: w, r: r, body: body, model: model, prompt: in.Contents[0].Parts[0].Text, key: r.Header.Get("x-goog-api-key"),
		answer: func(text, finish string) any {
			parts := []any{map[string]any{"text": "Let me think.", "thought": true}, map[string]any{"text": text}}
			return map[string]any{"candidates": []any{map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "finishReason": finish, "index": 0}},
				"usageMetadata": map[string]any{"promptTokenCount": 10}, "modelVersion": model}
		},
		none:  map[string]any{"usageMetadata": map[string]any{}},
		block: map[string]any{"promptFeedback": map[string]any{"blockReason": "PROHIBITED_CONTENT"}},
		words: map[string]string{"good": "STOP", "cut": "MAX_TOKENS", "safety": "SAFETY"}})
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model    string
		Stream   *bool
		Messages []struct{ Role, Content string }
		Format   *struct {
			Type   string
			Schema struct {
				Name   string
				Schema struct{ Type string }
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	body, ok := readRequest(w, r, &in)
	if !ok {
		return
	}
	plain := in.Model == "no-format" || in.Format == nil && in.Model == "echo-400" // which is asked twice
	if in.Stream == nil || *in.Stream || len(in.Messages) != 1 || in.Messages[0].Role != "user" ||
		!plain && (in.Format == nil || in.Format.Type != "json_schema" || in.Format.Schema.Name == "" || in.Format.Schema.Schema.Type != "object") {
		answerError(w, http.StatusBadRequest, "the request is not what was agreed on: "+body)
		return
	}
	if in.Model == "no-format" && in.Format != nil {
		answerError(w, http.StatusBadRequest, "Unrecognized request argument supplied: response_format")
		return
	}
	s.play(call{w: w, r: r, body: body, model: in.Model, prompt: in.Messages[0].Content, key: strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "),
		answer: func(text, finish string) any {
			return map[string]any{"id": "chatcmpl-1", "object": "chat.completion", "model": in.Model,
				"choices": []any{map[string]any{"index": 0, "finish_reason": finish, "message": map[string]any{"role": "assistant", "content": text}}}}
		},
		none:  map[string]any{"id": "chatcmpl-1", "choices": []any{}},
		block: map[string]any{"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"refusal": "I cannot help with that."}}}},
		words: map[string]string{"good": "stop", "cut": "length", "safety": "content_filter"}})
}

// readRequest reads a request, which has to be JSON.
func readRequest(w http.ResponseWriter, r *http.Request, in any) (string, bool) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Header.Get("Content-Type") != "application/json" || json.Unmarshal(body, in) != nil {
		answerError(w, http.StatusBadRequest, "the request is not JSON")
		return "", false
	}
	return string(body), true
}

// answerError answers with an error, as both vendors write it.
func answerError(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	if status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "7")
	}
	w.WriteHeader(status)
	encodeJSON(w, map[string]any{"error": map[string]any{"code": status, "message": message, "status": http.StatusText(status)}})
}

func encodeJSON(w io.Writer, doc any) {
	if err := json.NewEncoder(w).Encode(doc); err != nil {
		panic(http.ErrAbortHandler) // the client has left
	}
}

// about finds the memory that a prompt is about.
var about = regexp.MustCompile(`MEMORY \(title: (.*)\):`)

// play answers as the model's name says.
func (s *Server) play(c call) {
	s.mu.Lock()
	s.prompts = append(s.prompts, c.prompt)
	s.mu.Unlock()
	title := "this"
	if found := about.FindStringSubmatch(c.prompt); found != nil {
		title = found[1]
	}
	if status, err := strconv.Atoi(c.model); err == nil && c.model != "502" {
		answerError(c.w, status, "you sent "+c.key)
		return
	}
	answers := replies(title)
	if strings.Contains(c.prompt, "draw the facts") {
		answers = s.facts(c)
	}
	if strings.Contains(c.prompt, "worth remembering") {
		answers = s.session(c)
	}
	if text, ok := answers[c.model]; ok {
		c.reply(c.answer(text, c.words["good"]))
		return
	}
	s.trouble(c)
}

func replies(title string) map[string]string {
	reply := func(summary string, needs bool, edits any) string {
		b, err := json.Marshal(map[string]any{"summary": summary, "parent_needs_update": needs, "parent_edits": edits})
		if err != nil {
			panic(err)
		}
		return string(b)
	}
	good := reply("When one needs "+title, false, nil)
	return map[string]string{
		"good": good, "no-format": good,
		"fenced": "```json\n" + good + "\n```",
		"parent": reply("When one needs "+title, true, "The AI suggests: \"Deployment is straightforward via Nomad.\"\n→ \"Deployment uses Nomad.\""),
		"prose":  "I think it is about " + title + ".",
		"long":   reply(strings.Repeat("When one needs "+title+" ", 12), false, nil),
		"blank":  reply("", false, nil),
	}
}

// reply answers with success.
func (c call) reply(doc any) {
	c.w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	encodeJSON(c.w, doc)
}

// page answers with a web page.
func (c call) page(status int) {
	c.w.Header().Set("Content-Type", "text/html")
	c.w.WriteHeader(status)
	fmt.Fprintf(c.w, "<!DOCTYPE html><title>Sign in</title> %s", c.key)
}

func (s *Server) trouble(c call) {
	switch c.model {
	case "blocked":
		c.reply(c.block)
	case "safety", "cut":
		c.reply(c.answer(`{"summary": "If dep`, c.words[c.model]))
	case "none":
		c.reply(c.none)
	case "shape":
		c.reply(map[string]any{"candidates": "none", "choices": "none"})
	case "html":
		c.page(http.StatusOK)
	case "502":
		c.page(http.StatusBadGateway)
	case "garbage":
		fmt.Fprint(c.w, "OK "+c.key)
	case "half":
		fmt.Fprint(c.w, `{"candidates": [{"content": {"parts": [{"text": "`+c.key)
	case "slow":
		select {
		case <-c.r.Context().Done():
		case <-s.ending:
		}
	case "hangup":
		panic(http.ErrAbortHandler)
	case "elsewhere":
		http.Redirect(c.w, c.r, "http://elsewhere.example.org/v1?key="+c.key, http.StatusTemporaryRedirect)
	case "echo":
		c.reply(c.answer(fmt.Sprint(c.r.Header, c.body), c.words["good"]))
	case "echo-400":
		answerError(c.w, http.StatusBadRequest, strings.Repeat("x", 185)+" "+c.key+" "+fmt.Sprint(c.r.Header, c.body))
	default:
		answerError(c.w, http.StatusNotFound, "model '"+c.model+"' not found")
	}
}
