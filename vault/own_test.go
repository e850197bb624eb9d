package vault

import (
	"strings"
	"testing"
	"time"
)

// TestRenderTakesFrontMatter: a text that brings a front matter of its own gets no second one.
func TestRenderTakesFrontMatter(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, row := range map[string]struct{ text, want string }{
		"all of it": {"---\ntitle: Own # says who\ntags: [z]\nsummary: when own\ncreated: 2020-01-01\nx-y: {a: 1}\nid: elsewhere\napproved_by: me\n---\nText\n",
			"---\nid: pf-1\ntitle: Own # says who\ntags: [z]\nsummary: when own\ncreated: 2020-01-01\nx-y: {a: 1}\ntype: memory\nstatus: open\nlabels: [z, ours]\n---\nText\n"},
		"none":         {"Text", "---\nid: pf-1\ntype: memory\nstatus: open\nlabels: [ours]\ncreated: 2026-01-02T03:04:05Z\n---\nText\n"},
		"a break":      {"---\n\nText\n---\n", "---\nid: pf-1\ntype: memory\nstatus: open\nlabels: [ours]\ncreated: 2026-01-02T03:04:05Z\n---\n---\n\nText\n---\n"},
		"only unknown": {"---\nlayout: post\n---\n", "---\nid: pf-1\nlayout: post\ntype: memory\nstatus: open\nlabels: [ours]\ncreated: 2026-01-02T03:04:05Z\n---\n"},
		"closed":       {"---\nstatus: closed\n---\nx\n", "---\nid: pf-1\nstatus: closed\ntype: memory\nlabels: [ours]\ncreated: 2026-01-02T03:04:05Z\n---\nx\n"},
	} {
		got, err := Render(&Memory{ID: "pf-1", Prose: row.text, Header: Header{Labels: []string{"ours"}, Created: at}})
		if err != nil || string(got) != row.want {
			t.Errorf("%s: %v\ngot\n%s\nwant\n%s", name, err, got, row.want)
		}
	}
	if _, err := OwnOf("---\ntitle: a: b\n---\nText\n"); CodeOf(err) != CodeInvalid || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a broken one: got %v", err)
	}
}
