package index

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

func TestSearch(t *testing.T) {
	f := newFolder(t, false)
	write := func(path, id, keys, text string) { f.write(path, "---\nid: pf-"+id+"\n"+keys+"---\n"+text+"\n") }
	write("deploy.md", "deploy", "title: Deployments\nlabels: [nomad]\n", "How the services are rolled out.\n\n<!-- sub-memories -->\n[\n  {\"id\": \"pf-stuck\", \"title\": \"Stuck\", \"summary\": \"when an allocation hangs\"}\n]\n<!-- /sub-memories -->")
	write("deploy/stuck.md", "stuck", "summary: when an allocation hangs\n", "A long text that mentions deployments once, among many other words about other things.")
	write("closed.md", "closed", "status: closed\n", "Deployments of old.")
	write("task.md", "task", "type: task\n", "Deployments to do.")
	write("code.md", "code", "title: Code\n", "Call parseHTTPRequest of OpenTelemetry from snake_case_name in sqlite.go, C++ and F#.")
	write("ja.md", "ja", "title: 移行計画\n", "データベースの移行について。水")
	write("zh.md", "zh", "title: 数据库\n", "迁移到新的服务器")
	write("ko.md", "ko", "title: 배포\n", "데이터베이스를 배포합니다")
	write("th.md", "th", "title: ภาษาไทย\n", "การย้ายฐานข้อมูลไปยังเซิร์ฟเวอร์ใหม่")
	write("ar.md", "ar", "title: نشر\n", "نشر الخدمة")
	write("fr.md", "fr", "title: Café\n", "Le résumé du dîner.")
	write("who.md", "who", "title: The Who\n", "A band.")
	write("harbour/pier/crane.md", "crane", "title: Lifting\n", "Forty tons.")
	d := f.caughtUp()
	for _, row := range []struct{ query, want string }{
		{"deploy", "deploy stuck"}, // the title weighs more; closed ones and tasks are left out
		{"DEPLOYING", "deploy stuck"},
		{"allocation", "stuck"}, // the pointer block is no text of the parent
		{"nomad", "deploy"},
		{"http request", "code"},
		{"parsehttprequest", "code"},
		{"opentelemetry", "code"},
		{"snake_case_name", "code"},
		{"SnakeCaseName", "code"},
		{"sqlite.go", "code"},
		{"C++", "code"},
		{"f#", "code"},
		{"移行", "ja"},
		{"データベース", "ja"},
		{"水", "ja"},
		{"迁移", "zh"},
		{"数据", "zh"},
		{"배포", "ko"},
		{"데이터", "ko"},
		{"ฐานข้อมูล", "th"},
		{"ไทย", "th"},
		{"الخدمة", "ar"},
		{"cafe", "fr"},
		{"RÉSUMÉ", "fr"},
		{"the who", "who deploy"}, // nothing but stop words
		{"how is the band", "who"},
		{"crane", "crane"}, // its name, and its folder's, but no folder's above
		{"pier", "crane"},
		{"harbour", ""},
		{"absent", ""},
		{"", ""},
		{" \t ?!", ""},
	} {
		hits, total, err := d.Search(context.Background(), row.query, vault.ListOptions{})
		var got []string
		for _, h := range hits {
			got = append(got, strings.TrimPrefix(string(h.ID), "pf-"))
		}
		if err != nil || strings.Join(got, " ") != row.want || total != len(got) {
			t.Errorf("Search(%q) = %q of %d, %v; want %q", row.query, got, total, err, row.want)
		}
	}
}

func TestSearchFiltersAndPages(t *testing.T) {
	ctx := context.Background()
	f := newFolder(t, false)
	for i := range 50 {
		f.write(fmt.Sprintf("p/m%02d.md", i), fmt.Sprintf("---\nid: pf-%d\nlabels: [l%d]\nstatus: %s\n---\n%s\n", i, i%5, []string{"open", "closed"}[i%2], strings.Repeat("gateway ", i+1)))
	}
	f.write("p.md", "---\nid: pf-p\n---\ngateway\n")
	d := f.caughtUp()
	page, total, err := d.Search(ctx, "gateway", vault.ListOptions{Limit: 5, Offset: 20})
	if err != nil || len(page) != 5 || total != 26 {
		t.Errorf("%d of %d, %v; want 5 of 26", len(page), total, err)
	}
	seen := make(map[vault.ID]bool)
	for offset := 0; offset < 26; offset += 4 {
		page, _, err := d.Search(ctx, "gateway", vault.ListOptions{Limit: 4, Offset: offset})
		if err != nil {
			t.Fatal(err)
		}
		for i, h := range page {
			if seen[h.ID] || i > 0 && h.Score > page[i-1].Score || h.Score <= 0 {
				t.Errorf("%s comes twice, or before a better one", h.ID)
			}
			seen[h.ID] = true
		}
	}
	if len(seen) != 26 {
		t.Errorf("%d on all pages, want 26", len(seen))
	}
	hits, total, err := d.Search(ctx, "gateway", vault.ListOptions{Under: "pf-p", Labels: []string{"l1"}, Status: []string{"closed"}})
	if err != nil || total != 5 || len(hits) != 5 || hits[0].Terms[0] != "gateway" {
		t.Errorf("%d of %d with filters, %v; want 5", len(hits), total, err)
	}
}

// FuzzSearch asks anything of a small vault: no query is an error.
func FuzzSearch(f *testing.F) {
	for _, s := range []string{`"`, `a" OR "b`, "AND", "NEAR(a b, 2)", "title: x", "a*", "-a", "^a", "C++", "user's", "sqlite.go", "a\x00b", "\xff\xfe", "\u202eabc\u202c",
		"(", "a AND", "{title} : a", "移行", "ไทย", strings.Repeat("word ", 20000), strings.Repeat("移", 50000), strings.Repeat("a", 100000)} {
		f.Add(s)
	}
	x := newFolder(f, false)
	x.write("a.md", "# A word\n\nAND title sqlite.go C++ user's 移行 ไทย\n")
	d := x.caughtUp()
	f.Fuzz(func(t *testing.T, query string) {
		hits, total, err := d.Search(context.Background(), query, vault.ListOptions{})
		if err != nil || len(hits) != total {
			t.Fatalf("%d of %d, %v", len(hits), total, err)
		}
	})
}
