package markdown

import (
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/cp-memory/cp/vault"
)

// The places in this program to which links of a text lead: what a reference names, and a
// file of the vault.
const (
	places = "/at?"
	files  = "/file/"
)

// ours reports whether a destination is a place in this program, or in the page.
func ours(to string) bool {
	return strings.HasPrefix(to, places) || strings.HasPrefix(to, files) || strings.HasPrefix(to, "#"+prefix)
}

// outside reports whether a destination is a web page or a mail address, as a page has it:
// with %22 for a quotation mark.
func outside(to string) bool {
	u, err := url.Parse(string(util.URLEscape([]byte(to), false)))
	if err != nil {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return u.Host != ""
	case "mailto":
		return true
	}
	return false
}

// lead gives the links of a text the destinations that a page has for them. What may not be
// in a page gets none.
func lead(doc ast.Node, source []byte, from vault.Path) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			if _, wiki := n.AttributeString(wikiName); !wiki {
				n.Destination = []byte(destination(string(n.Destination), from, false))
			}
		case *ast.Image:
			n.Destination = []byte(destination(string(n.Destination), from, true))
		}
		return ast.WalkContinue, nil
	})
}

// destination returns the address in a page of what a link in the file from names; empty
// where there is none.
func destination(to string, from vault.Path, picture bool) string {
	u, err := url.Parse(to)
	switch {
	case err != nil || strings.ContainsAny(to, "\\\t\r\n"):
		return ""
	case outside(to):
		return to
	case u.Scheme != "" || u.Host != "" || u.Opaque != "" || strings.HasPrefix(to, "//"):
		return ""
	case u.Path == "" && u.Fragment != "":
		return "#" + prefix + strings.TrimPrefix(u.Fragment, prefix)
	case u.Path == "":
		return ""
	}
	name := path.Join(string(from.Dir()), u.Path)
	if rooted, ok := strings.CutPrefix(u.Path, "/"); ok {
		name = path.Clean(rooted)
	}
	if picture || !canBeMemory(u.Path) {
		p, err := vault.ParsePath(name)
		if err != nil || p == "" {
			return ""
		}
		return files + (&url.URL{Path: string(p)}).EscapedPath()
	}
	return finderAddress(name, u.Path, u.Fragment)
}

// canBeMemory reports whether a relative link may lead to a memory: to Markdown, a folder or a
// name, and not to a file of another kind.
func canBeMemory(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	return ext == "" || ext == ".md" || strings.Contains(ext, " ") || len(ext) > 6
}

// finderAddress is the address of the page that finds a memory by a path or by what was written.
func finderAddress(name, written, fragment string) string {
	to := places + url.Values{"p": {name}, "r": {written}}.Encode()
	if fragment != "" {
		to += "#" + prefix + fragment
	}
	return to
}

// wikiName marks a link that was written [[so]].
const wikiName = "wiki"

// wikiLinks parses [[Target]] and [[Target|words]].
type wikiLinks struct{}

// Trigger is how one begins.
func (wikiLinks) Trigger() []byte { return []byte{'['} }

// Parse parses one.
func (wikiLinks) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if len(line) < 5 || line[1] != '[' {
		return nil
	}
	end := strings.Index(string(line), "]]")
	if end < 3 || strings.ContainsAny(string(line[2:end]), "[]") {
		return nil
	}
	inner := string(line[2:end])
	target, _, named := strings.Cut(inner, "|")
	start := 2
	if named {
		start = 2 + len(target) + 1
	}
	target, fragment, _ := strings.Cut(strings.TrimSpace(target), "#")
	if target == "" {
		return nil
	}
	n := ast.NewLink()
	n.Destination = []byte(finderAddress(target, target, fragment))
	n.SetAttributeString(wikiName, true)
	n.AppendChild(n, ast.NewTextSegment(text.NewSegment(segment.Start+start, segment.Start+end)))
	block.Advance(end + 2)
	return n
}
