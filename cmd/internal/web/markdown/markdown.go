package markdown

import (
	"bytes"
	"html/template"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
)

// At says where a text stands.
type At struct {
	Path  vault.Path // of the file, from which its links go
	Title string     // a first heading that says the same is left out
	Base  string     // before the addresses of what lies in its vault
}

// Renderer renders texts. It may be used by many at once.
type Renderer struct{ md goldmark.Markdown }

// New returns a renderer.
func New() *Renderer {
	return &Renderer{goldmark.New(
		goldmark.WithParserOptions(
			parser.WithAutoHeadingID(),
			parser.WithParagraphTransformers(util.Prioritized(rows{}, 200)),
			parser.WithInlineParsers(util.Prioritized(tasks{}, 0), util.Prioritized(wikiLinks{}, 199), // before goldmark's own links
				util.Prioritized(struck{}, 500), util.Prioritized(bare{}, 999)),
		),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(safely{}, 1), util.Prioritized(tables{}, 2))),
	)}
}

// HTML returns the text as HTML. Nesting that would take very long to read is shown as it is
// written.
func (r *Renderer) HTML(body string, at At) template.HTML {
	source := []byte(prose.Visible(body))
	if pointer.TooDeep(string(source)) || isTangled(string(source)) {
		return showAsWritten(source)
	}
	doc := r.md.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(&ids{seen: map[string]bool{}}))))
	trim(doc, source, at.Title)
	lead(doc, source, at.Path)
	doc.SetAttributeString(baseName, at.Base)
	var b bytes.Buffer
	if err := r.md.Renderer().Render(&b, source, doc); err != nil {
		return showAsWritten(source)
	}
	return template.HTML(b.String())
}

// showAsWritten shows a text as it is written.
func showAsWritten(source []byte) template.HTML {
	return template.HTML("<pre>" + template.HTMLEscapeString(string(source)) + "</pre>")
}

// trim takes the first heading away if it is the title: the page has that already.
func trim(doc ast.Node, source []byte, title string) {
	h, ok := doc.FirstChild().(*ast.Heading)
	if ok && h.Level == 1 && title != "" && strings.TrimSpace(string(h.Lines().Value(source))) == strings.TrimSpace(title) {
		doc.RemoveChild(doc, h)
	}
}

// ids gives headings names of their own, that are no names of ours.
type ids struct{ seen map[string]bool }

// Generate returns the name of a heading.
func (i *ids) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(string(value))) {
		switch {
		case r == ' ' || r == '-' || r == '_':
			b.WriteByte('-')
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 0xa0:
			b.WriteRune(r)
		}
	}
	name := prefix + b.String()
	for i.seen[name] {
		name += "-"
	}
	i.seen[name] = true
	return []byte(name)
}

// Put notes a name that is taken.
func (i *ids) Put(value []byte) { i.seen[string(value)] = true }

// prefix begins the names of headings.
const prefix = "h-"

// safely renders what could do harm.
type safely struct{}

// RegisterFuncs names the nodes.
func (s safely) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHTMLBlock, s.block)
	reg.Register(ast.KindRawHTML, s.raw)
	reg.Register(ast.KindLink, s.link)
	reg.Register(ast.KindAutoLink, s.auto)
	reg.Register(ast.KindImage, s.image)
	reg.Register(ast.KindHeading, s.heading)
	reg.Register(ast.KindCodeBlock, s.code)
	reg.Register(ast.KindFencedCodeBlock, s.code)
	reg.Register(east.KindTaskCheckBox, s.box)
}

// code is a block that a keyboard can scroll.
func (safely) code(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<pre tabindex="0"><code>`)
		_, _ = w.Write(util.EscapeHTML(n.Lines().Value(source)))
		_, _ = w.WriteString("</code></pre>\n")
	}
	return ast.WalkSkipChildren, nil
}

func (safely) block(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	h := n.(*ast.HTMLBlock)
	raw := h.Lines().Value(source)
	if h.HasClosure() {
		raw = append(bytes.Clone(raw), h.ClosureLine.Value(source)...)
	}
	_, _ = w.WriteString(`<pre class="raw" tabindex="0">`)
	_, _ = w.Write(util.EscapeHTML(raw))
	_, _ = w.WriteString("</pre>\n")
	return ast.WalkSkipChildren, nil
}

func (safely) raw(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString(`<code class="raw">`)
		_, _ = w.Write(util.EscapeHTML(n.(*ast.RawHTML).Segments.Value(source)))
		_, _ = w.WriteString("</code>")
	}
	return ast.WalkSkipChildren, nil
}

// baseName is the attribute of a document that holds At.Base.
const baseName = "base"

// addressBase returns what stands before an address of ours in the document of n.
func addressBase(n ast.Node, to []byte) string {
	if doc := n.OwnerDocument(); doc != nil && bytes.HasPrefix(to, []byte("/")) {
		if at, ok := doc.AttributeString(baseName); ok {
			return template.HTMLEscapeString(at.(string))
		}
	}
	return ""
}

// writeLinkStart writes the beginning of a link, if its destination may stand in a page.
func writeLinkStart(w util.BufWriter, n ast.Node, to []byte) bool {
	switch {
	case ours(string(to)):
		_, _ = w.WriteString(`<a href="` + addressBase(n, to))
	case outside(string(to)):
		_, _ = w.WriteString(`<a class="out" rel="noopener noreferrer nofollow" href="`)
	default:
		return false
	}
	_, _ = w.Write(util.EscapeHTML(util.URLEscape(to, false)))
	_, _ = w.WriteString(`">`)
	return true
}

func (safely) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	to := n.(*ast.Link).Destination
	switch {
	case entering:
		writeLinkStart(w, n, to)
	case ours(string(to)) || outside(string(to)):
		_, _ = w.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

func (safely) auto(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	a := n.(*ast.AutoLink)
	to := a.URL(source)
	if a.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(to), []byte("mailto:")) {
		to = append([]byte("mailto:"), to...)
	}
	linked := writeLinkStart(w, n, to)
	_, _ = w.Write(util.EscapeHTML(a.Label(source)))
	if linked {
		_, _ = w.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

// image shows a picture of the vault; any other is a link, and so is a drawing, which is saved
// and not shown.
func (safely) image(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	to, alt := n.(*ast.Image).Destination, util.EscapeHTML(nodeText(n, source))
	if bytes.HasPrefix(to, []byte(files)) && !bytes.HasSuffix(bytes.ToLower(to), []byte(".svg")) {
		_, _ = w.WriteString(`<img loading="lazy" src="` + addressBase(n, to))
		_, _ = w.Write(util.EscapeHTML(util.URLEscape(to, false)))
		_, _ = w.WriteString(`" alt="`)
		_, _ = w.Write(alt)
		_, _ = w.WriteString(`">`)
		return ast.WalkSkipChildren, nil
	}
	if len(alt) == 0 {
		alt = []byte("picture")
	}
	linked := writeLinkStart(w, n, to)
	_, _ = w.Write(alt)
	if linked {
		_, _ = w.WriteString("</a>")
	}
	return ast.WalkSkipChildren, nil
}

// nodeText returns the text below a node.
func nodeText(n ast.Node, source []byte) []byte {
	var b bytes.Buffer
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.Bytes()
}

// heading puts the headings of a text below the page's own, which is its only first one.
func (safely) heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	level := string(rune('0' + min(h.Level+1, 6)))
	if !entering {
		_, _ = w.WriteString("</h" + level + ">\n")
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("<h" + level)
	if id, ok := h.AttributeString("id"); ok {
		if id, ok := id.([]byte); ok {
			_, _ = w.WriteString(` id="` + template.HTMLEscapeString(string(id)) + `"`)
		}
	}
	_, _ = w.WriteString(` dir="auto">`)
	return ast.WalkContinue, nil
}

// box is a sign: nobody can tick it here.
func (safely) box(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		sign := "☐ "
		if n.(*east.TaskCheckBox).IsChecked {
			sign = "☑ "
		}
		_, _ = w.WriteString(sign)
	}
	return ast.WalkContinue, nil
}
