package mcp

import (
	"context"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// scheme begins the address of a memory: memory://deployment/rollback.md. An id serves as well.
const scheme = "memory://"

// resourceBudget bounds a memory that is read as a resource, in tokens.
const resourceBudget = 25_000

// resources adds the template by which a client reads any memory. There is no list: it would
// name each memory of a large vault at the start.
func (s *Server) resources() {
	s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "memory", Title: "A memory", URITemplate: scheme + "{+path}", MIMEType: "text/markdown",
		Description: "A memory by its path in the vault, or by its id.",
	}, s.resource)
}

func (s *Server) resource(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI
	ref, err := url.PathUnescape(strings.TrimPrefix(uri, scheme))
	if err != nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	var answer string
	err = vault.Guard("the resource "+uri, nil, func() (err error) {
		answer, err = s.reading(ctx, call{verb: "show", refs: []string{ref}}, func(h *held, t *text) error {
			return h.writeShown(ctx, t, tree.Show{Ref: ref, Budget: resourceBudget, Rows: rows})
		})
		return err
	})
	switch {
	case vault.CodeOf(err) == vault.CodeNotFound:
		return nil, sdk.ResourceNotFoundError(uri)
	case err != nil:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: harmless(complaint(err))}
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "text/markdown", Text: answer}}}, nil
}

// offered bounds a completion, as the protocol does; seen is how many memories are looked at.
const offered, seen = 100, 1000

// complete offers the paths that begin with what was typed. It looks at the index as it
// stands, and offers nothing where there is none.
func (s *Server) complete(ctx context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	out := &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}
	if req.Params.Ref == nil || req.Params.Ref.Type != "ref/resource" || req.Params.Argument.Name != "path" {
		return out, nil
	}
	typed := req.Params.Argument.Value
	err := vault.Guard("a completion", nil, func() error { return s.addMatchingPaths(ctx, typed, out) })
	if err != nil {
		s.vaults.app.Debugf("nothing is offered: %v", err)
	}
	all := out.Completion.Values
	slices.Sort(all)
	out.Completion.Total = len(all)
	if len(all) > offered {
		out.Completion.Values, out.Completion.HasMore = all[:offered], true
	}
	return out, nil
}

// addMatchingPaths adds the paths that begin with what was typed.
func (s *Server) addMatchingPaths(ctx context.Context, typed string, out *sdk.CompleteResult) error {
	return s.vaults.withSession(ctx, call{}, app.AsIs, func(h *held) error {
		return h.View(ctx, vault.Scope{None: true}, func(t vault.Tree) error {
			o := vault.ListOptions{Now: h.app.Now(), Limit: seen, Types: []string{"*"}}
			if dir, err := vault.ParsePath(path.Dir(typed)); err == nil && dir != "." {
				o.Dir = dir
			}
			rows, _, err := t.List(ctx, o)
			for _, n := range rows {
				if strings.HasPrefix(string(n.Path), typed) {
					out.Completion.Values = append(out.Completion.Values, string(n.Path))
				}
			}
			return err
		})
	})
}
