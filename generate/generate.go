package generate

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
)

// Timeout bounds the time of an answer unless the options say otherwise.
const Timeout = 30 * time.Second

// Options say which model answers. Empty ones are filled from the provider's row
// in [providers].
type Options struct {
	Provider string // google, openai or ollama
	Model    string
	KeyEnv   string // the environment variable that holds the key
	BaseURL  string // of the service, with its version where the protocol has one: http://localhost:11434/v1
	Timeout  time.Duration

	Env    func(string) string // the environment
	Schema []byte              // the form of the answer, JSON Schema; empty means any text
}

// provider holds the settings that a provider's name implies.
type provider struct {
	model   string // empty: the person has to say
	baseURL string
	baseEnv string // the environment variable in which the vendor's own clients look for another
	keyEnv  string
	keyed   bool // every server of this protocol wants a key; otherwise only the one at baseURL gets keyEnv's unasked
	open    func(*Model, Options) (backend, error)
}

func providers() map[string]provider {
	return map[string]provider{
		"google": {model: "gemini-flash-latest", baseURL: "https://generativelanguage.googleapis.com", baseEnv: "GOOGLE_GEMINI_BASE_URL",
			keyEnv: "GOOGLE_API_KEY", keyed: true, open: newGoogle},
		"openai": {baseURL: "https://api.openai.com/v1", keyEnv: "OPENAI_API_KEY", open: newChat},
		"ollama": {baseURL: "http://localhost:11434/v1", open: newChat},
	}
}

// backend speaks the protocol of one vendor. It returns a failure of HTTP as the door's
// error, wrapped or not.
type backend interface {
	ask(ctx context.Context, prompt string) (string, error)
}

// Model is a language model behind a server.
type Model struct {
	backend
	server
	timeout time.Duration
}

// server is where a model answers, and the words for its failures.
type server struct {
	section string     // of the settings: "generation" or "embedding"
	code    vault.Code // of its failures
	name    string     // of the model
	host    string     // of the server, for sentences
	keyEnv  string
	key     string
}

// New returns the model that the options describe. It opens no connection. The
// error is CodeConfig.
func New(o Options) (*Model, error) {
	p, ok := providers()[o.Provider]
	if !ok {
		return nil, errMisconfigured("set generation.provider in ~/.cp/config.yaml to google, openai or ollama",
			"there is no provider %q of generated phrases", o.Provider)
	}
	o = p.fillOptions(o)
	m := &Model{server: server{section: "generation", code: vault.CodeGeneration, name: o.Model, keyEnv: o.KeyEnv}, timeout: o.Timeout}
	if err := m.checkOptions(o); err != nil {
		return nil, err
	}
	var err error
	m.backend, err = p.open(m, o)
	return m, err
}

// fillOptions fills what the options leave open.
func (p provider) fillOptions(o Options) Options {
	if o.BaseURL == "" && p.baseEnv != "" {
		o.BaseURL = o.Env(p.baseEnv)
	}
	if o.KeyEnv == "" && (o.BaseURL == "" || p.keyed) {
		o.KeyEnv = p.keyEnv
	}
	o.BaseURL = cmp.Or(o.BaseURL, p.baseURL)
	o.Model = cmp.Or(o.Model, p.model)
	if o.Timeout <= 0 {
		o.Timeout = Timeout
	}
	return o
}

// checkOptions refuses options that cannot work, before anything is sent.
func (m *server) checkOptions(o Options) error {
	if o.Model == "" {
		return errMisconfigured("set "+m.section+".model in ~/.cp/config.yaml", "the provider %s needs the name of a model", o.Provider)
	}
	u, err := url.Parse(o.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errMisconfigured("it is like http://localhost:11434/v1", "%s.base_url is not the address of a server", m.section)
	}
	m.host = u.Host
	if o.KeyEnv == "" {
		return nil
	}
	if strings.Trim(o.KeyEnv, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" { // which may be the key itself: it is not repeated
		return errMisconfigured("it is like GOOGLE_API_KEY, and the key is in that variable",
			"%s.key_env is not the name of an environment variable in capitals", m.section)
	}
	m.key = strings.TrimSpace(o.Env(o.KeyEnv))
	switch {
	case m.key == "":
		return errMisconfigured("put the key of "+o.Provider+" there, or name another variable in "+m.section+".key_env",
			"the environment variable %s, which should hold the key, is empty", o.KeyEnv)
	case strings.ContainsFunc(m.key, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return errMisconfigured("put the bare key there", "the environment variable %s holds something that cannot be a key", o.KeyEnv)
	}
	return nil
}

func errMisconfigured(hint, format string, args ...any) error {
	return vault.Errorf(vault.CodeConfig, hint, format, args...)
}

// errSlow ends a request that takes too long.
var errSlow = errors.New("too slow")

// Generate returns the model's answer to a prompt. When ctx ends, its error is
// returned; every other failure is CodeGeneration.
func (m *Model) Generate(ctx context.Context, prompt string) (string, error) {
	limited, cancel := context.WithTimeoutCause(ctx, m.timeout, errSlow)
	defer cancel()
	text, err := m.ask(limited, prompt)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil && context.Cause(limited) == errSlow:
		return "", m.slow()
	case err != nil:
		return "", m.sentence(err)
	case strings.TrimSpace(text) == "":
		return "", m.fault("try again, or take another model", "%s gave an empty answer", m.host)
	}
	return m.blot(text), nil
}
