package generate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/testdata/generatetest"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
)

// embedders are the three protocols, at one server.
func embedders(url string) map[string]EmbedderOptions {
	env := func(name string) string { return map[string]string{"CANARY_KEY": canary}[name] }
	return map[string]EmbedderOptions{
		"google": {Options: Options{Provider: "google", BaseURL: url, KeyEnv: "CANARY_KEY", Env: env}, Dimension: 64},
		"openai": {Options: Options{Provider: "openai", BaseURL: url + "/v1", KeyEnv: "CANARY_KEY", Env: env}},
		"ollama": {Options: Options{Provider: "ollama", BaseURL: url + "/v1/", KeyEnv: "CANARY_KEY", Env: env}},
	}
}

// nap takes note of the waits instead of waiting.
type nap []time.Duration

func (n *nap) sleep(_ context.Context, d time.Duration) error {
	*n = append(*n, d)
	return nil
}

func embedWith(t *testing.T, o EmbedderOptions, model string, p embed.Purpose, texts ...string) ([][]float32, error) {
	t.Helper()
	o.Model = model
	if o.Sleep == nil {
		o.Sleep = new(nap).sleep
	}
	e, err := NewEmbedder(o)
	if err != nil {
		t.Fatal(err)
	}
	return e.Embed(context.Background(), p, texts)
}

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestEveryProtocolMakesVectors(t *testing.T) {
	s := start(t)
	for name, o := range embedders(s.URL) {
		texts := []string{"the car is red", "the automobile is red", "nothing of the kind here"}
		got, err := embedWith(t, o, "good", embed.Document, texts...)
		if err != nil || len(got) != 3 {
			t.Fatalf("%s: %d vectors, %v", name, len(got), err)
		}
		for i, v := range got {
			if len(v) != 64 || math.Abs(cosine(v, v)-1) > 1e-5 {
				t.Errorf("%s: vector %d has %d numbers and the length² %f", name, i, len(v), cosine(v, v))
			}
		}
		if cosine(got[0], got[1]) < 0.99 || cosine(got[0], got[2]) > 0.8 {
			t.Errorf("%s: they are in the wrong order: %f, %f", name, cosine(got[0], got[1]), cosine(got[0], got[2]))
		}
		question, err := embedWith(t, o, "good", embed.Query, texts[0])
		if err != nil || cosine(question[0], got[0]) < 0.99 {
			t.Errorf("%s: a question is elsewhere: %v", name, err)
		}
	}
}

// More texts than a protocol takes at once are several requests.
func TestManyTexts(t *testing.T) {
	s := start(t)
	var texts []string
	for i := range 230 {
		texts = append(texts, fmt.Sprintf("text %d", i))
	}
	for name, o := range embedders(s.URL) {
		before := len(s.Prompts())
		got, err := embedWith(t, o, "good", embed.Document, texts...)
		if err != nil || len(got) != len(texts) {
			t.Fatalf("%s: %d vectors, %v", name, len(got), err)
		}
		if diff := cmp.Diff(texts, s.Prompts()[before:]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Each thing that goes wrong has a sentence and a hint, and none of them a key.
func TestVectorsFailInSentences(t *testing.T) {
	s := start(t)
	host := strings.TrimPrefix(s.URL, "http://")
	for _, test := range []struct{ model, says, hint string }{
		{"few", host + " gave 1 vector for 2 texts", "try again"},
		{"many", host + " gave 3 vectors for 2 texts", "try again"},
		{"mixed", host + " gave vectors of ", ""},
		{"zeros", host + " gave a vector without a direction", "another model"},
		{"nan", host + " answered with something else instead of the JSON of its protocol", "embedding.base_url"},
		{"shape", host + " answered with something else instead of the JSON of its protocol", "embedding.base_url"},
		{"garbage", host + " answered with something else instead of the JSON of its protocol", "embedding.base_url"},
		{"half", host + " answered with something else instead of the JSON of its protocol", "embedding.base_url"},
		{"html", host + " answered with a web page instead of JSON", "embedding.base_url"},
		{"hangup", "the talk with " + host + " failed: EOF", "network"},
		{"elsewhere", host + " sends us on to elsewhere.example.org, where a key is not sent unasked", "embedding.base_url"},
		{"echo-400", host + " refused the request (400): ", "check embedding in"},
		{"401", host + " does not accept the key in CANARY_KEY (401)", "check the key"},
		{"403", host + " forbids the use of 403 (403)", "what the key may do"},
		{"no-such-model", host + " knows no model no-such-model (404): model 'no-such-model' not found", "embedding.model"},
		{"429", host + " has had enough requests for now, or the quota is used up (429)", "try again in 7 seconds"},
		{"500", host + " is failing (500)", "try again later"},
		{"502", host + " is failing (502)", "try again later"},
	} {
		for name, o := range embedders(s.URL) {
			for _, p := range []embed.Purpose{embed.Document, embed.Query} {
				_, err := embedWith(t, o, test.model, p, "one", "two")
				var e *vault.Error
				if !errors.As(err, &e) || e.Code != vault.CodeEmbedding || !strings.HasPrefix(e.Msg, test.says) || !strings.Contains(e.Hint, test.hint) {
					t.Errorf("%s %s: got %#v", name, test.model, err)
				}
				if aboutTexts := test.model == "echo-400"; errors.Is(err, embed.ErrText) != aboutTexts {
					t.Errorf("%s %s: about the texts: %v", name, test.model, !aboutTexts)
				}
				keyless(t, name+" "+test.model, err)
			}
		}
	}
}

func TestTheDimensionThatWasSetIsHeld(t *testing.T) {
	s := start(t)
	for name, o := range embedders(s.URL) {
		o.Dimension = 128
		got, err := embedWith(t, o, "good", embed.Document, "one")
		if err != nil || len(got[0]) != 128 {
			t.Errorf("%s: %v", name, err)
		}
		_, err = embedWith(t, o, "wide", embed.Document, "one")
		if err == nil || !strings.Contains(err.Error(), "gave vectors of 129 numbers instead of 128") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A busy server is asked again about documents, when it says so or after 1, 2
// and 4 seconds; about a question it is not, since somebody waits.
func TestABusyServerIsAskedAgain(t *testing.T) {
	for name := range embedders("") {
		s := generatetest.Start()
		o := embedders(s.URL)[name]
		var waits nap
		o.Sleep = waits.sleep
		if _, err := embedWith(t, o, "busy", embed.Query, "one"); err == nil || len(waits) > 0 {
			t.Errorf("%s: a question waited %v, %v", name, waits, err)
		}
		if _, err := embedWith(t, o, "busy", embed.Document, "one"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(nap{7 * time.Second}, waits); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		waits = nil
		if _, err := embedWith(t, o, "503", embed.Document, "one"); err == nil {
			t.Errorf("%s: no error", name)
		}
		if diff := cmp.Diff(nap{time.Second, 2 * time.Second, 4 * time.Second}, waits); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		s.Stop()
	}
}

// Requests keep the distance that the rate asks for.
func TestTheRateIsKept(t *testing.T) {
	s := start(t)
	o := embedders(s.URL)["openai"]
	var waits nap
	o.Sleep, o.Rate, o.Model = waits.sleep, 1, "good"
	e, err := NewEmbedder(o)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := e.Embed(context.Background(), embed.Document, []string{"one"}); err != nil {
			t.Fatal(err)
		}
	}
	if len(waits) != 2 || waits[0] > time.Minute || waits[1] <= waits[0] || waits[1] > 2*time.Minute {
		t.Errorf("waited %v between 3 requests at one in a minute", waits)
	}
}

func TestADeadServerOfVectors(t *testing.T) {
	s := generatetest.Start()
	s.Stop()
	for name, o := range embedders(s.URL) {
		_, err := embedWith(t, o, "good", embed.Document, "one")
		if err == nil || !strings.HasPrefix(err.Error(), "no server answers at 127.0.0.1:") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Who interrupts is told that, also in the middle of a wait.
func TestAnInterruptedEmbedding(t *testing.T) {
	s := start(t)
	enough := errors.New("enough")
	for name, o := range embedders(s.URL) {
		ctx, cancel := context.WithCancelCause(context.Background())
		o.Model, o.Sleep = "503", func(ctx context.Context, _ time.Duration) error {
			cancel(enough)
			return sleep(ctx, time.Hour)
		}
		e, err := NewEmbedder(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Embed(ctx, embed.Document, []string{"one"}); err != enough {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Texts and questions are told apart as the model was trained, and the space
// says how.
func TestSchemes(t *testing.T) {
	for _, test := range []struct{ provider, model, scheme, document, query string }{
		{"google", "gemini-embedding-001", "task-type", "x", "x"},
		{"google", "gemini-embedding-2", "gemini-2", "title: none | text: x", "task: search result | query: x"},
		{"ollama", "nomic-embed-text:v1.5", "nomic", "search_document: x", "search_query: x"},
		{"openai", "intfloat/multilingual-e5-large", "e5", "passage: x", "query: x"},
		{"ollama", "snowflake-arctic-embed2", "arctic-2", "x", "query: x"},
		{"ollama", "MXBAI-embed-large", "represent", "x", "Represent this sentence for searching relevant passages: x"},
		{"openai", "text-embedding-3-small", "none", "x", "x"},
	} {
		s := schemeOf(test.provider, test.model)
		if s.name != test.scheme || s.dress(embed.Document, []string{"x"})[0] != test.document || s.dress(embed.Query, []string{"x"})[0] != test.query {
			t.Errorf("%s: got %+v", test.model, s)
		}
	}
	e, err := NewEmbedder(EmbedderOptions{Options: Options{Provider: "ollama", Model: "nomic-embed-text"}})
	if err != nil {
		t.Fatal(err)
	}
	space, err := e.Space()
	if diff := cmp.Diff(embed.Space{Model: "ollama/nomic-embed-text", Scheme: "nomic"}, space); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestNewEmbedderRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		o    EmbedderOptions
		want string
	}{
		{"no provider", EmbedderOptions{}, `there is no provider "" of vectors`},
		{"no model", EmbedderOptions{Options: Options{Provider: "openai"}}, "the provider openai needs the name of a model"},
		{"no key", EmbedderOptions{Options: Options{Provider: "google"}}, "the environment variable GOOGLE_API_KEY, which should hold the key, is empty"},
		{"no address", EmbedderOptions{Options: Options{Provider: "ollama", Model: "m", BaseURL: "file:///etc/passwd"}}, "embedding.base_url is not the address of a server"},
		{"a huge dimension", EmbedderOptions{Options: Options{Provider: "ollama", Model: "m"}, Dimension: 100000}, "embedding.dimension is 100000, and at most 8192"},
	} {
		test.o.Env = func(string) string { return "" }
		_, err := NewEmbedder(test.o)
		if vault.CodeOf(err) != vault.CodeConfig || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got %v", test.name, err)
		}
	}
}
