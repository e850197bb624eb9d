package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/cmd/internal/web/page"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// A page about one vault has its project in its address, /p/NAME/…: an id may stand in several
// vaults of a family. NAME is the project's name where the family has one of that name, and
// else the name with a mark made of its path, which also always leads there. A vault that is
// alone needs none of it: /m/ID is the address there.

// place is a project of the family with the NAME of its pages.
type place struct {
	family.Project
	slug string
}

// baseAddress is what stands before the addresses of the project's pages.
func (p place) baseAddress() string { return "/p/" + url.PathEscape(p.slug) }

// placesOf names the projects of a family.
func placesOf(all []family.Project) (out []place) {
	named := map[string]int{}
	for _, p := range all {
		named[p.Name]++
	}
	for _, p := range all {
		slug := p.Name
		if named[p.Name] > 1 || !simple(p.Name) {
			slug = uniqueName(p)
		}
		out = append(out, place{p, slug})
	}
	return out
}

// simple reports whether a name can stand in an address as it is.
func simple(name string) bool {
	return name != "" && !strings.HasPrefix(name, ".") && name == cleanName(name)
}

// cleanName is a name without what has a meaning in an address.
func cleanName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.", r) {
			return r
		}
		return '-'
	}, name)
}

// uniqueName is a name that no other project has.
func uniqueName(p family.Project) string {
	sum := sha256.Sum256([]byte(p.Path))
	return strings.TrimLeft(cleanName(p.Name), ".") + "~" + hex.EncodeToString(sum[:4])
}

// findBySlug returns the projects that a NAME in an address means.
func findBySlug(all []place, slug string) (found []place) {
	for _, p := range all {
		if p.slug == slug || uniqueName(p.Project) == slug {
			return []place{p}
		}
		if p.Name == slug {
			found = append(found, p)
		}
	}
	return found
}

// known are the projects of the family as they were a moment ago.
type known struct {
	mu  sync.Mutex
	at  time.Time
	all []place
}

// stale is after how long the family is looked for anew. A page of a project that is not
// among the known ones looks at once.
const stale = 2 * time.Second

func (k *known) knownPlaces() (all []place, fresh bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.all, time.Since(k.at) < stale
}

func (k *known) setPlaces(fam *ask.Family) []place {
	all := placesOf(fam.Projects)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.all, k.at = all, time.Now()
	return all
}

// home opens the family of the project that is served, and looks at no file.
func (c *call) home(ctx context.Context, do func(*ask.Family) error) error {
	a := *c.App
	a.Warn, a.Progress = nil, nil
	return a.With(ctx, c.About.Flags, func(s *app.Session) error {
		fam, err := ask.Open(ctx, target.NewTarget(registry.New(&a, c.About), s), vault.Scope{None: true})
		if err != nil {
			return err
		}
		defer fam.Close()
		c.places, c.silent = c.family.setPlaces(fam), fam.Warnings
		return do(fam)
	})
}

// chooseProject finds the project that the address names, or for the address of a memory without one
// the project that has it. done says that the request is answered.
func (c *call) chooseProject(ctx context.Context, ofMemory bool) (done bool, err error) {
	fresh := false
	if c.places, fresh = c.family.knownPlaces(); !fresh && (c.slug != "" || ofMemory) {
		if err := c.home(ctx, func(*ask.Family) error { return nil }); err != nil {
			return false, err
		}
	}
	if c.slug == "" {
		if !ofMemory || len(c.places) < 2 {
			return false, nil
		}
		return c.resolveAddress(ctx)
	}
	found := findBySlug(c.places, c.slug)
	if len(found) == 0 && fresh {
		if err := c.home(ctx, func(*ask.Family) error { return nil }); err != nil {
			return false, err
		}
		found = findBySlug(c.places, c.slug)
	}
	switch len(found) {
	case 0:
		slug := c.slug
		c.slug = ""
		c.note(c.silent...) // it may be one of those that do not answer
		return false, vault.Errorf(vault.CodeNotFound, "the first page lists them", "there is no project '%s' here", vault.Clip(slug, 80))
	case 1:
		c.of, c.slug = &found[0].Project, found[0].slug
		return false, nil
	}
	return true, c.several(found, c.slug, strings.TrimPrefix(c.r.URL.EscapedPath(), "/p/"+url.PathEscape(c.slug)))
}

// resolveAddress answers the address of a memory without a project: it goes on to that of the one
// that has it, or lists those that do. A form is sent to the one.
func (c *call) resolveAddress(ctx context.Context) (done bool, err error) {
	var found []place
	err = c.home(ctx, func(fam *ask.Family) error {
		held := fam.Holding(ctx, c.id)
		for _, h := range held {
			found = append(found, placesWith(c.places, h.Project)...)
		}
		for _, m := range fam.Members {
			if len(held) == 0 && isInHistory(ctx, m.Session, c.id) {
				found = append(found, placesWith(c.places, m.Held[0])...)
			}
		}
		return nil
	})
	if err != nil || len(found) == 0 {
		return false, err
	}
	slices.SortStableFunc(found, func(a, b place) int { return strings.Compare(a.Path, b.Path) })
	found = slices.CompactFunc(found, func(a, b place) bool { return a.Path == b.Path })
	if len(found) > 1 {
		return true, c.several(found, c.id, c.r.URL.EscapedPath())
	}
	if c.r.Method == http.MethodGet {
		http.Redirect(c.w, c.r, found[0].baseAddress()+c.r.URL.RequestURI(), http.StatusSeeOther)
		return true, nil
	}
	c.of, c.slug = &found[0].Project, found[0].slug
	return false, nil
}

func placesWith(all []place, p family.Project) []place {
	if i := slices.IndexFunc(all, func(o place) bool { return o.Vault == p.Vault && o.Part == p.Part }); i >= 0 {
		return all[i : i+1]
	}
	return nil
}

// several lists what an address may mean.
func (c *call) several(found []place, ref, rest string) error {
	var paths []string
	body := fault{Hint: "choose one"}
	for _, p := range found {
		paths = append(paths, p.Path)
		to := p.baseAddress() + rest
		if c.r.Method == http.MethodGet && c.r.URL.RawQuery != "" {
			to += "?" + c.r.URL.RawQuery
		}
		body.Several = append(body.Several, page.Project{Name: p.Name, Path: p.Path, Href: to})
	}
	_ = c.r.ParseForm()
	body.Kept = c.formField("body")
	err := vault.Errorf(vault.CodeAmbiguous, "choose one: /p/PROJECT/…", "'%s' is in %d projects: %s", vault.Clip(ref, 80), len(found), strings.Join(paths, ", "))
	if c.json {
		return err
	}
	body.Message = fmt.Sprintf("“%s” is in %d projects.", vault.Clip(ref, 80), len(found))
	c.slug = ""
	return c.html(http.StatusMultipleChoices, c.frame("Several projects", ""), "fault", body)
}

// projectOfFile returns the project of a vault that a file belongs to.
func projectOfFile(all []place, root, file string) (place, bool) {
	var held []family.Project
	for _, p := range all {
		if p.Vault == root {
			held = append(held, p.Project)
		}
	}
	if p, ok := family.Holding(held, file); ok {
		if found := placesWith(all, p); len(found) > 0 {
			return found[0], true
		}
	}
	return place{}, false
}

// baseAddress is what stands before the addresses of the page's own vault.
func (c *call) baseAddress() string {
	if c.slug == "" {
		return ""
	}
	return "/p/" + url.PathEscape(c.slug)
}

// to returns what stands before the addresses of a project's pages, by its path. What no
// project has is looked for.
func (c *call) to(path string) string {
	if len(c.places) > 1 && path != "" {
		for _, p := range c.places {
			if p.Path == path {
				return p.baseAddress()
			}
		}
	}
	if path == "" || c.of != nil && c.of.Path == path {
		return c.baseAddress()
	}
	return ""
}

// projectLabel is how a project is told from the others of the family: by its name, and where two
// have one by its path as well.
func (c *call) projectLabel(path, name string) string {
	for _, p := range c.places {
		if p.Name == name && p.Path != path {
			return name + " in " + path
		}
	}
	return name
}

// facets bounds the projects that a page of the family names.
const facets = 24

// chooser leads from a page of the family to the same page of one of its projects.
func (c *call) chooser() (all []page.Project) {
	if len(c.places) < 2 {
		return nil
	}
	rest := strings.TrimPrefix(c.r.URL.Path, c.baseAddress())
	if c.slug != "" {
		_, rest, _ = strings.Cut(strings.TrimPrefix(c.r.URL.Path, "/p/"), "/")
		rest = "/" + rest
	}
	q := c.r.URL.Query()
	q.Del("offset")
	q.Del("did")
	if len(q) > 0 {
		rest += "?" + q.Encode()
	}
	all = []page.Project{{Name: "all projects", Href: rest, Here: c.slug == ""}}
	for i, p := range c.places {
		if i < facets || p.slug == c.slug {
			all = append(all, page.Project{Name: c.projectLabel(p.Path, p.Name), Path: p.Path, Href: p.baseAddress() + rest, Here: p.slug == c.slug})
		}
	}
	return all
}

// across is what the vaults of a family answer together.
type across func(c *call, ctx context.Context, s *app.Session, fam *ask.Family) error

// askFamily has the family answer. A member that cannot is told on the page.
func askFamily(do across) show {
	return func(c *call, ctx context.Context, s *app.Session) error {
		fam, err := ask.Open(ctx, c.target.In(s), vault.Scope{})
		if err != nil {
			return err
		}
		defer fam.Close()
		if c.fam = fam; c.slug == "" {
			c.places = c.family.setPlaces(fam)
		}
		return do(c, ctx, fam.Here, fam)
	}
}
