package generate

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// refused is an answer of HTTP that is no success.
type refused struct {
	status int
	says   string // the server's own words; may be empty
	badKey bool   // the server says that the key is bad; any status can say so
	wait   string // Retry-After
}

func (e refused) Error() string { return fmt.Sprintf("HTTP %d: %s", e.status, e.says) }

// trouble is any other failure: it words itself for the server it came from.
type trouble func(m *server) error

func (trouble) Error() string { return "the server gave no usable answer" }

// errBlocked is the failure of a model that will not answer.
func errBlocked(reason string) error {
	return trouble(func(m *server) error {
		return m.fault("reword the text, or write the phrase yourself", "%s refuses to answer this prompt (%s)", m.name, m.quoteForeign(reason))
	})
}

// cutOff is the failure of an answer that is longer than allowed.
func cutOff(reason string) error {
	return trouble(func(m *server) error {
		return m.fault("try again, or take another model: some think until nothing is left for the answer",
			"the answer of %s was cut off (%s)", m.name, m.quoteForeign(reason))
	})
}

// noAnswer is a success without an answer in it.
func noAnswer(m *server) error {
	return m.fault("try again", "%s answered without an answer in it", m.host)
}

// errGarbled is a success that is not what the protocol says.
func errGarbled(what, instead string) error {
	return trouble(func(m *server) error {
		return m.fault("check "+m.section+".base_url in ~/.cp/config.yaml, and proxies on the way", "%s answered with %s instead of %s", m.host, what, instead)
	})
}

// notProtocol is an answer of another form than the vendor's.
var notProtocol = errGarbled("something else", "the JSON of its protocol")

// errRedirect is a redirection, which is not followed.
func errRedirect(to string) error {
	return trouble(func(m *server) error {
		return m.fault("set "+m.section+".base_url in ~/.cp/config.yaml to the final address", "%s sends us on to %s, where a key is not sent unasked", m.host, m.quoteForeign(to))
	})
}

// fault returns a failure in one sentence. It holds neither the key nor the cause, which may
// hold the key.
func (m *server) fault(hint, format string, args ...any) error {
	return vault.Errorf(m.code, m.blot(hint), "%s", m.blot(fmt.Sprintf(format, args...)))
}

// blot replaces the key, as it is and as URLs hold it.
func (m *server) blot(text string) string {
	if m.key == "" {
		return text
	}
	return strings.NewReplacer(m.key, "[key]", url.QueryEscape(m.key), "[key]").Replace(text)
}

func (m *Model) slow() error {
	return m.fault("try again; generation.timeout in ~/.cp/config.yaml allows more", "%s did not answer within %s", m.host, m.timeout)
}

// sentence words a failure.
func (m *server) sentence(err error) error {
	var status refused
	var other trouble
	switch {
	case errors.As(err, &status):
		return m.status(status)
	case errors.As(err, &other):
		return other(m)
	}
	return m.unreachable(err)
}

// status words an answer of HTTP that is no success.
func (m *server) status(e refused) error {
	code := fmt.Sprintf("(%d)", e.status)
	switch {
	case m.key == "" && e.status == http.StatusUnauthorized:
		return m.fault("name the environment variable that holds it in "+m.section+".key_env", "%s asks for a key %s", m.host, code)
	case e.badKey, e.status == http.StatusUnauthorized:
		return m.fault("check the key", "%s does not accept the key in %s %s", m.host, m.keyEnv, code)
	case e.status == http.StatusForbidden:
		return m.fault("check what the key may do, and from where", "%s forbids the use of %s %s%s", m.host, m.name, code, m.serverWords(e))
	case e.status == http.StatusNotFound:
		return m.fault("check "+m.section+".model and "+m.section+".base_url in ~/.cp/config.yaml", "%s knows no model %s %s%s", m.host, m.name, code, m.serverWords(e))
	case e.status == http.StatusTooManyRequests:
		return m.fault(e.later(), "%s has had enough requests for now, or the quota is used up %s", m.host, code)
	case e.status >= 500:
		return m.fault(e.later(), "%s is failing %s", m.host, code)
	}
	return m.fault("check "+m.section+" in ~/.cp/config.yaml", "%s refused the request %s%s", m.host, code, m.serverWords(e))
}

// serverWords returns the server's own words, after a colon.
func (m *server) serverWords(e refused) string {
	if e.says == "" {
		return ""
	}
	return ": " + m.quoteForeign(e.says)
}

// later says when to try again.
func (e refused) later() string {
	if e.wait == "" {
		return "try again later"
	}
	return "try again in " + e.wait + " seconds"
}

// unreachable words a failure below HTTP.
func (m *server) unreachable(err error) error {
	var dns *net.DNSError
	var below net.Error
	hint := "check the network, and " + m.section + ".base_url in ~/.cp/config.yaml"
	switch {
	case errors.As(err, &dns):
		return m.fault(hint, "there is no server %s", m.host)
	case sysfile.IsRefused(err), errors.As(err, &below) && below.Timeout():
		return m.fault("start it, or check "+m.section+".base_url in ~/.cp/config.yaml", "no server answers at %s", m.host)
	}
	return m.fault(hint, "the talk with %s failed: %s", m.host, m.quoteForeign(root(err)))
}

// root returns the innermost error's text. The outer ones repeat the address, into which a
// person may have put a password.
func root(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// quoteForeign returns foreign words on one line, fit for a sentence. It blots out the key before
// it cuts them: half of a key would not be found.
func (m *server) quoteForeign(s string) string {
	return vault.Clip(strings.TrimRight(vault.OneLine(m.blot(s)), "."), 200)
}
