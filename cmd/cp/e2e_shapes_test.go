//go:build e2e

package main_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// scripts are titles of two hundred characters in four scripts.
var scripts = map[string]string{
	"latin":  strings.Repeat("Bereitstellungsverfahren ", 8),
	"arabic": strings.Repeat("إجراءات النشر والاسترجاع ", 8),
	"thai":   strings.Repeat("ขั้นตอนการปรับใช้และการย้อน", 8),
	"han":    strings.Repeat("部署与回滚步骤说明", 22),
}

// shaped is a vault with a folder of 5,000 memories, a way of 20 levels, a text of 1 MB and
// the long titles.
func shaped(t *testing.T) *shelf {
	t.Helper()
	s, _, _ := shelved(t)
	header := func(id, title string) string {
		return "---\nid: pf-" + id + "\ntitle: " + title + "\nsummary: When you need " + title + "\n---\n"
	}
	for i := range 5000 {
		s.write(fmt.Sprintf("wide/n%04d.md", i), header(fmt.Sprintf("w%04d", i), fmt.Sprintf("Note %d", i))+"Words.\n")
	}
	s.write("wide.md", header("wide", "Wide")+"Many.\n")
	dir := ""
	for i := range 20 {
		s.write(dir+fmt.Sprintf("d%d.md", i), header(fmt.Sprintf("d%02d", i), fmt.Sprintf("Level %d", i))+"Deeper.\n")
		dir += fmt.Sprintf("d%d/", i)
	}
	s.write("long.md", header("long", "Long")+strings.Repeat("One line of a text that is long, with `code` and a [link](wide.md).\n", 16000))
	s.write("table.md", header("table", "Table")+"|"+strings.Repeat(" a wide column |", 40)+"\n|"+strings.Repeat("--|", 40)+"\n|"+strings.Repeat(" 1 |", 40)+"\n\n    "+strings.Repeat("code", 100)+"\n")
	for name, title := range scripts {
		s.write(name+".md", header(name, title)+title+"\n\n# "+title+"\n")
	}
	s.must("cp memory sync >/dev/null")
	return s
}

// No page is wider than the window, from 320 pixels on, whatever it holds.
func TestE2EShapes(t *testing.T) {
	ctx := tab(t)
	s := shaped(t)
	goTo(t, ctx, s.link)
	pages := []string{"/", "/m/pf-wide", "/m/pf-w4999", "/m/pf-d19", "/m/pf-long", "/m/pf-table", "/map", "/search?q=note", "/graph?of=pf-wide", "/graph?of=pf-d10&depth=3", "/changes", "/m/pf-arabic/edit", "/m/pf-wide/delete", "/m/pf-han/history"}
	for name := range scripts {
		pages = append(pages, "/m/pf-"+name)
	}
	for _, width := range []int64{320, 768, 2560} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 800)); err != nil {
			t.Fatal(err)
		}
		for _, at := range pages {
			goTo(t, ctx, s.base+at)
			if wide := page[int](t, ctx, "document.documentElement.scrollWidth"); int64(wide) > width {
				t.Errorf("%s is %d pixels wide in a window of %d: %s", at, wide, width, page[string](t, ctx, `[...document.querySelectorAll("main *, aside *, header *, nav *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map(e => e.outerHTML.slice(0, 120)).join("\n")`))
			}
		}
	}
	readings(t, ctx, s)
}

// readings looks at what the pages of the odd shapes say.
func readings(t *testing.T, ctx context.Context, s *shelf) {
	t.Helper()
	for name, want := range map[string]string{"arabic": "rtl", "latin": "ltr", "thai": "ltr", "han": "ltr"} {
		goTo(t, ctx, s.base+"/m/pf-"+name)
		if got := page[string](t, ctx, `[...document.querySelectorAll("h1, #prose p")].map(e => getComputedStyle(e).direction).join(" ")`); got != want+" "+want {
			t.Errorf("%s: its heading and text run %s, want %s", name, got, want)
		}
	}
	goTo(t, ctx, s.base+"/m/pf-d19")
	if n := page[int](t, ctx, `document.querySelectorAll("nav.crumbs li").length`); n != 19 {
		t.Errorf("the memory at level 20 has %d above it, want 19", n)
	}
	becomes(t, ctx, `document.querySelector("#tree a[aria-current]").textContent === "Level 19"`)
	goTo(t, ctx, s.base+"/m/pf-w4999") // its siblings by pages of 200, on the page that it is on
	if n := page[int](t, ctx, `document.querySelectorAll("#tree li li").length`); n != 200 {
		t.Errorf("the tree shows %d siblings, want 200", n)
	}
	becomes(t, ctx, `document.querySelector("#tree a[aria-current]").textContent === "Note 4999"`)
	page[bool](t, ctx, `[...document.querySelectorAll("#tree a[data-tree]")].find(a => a.textContent.includes("before")).click(); true`)
	becomes(t, ctx, `[...document.querySelectorAll("#tree a")].some(a => a.textContent === "Note 4700")`)
}
