package generate

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/testdata/generatetest"
	"github.com/cp-memory/cp/vault"
)

// canary is a key that must be seen nowhere.
const canary = "AIzaCanary-7f3e/9+x"

const schema = `{"type": "object", "properties": {"summary": {"type": "string"}, "edits": {"type": ["string", "null"]}},
	"required": ["summary", "edits"], "additionalProperties": false}`

// vendors are the two protocols, at one server.
func vendors(url string) map[string]Options {
	env := func(name string) string {
		return map[string]string{"CANARY_KEY": canary}[name]
	}
	return map[string]Options{
		"google": {Provider: "google", BaseURL: url, KeyEnv: "CANARY_KEY", Env: env, Schema: []byte(schema)},
		"openai": {Provider: "openai", BaseURL: url + "/v1", KeyEnv: "CANARY_KEY", Env: env, Schema: []byte(schema)},
	}
}

func start(t *testing.T) *generatetest.Server {
	s := generatetest.Start()
	t.Cleanup(s.Stop)
	return s
}

// generate asks a vendor's model.
func generate(t *testing.T, o Options, model string) (string, error) {
	t.Helper()
	o.Model = model
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m.Generate(context.Background(), "NEW CHILD MEMORY (title: Rollback):")
}

func TestBothVendorsAnswer(t *testing.T) {
	s := start(t)
	for name, o := range vendors(s.URL) {
		for _, model := range []string{"good", "fenced"} {
			got, err := generate(t, o, model)
			if err != nil || !strings.Contains(got, `"summary":"When one needs Rollback"`) {
				t.Errorf("%s %s: got %q, %v", name, model, got, err)
			}
		}
	}
	if all := s.Prompts(); len(all) != 4 || all[0] != "NEW CHILD MEMORY (title: Rollback):" {
		t.Errorf("asked %q", all)
	}
}

// Each thing that goes wrong has a sentence and a hint, and none of them a key.
func TestEveryFailureHasItsSentence(t *testing.T) {
	s := start(t)
	host := strings.TrimPrefix(s.URL, "http://")
	for _, test := range []struct{ model, says, hint string }{
		{"blocked", "blocked refuses to answer this prompt (", "write the phrase yourself"},
		{"safety", "safety refuses to answer this prompt (", "write the phrase yourself"},
		{"cut", "the answer of cut was cut off (", "take another model"},
		{"none", host + " answered without an answer in it", "try again"},
		{"html", host + " answered with a web page instead of JSON", "base_url"},
		{"garbage", host + " answered with something else instead of the JSON of its protocol", "base_url"},
		{"half", host + " answered with something else instead of the JSON of its protocol", "base_url"},
		{"shape", host + " answered with something else instead of the JSON of its protocol", "base_url"},
		{"hangup", "the talk with " + host + " failed: EOF", "network"},
		{"elsewhere", host + " sends us on to elsewhere.example.org, where a key is not sent unasked", "base_url"},
		{"echo-400", host + " refused the request (400): ", "check generation in"},
		{"401", host + " does not accept the key in CANARY_KEY (401)", "check the key"},
		{"403", host + " forbids the use of 403 (403)", "what the key may do"},
		{"404", host + " knows no model 404 (404)", "generation.model"},
		{"no-such-model", host + " knows no model no-such-model (404): model 'no-such-model' not found", "generation.model"},
		{"429", host + " has had enough requests for now, or the quota is used up (429)", "try again in 7 seconds"},
		{"500", host + " is failing (500)", "try again later"},
		{"502", host + " is failing (502)", "try again later"},
		{"503", host + " is failing (503)", "try again later"},
	} {
		for name, o := range vendors(s.URL) {
			_, err := generate(t, o, test.model)
			var e *vault.Error
			if !errors.As(err, &e) || e.Code != vault.CodeGeneration || !strings.HasPrefix(e.Msg, test.says) || !strings.Contains(e.Hint, test.hint) {
				t.Errorf("%s %s: got %#v", name, test.model, err)
			}
			keyless(t, name+" "+test.model, err)
		}
	}
}

// keyless checks that an error holds no key, however deep one looks.
func keyless(t *testing.T, name string, err error) {
	t.Helper()
	var e *vault.Error
	if errors.As(err, &e) && strings.Contains(e.Hint, "AIza") {
		t.Errorf("%s: a key in the hint %q", name, e.Hint)
	}
	for ; err != nil; err = errors.Unwrap(err) {
		if strings.Contains(err.Error(), "AIza") { // the beginning of the key, for one that is cut
			t.Errorf("%s: a key in %q", name, err)
		}
	}
}

// Faults S13.
func TestAnAnswerHoldsNoKey(t *testing.T) {
	s := start(t)
	for name, o := range vendors(s.URL) {
		got, err := generate(t, o, "echo")
		if err != nil || strings.Contains(got, "Canary") || !strings.Contains(got, "[key]") {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

func TestADeadServer(t *testing.T) {
	s := generatetest.Start()
	s.Stop()
	for name, o := range vendors(s.URL) {
		_, err := generate(t, o, "good")
		if err == nil || !strings.HasPrefix(err.Error(), "no server answers at 127.0.0.1:") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestASlowServer(t *testing.T) {
	s := start(t)
	for name, o := range vendors(s.URL) {
		o.Timeout = 30 * time.Millisecond
		_, err := generate(t, o, "slow")
		if err == nil || !strings.HasSuffix(err.Error(), " did not answer within 30ms") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Who interrupts is told that, and not that the server is slow.
func TestAnInterrupt(t *testing.T) {
	s := start(t)
	for name, o := range vendors(s.URL) {
		o.Model = "slow"
		m, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		enough := errors.New("enough")
		go func() {
			for before := len(s.Prompts()); len(s.Prompts()) == before; {
				time.Sleep(time.Millisecond)
			}
			cancel(enough)
		}()
		if _, err := m.Generate(ctx, "P"); err != enough {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A server that does not know response_format is asked without, and from then
// on at once so.
func TestAServerWithoutFormats(t *testing.T) {
	s := start(t)
	o := vendors(s.URL)["openai"]
	o.Model = "no-format"
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := m.Generate(context.Background(), "P"); err != nil || !strings.Contains(got, "summary") {
			t.Errorf("got %q, %v", got, err)
		}
	}
	if !m.backend.(*chat).plain.Load() {
		t.Error("it would be asked in vain again")
	}
}

// A local server needs no key, and the one of a vendor goes to nobody else
// unasked.
func TestWhereAKeyGoes(t *testing.T) {
	env := func(name string) string {
		return map[string]string{"OPENAI_API_KEY": canary, "GOOGLE_API_KEY": canary, "MINE": "mine"}[name]
	}
	for _, test := range []struct {
		name string
		o    Options
		want string
	}{
		{"Google's own", Options{Provider: "google"}, canary},
		{"Google's protocol elsewhere", Options{Provider: "google", BaseURL: "https://gateway.example.org/gemini"}, canary},
		{"OpenAI's own", Options{Provider: "openai", Model: "m"}, canary},
		{"another server", Options{Provider: "openai", Model: "m", BaseURL: "http://localhost:8080/v1"}, ""},
		{"another server, and a name", Options{Provider: "openai", Model: "m", BaseURL: "http://localhost:8080/v1", KeyEnv: "MINE"}, "mine"},
		{"Ollama", Options{Provider: "ollama", Model: "m"}, ""},
	} {
		test.o.Env = env
		m, err := New(test.o)
		if err != nil || m.key != test.want {
			t.Errorf("%s: got %v", test.name, err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		o    Options
		want string
	}{
		{"no provider", Options{}, `there is no provider "" of generated phrases`},
		{"an unknown one", Options{Provider: "parrot"}, `there is no provider "parrot" of generated phrases`},
		{"no model", Options{Provider: "ollama"}, "the provider ollama needs the name of a model"},
		{"no key", Options{Provider: "google"}, "the environment variable GOOGLE_API_KEY, which should hold the key, is empty"},
		{"no key in the one named", Options{Provider: "google", KeyEnv: "MINE"}, "the environment variable MINE, which should hold the key, is empty"},
		{"the key in place of its variable", Options{Provider: "google", KeyEnv: canary}, "generation.key_env is not the name of an environment variable in capitals"},
		{"a text", Options{Provider: "google", KeyEnv: "TEXT"}, "the environment variable TEXT holds something that cannot be a key"},
		{"no address", Options{Provider: "ollama", Model: "m", BaseURL: "localhost:11434"}, "generation.base_url is not the address of a server"},
		{"a file", Options{Provider: "ollama", Model: "m", BaseURL: "file:///etc/passwd"}, "generation.base_url is not the address of a server"},
	} {
		test.o.Env = func(name string) string { return map[string]string{"TEXT": canary + "\nand more"}[name] }
		_, err := New(test.o)
		if vault.CodeOf(err) != vault.CodeConfig || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got %v", test.name, err)
		}
		keyless(t, test.name, err)
	}
}

// Gemini's form of the schema: names of types in capitals, null as a property.
func TestGeminiSchema(t *testing.T) {
	s, err := geminiSchema([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	edits := s.Properties["edits"]
	if s.Type != "OBJECT" || s.Properties["summary"].Type != "STRING" || edits.Type != "STRING" || edits.Nullable == nil || !*edits.Nullable || len(s.Required) != 2 {
		t.Errorf("got %+v", s)
	}
}
