package release

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/cp-memory/cp/vault"
)

const (
	// Usual is whom we ask: GitHub, for the latest release that is no candidate.
	Usual = "https://api.github.com/repos/cp-memory/cp/releases/latest"
	// Page is where a person sees the same.
	Page = "https://github.com/cp-memory/cp/releases"

	patience  = 10 * time.Second
	maxAnswer = 1 << 20
)

// Source is who knows the newest version: GitHub's releases, npm's registry, or a mirror that answers as one
// of the two.
type Source struct {
	URL string
}

// Ask returns the newest version, like v0.1.0. Every error has the code of a remote that gave no answer.
func (s Source) Ask(ctx context.Context) (string, error) {
	if err := s.checkURL(); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	body, err := s.fetch(ctx)
	if err != nil {
		return "", s.fault(err)
	}
	var answer struct {
		Tag     string `json:"tag_name"` // GitHub's
		Version string `json:"version"`  // npm's
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return "", s.fault(fmt.Errorf("the answer is no JSON"))
	}
	newest := "v" + strings.TrimPrefix(cmp.Or(answer.Tag, answer.Version), "v")
	if !semver.IsValid(newest) {
		return "", s.fault(fmt.Errorf("the answer names no version"))
	}
	return newest, nil
}

// checkURL takes https, and http on this machine alone: who is on the way must not choose the version.
func (s Source) checkURL() error {
	u, err := url.Parse(s.URL)
	if err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http" && isLocal(u.Hostname())) {
		return nil
	}
	return vault.Errorf(vault.CodeInvalid, "CP_RELEASES is an address that begins with https://", "cannot ask %s for the newest version", vault.Clip(s.URL, 80))
}

func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (s Source) fetch(ctx context.Context) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "cp-memory")
	req.Header.Set("Accept", "application/json")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answered %q", resp.Status)
	}
	return io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
}

// fault says in one sentence who could not be asked, and why.
func (s Source) fault(err error) error {
	if e, ok := err.(*url.Error); ok {
		err = e.Err // it would name the address once more
	}
	host := s.URL
	if u, e := url.Parse(s.URL); e == nil {
		host = u.Host
	}
	return vault.Errorf(vault.CodeRemote, "try again with a network, or look at "+Page, "cannot ask %s for the newest version: %w", host, err)
}

// IsNewer reports whether a version is newer than that of the program. Every version is newer than one
// that was never released, as "dev" is.
func IsNewer(version, program string) bool { return semver.Compare(version, program) > 0 }
