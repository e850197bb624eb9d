package mcp

import (
	"context"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Path is where the server answers over HTTP.
const Path = "/mcp"

// HTTP serves clients of this machine until ctx ends. Each request has to carry the token. A
// page in a browser reaches nothing: a foreign Origin and, on a TCP address, a Host that is not
// this machine are refused before anything else. No session is kept between requests.
func (s *Server) HTTP(ctx context.Context, l net.Listener, token string) error {
	server := &http.Server{Handler: s.handler(token, l.Addr().Network() == "unix"), ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() {
		soon, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		_ = server.Shutdown(soon)
	})
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// handler is the way of a request. A socket of the file system has no Host to check: who
// reaches it may open the file.
func (s *Server) handler(token string, socket bool) http.Handler {
	mcp := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: maxLine,
	})
	mux := http.NewServeMux()
	mux.Handle(Path, mcp)
	return http.NewCrossOriginProtection().Handler(local(socket, bearer(token, mux)))
}

// local refuses a Host that does not name this machine: a page could have had a name of its
// own resolved to us (DNS rebinding).
func local(socket bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !socket && !isLocal(r.Host) {
			http.Error(w, "Forbidden: the Host header names another machine", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isLocal reports whether a host, with or without a port, is this machine.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// bearer lets those in who know the token.
func bearer(token string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare([]byte(strings.TrimSpace(given)), []byte(token)) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "Unauthorized: the bearer token is missing or another one", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
