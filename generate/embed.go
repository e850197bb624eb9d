package generate

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
)

// Limits of a talk about vectors.
const (
	maxVectors   = 64 << 20         // bytes of an answer: 100 vectors of 3,072 numbers take 7 MB
	documentTime = 60 * time.Second // for an answer about documents; a local server may have to load the model first
	longestWait  = 60 * time.Second // that we obey when a server names one
)

// pauses are the waits before each new try.
var pauses = [...]time.Duration{time.Second, 2 * time.Second, 4 * time.Second}

// EmbedderOptions say which model makes vectors. Schema and Timeout of Options
// do not count.
type EmbedderOptions struct {
	Options
	Dimension int // 0 leaves it to the provider
	Rate      int // requests in a minute; 0 means no limit

	// Sleep waits; nil is the real thing.
	Sleep func(ctx context.Context, d time.Duration) error
}

// protocol says how one vendor is asked for vectors.
type protocol struct {
	provider
	dimension int // to ask for unless the options say another; 0 leaves it to the model
	most      int // texts in a request
	path      func(model string) string
	keyHeader string // where the key goes
	body      func(e *Embedder, p embed.Purpose, texts []string) any
	vectors   func(reply []byte) ([][]float32, error)
}

func protocols() map[string]protocol {
	return map[string]protocol{
		"google": {provider: provider{model: "gemini-embedding-001", baseURL: "https://generativelanguage.googleapis.com", baseEnv: "GOOGLE_GEMINI_BASE_URL",
			keyEnv: "GOOGLE_API_KEY", keyed: true}, dimension: 768, most: 100, keyHeader: "x-goog-api-key",
			path: func(model string) string { return "v1beta/models/" + model + ":batchEmbedContents" }, body: googleBody, vectors: googleVectors},
		"openai": {provider: provider{baseURL: "https://api.openai.com/v1", keyEnv: "OPENAI_API_KEY"}, most: 256, keyHeader: authorization,
			path: func(string) string { return "embeddings" }, body: openaiBody, vectors: openaiVectors},
		"ollama": {provider: provider{baseURL: "http://localhost:11434"}, most: 256, keyHeader: authorization,
			path: func(string) string { return "api/embed" }, body: ollamaBody, vectors: ollamaVectors},
	}
}

// Embedder is an embedding model behind a server. It implements
// [embed.Embedder] and is safe for concurrent use.
type Embedder struct {
	server
	protocol
	provider  string // its name
	url       string
	http      *http.Client
	dimension int
	scheme    scheme
	sleep     func(ctx context.Context, d time.Duration) error

	mu    sync.Mutex
	every time.Duration // between two requests; 0 means no limit
	next  time.Time     // when the next request may go out
}

// NewEmbedder returns the model that the options describe. It opens no
// connection. The error is CodeConfig.
func NewEmbedder(o EmbedderOptions) (*Embedder, error) {
	p, ok := protocols()[o.Provider]
	if !ok {
		return nil, errMisconfigured("set embedding.provider in ~/.cp/config.yaml to google, openai, ollama or static",
			"there is no provider %q of vectors", o.Provider)
	}
	o.Options = p.fillOptions(o.Options)
	if o.Provider == "ollama" {
		o.BaseURL = strings.TrimSuffix(strings.TrimSuffix(o.BaseURL, "/"), "/v1") // its address for chat
	}
	e := &Embedder{
		server:   server{section: "embedding", code: vault.CodeEmbedding, name: o.Model, keyEnv: o.KeyEnv},
		protocol: p, provider: o.Provider, http: client(maxVectors), scheme: schemeOf(o.Provider, o.Model), sleep: o.Sleep,
		dimension: o.Dimension,
	}
	if err := e.checkOptions(o.Options); err != nil {
		return nil, err
	}
	if e.dimension == 0 {
		e.dimension = p.dimension
	}
	if e.dimension > embed.MaxDimension {
		return nil, errMisconfigured("it is 768 or 1536 for most models", "embedding.dimension is %d, and at most %d", e.dimension, embed.MaxDimension)
	}
	if e.sleep == nil {
		e.sleep = sleep
	}
	if o.Rate > 0 {
		e.every = time.Minute / time.Duration(o.Rate)
	}
	u, err := url.Parse(o.BaseURL)
	if err != nil {
		return nil, err
	}
	e.url = u.JoinPath(p.path(strings.TrimPrefix(o.Model, "models/"))).String()
	return e, nil
}

// sleep waits for d, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Space returns where the model's vectors lie.
func (e *Embedder) Space() (embed.Space, error) {
	return embed.Space{Model: e.provider + "/" + e.name, Dimension: e.dimension, Scheme: e.scheme.name}, nil
}

// Embed returns a vector of unit length for each text. Documents are asked for
// again after 1, 2 and 4 seconds where the server is busy or failing, or after
// the time that it names; a question is not, since somebody waits.
func (e *Embedder) Embed(ctx context.Context, p embed.Purpose, texts []string) ([][]float32, error) {
	all := make([][]float32, 0, len(texts))
	for some := range slices.Chunk(texts, e.most) {
		vectors, err := e.persist(ctx, p, e.scheme.dress(p, some))
		if err != nil {
			return nil, err
		}
		all = append(all, vectors...)
	}
	return all, nil
}

// persist asks until the server answers or further tries are useless.
func (e *Embedder) persist(ctx context.Context, p embed.Purpose, texts []string) ([][]float32, error) {
	for try := 0; ; try++ {
		vectors, err := e.sendOnce(ctx, p, texts)
		var r refused
		busy := errors.As(err, &r) && (r.status == http.StatusTooManyRequests || r.status >= 500)
		if busy && p == embed.Document && try < len(pauses) {
			if err := e.sleep(ctx, r.pause(pauses[try])); err != nil {
				return nil, err
			}
			continue
		}
		switch {
		case err == nil:
			return e.checkVectors(vectors, len(texts))
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case errors.Is(err, errSlow):
			return nil, e.fault("try again; a smaller embedding.batch in ~/.cp/config.yaml asks for less at once", "%s did not answer within %s", e.host, documentTime)
		}
		return nil, e.about(r, e.sentence(err))
	}
}

// about marks an error that may be the texts' fault.
func (e *Embedder) about(r refused, err error) error {
	var ours *vault.Error
	theirs := []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}
	if slices.Contains(theirs, r.status) && !r.badKey && errors.As(err, &ours) {
		ours.Err = embed.ErrText
	}
	return err
}

// pause returns how long the server wants us to wait; ours where it says nothing.
func (e refused) pause(ours time.Duration) time.Duration {
	seconds, err := strconv.Atoi(e.wait)
	if err != nil || seconds <= 0 {
		return ours
	}
	return min(time.Duration(seconds)*time.Second, longestWait)
}

// sendOnce sends one request, when the rate allows it.
func (e *Embedder) sendOnce(ctx context.Context, p embed.Purpose, texts []string) ([][]float32, error) {
	if err := e.turn(ctx); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, documentTime, errSlow)
	defer cancel()
	reply, err := post(limited, e.http, e.url, e.keyHeader, e.key, e.body(e, p, texts))
	switch {
	case err == nil:
		return e.vectors(reply)
	case ctx.Err() == nil && limited.Err() != nil:
		return nil, errSlow
	}
	return nil, err
}

// turn waits until the rate allows one more request.
func (e *Embedder) turn(ctx context.Context) error {
	if e.every == 0 {
		return nil
	}
	e.mu.Lock()
	now := time.Now()
	wait := max(e.next.Sub(now), 0)
	e.next = now.Add(wait + e.every)
	e.mu.Unlock()
	if wait == 0 {
		return nil
	}
	return e.sleep(ctx, wait)
}

// checkVectors returns n vectors at unit length: Gemini's are shorter where fewer numbers
// were asked for. It refuses all that cannot be the vectors of n texts.
func (e *Embedder) checkVectors(all [][]float32, n int) ([][]float32, error) {
	const hint = "try again, or take another model"
	if len(all) != n {
		return nil, e.fault(hint, "%s gave %s for %s", e.host, vault.Plural(len(all), "vector", "vectors"), vault.Plural(n, "text", "texts"))
	}
	want := e.dimension
	for i, v := range all {
		if want == 0 {
			want = len(v)
		}
		switch {
		case len(v) != want && e.dimension != 0:
			return nil, e.fault("set embedding.dimension in ~/.cp/config.yaml to what the model gives, then cp admin embed-backfill",
				"%s gave vectors of %d numbers instead of %d", e.host, len(v), want)
		case len(v) != want || want == 0 || want > embed.MaxDimension:
			return nil, e.fault(hint, "%s gave vectors of %d and of %d numbers", e.host, want, len(v))
		}
		unit, ok := embed.Unit(v)
		if !ok {
			return nil, e.fault(hint, "%s gave a vector without a direction: zeros, or what is no number", e.host)
		}
		all[i] = unit
	}
	return all, nil
}
