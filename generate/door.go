package generate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// maxAnswer bounds what is read of an answer, in bytes: a phrase has a hundred.
const maxAnswer = 1 << 20

// door is the way out for all protocols, so that they fail alike: it looks at an
// answer before a protocol does.
type door struct {
	http.RoundTripper
	most int64 // bytes of an answer
}

// client returns an HTTP client behind a door. It follows no redirection, which would
// take the key along.
func client(most int64) *http.Client {
	return &http.Client{
		Transport: door{http.DefaultTransport, most},
		CheckRedirect: func(to *http.Request, _ []*http.Request) error {
			return errRedirect(to.URL.Host)
		},
	}
}

// post sends a document as JSON and returns the answer's body. A key goes into the
// header of that name.
func post(ctx context.Context, c *http.Client, url, keyHeader, key string, doc any) ([]byte, error) {
	body, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "cp-memory")
	if keyHeader == authorization && key != "" {
		key = "Bearer " + key
	}
	if key != "" {
		req.Header.Set(keyHeader, key)
	}
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// authorization is the header that takes a key as a bearer.
const authorization = "Authorization"

// RoundTrip sends a request. It returns an error for every answer that is no success,
// and for a web page.
func (d door) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := d.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 == 3 && resp.Header.Get("Location") != "" {
		return resp, nil // the client asks CheckRedirect
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, d.most+1))
	resp.Body.Close()
	switch {
	case resp.StatusCode/100 != 2:
		return nil, refusal(resp, body)
	case err != nil:
		return nil, err
	case int64(len(body)) > d.most:
		return nil, errGarbled(fmt.Sprintf("more than %d MB", d.most>>20), "an answer")
	case isPage(resp, body):
		return nil, errGarbled("a web page", "JSON")
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// isPage reports whether an answer is HTML, by what it says or by how it begins.
func isPage(resp *http.Response, body []byte) bool {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return kind == "text/html" || bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

// refusal reads an answer that is no success. The vendors agree on {"error":
// {"message": …}}; others write {"error": "…"}, {"message": …} or {"detail": …}.
func refusal(resp *http.Response, body []byte) refused {
	e := refused{status: resp.StatusCode}
	if wait := resp.Header.Get("Retry-After"); wait != "" && strings.Trim(wait, "0123456789") == "" {
		e.wait = wait
	}
	var doc struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  any             `json:"detail"`
	}
	if json.Unmarshal(body, &doc) != nil {
		return e // a page or a fragment says nothing that would help
	}
	var inner struct {
		Message string `json:"message"`
		Details []struct {
			Reason string `json:"reason"`
		} `json:"details"`
	}
	var bare string
	_, _ = json.Unmarshal(doc.Error, &inner), json.Unmarshal(doc.Error, &bare)
	for _, d := range inner.Details {
		e.badKey = e.badKey || d.Reason == "API_KEY_INVALID" // Google's way, under 400
	}
	detail, _ := doc.Detail.(string)
	e.says = cmp.Or(inner.Message, bare, doc.Message, detail)
	return e
}
