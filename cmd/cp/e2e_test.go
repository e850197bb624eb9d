//go:build e2e

package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// The memory browser in a real Chromium. "make e2e" runs these; without a browser they are
// skipped, loudly, and where CI or CP_E2E is set they fail.

// chromium is where the browser is, and the line that gets it.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium-headless-shell", "chromium", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const line = "NO BROWSER: nothing of the memory browser was tested; on Debian: apt-get install -y --no-install-recommends chromium-headless-shell fonts-dejavu-core"
	if os.Getenv("CI") != "" || os.Getenv("CP_E2E") == "1" {
		t.Fatal(line)
	}
	t.Skip(line)
	return ""
}

// tab starts a browser with one tab. The tab lives as long as the test.
func tab(t *testing.T, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(chromium(t)),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	opts = append(opts, more...)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(func() { end(); stop() })
	if err := chromedp.Do(ctx); err != nil { // the first call binds the tab to its context
		t.Fatal(err)
	}
	return ctx
}

// open opens another tab of the same browser.
func another(t *testing.T, ctx context.Context) context.Context {
	t.Helper()
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(end)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// page runs JavaScript in the tab's page and returns what it is.
func page[T any](t *testing.T, ctx context.Context, js string) T {
	t.Helper()
	got, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", js, err)
	}
	return got
}

// becomes waits until a JavaScript expression is true. A page that is being left has no answer.
func becomes(t *testing.T, ctx context.Context, js string) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); <-tick.C {
		if yes, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+js+")")); err == nil && yes {
			return
		}
	}
	html, _ := chromedp.Run(ctx, chromedp.Evaluate[string]("document.body.innerText.slice(0, 1500)"))
	t.Fatalf("never: %s\n%s", js, html)
}

func goTo(t *testing.T, ctx context.Context, address string) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		t.Fatalf("%s: %v", address, err)
	}
}

// served is a vault with the memory browser before it.
type shelf struct {
	*program
	base, link string
	links      []string // each logs a browser in once
	server     *exec.Cmd
}

// shelved serves a vault with two memories, and returns it with their ids.
func shelved(t *testing.T) (s *shelf, root, sub string) {
	t.Helper()
	p := build(t, "cp").in(t, nil)
	p.must(`git config --global user.name Penny; git config --global user.email p@x; cp init v --prefix pf`)
	p.dir = filepath.Join(p.dir, "v")
	id := func(line string) string {
		var out struct{ ID string }
		if err := json.Unmarshal([]byte(p.must(line)), &out); err != nil {
			t.Fatal(err)
		}
		return out.ID
	}
	root = id(`cp memory add --title Deployment --summary 'When you release' 'Nomad, gateway and worker.' -o json`)
	sub = id(`cp memory add-sub ` + root + ` --title Rollback --summary 'Steps to revert' --body 'nomad job revert' -o json`)
	s = &shelf{program: p}
	s.serve(t)
	return s, root, sub
}

// serve starts the server, with flags. It ends with the test.
func (s *shelf) serve(t *testing.T, flags ...string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(s.bin, "cp"), append([]string{"memory", "browse", "-o", "jsonl"}, flags...)...)
	cmd.Dir, cmd.Env = s.dir, s.env
	s.server, s.links = cmd, browsing(t, cmd)
	s.link = s.links[0] // of its own name below localhost
	s.base, _, _ = strings.Cut(s.link, "/login")
}

// With scripts off everything can be read, searched, edited and decided.
func TestE2EWithoutScripts(t *testing.T) {
	ctx := tab(t)
	s, root, _ := shelved(t)
	goTo(t, ctx, s.link)
	withoutScripts(t, ctx)
	has := func(text string) {
		t.Helper()
		html, err := chromedp.Run(ctx, chromedp.OuterHTML("html"))
		if err != nil || !strings.Contains(html, text) {
			t.Fatalf("the page does not hold %q: %v\n%s", text, err, html)
		}
	}
	has("When you release")
	goTo(t, ctx, s.base+"/m/"+root)
	has("Steps to revert")
	if err := chromedp.Do(ctx, chromedp.SendKeys("#q", "revert\r")); err != nil {
		t.Fatal(err)
	}
	becomes(t, ctx, `location.pathname === "/search" && document.readyState === "complete"`) // the page before has rows, too
	has("Rollback")
	goTo(t, ctx, s.base+"/m/"+root+"/edit")
	if err := chromedp.Do(ctx, chromedp.SendKeys("#body", "Typed without a script."), chromedp.Click("button.main"), chromedp.WaitReady(".said")); err != nil {
		t.Fatal(err)
	}
	has("Typed without a script.")
	if !strings.Contains(s.read("deployment.md"), "Typed without a script.") {
		t.Error("the file does not have it")
	}
}

// withoutScripts keeps the script of the pages from a tab. Chromium's own switch stops the
// driver's questions, too; the pages have one script, and it does not arrive.
func withoutScripts(t *testing.T, ctx context.Context) {
	t.Helper()
	if _, err := chromedp.Call(ctx, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{{URLPattern: "*://*:*/static/script-*", Block: true}}}); err != nil {
		t.Fatal(err)
	}
}

// Nobody is kept out: axe finds nothing on any page, in light, in dark and on a phone.
func TestE2EAxe(t *testing.T) {
	ctx := tab(t)
	s, root, _ := shelved(t)
	s.must(`cp memory observe 'It hangs at midnight'; cp memory capture decision 'Use Nomad' --body 'It is there.'; cp memory fact add ` + root + ` --relation 'gateway|runs on|nomad'`)
	s.must(`printf 'More\n\n| a | b |\n|--|--|\n| x | y |\n\n` + "```" + `\ncode\n` + "```" + `\n\n<b>raw</b>\n' > more.md`)
	goTo(t, ctx, s.link)
	accessible(t, ctx, s.base, "/", "/m/"+root, "/m/"+root+"/edit", "/m/"+root+"/history", "/m/"+root+"/blame", "/m/"+root+"/diff?from=HEAD~1", "/m/"+root+"/move", "/m/"+root+"/delete", "/new?parent="+root, "/at?p=more.md", "/search?q=nomad", "/journal", "/review", "/findings", "/graph?of="+root, "/map", "/entities", "/entity?name=nomad", "/changes", "/health", "/keys", "/m/nothing")
}

// accessible fails where axe finds a violation on a page, in light, in dark and on a phone, and
// where a page is wider than its window or has not one first heading.
func accessible(t *testing.T, ctx context.Context, base string, pages ...string) {
	t.Helper()
	axe, err := os.ReadFile("../../testdata/e2e/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatalf("npm ci --ignore-scripts --prefix testdata/e2e: %v", err)
	}
	for _, setting := range []struct {
		name, scheme string
		width        int64
	}{{"light", "light", 1280}, {"dark", "dark", 1280}, {"phone", "light", 390}} {
		inColours(t, ctx, setting.scheme)
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(setting.width, 900)); err != nil {
			t.Fatal(err)
		}
		for _, at := range pages {
			goTo(t, ctx, base+at)
			page[bool](t, ctx, string(axe)+";true")
			found := page[string](t, ctx, `axe.run({runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}).then(r => r.violations.map(v => v.id + ": " + v.nodes.map(n => n.html).slice(0, 3).join(" ")).join("\n"))`)
			if found != "" {
				t.Errorf("%s, %s: %s", setting.name, at, found)
			}
			if wide := page[int](t, ctx, "document.documentElement.scrollWidth"); int64(wide) > setting.width {
				t.Errorf("%s, %s: %d pixels wide", setting.name, at, wide)
			}
			if n := page[int](t, ctx, `document.querySelectorAll("h1").length`); n != 1 {
				t.Errorf("%s, %s: %d first headings", setting.name, at, n)
			}
		}
	}
}

// inColours has a person ask for light or for dark colours.
func inColours(t *testing.T, ctx context.Context, scheme string) {
	t.Helper()
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}); err != nil {
		t.Fatal(err)
	}
}

// The pictures are dark where the page is.
func TestE2EPicturesInTheDark(t *testing.T) {
	ctx := tab(t)
	s, root, _ := shelved(t)
	goTo(t, ctx, s.link)
	for scheme, want := range map[string]string{"light": "rgb(255, 255, 255)", "dark": "rgb(22, 24, 28)"} {
		inColours(t, ctx, scheme)
		for _, at := range []string{"/m/" + root, "/graph?of=" + root, "/map"} {
			goTo(t, ctx, s.base+at)
			if paper := page[string](t, ctx, `getComputedStyle(document.querySelector("svg .paper")).fill`); paper != want {
				t.Errorf("%s, %s: the paper is %s, want %s", scheme, at, paper, want)
			}
			if around := page[string](t, ctx, `getComputedStyle(document.querySelector(".picture")).backgroundColor`); around != want {
				t.Errorf("%s, %s: around the paper it is %s, want %s", scheme, at, around, want)
			}
		}
	}
}

// Nothing that a memory holds runs. A probe of our own says that the page was there and that a
// script would have been seen.
func TestE2ENothingRuns(t *testing.T) {
	ctx := tab(t)
	s, _, _ := shelved(t)
	payloads := []string{`<script>hit()</script>`, `<img src=x onerror=hit()>`, `<svg onload=hit()>`, `[a](javascript:hit())`, `<iframe srcdoc="<script>parent.hit()</script>">`, `<a href="javascript:hit()" id=c>x</a>`, `<details open ontoggle=hit()>`, `"><script>hit()</script>`, `</textarea><script>hit()</script>`, `</title><script>hit()</script>`, `<base href="https://evil.test/">`, `<meta http-equiv=refresh content="0;url=https://evil.test">`, `<form action="https://evil.test"><button>`, `<style>@import "https://evil.test"</style>`, `<math><mtext></mtext><mglyph><style></math><img src onerror=hit()>`, `![](data:text/html,<script>hit()</script>)`, "`<script>hit()</script>`", `<x style="animation-name:y" onanimationstart=hit()>`, `[[x|<img src=x onerror=hit()>]]`, `<noscript><p title="</noscript><img src=x onerror=hit()>">`, `<img name=getElementById>`, `<input id=main autofocus onfocus=hit()>`, `{{constructor.constructor('hit()')()}}`, `<template><script>hit()</script></template>`, `<object data="data:text/html,<script>hit()</script>">`, `<embed src="javascript:hit()">`}
	for i, p := range payloads {
		quoted, _ := json.Marshal(p)
		s.write(fmt.Sprintf("x%d.md", i), "---\ntitle: "+string(quoted)+"\nsummary: "+string(quoted)+"\nlabels: ["+string(quoted)+"]\n---\n"+p+"\n")
	}
	s.must(`cp memory sync`)
	goTo(t, ctx, s.link)
	pages := []string{"/", "/map", "/search?q=hit", "/changes", "/search?q=%3Cscript%3Ehit()%3C/script%3E"}
	for i := range payloads {
		pages = append(pages, fmt.Sprintf("/at?p=x%d.md", i))
	}
	for _, at := range pages {
		nothingRan(t, ctx, s.base, at)
	}
}

// nothingRan opens a page and fails if anything on it ran, or could run.
func nothingRan(t *testing.T, ctx context.Context, base, at string) {
	t.Helper()
	goTo(t, ctx, base+at)
	// "hit" is there before anything that waits could call it, and is called once by us.
	if page[int](t, ctx, `window.hits = window.hits || 0; window.hit = window.alert = window.confirm = window.prompt = () => { window.hits++; }; hit(); document.querySelectorAll("main").length`) != 1 {
		t.Errorf("%s: no page", at)
	}
	page[bool](t, ctx, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	if n := page[int](t, ctx, "window.hits"); n != 1 {
		t.Errorf("%s: the probe was hit %d times, want once, by us", at, n)
	}
	if n := page[int](t, ctx, `[...document.querySelectorAll("*")].filter(e => [...e.attributes].some(a => a.name.startsWith("on")) || ["IFRAME", "OBJECT", "EMBED", "BASE", "STYLE", "META"].includes(e.tagName) && !e.matches("head > meta[charset], head > meta[name=viewport]") || e.tagName === "SCRIPT" && !e.src.includes("/static/script-")).length`); n != 0 {
		t.Errorf("%s: %d active elements", at, n)
	}
	if !strings.HasPrefix(page[string](t, ctx, "location.href"), base) {
		t.Fatalf("%s led away", at)
	}
}

// A file that is saved in an editor is on the page; a page that is being edited is not replaced,
// and what two tabs write is lost to neither.
func TestE2ELiveAndConflict(t *testing.T) {
	ctx := tab(t)
	s, root, _ := shelved(t)
	goTo(t, ctx, s.link)
	editing := another(t, ctx)
	goTo(t, editing, s.base+"/m/"+root+"/edit")
	goTo(t, ctx, s.base+"/m/"+root)
	if err := chromedp.Do(editing, chromedp.SendKeys("#body", "MINE ")); err != nil {
		t.Fatal(err)
	}
	typed := page[string](t, editing, `document.querySelector("#body").value`)
	began := time.Now()
	s.must(`cp memory update ` + root + ` --append 'Written meanwhile.'`)
	page[bool](t, ctx, `document.dispatchEvent(new Event("visibilitychange")); true`) // it looks at once, too
	becomes(t, ctx, `document.querySelector("#prose").innerText.includes("Written meanwhile.")`)
	t.Logf("the page has it %v after the command began", time.Since(began))
	if now := page[string](t, editing, `document.querySelector("#body").value`); now != typed {
		t.Errorf("the form was replaced: %q", now)
	}
	if err := chromedp.Do(editing, chromedp.Click("button.main"), chromedp.WaitReady("[role=alert]")); err != nil {
		t.Fatal(err)
	}
	if now := page[string](t, editing, `document.querySelector("#body").value`); !strings.Contains(now, "MINE") || !strings.Contains(now, "Written meanwhile.") {
		t.Errorf("the form after the conflict has not both: %q", now)
	}
	if err := chromedp.Do(editing, chromedp.Click("button.main"), chromedp.WaitReady("input[name=marked]"), // the marks stand: it is not saved
		chromedp.Click("input[name=marked]"), chromedp.Click("button.main"), chromedp.WaitReady(".said")); err != nil {
		t.Fatal(err)
	}
	if text := s.read("deployment.md"); !strings.Contains(text, "MINE") || !strings.Contains(text, "Written meanwhile.") {
		t.Errorf("the file has not both:\n%s", text)
	}
}

// By the keyboard alone, and as one types.
func TestE2EKeysAndSearch(t *testing.T) {
	ctx := tab(t)
	s, root, sub := shelved(t)
	goTo(t, ctx, s.link)
	if err := chromedp.Do(ctx, chromedp.KeyEvent("/")); err != nil {
		t.Fatal(err)
	}
	becomes(t, ctx, `document.activeElement.id === "q"`)
	page[bool](t, ctx, `document.querySelector("#q").value = ""; true`) // the driver sends the letter of a key on its own
	if err := chromedp.Do(ctx, chromedp.SendKeys("#q", "rollb")); err != nil {
		t.Fatal(err)
	}
	becomes(t, ctx, `[...document.querySelectorAll("#jump a")].some(a => a.getAttribute("href") === "/m/`+sub+`" && a.querySelector("mark")?.textContent === "Rollb")`)
	goTo(t, ctx, s.base+"/m/"+sub)
	for _, step := range []struct{ keys, path string }{{"h", "/m/" + root}, {"e", "/m/" + root + "/edit"}} {
		if err := chromedp.Do(ctx, chromedp.KeyEvent(step.keys)); err != nil {
			t.Fatal(err)
		}
		becomes(t, ctx, `location.pathname === "`+step.path+`" && document.readyState === "complete"`) // before, no key is heard
	}
	goTo(t, ctx, s.base+"/m/"+root)
	if err := chromedp.Do(ctx, chromedp.KeyEvent("?")); err != nil {
		t.Fatal(err)
	}
	becomes(t, ctx, `document.querySelector("dialog").open`)
}

// Each key of the table does what its help says, outside of fields and without other keys held
// down, and not at all once they are switched off.
func TestE2EEachKey(t *testing.T) {
	ctx := tab(t)
	s, root, sub := shelved(t)
	goTo(t, ctx, s.link)
	press := func(keys ...string) {
		t.Helper()
		for _, key := range keys {
			if err := chromedp.Do(ctx, chromedp.KeyEvent(key)); err != nil {
				t.Fatal(err)
			}
		}
	}
	at := func(path string) {
		t.Helper()
		becomes(t, ctx, `location.pathname === "`+path+`" && document.readyState === "complete"`)
	}
	press("j")
	becomes(t, ctx, `document.activeElement.getAttribute("href") === "/m/`+root+`"`)
	press("\r")
	at("/m/" + root)
	press("j", "j", "k")
	becomes(t, ctx, `document.activeElement.getAttribute("href") === "/m/`+sub+`"`)
	press("\r")
	at("/m/" + sub)
	press("[")
	becomes(t, ctx, `document.activeElement.matches("#tree a[aria-current]")`)
	press("g", "h")
	at("/m/" + sub + "/history")
	press("h")
	at("/m/" + sub)
	press("g", "g")
	at("/graph")
	press("g", "r")
	at("/review")
	goTo(t, ctx, s.base+"/m/"+sub)
	press("?")
	becomes(t, ctx, `document.querySelector("dialog").open`)
	press("\x1b")
	becomes(t, ctx, `!document.querySelector("dialog").open`)
	if err := chromedp.Do(ctx, chromedp.KeyEvent("e", chromedp.KeyModifiers(chromedp.ModifierCtrl))); err != nil {
		t.Fatal(err)
	}
	page[bool](t, ctx, `document.querySelector("#q").focus(); true`)
	press("h") // typed into the field
	becomes(t, ctx, `document.querySelector("#q").value === "h" && location.pathname === "/m/`+sub+`"`)
	press("\x1b")
	becomes(t, ctx, `document.activeElement.id !== "q"`)
	goTo(t, ctx, s.base+"/keys")
	if n, want := page[int](t, ctx, `document.querySelectorAll("main tr[data-do]").length`), page[int](t, ctx, `document.querySelectorAll("dialog tr[data-do]").length`); n != want || n != 10 {
		t.Errorf("the help has %d keys, the script %d, and this test knows 10", n, want)
	}
	if err := chromedp.Do(ctx, chromedp.Click("#nokeys")); err != nil {
		t.Fatal(err)
	}
	goTo(t, ctx, s.base+"/m/"+sub)
	press("e", "h", "?")
	if path := page[string](t, ctx, `location.pathname + document.querySelector("dialog").open`); path != "/m/"+sub+"false" {
		t.Errorf("keys that are switched off led to %s", path)
	}
}

// What was typed and not saved is still there when the page is opened again, and gone once it is saved.
func TestE2EDraft(t *testing.T) {
	ctx := tab(t)
	s, root, sub := shelved(t)
	goTo(t, ctx, s.link)
	goTo(t, ctx, s.base+"/m/"+root+"/edit")
	if err := chromedp.Do(ctx, chromedp.SendKeys("#body", "Typed and left. ")); err != nil {
		t.Fatal(err)
	}
	goTo(t, ctx, s.base+"/m/"+sub)
	goTo(t, ctx, s.base+"/m/"+root+"/edit")
	if err := chromedp.Do(ctx, chromedp.Click(".note button"), chromedp.Click("button.main"), chromedp.WaitReady(".said")); err != nil {
		t.Fatal(err)
	}
	if text := s.read("deployment.md"); !strings.Contains(text, "Typed and left.") {
		t.Errorf("the draft was not saved:\n%s", text)
	}
	goTo(t, ctx, s.base+"/m/"+root+"/edit")
	if page[bool](t, ctx, `!!document.querySelector(".note button") || Object.keys(sessionStorage).some(k => k.startsWith("draft"))`) {
		t.Error("a draft that was saved is offered again")
	}
}
