package generate

import (
	"encoding/json"

	"github.com/cp-memory/cp/vault/embed"
)

// Google:
//
//	POST <base>/v1beta/models/<model>:batchEmbedContents
//	{"requests": [{"model": "models/gemini-embedding-001", "content": {"parts": [{"text": "…"}]},
//	  "taskType": "RETRIEVAL_DOCUMENT", "outputDimensionality": 768}]}
//
//	{"embeddings": [{"values": [0.1, …]}]}
func googleBody(e *Embedder, p embed.Purpose, texts []string) any {
	type (
		part struct {
			Text string `json:"text"`
		}
		content struct {
			Parts []part `json:"parts"`
		}
		request struct {
			Model     string  `json:"model"`
			Content   content `json:"content"`
			Task      string  `json:"taskType,omitempty"`
			Dimension int     `json:"outputDimensionality,omitempty"`
		}
	)
	task := ""
	if e.scheme.name == taskTypes {
		task = [...]string{embed.Document: "RETRIEVAL_DOCUMENT", embed.Query: "RETRIEVAL_QUERY"}[p]
	}
	all := make([]request, len(texts))
	for i, text := range texts {
		all[i] = request{Model: "models/" + e.name, Content: content{[]part{{text}}}, Task: task, Dimension: e.dimension}
	}
	return map[string]any{"requests": all}
}

func googleVectors(reply []byte) ([][]float32, error) {
	var r struct {
		Embeddings []struct {
			Values []float32 `json:"values"`
		} `json:"embeddings"`
	}
	if json.Unmarshal(reply, &r) != nil {
		return nil, notProtocol
	}
	all := make([][]float32, len(r.Embeddings))
	for i, v := range r.Embeddings {
		all[i] = v.Values
	}
	return all, nil
}

// OpenAI, and everything that speaks its protocol:
//
//	POST <base>/embeddings
//	{"model": "text-embedding-3-small", "input": ["…"], "encoding_format": "float", "dimensions": 768}
//
//	{"data": [{"index": 0, "embedding": [0.1, …]}]}
func openaiBody(e *Embedder, _ embed.Purpose, texts []string) any {
	return struct {
		Model     string   `json:"model"`
		Input     []string `json:"input"`
		Format    string   `json:"encoding_format"`
		Dimension int      `json:"dimensions,omitempty"`
	}{e.name, texts, "float", e.dimension}
}

func openaiVectors(reply []byte) ([][]float32, error) {
	var r struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if json.Unmarshal(reply, &r) != nil {
		return nil, notProtocol
	}
	all := make([][]float32, len(r.Data))
	for _, d := range r.Data {
		if d.Index < 0 || d.Index >= len(all) || all[d.Index] != nil {
			return nil, notProtocol
		}
		all[d.Index] = d.Embedding
	}
	return all, nil
}

// Ollama:
//
//	POST <base>/api/embed
//	{"model": "nomic-embed-text", "input": ["…"], "truncate": false, "dimensions": 256}
//
//	{"embeddings": [[0.1, …]]}
//
// Left to itself it cuts long texts and does not say so.
func ollamaBody(e *Embedder, _ embed.Purpose, texts []string) any {
	return struct {
		Model     string   `json:"model"`
		Input     []string `json:"input"`
		Truncate  bool     `json:"truncate"`
		Dimension int      `json:"dimensions,omitempty"`
	}{e.name, texts, false, e.dimension}
}

func ollamaVectors(reply []byte) ([][]float32, error) {
	var r struct {
		Embeddings [][]float32 `json:"embeddings"`
	}
	if json.Unmarshal(reply, &r) != nil {
		return nil, notProtocol
	}
	return r.Embeddings, nil
}
