//go:build e2e

package main_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// related serves a family: fam, with back and front below it. The id x-same1 is in both fam and
// front.
func related(t *testing.T) *shelf {
	t.Helper()
	p := build(t, "cp").in(t, nil)
	p.must(`git config --global user.name Penny; git config --global user.email p@x
		for d in fam fam/back fam/front; do mkdir -p $d; n=$(basename $d); (cd $d; git init -q .; cp init --prefix $(echo $n | cut -c1-2) >/dev/null
			printf -- '---\nid: %s-root\ntitle: Root of %s\nsummary: When in %s\n---\nText of %s, zebra.\n' $(echo $n | cut -c1-2) $n $n $n > root.md
			mkdir root; printf -- '---\nid: %s-kid\ntitle: Kid of %s\nsummary: When below %s\n---\nBelow, zebra.\n' $(echo $n | cut -c1-2) $n $n > root/kid.md
			[ $n = back ] || printf -- '---\nid: x-same1\ntitle: Same in %s\nsummary: When the same\n---\nHere %s.\n' $n $n > same.md
			cp memory sync >/dev/null); done
		(cd fam/back; cp memory capture decision 'Use a queue' --body 'It is there.'; cp memory observe 'It hangs at noon'; cp memory fact add ba-root --relation 'gateway|runs on|nomad') >/dev/null`)
	p.dir = filepath.Join(p.dir, "fam")
	s := &shelf{program: p}
	s.serve(t)
	return s
}

// The pages of a family are for everybody, too: the full addresses, the choice of an id that
// two vaults have, and what all answer together.
func TestE2EAxeFamily(t *testing.T) {
	ctx := tab(t)
	s := related(t)
	goTo(t, ctx, s.link)
	accessible(t, ctx, s.base, "/", "/p/back/", "/p/back/m/ba-root", "/p/back/m/ba-root/edit", "/p/back/m/ba-root/history", "/p/back/m/ba-root/delete", "/p/back/m/nothing", "/m/x-same1", "/search?q=zebra", "/p/front/search?q=zebra", "/journal", "/review", "/graph?of=nomad", "/entity?name=nomad", "/changes", "/health")
}

// With scripts off a family can be read, searched and edited, from the choice of an id to the
// vault that holds it.
func TestE2EFamilyWithoutScripts(t *testing.T) {
	ctx := tab(t)
	s := related(t)
	goTo(t, ctx, s.link)
	withoutScripts(t, ctx)
	click := func(link, path string) {
		t.Helper()
		if err := chromedp.Do(ctx, chromedp.Click(link)); err != nil {
			t.Fatalf("%s: %v", link, err)
		}
		becomes(t, ctx, `location.pathname === "`+path+`" && document.readyState === "complete"`)
	}
	has := func(text string) {
		t.Helper()
		// innerText lacks the rows that are below the window and so not laid out yet.
		if got := page[string](t, ctx, "document.body.textContent"); !strings.Contains(got, text) {
			t.Fatalf("%s does not hold %q:\n%s", page[string](t, ctx, "location.pathname"), text, got)
		}
	}
	has("Projects below")
	click(`main a[href="/p/back/"]`, "/p/back/")
	click(`main a[href="/p/back/m/ba-root"]`, "/p/back/m/ba-root")
	has("When below back")
	click(`main .rows a[href="/p/back/m/ba-kid"]`, "/p/back/m/ba-kid")
	click("#edit", "/p/back/m/ba-kid/edit")
	if err := chromedp.Do(ctx, chromedp.SendKeys("#body", "Typed in a family. "), chromedp.Click("button.main"), chromedp.WaitReady(".said")); err != nil {
		t.Fatal(err)
	}
	has("Typed in a family.")
	if said := s.must("git -C back log -1 --format=%s"); !strings.Contains(said, "update ba-kid") {
		t.Errorf("the commit of the vault below is %q", said)
	}
	goTo(t, ctx, s.base+"/m/x-same1")
	has("is in 2 projects")
	click(`main a[href="/p/front/m/x-same1"]`, "/p/front/m/x-same1")
	has("Here front.")
	if err := chromedp.Do(ctx, chromedp.SendKeys("#q", "zebra\r")); err != nil {
		t.Fatal(err)
	}
	becomes(t, ctx, `location.pathname === "/search" && document.readyState === "complete"`)
	has("6 memories")
	click(`main .rows a[href="/p/back/m/ba-root"]`, "/p/back/m/ba-root")
}

// What changes in a vault below is on its page at once, and search as one types finds it with
// its project.
func TestE2EFamilyFollows(t *testing.T) {
	ctx := tab(t)
	s := related(t)
	goTo(t, ctx, s.link)
	goTo(t, ctx, s.base+"/p/back/m/ba-root")
	becomes(t, ctx, live)
	s.must("cd front && cp memory update fr-root --append 'Elsewhere.'")
	s.must("cd back && cp memory update ba-root --append 'Followed below.'")
	pageHas(t, ctx, "Followed below.")
	if err := chromedp.Do(ctx, chromedp.SendKeys("#q", "root of b")); err != nil {
		t.Fatal(err)
	}
	becomes(t, ctx, `[...document.querySelectorAll("#jump a")].some(a => a.getAttribute("href") === "/p/back/m/ba-root" && a.textContent.includes("back"))`)
}
