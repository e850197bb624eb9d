package generate

import (
	"strings"

	"github.com/cp-memory/cp/vault/embed"
)

// taskTypes is the scheme in which the protocol itself tells texts from questions.
const taskTypes = "task-type"

// scheme says how a model is told texts from questions. Its name is kept with the vectors:
// those of different schemes cannot be compared.
type scheme struct {
	name     string
	models   []string // parts of the names of the models that were trained with it
	document string   // before a text
	query    string   // before a question
}

// schemes are taken from the models' cards.
var schemes = [...]scheme{
	{"gemini-2", []string{"gemini-embedding-2"}, "title: none | text: ", "task: search result | query: "},
	{"gemma", []string{"embeddinggemma"}, "title: none | text: ", "task: search result | query: "},
	{"nomic", []string{"nomic-embed"}, "search_document: ", "search_query: "},
	{"e5", []string{"e5-small", "e5-base", "e5-large"}, "passage: ", "query: "},
	{"arctic-2", []string{"snowflake-arctic-embed2", "arctic-embed-m-v2", "arctic-embed-l-v2"}, "", "query: "},
	{"represent", []string{"mxbai-embed", "bge-small-en", "bge-base-en", "bge-large-en", "snowflake-arctic-embed"}, "", "Represent this sentence for searching relevant passages: "},
	{"qwen3", []string{"qwen3-embedding"}, "", "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"},
}

// schemeOf returns the scheme of a provider's model.
func schemeOf(provider, model string) scheme {
	model = strings.ToLower(model)
	for _, s := range schemes {
		for _, name := range s.models {
			if strings.Contains(model, name) {
				return s
			}
		}
	}
	if provider == "google" {
		return scheme{name: taskTypes}
	}
	return scheme{name: "none"}
}

// dress puts the words before each text that tell the model its purpose.
func (s scheme) dress(p embed.Purpose, texts []string) []string {
	before := s.document
	if p == embed.Query {
		before = s.query
	}
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = before + text
	}
	return all
}
