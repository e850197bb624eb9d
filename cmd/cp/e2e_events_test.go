//go:build e2e

package main_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// heard is an event of the stream: its id, and what has changed.
type heard struct {
	stamp string
	news  []struct {
		Vault, Project, Generation string
		IDs                        []string
		All                        bool
	}
}

// names are the ids of the event, in order; "all" is everything.
func (h heard) names() string {
	var ids []string
	for _, n := range h.news {
		if n.All {
			return "all"
		}
		ids = append(ids, n.IDs...)
	}
	slices.Sort(ids)
	return strings.Join(ids, " ")
}

// stream opens the stream of events and returns what waits for the next one.
func (s *shelf) stream(t *testing.T, client *http.Client, since, last string) (next func() heard) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", s.base127()+"/events?since="+url.QueryEscape(since), nil)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := client.Do(r)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("the stream: %v, %v", answer, err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	lines := bufio.NewScanner(answer.Body)
	return func() (h heard) {
		t.Helper()
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch {
			case name == "id":
				h.stamp = value
			case name == "data":
				if err := json.Unmarshal([]byte(value), &h.news); err != nil {
					t.Fatalf("%s: %v", value, err)
				}
			case name == "" && h.news != nil:
				return h
			}
		}
		t.Fatalf("the stream ended: %v", lines.Err())
		return h
	}
}

// until takes events until one names all of the ids, and returns it.
func until(t *testing.T, next func() heard, ids ...string) heard {
	t.Helper()
	for {
		h := next()
		named := strings.Fields(h.names())
		if !slices.ContainsFunc(ids, func(id string) bool { return !slices.Contains(named, id) }) {
			return h
		}
	}
}

// The stream names the memories whose pages show something else, and tells one who comes back
// what they missed.
func TestE2EEventsNameMemories(t *testing.T) {
	chromium(t) // one line for all of these tests
	s, root, sub := shelved(t)
	client := s.client(t)
	next := s.stream(t, client, "", "")
	s.must("cp memory update " + sub + " --append 'Once.'")
	first := until(t, next, sub, root) // and its parent, whose page shows it
	if n := first.news[0]; n.Project != "v" || n.Generation == "" || len(n.Vault) != 8 || !strings.Contains(first.stamp, n.Vault+":"+n.Generation) {
		t.Errorf("%+v under the id %s", n, first.stamp)
	}
	s.must("cp memory add --title Alone --summary 'When alone' 'Linked to nothing.' -o json")
	for h := next(); ; h = next() { // a commit may be told in two steps
		if strings.Contains(h.names(), sub) {
			t.Errorf("what has nothing to do with %s names it: %s", sub, h.names())
		}
		if h.names() != "" {
			first = h
			break
		}
	}
	s.must("cp memory update " + root + " --append 'While nobody listened.'")
	// Again perhaps in two steps: the first may be the rest of the commit before.
	if back := until(t, s.stream(t, client, "", first.stamp), root); strings.Contains(back.names(), "all") {
		t.Errorf("who comes back is told %s, want %s", back.names(), root)
	}
	until(t, s.stream(t, client, first.stamp, ""), root) // a page that was made before
	if back := s.stream(t, client, "", "00000000:1.1")(); back.names() != "all" {
		t.Errorf("who comes back from elsewhere is told %s, want everything", back.names())
	}
	s.must(`for n in $(seq 300); do printf -- '---\ntitle: Of many %s\nsummary: When\n---\nText.\n' $n > many$n.md; done; git add . && git commit -qm many`)
	for h := next(); h.names() != "all"; h = next() { // the commit is one step, and of too many to be named
		if n := len(strings.Fields(h.names())); n > 200 {
			t.Fatalf("%d ids in one event", n)
		}
	}
}

// A page is fetched again when what it shows has changed, and not when something else has.
func TestE2EOnlyItsOwnPageIsFetched(t *testing.T) {
	ctx, s, root := followed(t)
	roots := another(t, ctx)
	goTo(t, roots, s.base+"/")
	const fetched = `performance.getEntriesByType("resource").filter(e => e.initiatorType === "fetch").length`
	s.must("cp memory add --title Alone --summary 'When alone' 'Linked to nothing.'")
	becomes(t, roots, `document.querySelector("main").textContent.includes("Alone")`) // a list is of all
	s.must("cp memory update " + root + " --append 'Its own.'")
	pageHas(t, ctx, "Its own.")
	first := page[int](t, ctx, fetched)
	if first < 1 || first > 2 { // a write may be told in two steps: the file, and its commit
		t.Errorf("the page was fetched %d times", first)
	}
	s.must("cp memory add --title Pointing --summary 'When pointing' 'It names [[Deployment]].'")
	becomes(t, ctx, `document.querySelector("aside").textContent.includes("Pointing")`) // a link to it shows on its page
}
