package wire

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/web"
	"github.com/cp-memory/cp/testdata/testlevel"
)

// filesOfVault are the memories of a vault that the rows are about, by their files: a few of the
// tree, entries of the journal, observations that wait, a finding, one that is closed, a core one,
// one with marks of a conflict, one about code that has changed, and a picture.
var filesOfVault = map[string]string{
	"operations.md": "id: pf-ops\ntitle: Operations\nsummary: When you run it\nlabels: [ops]\ncreated: 2026-01-02T03:04:05Z\n---\nHow it is run: ![a picture](shot.png), [the way](operations/gateway.md).\n\n" +
		"<!-- sub-memories -->\n[\n  {\"id\": \"pf-gateway\", \"title\": \"Gateway\", \"summary\": \"If it hangs\"},\n  {\"id\": \"pf-closed\", \"title\": \"Old cable\", \"summary\": \"If the cable is old\"}\n]\n<!-- /sub-memories -->\n",
	"operations/gateway.md":   "id: pf-gateway\ntitle: Gateway\nsummary: If it hangs\nlabels: [net]\ncreated: 2026-01-02T03:04:05Z\n---\nRestart the zebra.\n",
	"operations/old-cable.md": "id: pf-closed\ntitle: Old cable\nsummary: If the cable is old\nstatus: closed\nresolution: It was replaced.\ncreated: 2026-01-02T03:04:05Z\n---\nThe cable.\n",
	"gate.md":                 "id: pf-bound\ntitle: The gate\nsummary: When you pass\nabout: [\"src/<script>alert(1)</script>\u202e.py\"]\ncreated: 2026-01-02T03:04:05Z\n---\nIt creaks.\n",
	"merge.md":                "id: pf-marks\ntitle: Two sides\nsummary: When two wrote\ncreated: 2026-01-02T03:04:05Z\n---\n<<<<<<< HEAD\nOne side.\n=======\nThe other.\n>>>>>>> main\n",
	"core.md":                 "id: pf-core\ntitle: Say please\nsummary: When you ask\ncreated: 2020-01-02T03:04:05Z\nsessions: [s1, s2, s3, s4, s5, s6, s7, s8, s9]\n---\nAsk kindly.\n",
	"nomad.md":                "id: pf-nomad\ntitle: Nomad\nsummary: When workers go\ncreated: 2026-01-02T03:04:05Z\n---\nNomad restarts the workers one after the other at night.\n",
	"journal.md":              "id: pf-journal\ntitle: Journal\nsummary: When you want to know what was done\njournal: true\npointers: none\n---\n",
	"journal/2026/01/a.md":    "id: pf-decision\ntitle: Use Nomad\ntype: decision\nspec: storage\ncreated: 2026-01-03T03:04:05Z\ncreator: P\n---\nIt is there.\n",
	"journal/2026/01/b.md":    "id: pf-seen\ntitle: Volumes are late\ntype: observation\nsessions: [s1, s2]\ncreated: 2026-01-03T03:04:05Z\n---\n",
	"journal/2026/01/c.md":    "id: pf-merge\ntitle: Nomad restarts the workers one after the other at night\ntype: observation\nsessions: [s1, s2]\ncreated: 2026-01-03T03:04:05Z\n---\n",
	"journal/2026/01/d.md":    "id: pf-deny\ntitle: Mondays are slow\ntype: observation\nsessions: [s1, s2]\ncreated: 2026-01-03T03:04:05Z\n---\n",
	"journal/2026/01/e.md":    "id: pf-finding\ntitle: \"[HIGH] An injection\"\ntype: finding\nsummary: When you change a.go\ncreated: 2026-01-03T03:04:05Z\nseverity: high\ncategory: security\nfile: a.go\nline: 3\n---\n## Remediation\n\nescape it\n",
}

// fillVault makes a vault in the folder, with all of that.
func (m *machine) fillVault(name string) {
	m.Helper()
	m.write(name+"/shot.png", "\x89PNG\r\n\x1a\n0000")
	m.write(name+"/drawing.svg", "<svg/>")
	m.write(name+"/notes.txt", "plain words")
	m.write(name+"/src/gate.py", "open\nstep one\nstep two\nstep three\nshut\n")
	m.git(name, "init", "-q")
	m.git(name, "add", ".")
	m.git(name, "commit", "-qm", "files")
	m.vault(name)
	for file, text := range filesOfVault {
		m.write(name+"/"+file, "---\n"+text)
	}
	if out, _, exit := m.try(name, "", "memory", "sync"); exit != 1 || !strings.Contains(out, "merge.md:7: conflict_markers") {
		m.Fatalf("sync: exit %d\n%s", exit, out)
	}
	m.cp(name, "memory", "bind", "pf-bound", "src/gate.py#L2-L4")
	m.write(name+"/src/gate.py", "open\nstep one\nanother step\nstep three\nshut\n")
	m.cp(name, "memory", "fact", "add", "pf-gateway", "--relation", "gateway|runs on|nomad")
}

// webRow is a request and its answer: GET, unless method says otherwise.
type webRow struct {
	path   string
	status int
	want   string // parts of the page, or of the address that it leads to: see lacks
}

// nothingToRefuse are the routes that take nothing which could be wrong: whoever has the cookie
// gets the page. Without the cookie, and by another method, all are refused: see checkDoors.
var nothingToRefuse = []string{"GET /{$}", "GET /index.json", "GET /review", "GET /review.json", "GET /health", "GET /health.json", "GET /map", "GET /map.json", "GET /map.svg",
	"GET /entities", "GET /entities.json", "GET /jump.json", "GET /keys", "GET /events"}

// nothingToShow are the routes that answer what there is not.
var nothingToShow = []string{"GET /", "GET /p/{project}/{rest...}"}

// knownRoutes chooses routes as the server's mux does.
type knownRoutes struct{ mux *http.ServeMux }

func newKnownRoutes(routes []string) knownRoutes {
	k := knownRoutes{http.NewServeMux()}
	for _, pattern := range routes {
		k.mux.HandleFunc(pattern, http.NotFound)
	}
	return k
}

// routeOf returns the pattern that a request of a row comes to.
func (k knownRoutes) routeOf(method, path string) string {
	path, _, _ = strings.Cut(strings.NewReplacer("{", "", "}", "").Replace(path), "?")
	_, pattern := k.mux.Handler(&http.Request{Method: method, URL: &url.URL{Path: path}, Host: "x"})
	return pattern
}

// firstOfEach returns the first row of each route that succeeds.
func (k knownRoutes) firstOfEach(rows []webRow) (some []webRow) {
	seen := map[string]bool{}
	for _, r := range rows {
		if route := k.routeOf("GET", r.path); !seen[route] && !isRefused(r.status) {
			some = append(some, r)
			seen[route] = true
		}
	}
	return some
}

// countRows counts the rows of each route that succeed and that are refused.
func (k knownRoutes) countRows() (succeed, refused map[string]int) {
	succeed, refused = map[string]int{}, map[string]int{}
	count := func(method, path string, is bool) {
		if is {
			refused[k.routeOf(method, path)]++
		} else {
			succeed[k.routeOf(method, path)]++
		}
	}
	for _, r := range slices.Concat(pagesOfVault, pagesOfMany) {
		count("GET", r.path, isRefused(r.status))
	}
	for _, r := range k.firstOfEach(pagesOfVault) {
		count("GET", "/p/low"+r.path, isRefused(r.status))
	}
	count("GET", "/events", false) // checkEvents
	for base, rows := range map[string][]webWrite{"": writesOfVault, "/p/low": writesBelow} {
		for _, r := range rows {
			count("POST", base+r.path, isRefused(r.status))
			if strings.HasPrefix(r.page, "/undo?") { // no row of pages knows an operation
				count("GET", base+r.page, false)
			}
		}
	}
	return succeed, refused
}

// Each route that the server knows has a row that succeeds, and one that is refused.
func TestEachRouteHasRows(t *testing.T) {
	s, err := web.New(web.Options{})
	if err != nil {
		t.Fatal(err)
	}
	routes := s.Routes()
	if len(routes) < 80 {
		t.Errorf("%d routes are known", len(routes))
	}
	succeed, refused := newKnownRoutes(routes).countRows()
	for _, pattern := range routes {
		if (succeed[pattern] == 0) != slices.Contains(nothingToShow, pattern) {
			t.Errorf("%s: %d rows succeed", pattern, succeed[pattern])
		}
		plain := strings.Replace(pattern, "/p/{project}/", "/", 1) // the same page, and it refuses the same
		if refused[pattern]+refused[plain] == 0 && !slices.Contains(nothingToRefuse, plain) {
			t.Errorf("%s: no row is refused", pattern)
		}
	}
	for _, pattern := range nothingToRefuse {
		if refused[pattern] > 0 {
			t.Errorf("%s refuses something: take it out of the list", pattern)
		}
	}
	for _, pattern := range slices.Concat(slices.Sorted(maps.Keys(succeed)), nothingToRefuse, nothingToShow) {
		if !slices.Contains(routes, pattern) {
			t.Errorf("there is no route %q", pattern)
		}
	}
}

// The memory browser on a vault that is alone.
func TestWebPagesAndForms(t *testing.T) {
	m := newMachine(t)
	m.fillVault("alone")
	alone := m.newPlace("alone", "alone", "")
	alone.checkDoors(t)
	alone.checkPages(pagesOfVault, alone.base)
	alone.sendForms(writesOfVault)
	alone.checkEvents()
}

// The memory browser on a family of two, served above.
func TestWebOfAFamily(t *testing.T) {
	testlevel.Check(t)
	m := newMachine(t)
	m.fillVault("top/low")
	m.write("top/low/twice.md", "---\nid: pf-twice\ntitle: There below\nsummary: When twice\n---\nThere.\n")
	m.git("top/low", "add", "twice.md")
	m.git("top/low", "commit", "-qm", "twice")
	m.git("top", "init", "-q")
	m.vault("top")
	m.write("top/top.md", "---\nid: pf-top\ntitle: Above all\nsummary: When above\n---\nAbove.\n")
	m.write("top/twice.md", "---\nid: pf-twice\ntitle: Here above\nsummary: When twice\n---\nHere.\n")
	m.cp("top", "memory", "sync")
	below := m.newPlace("top", "top/low", "/p/low")
	below.checkPages(newKnownRoutes(below.served.Routes()).firstOfEach(pagesOfVault), below.base)
	below.checkPages(pagesOfMany, "")
	below.sendForms(writesBelow)
	below.base = ""
	below.sendForms(writesOfMany)
}
