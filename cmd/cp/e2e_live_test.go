//go:build e2e

package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// pageHas waits until the page of a memory has the text.
func pageHas(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	becomes(t, ctx, `document.querySelector("#prose").innerText.includes(`+quote(text)+`)`)
}

func quote(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// followed opens the page of a memory in a tab that hears of changes.
func followed(t *testing.T) (ctx context.Context, s *shelf, root string) {
	t.Helper()
	ctx = tab(t)
	s, root, _ = shelved(t)
	goTo(t, ctx, s.link)
	goTo(t, ctx, s.base+"/m/"+root)
	becomes(t, ctx, live)
	return ctx, s, root
}

// live is true in a tab that hears of changes by a stream of its own.
const live = `document.documentElement.dataset.live === "yes"`

// saves saves a file as editors do: a new file takes the place of the old one.
func (s *shelf) saves(t *testing.T, name, text string) {
	t.Helper()
	full := filepath.Join(s.dir, name)
	if err := os.WriteFile(full+"~", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(full+"~", full); err != nil {
		t.Fatal(err)
	}
}

// A file that an editor saves is on the page without a reload, and so is what a checkout of
// another branch brings. How long it takes is told.
func TestE2EEditorAndCheckout(t *testing.T) {
	ctx, s, root := followed(t)
	page[bool](t, ctx, `window.same = true`)
	old := s.read("deployment.md")
	for i := range 5 {
		text := fmt.Sprintf("Saved the %dth time.", i)
		began := time.Now()
		s.saves(t, "deployment.md", strings.Replace(old, "Nomad, gateway and worker.", text, 1))
		pageHas(t, ctx, text)
		t.Logf("on the page %v after it was saved", time.Since(began).Round(time.Millisecond))
	}
	s.must("git checkout -q -- . && git checkout -q -b other")
	s.must("cp memory update " + root + " --append 'On another branch.'")
	pageHas(t, ctx, "On another branch.")
	s.must("git checkout -q -")
	becomes(t, ctx, `!document.querySelector("#prose").innerText.includes("On another branch.")`)
	s.must("git checkout -q other")
	pageHas(t, ctx, "On another branch.")
	if !page[bool](t, ctx, `window.same === true`) {
		t.Error("the page was loaded anew")
	}
}

// Eight tabs of one browser all follow the vault, and a ninth page still opens: they share one
// stream, since a browser opens six connections to a server and no more.
func TestE2EEightTabs(t *testing.T) {
	first := tab(t)
	s, root, _ := shelved(t)
	goTo(t, first, s.link)
	tabs := []context.Context{first}
	for len(tabs) < 8 {
		tabs = append(tabs, another(t, first))
	}
	for _, ctx := range tabs {
		goTo(t, ctx, s.base+"/m/"+root)
	}
	becomesOne(t, tabs, live)
	s.must("cp memory update " + root + " --append 'For all of them.'")
	for _, ctx := range tabs {
		pageHas(t, ctx, "For all of them.")
	}
	ninth := another(t, first)
	goTo(t, ninth, s.base+"/m/"+root)
	pageHas(t, ninth, "For all of them.")
	n := 0
	for _, ctx := range tabs {
		if page[bool](t, ctx, live) {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d of the tabs have a stream of their own, want 1", n)
	}
	// The one that listens is closed: another one takes its place.
	for i, ctx := range tabs {
		if page[bool](t, ctx, live) {
			goTo(t, ctx, "about:blank")
			tabs = append(tabs[:i], tabs[i+1:]...)
			break
		}
	}
	becomesOne(t, tabs, live)
	s.must("cp memory update " + root + " --append 'For the seven.'")
	for _, ctx := range tabs {
		pageHas(t, ctx, "For the seven.")
	}
}

// becomesOne waits until it is true in one of the tabs.
func becomesOne(t *testing.T, tabs []context.Context, js string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		for _, ctx := range tabs {
			if page[bool](t, ctx, js) {
				return
			}
		}
	}
	t.Fatalf("in no tab: %s", js)
}

// A tab that slept has what happened meanwhile when it wakes and is looked at, and follows again.
func TestE2ESleepAndWake(t *testing.T) {
	ctx, s, root := followed(t)
	state := func(to cdp.SetWebLifecycleStateState) {
		t.Helper()
		if _, err := chromedp.Call(ctx, cdp.SetWebLifecycleState, cdp.SetWebLifecycleStateParams{State: to}); err != nil {
			t.Fatal(err)
		}
	}
	state(cdp.SetWebLifecycleStateStateFrozen)
	s.must("cp memory update " + root + " --append 'While it slept.'")
	state(cdp.SetWebLifecycleStateStateActive)
	// Awake, the tab is still behind the others; this brings it to the front.
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	pageHas(t, ctx, "While it slept.")
	s.must("cp memory update " + root + " --append 'After it woke.'")
	pageHas(t, ctx, "After it woke.")
}

// A server that is killed in the middle of a save has saved all of it or nothing, what it had
// answered stands, and the next one goes on.
func TestE2EKilledInASave(t *testing.T) {
	chromium(t) // one line for all of these tests
	s, root, _ := shelved(t)
	saved := "Nomad, gateway and worker."
	for i := range 12 {
		client := s.client(t)
		text := fmt.Sprintf("Saved by the %dth server.", i)
		was := s.must("cp memory show " + root + " -o json")
		var now struct{ Hash, Title, Summary, Status, Content string }
		if err := json.Unmarshal([]byte(was), &now); err != nil {
			t.Fatal(err)
		}
		form := url.Values{"hash": {now.Hash}, "title": {now.Title}, "summary": {now.Summary}, "status": {now.Status}, "body": {text}, "do": {"save"},
			"base": {now.Content}, "base_title": {now.Title}, "base_summary": {now.Summary}, "base_status": {now.Status}, "labels": {""}, "base_labels": {""}}
		answered := make(chan bool)
		go func() {
			client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
			answer, err := client.PostForm(s.base127()+"/m/"+root+"/edit", form)
			answered <- err == nil && answer.StatusCode == http.StatusSeeOther
		}()
		time.Sleep(time.Duration(rand.IntN(120)) * time.Millisecond)
		_ = s.server.Process.Kill()
		_ = s.server.Wait()
		done := <-answered
		s.must("cp memory status >/dev/null; git fsck --strict")
		switch text0 := s.read("deployment.md"); {
		case strings.Contains(text0, text):
			saved = text
		case done:
			t.Fatalf("it answered, and then had nothing:\n%s", text0)
		case !strings.Contains(text0, saved):
			t.Fatalf("neither the old text nor the new one:\n%s", text0)
		}
		if dirty := s.must("git status --porcelain"); dirty != "" {
			t.Errorf("after kill %d: %s", i, dirty)
		}
		s.serve(t)
	}
}
