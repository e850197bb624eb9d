package generatetest

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"unicode"
)

// Vectors are asked for in three protocols: Gemini's batchEmbedContents, OpenAI's
// embeddings and Ollama's api/embed. A text's vector is made of its words, of
// which some mean the same (senses). Beside what goes wrong with every answer,
// the model's name plays:
//
//	good           vectors as they should be, of 64 numbers unless asked otherwise
//	few, many      one vector too few, one too many
//	wide           a number more than asked for, or than the time before
//	mixed          vectors of different lengths
//	zeros, nan     vectors without a direction; what is no number
//	shape          JSON of another form
//	busy           429 for the first two requests
//	window         400 where a text is longer than 4,000 bytes
//	picky          400 whatever it is asked
const vectorSize = 64

// senses maps a word to another one of the same meaning.
var senses = map[string]string{"automobile": "car", "motorcar": "car", "outage": "downtime", "unreachable": "downtime"}

// talk is one request for vectors, in any of the protocols.
type talk struct {
	call
	texts     []string
	dimension int
	wrap      func(all [][]float64) any // the protocol's form of an answer
}

func (s *Server) geminiVectors(w http.ResponseWriter, r *http.Request, model string) {
	var in struct {
		Requests []struct {
			Model                string
			Content              struct{ Parts []struct{ Text string } }
			TaskType             string
			OutputDimensionality int
		}
	}
	body, ok := readRequest(w, r, &in)
	if !ok {
		return
	}
	t := talk{call: call{w: w, r: r, body: body, model: model, key: r.Header.Get("x-goog-api-key")}, wrap: func(all [][]float64) any {
		var out []any
		for _, v := range all {
			out = append(out, map[string]any{"values": v})
		}
		return map[string]any{"embeddings": out}
	}}
	for _, one := range in.Requests {
		if len(one.Content.Parts) != 1 || one.Model != "models/"+model || one.TaskType != "RETRIEVAL_DOCUMENT" && one.TaskType != "RETRIEVAL_QUERY" || one.OutputDimensionality == 0 {
			answerError(w, http.StatusBadRequest, "the request is not what was agreed on: "+body)
			return
		}
		t.texts, t.dimension = append(t.texts, one.Content.Parts[0].Text), one.OutputDimensionality
	}
	s.embed(t)
}

func (s *Server) openaiVectors(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model      string
		Input      []string
		Dimensions int
		Format     string `json:"encoding_format"`
	}
	body, ok := readRequest(w, r, &in)
	if !ok {
		return
	}
	if in.Format != "float" {
		answerError(w, http.StatusBadRequest, "the request is not what was agreed on: "+body)
		return
	}
	s.embed(talk{call: call{w: w, r: r, body: body, model: in.Model, key: strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")},
		texts: in.Input, dimension: in.Dimensions, wrap: func(all [][]float64) any {
			var out []any
			for i := len(all) - 1; i >= 0; i-- { // in any order: each names its place
				out = append(out, map[string]any{"object": "embedding", "index": i, "embedding": all[i]})
			}
			return map[string]any{"object": "list", "data": out, "model": in.Model}
		}})
}

func (s *Server) ollamaVectors(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model      string
		Input      []string
		Truncate   *bool
		Dimensions int
	}
	body, ok := readRequest(w, r, &in)
	if !ok {
		return
	}
	if in.Truncate == nil || *in.Truncate {
		answerError(w, http.StatusBadRequest, "the request is not what was agreed on: "+body)
		return
	}
	s.embed(talk{call: call{w: w, r: r, body: body, model: in.Model, key: r.Header.Get("Authorization")},
		texts: in.Input, dimension: in.Dimensions, wrap: func(all [][]float64) any {
			return map[string]any{"model": in.Model, "embeddings": all}
		}})
}

// embed answers as the model's name says.
func (s *Server) embed(t talk) {
	s.mu.Lock()
	s.prompts = append(s.prompts, t.texts...)
	s.asked++
	asked := s.asked
	s.mu.Unlock()
	if status, err := strconv.Atoi(t.model); err == nil && t.model != "502" {
		answerError(t.w, status, "you sent "+t.key)
		return
	}
	size := t.dimension
	if size == 0 {
		size = vectorSize
	}
	switch t.model {
	case "busy":
		if asked <= 2 {
			answerError(t.w, http.StatusTooManyRequests, "slow down, "+t.key)
			return
		}
	case "picky":
		answerError(t.w, http.StatusBadRequest, "I do not like it, "+t.key)
		return
	case "window":
		for _, text := range t.texts {
			if len(text) > 4000 {
				answerError(t.w, http.StatusBadRequest, "the input length exceeds the context length")
				return
			}
		}
	case "wide":
		size++
	case "nan":
		fmt.Fprint(t.w, `{"embeddings": [[NaN]], "data": [{"embedding": [NaN]}]}`)
		return
	case "shape":
		t.reply(map[string]any{"embeddings": "none", "data": "none"})
		return
	case "good", "few", "many", "mixed", "zeros":
	default:
		s.trouble(t.call)
		return
	}
	t.reply(t.wrap(t.vectors(size)))
}

func (t talk) vectors(size int) [][]float64 {
	var all [][]float64
	for i, text := range t.texts {
		v := wordVector(text, size)
		switch {
		case t.model == "zeros":
			v = make([]float64, size)
		case t.model == "mixed" && i == 0:
			v = v[1:]
		case t.model == "few" && i == 0:
			continue
		case t.model == "many" && i == 0:
			all = append(all, v)
		}
		all = append(all, v)
	}
	return all
}

// wordVector adds a direction for each word: texts that share words are near,
// others are not. It is longer than 1, as Gemini's are.
func wordVector(text string, size int) []float64 {
	v := make([]float64, size)
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if same := senses[word]; same != "" {
			word = same
		}
		h := fnv.New64a()
		fmt.Fprint(h, word)
		direction := rand.New(rand.NewPCG(h.Sum64(), 1))
		for i := range v {
			v[i] += direction.NormFloat64()
		}
	}
	v[0] += 0.001 // also where there is no word
	return v
}
