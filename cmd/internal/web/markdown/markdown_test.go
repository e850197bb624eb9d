package markdown

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestHTML(t *testing.T) {
	r := New()
	at := At{Path: "deployment/rollback.md", Title: "Rollback"}
	for _, test := range []struct{ name, in, want string }{
		{"a first heading that is the title goes", "# Rollback\n\nText.", "<p>Text.</p>\n"},
		{"another heading is below the page's", "# Steps\n", "<h2 id=\"h-steps\" dir=\"auto\">Steps</h2>\n"},
		{"raw HTML is text", "a <b onclick=x>b</b>", "<p>a <code class=\"raw\">&lt;b onclick=x&gt;</code>b<code class=\"raw\">&lt;/b&gt;</code></p>\n"},
		{"so is a block of it", "<script>\nalert(1)\n</script>\n", "<pre class=\"raw\" tabindex=\"0\">&lt;script&gt;\nalert(1)\n&lt;/script&gt;\n</pre>\n"},
		{"a link to the web", "[x](https://example.org/?a=1&b=2)", "<p><a class=\"out\" rel=\"noopener noreferrer nofollow\" href=\"https://example.org/?a=1&amp;b=2\">x</a></p>\n"},
		{"javascript is no link", "[x](javascript:alert(1))", "<p>x</p>\n"},
		{"nor is it in other letters", "[x](JaVaScRiPt:alert(1))", "<p>x</p>\n"},
		{"nor is data", "[x](data:text/html,hi)", "<p>x</p>\n"},
		{"a site without a scheme", "[x](//evil.test/)", "<p>x</p>\n"},
		{"a backslash", `[x](/\evil.test)`, "<p>x</p>\n"},
		{"a link to a file beside it", "[x](other.md)", "<p><a href=\"/at?p=deployment%2Fother.md&amp;r=other.md\">x</a></p>\n"},
		{"a link to the top of the vault", "[x](/a/b.md#How-To)", "<p><a href=\"/at?p=a%2Fb.md&amp;r=%2Fa%2Fb.md#h-How-To\">x</a></p>\n"},
		{"a heading", "[x](#steps)", "<p><a href=\"#h-steps\">x</a></p>\n"},
		{"a wiki link", "see [[Nomad stuck|this]] now", "<p>see <a href=\"/at?p=Nomad+stuck&amp;r=Nomad+stuck\">this</a> now</p>\n"},
		{"a wiki link without words", "[[a & b]]", "<p><a href=\"/at?p=a+%26+b&amp;r=a+%26+b\">a &amp; b</a></p>\n"},
		{"a picture of the vault", "![a \"b](img/x.png)", "<p><img loading=\"lazy\" src=\"/file/deployment/img/x.png\" alt=\"a &quot;b\"></p>\n"},
		{"a picture from elsewhere", "![pixel](https://evil.test/p.gif)", "<p><a class=\"out\" rel=\"noopener noreferrer nofollow\" href=\"https://evil.test/p.gif\">pixel</a></p>\n"},
		{"a picture that leaves the vault", "![x](../../../etc/x.png)", "<p>x</p>\n"},
		{"a task", "- [x] done\n- [ ] open", "<ul>\n<li>☑ done</li>\n<li>☐ open</li>\n</ul>\n"},
		{"a table", "Before\n| a | b |\n|:--|--:|\n| *x* | y \\| z |\n| only |", "<p>Before</p>\n<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th align=\"left\">a</th><th align=\"right\">b</th></tr></thead><tbody>\n<tr><td align=\"left\"><em>x</em></td><td align=\"right\">y | z</td></tr>\n<tr><td align=\"left\">only</td><td align=\"right\"></td></tr>\n</tbody></table></div>\n"},
		{"no table", "a | b\nc | d", "<p>a | b\nc | d</p>\n"},
		{"struck text", "~~gone~~ ~not~", "<p><del>gone</del> ~not~</p>\n"},
		{"a bare address", "See (https://a.test/b_(c)). xhttps://no", "<p>See (<a class=\"out\" rel=\"noopener noreferrer nofollow\" href=\"https://a.test/b_(c)\">https://a.test/b_(c)</a>). xhttps://no</p>\n"},
		{"a character that turns the direction", "a\u202eb", "<p>a\\u202eb</p>\n"},
		{"a control character", "a\x1b[31mb", "<p>a\\x1b[31mb</p>\n"},
	} {
		if got := string(r.HTML(test.in, at)); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
}

// Whatever a text holds, the page has no element or attribute that does something.
func FuzzHTML(f *testing.F) {
	for _, seed := range []string{"<script>alert(1)</script>", "[a](javascript:x)", "![](data:x)", "<img src=x onerror=alert(1)>", "[[x|<svg onload=a>]]", "| a | <b> |\n|---|:-:|\n| `x` | y |", "<https://a.test/\"onclick=b>", "- [ ] <a href='javascript:x'>", "[a]: javascript:x\n[a]", "&lt;script&gt;", "```x\" onload=\"a\n<b>\n```", "[x](https://a.test \"t\\\" onclick=b\")", strings.Repeat("[", 300), strings.Repeat("> ", 400), "# a {onclick=x}", "[a](mailto:x?body=<b>)", "<http://a.test\">"} {
		f.Add(seed)
	}
	r := New()
	may := map[string]string{"a": "href class rel", "code": "class", "pre": "class tabindex", "img": "loading src alt", "div": "class tabindex", "ol": "start", "th": "align", "td": "align"}
	plain := " p em strong del ul ol li blockquote br hr table thead tbody tr h2 h3 h4 h5 h6 html head body "
	f.Fuzz(func(t *testing.T, in string) {
		doc, err := html.Parse(strings.NewReader(string(r.HTML(in, At{Path: "a/b.md", Title: "T"}))))
		if err != nil {
			t.Fatal(err)
		}
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			attributes, special := may[n.Data]
			if !special && !strings.Contains(plain, " "+n.Data+" ") {
				t.Fatalf("element %s of %q", n.Data, in)
			}
			if strings.HasPrefix(n.Data, "h") {
				attributes = "id dir"
			}
			for _, a := range n.Attr {
				if !strings.Contains(" "+attributes+" ", " "+a.Key+" ") {
					t.Fatalf("%s %s=%q of %q", n.Data, a.Key, a.Val, in)
				}
				if (a.Key == "href" || a.Key == "src") && !ours(a.Val) && !outside(a.Val) {
					t.Fatalf("a link to %q of %q", a.Val, in)
				}
			}
		}
	})
}
