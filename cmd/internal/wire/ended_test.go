package wire

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// An agent finds what is over, marked with how and when it ended, unless it asks for what stands alone.
func TestMCPWhatIsOver(t *testing.T) {
	c := converse(t, false)
	add := func(title, body string, more object) string {
		args := object{"title": title, "body": body, "summary": "If it is about " + title}
		for key, value := range more {
			args[key] = value
		}
		if args["type"] != nil {
			delete(args, "summary")
		}
		return c.add(args)
	}
	pool := add("Gateway pool", "The gateway times out when the pool is empty.", nil)
	c.does("memory_retire", object{"id": pool, "how": "resolved", "note": "The pool is <b>larger</b> now."}, "Resolved")
	disk := add("Disk full", "The log partition overflows at midnight.", object{"type": "blocker"})
	c.does("memory_retire", object{"id": disk, "how": "resolved"}, "Resolved")
	port, ports := add("Port", "The listener is on 8080.", nil), add("Ports", "It moved to 9090.", nil)
	c.does("memory_retire", object{"id": port, "how": "superseded", "by": ports}, "superseded")
	zebra := add("Zebra", "Stripes of the zebrafish.", nil)
	c.does("memory_retire", object{"id": zebra, "how": "deleted"}, "Deleted")
	put := add("Certificates", "Renew the wildcard certificate.", nil)
	c.cp("memory", "defer", put, "--until", "2099-01-01")
	both := add("Heron", "Herons nest in the crane.", nil)
	c.does("memory_retire", object{"id": both, "how": "resolved", "note": "It flew."}, "Resolved")
	c.does("memory_retire", object{"id": both, "how": "superseded", "by": ports}, "superseded")
	again := add("Kettle", "The kettle whistles.", nil)
	c.does("memory_retire", object{"id": again, "how": "resolved", "note": "Descaled."}, "Resolved")
	c.cp("memory", "update", again, "--status", "open")
	c.m.note("v", "hand", "Lantern", "", "The lantern flickers.", "status: closed")
	c.m.note("v", "gone", "Windmill", "", "The windmill creaks.", "superseded_by: pf-nobody0")

	c.m.note("v", "typed", "Anvil", "", "The anvil rings.", "superseded_by: hand.md")
	c.m.note("v", "named", "Bellows", "", "The bellows wheeze.", "superseded_by: Lantern", "superseded_at: 2026-03-01")
	c.m.note("v", "nobody00", "Wrong", "", "Its id begins as that of one that is gone.")

	day := `20\d\d-\d\d-\d\d`
	rows := []struct {
		rule  string
		query string
		args  object
		want  string
		never string
	}{
		{"a resolved one says how and when", "gateway times out", nil, `<memory id="` + pool + `" .*status="closed".*>\nGateway pool \[resolved ` + day + `: The pool is &lt;b>larger&lt;/b> now\.\]`, ""},
		{"with any type", "gateway times out", object{"type": []string{"*"}}, pool, ""},
		{"within a budget", "gateway times out", object{"budget": 100}, pool + `.*\[resolved`, ""},
		{"said that it may", "gateway times out", object{"closed": true}, pool, ""},
		{"it is left out", "gateway times out", object{"closed": false}, "", pool},
		{"as a text, too", "gateway times out", object{"closed": "False"}, "", pool},
		{"an entry without a note", "log partition", nil, `Disk full \[resolved ` + day + `\]`, ""},
		{"by its kind", "log partition", object{"type": "blocker"}, `Disk full \[resolved`, ""},
		{"by its kind it is left out", "log partition", object{"type": "blocker", "closed": false}, "", disk},
		{"one that was superseded leads on", "listener 8080", nil, port + `.*Port \[superseded by ` + ports + ` Ports, ` + day + `\]`, ""},
		{"and is left out with the closed ones", "listener 8080", object{"closed": false}, "", port},
		{"one with both endings says both", "herons nest", nil, `Heron \[superseded by ` + ports + ` Ports, ` + day + `\] \[resolved ` + day + `: It flew\.\]`, ""},
		{"what was opened again has not ended", "kettle whistles", nil, `Kettle\n`, "resolved|Descaled.*\\]\n"},
		{"closed by hand without a date", "lantern flickers", nil, `Lantern \[closed\]`, ""},
		{"a successor that is gone", "windmill creaks", nil, `Windmill \[superseded by pf-nobody0\]`, ""},
		{"a successor by its path", "anvil rings", nil, `Anvil \[superseded by pf-hand Lantern\]`, ""},
		{"a successor by its title", "bellows wheeze", nil, `Bellows \[superseded by pf-hand Lantern, 2026-03-01\]`, ""},
		{"a deleted one is gone", "zebrafish stripes", nil, "No memory found", "<memory"},
		{"a deleted one is gone in any type", "zebrafish stripes", object{"type": []string{"*"}}, "No memory found", "<memory"},
		{"one that is put off waits", "wildcard certificate", nil, "", put},
	}
	for range 2 {
		for _, r := range rows {
			args := object{"query": r.query}
			for key, value := range r.args {
				args[key] = value
			}
			if got := c.does("memory_recall", args, r.want); r.never != "" && regexp.MustCompile(r.never).MatchString(got) {
				t.Errorf("%s: %v: got\n%s\ndo not want %s", r.rule, args, got, r.never)
			}
		}
		c.removeIndex() // the same without
	}
}

// removeIndex deletes the mirror.
func (c *conversation) removeIndex() {
	c.t.Helper()
	files, err := filepath.Glob(filepath.Join(c.dir, ".cp", "index.db*"))
	if err != nil || len(files) == 0 {
		c.t.Fatalf("%v, %v", files, err)
	}
	for _, name := range files {
		if err := os.Remove(name); err != nil {
			c.t.Fatal(err)
		}
	}
}

// On the command line what is over is counted in one line, where it would be among the answers.
func TestRecallCountsWhatIsOver(t *testing.T) {
	m := newMachine(t)
	m.vault("v")
	m.note("v", "open", "Gateway", "When the gateway hangs", "The gateway hangs.")
	m.note("v", "was", "Gateway restart", "", "The gateway hangs after a restart.", "status: closed", "resolved_at: 2026-03-02", "resolution: The order is in the job now.")
	m.note("v", "journal/out", "Gateway memory", "", "The gateway is out of memory.", "type: blocker", "status: resolved")
	m.note("v", "later", "Gateway port", "", "The gateway port.", "status: deferred")
	m.note("v", "old", "Listener", "", "On 8080.", "superseded_by: pf-new", "superseded_at: 2026-03-01")
	m.note("v", "new", "Ports", "", "On 9090.")
	m.note("v", "zinc", "Zinc", "", "It rusts not.", "status: closed")
	m.note("v", "task", "Gateway task", "", "Replace the gateway.", "type: task", "status: closed")
	m.cp("v", "memory", "sync")
	m.checkRows("v", []row{
		{rule: "they are counted", line: "memory recall 'gateway hangs'", want: `\Apf-open .*\n.*^2 closed and 1 deferred memories answer too: --include-closed shows them\n\z`, never: "pf-was|pf-out|pf-later"},
		{rule: "of any type, too", line: "recall 'gateway hangs'", want: `^3 closed and 1 deferred memories answer too: --include-closed shows them$`, never: "pf-task"},
		{rule: "shown they say how they ended", line: "memory recall 'gateway restart' --include-closed", want: `pf-was .*Gateway restart \[resolved 2026-03-02: The order is in the job now\.\]`, never: "answer too"},
		{rule: "in a table as well", line: "recall zinc --include-closed", want: `closed +pf-zinc +Zinc \[closed\]`},
		{rule: "and in lines", line: "memory recall 'gateway restart' --include-closed --budget 300", want: `pf-was .*\[resolved 2026-03-02: The order`},
		{rule: "where nothing else answers that is told", line: "memory recall zinc", want: `No memories above 0\.30.*\n1 closed memory answers too: --include-closed shows it\n\z`},
		{rule: "where none answers nothing is told", line: "memory recall 'on 9090'", want: "pf-new", never: "answers? too"},
		{rule: "nor beyond the rows", line: "memory recall 'gateway hangs' --limit 1", want: "pf-open", never: "answers? too"},
		{rule: "nor what is not near enough", line: "memory recall zinc --min-similarity 1", want: "No memories above 1", never: "answers? too"},
		{rule: "nor where a status is given", line: "memory recall 'gateway hangs' --status open", want: "pf-open", never: "answers? too|pf-was"},
		{rule: "a status gives closed ones alone", line: "memory recall 'gateway hangs' --status closed", want: `\[resolved 2026-03-02`, never: "answers? too|pf-open"},
		{rule: "of kinds all answer", line: "memory recall 'gateway memory' --type blockers", want: `pf-out .*\[closed\]`, never: "answers? too"},
		{rule: "and with the flag each once", line: "memory recall 'gateway memory' --type blockers --include-closed --style distance", want: `\A\[[^\n]*pf-out[^\n]*\n\z`},
		{rule: "what was superseded leads on", line: "memory recall 'listener 8080'", want: `pf-old .*Listener \[superseded by pf-new Ports, 2026-03-01\]`},
		{rule: "closing one", line: "memory resolve pf-new --resolution 'Nobody listens.'", want: "Resolved"},
		{rule: "makes it one of them", line: "memory recall 'on 9090'", want: "1 closed memory answers too", never: "pf-new .*0"},
		{rule: "deleting it", line: "memory delete pf-new --force", want: "Deleted"},
		{rule: "takes it away", line: "memory recall 'on 9090' --include-closed", want: ".", never: "answers? too|^pf-new"},
	})
	m.checkAsideInJSON()
}

// overRow is what a program gets of a row.
type overRow struct {
	Status     string `json:"status"`
	Resolved   string `json:"resolved_at"`
	Resolution string `json:"resolution"`
}

// checkAsideInJSON reads the counts as programs do: the rows are a list as ever.
func (m *machine) checkAsideInJSON() {
	m.Helper()
	for line, want := range map[string]string{"memory recall 'gateway hangs'": "1 rows, 2 closed, 1 deferred", "memory recall zinc": "0 rows, 1 closed, 0 deferred",
		"memory recall 'gateway hangs' --include-closed": "4 rows, 0 closed, 0 deferred", "memory recall 'gateway hangs' --budget 500": "1 rows, 2 closed, 1 deferred"} {
		out, stderr, _ := m.try("v", "", splitLine(line+" -o json")...)
		var rows []overRow
		var beside struct{ Closed, Deferred int }
		err := json.Unmarshal([]byte(out), &rows)
		if stderr != "" && err == nil {
			err = json.Unmarshal([]byte(stderr), &beside)
		}
		if got := fmt.Sprintf("%d rows, %d closed, %d deferred", len(rows), beside.Closed, beside.Deferred); err != nil || got != want {
			m.Errorf("%s: got %s, %v, want %s\n%s%s", line, got, err, want, out, stderr)
		}
		if strings.Contains(line, "include") && !slices.Contains(rows, overRow{"closed", "2026-03-02T00:00:00Z", "The order is in the job now."}) {
			m.Errorf("%s: no row says how it ended\n%s", line, out)
		}
	}
}

// What is over takes no place of what is open and answers as well, however much of it there is.
func TestWhatIsOverStandsBehind(t *testing.T) {
	m := newMachine(t)
	for _, name := range []string{"top", "top/low"} {
		m.write(name+"/main.go", "package main\n")
		m.git(name, "init", "-q")
		m.cp(name, "init", "--prefix", "pf")
	}
	for i := range 150 {
		m.note("top/memory", fmt.Sprintf("over%03d", i), "Rollback", "", "Roll the release back.", "status: closed")
	}
	m.note("top/memory", "same", "Rollback", "", "Roll the release back.")
	m.note("top/memory", "less", "Deploying", "", "A release can be rolled out, or back, as the rollback page says.")
	m.note("top/low/memory", "low", "Rollback", "", "Roll the release of low back.")
	m.note("top/low/memory", "best", "Rollback of the ledger", "", "Roll the ledger back by its journal.", "status: closed", "resolved_at: 2026-03-02")
	for _, name := range []string{"top", "top/low"} {
		m.cp(name, "memory", "sync")
	}
	const ledger = "how is the ledger rolled back by its journal"
	for _, at := range []string{"top", "top/low"} {
		_, f := m.family(at, settings.Flags{})
		ask := func(text string, ended recall.Ended) recall.Answer {
			m.Helper()
			a, err := f.Recall(m.Context(), recall.Query{Text: text, Ended: ended}, app.Filter{Limit: 8})
			if err != nil {
				m.Fatal(err)
			}
			return a
		}
		for _, text := range []string{"roll back a release", "rollback", ledger} {
			alone, counted, shown := ask(text, recall.AsFiltered), ask(text, recall.Counted), ask(text, recall.WithClosed)
			if a, b := lineOf(alone.Rows), lineOf(counted.Rows); a != b {
				t.Errorf("%s in %s: %s where they are counted, %s where not", text, at, b, a)
			}
			closed := slices.DeleteFunc(slices.Clone(shown.Rows), func(r recall.Row) bool { return r.Status != vault.StatusClosed })
			if len(closed) != counted.Closed || len(closed) == 0 {
				t.Errorf("%s in %s: %d are shown, %d are counted", text, at, len(closed), counted.Closed)
			}
			before := shown.Rows[:slices.IndexFunc(shown.Rows, func(r recall.Row) bool { return r.Status == vault.StatusClosed })]
			for _, id := range map[string][]string{"top": {"pf-same", "pf-low"}, "top/low": {"pf-low"}}[at] {
				if text != ledger && !strings.Contains(lineOf(before), id) {
					t.Errorf("%s in %s: %s does not stand before what is closed: %s", text, at, id, lineOf(shown.Rows))
				}
			}
		}
		if a := ask(ledger, recall.WithClosed); a.Rows[0].ID != "pf-best" || a.Rows[0].Project != "low" || a.Rows[0].Similarity > 1 {
			t.Errorf("in %s the best answer is not the first: %s", at, lineOf(a.Rows))
		}
		if a := ask("rollback", recall.WithoutEnded); strings.Contains(lineOf(a.Rows), "over") || len(a.Rows) == 0 {
			t.Errorf("in %s: %s", at, lineOf(a.Rows))
		}
	}
}

func lineOf(rows []recall.Row) string {
	return strings.Join(collect(rows, func(r recall.Row) string { return fmt.Sprint(r.ID, " ", r.Similarity) }), ", ")
}
