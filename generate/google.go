package generate

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"strings"

	"google.golang.org/genai"
)

// google asks Gemini.
type google struct {
	client *genai.Client
	model  string
	config genai.GenerateContentConfig
}

func newGoogle(m *Model, o Options) (backend, error) {
	g := &google{model: o.Model, config: genai.GenerateContentConfig{CandidateCount: 1}}
	if len(o.Schema) > 0 {
		schema, err := geminiSchema(o.Schema)
		if err != nil {
			return nil, err
		}
		g.config.ResponseMIMEType, g.config.ResponseSchema = "application/json", schema
	}
	// The client warns on stderr when the environment holds two keys, though it is
	// given one; and it puts the key into its errors.
	was := log.Writer()
	log.SetOutput(io.Discard)
	defer log.SetOutput(was)
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		Backend:     genai.BackendGeminiAPI,
		APIKey:      m.key,
		HTTPClient:  client(maxAnswer),
		HTTPOptions: genai.HTTPOptions{BaseURL: o.BaseURL},
	})
	if err != nil {
		return nil, errMisconfigured("check generation in ~/.cp/config.yaml", "Google's client cannot be set up: %s", m.quoteForeign(err.Error()))
	}
	g.client = client
	return g, nil
}

// ask returns the first candidate's text. The client returns no error for a blocked prompt
// or for an answer that was cut off, so ask looks for both.
func (g *google) ask(ctx context.Context, prompt string) (string, error) {
	r, err := g.send(ctx, prompt)
	if err != nil {
		return "", err
	}
	if f := r.PromptFeedback; f != nil && f.BlockReason != "" && f.BlockReason != genai.BlockedReasonUnspecified {
		return "", errBlocked(string(f.BlockReason))
	}
	if len(r.Candidates) == 0 || r.Candidates[0] == nil {
		return "", trouble(noAnswer)
	}
	c := r.Candidates[0]
	switch c.FinishReason {
	case genai.FinishReasonStop, genai.FinishReasonUnspecified, "":
	case genai.FinishReasonMaxTokens:
		return "", cutOff(string(c.FinishReason))
	default:
		return "", errBlocked(string(c.FinishReason))
	}
	if c.Content == nil {
		return "", trouble(noAnswer)
	}
	return joinTexts(c.Content.Parts), nil
}

// send makes the call. The client panics on JSON of another form than the
// protocol's (v1.77.0: candidates that are no list), hence the recover.
func (g *google) send(ctx context.Context, prompt string) (r *genai.GenerateContentResponse, err error) {
	defer func() {
		if recover() != nil {
			err = notProtocol
		}
	}()
	config := g.config
	r, err = g.client.Models.GenerateContent(ctx, g.model, genai.Text(prompt), &config)
	return r, notJSON(err)
}

// joinTexts joins the parts of an answer that are text and not the model's thoughts.
func joinTexts(parts []*genai.Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p != nil && !p.Thought {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// notJSON returns notProtocol for the error of an answer that cannot be read, and any other
// error itself.
func notJSON(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if errors.As(err, &syntax) || errors.As(err, &kind) {
		return notProtocol
	}
	return err
}

// property is the part of JSON Schema that both vendors know.
type property struct {
	Type        any                 `json:"type"` // a name, or a list of one and "null"
	Description string              `json:"description"`
	Properties  map[string]property `json:"properties"`
	Required    []string            `json:"required"`
	Items       *property           `json:"items"`
	Enum        []string            `json:"enum"`
}

// geminiSchema translates a JSON Schema: Gemini's older models know their own
// form only.
func geminiSchema(schema []byte) (*genai.Schema, error) {
	var p property
	if err := json.Unmarshal(schema, &p); err != nil {
		return nil, err
	}
	return p.gemini(), nil
}

func (p property) gemini() *genai.Schema {
	s := &genai.Schema{Description: p.Description, Required: p.Required, PropertyOrdering: p.Required}
	switch t := p.Type.(type) {
	case string:
		s.Type = genai.Type(strings.ToUpper(t))
	case []any:
		s.Nullable = genai.Ptr(true)
		for _, name := range t {
			if name, ok := name.(string); ok && name != "null" {
				s.Type = genai.Type(strings.ToUpper(name))
			}
		}
	}
	if p.Items != nil {
		s.Items = p.Items.gemini()
	}
	if s.Enum = p.Enum; len(p.Enum) > 0 {
		s.Format = "enum"
	}
	for name, inner := range p.Properties {
		if s.Properties == nil {
			s.Properties = make(map[string]*genai.Schema, len(p.Properties))
		}
		s.Properties[name] = inner.gemini()
	}
	return s
}
