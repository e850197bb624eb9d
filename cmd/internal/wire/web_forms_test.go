package wire

import (
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
)

// webWrite is a form that is sent, and what it did.
type webWrite struct {
	page    string // with the form; "." is the answer to the row before, and without one the fields are sent alone
	path    string // to which it is sent
	fields  string // over those of the page, as an address has them; -name leaves one out
	status  int
	want    string // of the page, or of that to which it leads: see lacks
	subject string // how that of the commit begins; empty: nothing is written
	file    string // "FILE: parts that it has then"
}

// writesOfVault are the forms of one vault, in the order in which they are sent.
var writesOfVault = []webWrite{
	{"/new", "/new", "title=Stuck&summary=When stuck&body=Restart *it*.&labels=a, b&do=preview", 200, `<h2 id="preview">|<em>it</em>|value="a, b"`, "", ""},
	{".", "/new", "do=save&root=yes", 303, `Added “Stuck”|/undo?op=|<em>it</em>`, "memory: add pf-", `stuck.md: title: Stuck|labels: [a, b]|summary: When stuck|Restart *it*.`},
	{"/new", "/new", "title=Stuck&summary=When stuck&body=Restart *it*.&root=yes", 303, `Nothing was written: “Stuck” says the same already`, "", ""},
	{"/new?parent=pf-gateway", "/new", "title=Valve&summary=If it leaks&body=Turn it.", 303, `Added “Valve”|id="parent"`, `memory: add-sub pf-`, `operations/gateway/valve.md: title: Valve|Turn it.`},
	{"/new", "/new", "title=Valve 2&parent=Gateway&summary=If it leaks twice&body=Turn both.", 303, ``, "memory: add-sub pf-", ""},
	{"/new?parent=pf-gateway", "/new", "title=T&body=Typed.", 400, `the trigger phrase is missing|Typed.`, "", ""},
	{"/new", "/new", "title=T&body=Typed.", 400, `needs either|Typed.`, "", ""},
	{".", "/new", "parent=pf-gateway&summary=When&root=yes", 400, `needs either|Typed.`, "", ""},
	{".", "/new", "parent=pf-nobody", 404, `pf-nobody|Typed.`, "", ""},
	{".", "/new", "title=T%0AU&parent=&root=yes", 400, `title|Typed.`, "", ""},
	{"", "/new", "titel=T&body=Typed.&root=yes", 400, `did you mean|title|Typed.`, "", ""},
	{"", "/new", "title=T&body=Typed.&do=prevew", 400, `is nothing that this form does|Typed.`, "", ""},
	{"/new", "/new", "title=Key&summary=When&root=yes&body=AKIA" + "Q7RTW2XKZJ5N3VBP", 400, `It is no credential|name="secret"|!--allow-secret`, "", ""},
	{".", "/new", "root=yes&secret=yes", 303, ``, "memory: add pf-", ""},

	{"/m/pf-gateway/edit", "/m/pf-gateway/edit", "", 303, `Nothing was changed|!/undo?op=`, "", ""},
	{"/m/pf-gateway/edit", "/m/pf-gateway/edit", "body=Wake *it*.&do=preview", 200, `<em>it</em>|Wake *it*.`, "", ""},
	{".", "/m/pf-gateway/edit", "do=save&title=The gateway&summary=If it sleeps&labels=net, hot&status=in_progress", 303, `Saved|/undo?op=|The gateway|If it sleeps|in_progress`, "memory: update pf-gateway",
		`operations/gateway.md: title: The gateway|status: in_progress|labels: [net, hot]|Wake *it*.|!zebra`},
	{"", "/m/pf-gateway/edit", "body=Mine.", 428, `does not say which text|Mine.`, "", ""},
	{"/m/pf-gateway/edit", "/m/pf-gateway/edit", "body=Mine.&hash=0000000000000000000000000000000000000000", 412, `Somebody wrote this memory|Mine.|name="hash"`, "", ""},
	{"/m/pf-gateway/edit", "/m/pf-gateway/edit", "body=```%0A<<<<<<< mine%0AA%0A=======%0AB%0A>>>>>>> yours%0A```", 409, `marks of a conflict|name="marked"`, "", ""},
	{".", "/m/pf-gateway/edit", "marked=yes", 303, ``, "memory: update pf-gateway", `operations/gateway.md: <<<<<<< mine|>>>>>>> yours`},
	{"/m/pf-core/edit", "/m/pf-core/edit", "body=&summary=", 400, `choose below to save without it|value="body"|value="summary"`, "", ""},
	{".", "/m/pf-core/edit", "clear=labels", 400, `labels|cannot be cleared|value="body"`, "", ""},
	{".", "/m/pf-core/edit", "clear=body&clear=summary", 303, ``, "memory: update pf-core", `core.md: title: Say please|!Ask kindly|!summary: When`},
	{"/m/pf-core/edit", "/m/pf-core/edit", "title=", 400, `title`, "", ""},
	{".", "/m/pf-core/edit", "title=Say please&status=banana&body=Mine.", 400, `banana|Mine.`, "", ""},
	{".", "/m/pf-core/edit", "status=open&body=AKIA" + "Q7RTW2XKZJ5N3VBP", 400, `It is no credential|name="secret"`, "", ""},
	{".", "/m/pf-core/edit", "body=Mine.&-title&-status", 303, ``, "memory: update pf-core", `core.md: title: Say please|Mine.`},
	{"", "/m/pf-core/edit", "body=Typed.&labels[]=x", 400, `did you mean|labels|Typed.`, "", ""},
	{"", "/m/pf-nobody/edit", "body=Typed.&hash=0", 404, `pf-nobody|Typed.`, "", ""},

	{"", "/m/pf-bound/code", "do=confirm&about=src/gate.py#L2-L4&digest=0", 412, `nothing was done`, "", ""},
	{"", "/m/pf-bound/code", "do=burn&digest=0", 400, `is nothing that this form does`, "", ""},
	{"", "/m/pf-nobody/code", "do=unbind&digest=0", 404, `pf-nobody`, "", ""},
	{"/m/pf-bound", "/m/pf-bound/code", "do=unbind&about=src/none.py", 404, `is not bound to`, "", ""},
	{"/m/pf-bound", "/m/pf-bound/code", "do=confirm&about=src/none.py", 404, `is not bound to`, "", ""},
	{"/m/pf-bound", "/m/pf-bound/code", "do=confirm&about=src/gate.py#L2-L4", 303, `Confirmed “src/gate.py#L2-L4”|/undo?op=|as it was|!code changed|!"Confirm src/gate.py#L2-L4"`, "memory: confirm pf-bound", `gate.md: - src/gate.py#L2-L4 `},
	{"/m/pf-bound", "/m/pf-bound/code", "do=confirm&about=src/gate.py#L2-L4", 303, `Nothing was changed|!/undo?op=`, "", ""},
	{"/m/pf-bound", "/m/pf-bound/code", "do=unbind&about=src/gate.py#L2-L4", 303, `Unbound “src/gate.py#L2-L4”|/undo?op=`, "memory: unbind pf-bound", `gate.md: about:|!src/gate.py`},
	{"/m/pf-bound", "/m/pf-bound/code", "do=unbind", 303, `Unbound “src/&lt;script&gt;|!<h2>Code</h2>`, "memory: unbind pf-bound", `gate.md: !script`},
	{"/m/pf-closed/move", "/m/pf-closed/move", "parent=pf-gateway&summary=If it sparks", 303, `Moved “Old cable”|/undo?op=|If it sparks`, "memory: move pf-closed", `operations/gateway/old-cable.md: The cable.`},
	{"/m/pf-closed/move", "/m/pf-closed/move", "root=yes", 303, ``, "memory: move pf-closed", `old-cable.md: The cable.`},
	{"/m/pf-closed/move", "/m/pf-closed/move", "", 400, `needs either`, "", ""},
	{".", "/m/pf-closed/move", "parent=pf-ops&root=yes", 400, `needs either|value="pf-ops"`, "", ""},
	{".", "/m/pf-closed/move", "parent=pf-nobody&summary=Kept.", 404, `pf-nobody|Kept.`, "", ""},
	{".", "/m/pf-closed/move", "parent=pf-ops&hash=0000000000000000000000000000000000000000", 412, `has changed since you saw it|value="pf-ops"`, "", ""},
	{".", "/m/pf-closed/move", "-hash", 428, `does not say which text|value="pf-ops"`, "", ""},
	{"/m/pf-gateway/move", "/m/pf-gateway/move", "parent=pf-gateway&summary=Kept.", 400, `Kept.`, "", ""},
	{"", "/m/pf-closed/move", "parnt=pf-ops&hash=0", 400, `did you mean|parent`, "", ""},
	{"", "/m/pf-nobody/move", "parent=pf-ops&hash=0", 404, `pf-nobody`, "", ""},

	{"/m/pf-gateway/delete", "/m/pf-gateway/delete", "digest=0", 412, `nothing was done`, "", ""},
	{"/m/pf-gateway/delete", "/m/pf-gateway/delete", "-digest", 412, `nothing was done`, "", ""},
	{"", "/m/pf-gateway/delete", "digest=0&recursive=yes", 400, `recursive`, "", ""},
	{"", "/m/pf-nobody/delete", "digest=0", 404, `pf-nobody`, "", ""},
	{"/m/pf-gateway/delete", "/m/pf-gateway/delete", "", 303, `Deleted “The gateway”|/undo?op=|Operations`, "memory: delete pf-gateway", `operations.md: !pf-gateway`},
	{"/m/pf-gateway", "/m/pf-gateway/restore", "", 303, `Restored “The gateway”|/undo?op=`, "memory: restore pf-gateway", `operations/gateway/valve.md: Turn it.`},
	{"/m/pf-gateway/restore?rev={rev}", "/m/pf-gateway/restore", "digest=0", 412, `nothing was done`, "", ""},
	{"/m/pf-gateway/restore?rev={rev}", "/m/pf-gateway/restore", "rev=nowhere", 404, `nowhere`, "", ""},
	{"/m/pf-gateway/restore?rev={rev}", "/m/pf-gateway/restore", "", 303, `Restored “Gateway”|Restart the zebra`, "memory: restore pf-gateway", `operations/gateway.md: title: Gateway|Restart the zebra|!<<<`},
	{"", "/m/pf-nobody/restore", "digest=0", 404, `pf-nobody`, "", ""},
	{"", "/m/pf-gateway/restore", "digest=0&revision=x", 400, `revision|it takes digest, rev`, "", ""},

	{"/undo?op={op}", "/undo", "digest=0", 412, `nothing was done`, "", ""},
	{"/undo?op={op}", "/undo", "-op", 404, `no such page`, "", ""},
	{"", "/undo", "op=nowhere&digest=0", 404, `nowhere`, "", ""},
	{"", "/undo", "op=nowhere&digets=0", 400, `did you mean|digest`, "", ""},
	{"/undo?op={op}", "/undo", "", 303, `Taken back|/undo?op=`, "memory: undo", `operations/gateway.md: title: The gateway|<<<<<<< mine`},

	{"/review/pf-seen?why=observation", "/review/pf-seen", "do=edit&text=Volumes are mounted late", 303, `Changed the text of|/undo?op=`, "memory: ", `journal/2026/01/b.md: mounted late`},
	{"/review/pf-seen?why=observation", "/review/pf-seen", "do=approve&parent=&summary=When late", 400, `hint|When late`, "", ""},
	{"/review/pf-seen?why=observation", "/review/pf-seen", "do=approve&parent=pf-nobody&summary=When late", 404, `pf-nobody|When late`, "", ""},
	{"/review/pf-seen?why=observation", "/review/pf-seen", "do=approve&parent=pf-ops&hash=0&summary=When late", 412, `When late`, "", ""},
	{"/review/pf-seen?why=observation", "/review/pf-seen", "do=approve&parent=pf-ops&-hash", 412, `does not say which text`, "", ""},
	{"", "/review/pf-seen", "do=burn&hash=0", 400, `is nothing that this form does`, "", ""},
	{"", "/review/pf-seen", "do=deny&hash=0&into=pf-ops", 400, `into`, "", ""},
	{"", "/review/pf-nobody", "do=deny&hash=0", 404, `pf-nobody`, "", ""},
	{"", "/review/pf-seen", "do=merge&hash=0", 400, `a merge needs the memory into which it goes`, "", ""},
	{"/review/pf-seen?why=observation", "/review/pf-seen", "do=approve&parent=pf-ops&summary=When late", 303, `Approved “|/undo?op=`, "memory: ", `operations.md: When late|pf-seen`},
	{"/review/pf-merge?why=observation", "/review/pf-merge", "do=merge&into=pf-nomad", 303, `Merged “Nomad restarts`, "memory: ", ""},
	{"/review/pf-deny?why=observation", "/review/pf-deny", "do=deny&reason=Not so.", 303, `Denied “Mondays are slow”`, "memory: ", `journal/2026/01/d.md: Not so.`},
	{"/review/pf-core", "/review/pf-core", "do=core&target=zeppelin", 400, `zeppelin`, "", ""},
	{"/review/pf-core", "/review/pf-core", "do=core&target=claude_md", 303, `Wrote into the agents`, "memory: ", `CLAUDE.md: Mine.`},
	{"", "/review/pf-core", "do=deny&hash=0", 404, `hint`, "", ""},
}

// writesBelow are forms of a vault in a family: each one once taken and once refused.
var writesBelow = []webWrite{
	{"/new", "/new", "title=Low&summary=When low&body=Down.&root=yes", 303, `Added “Low”|{base}/undo?op=`, "memory: add pf-", `low.md: Down.`},
	{"/new", "/new", "title=T", 400, `needs either`, "", ""},
	{"/m/pf-gateway/edit", "/m/pf-gateway/edit", "body=Changed below.", 303, ``, "memory: update pf-gateway", `operations/gateway.md: Changed below.`},
	{"", "/m/pf-gateway/edit", "body=Mine.", 428, `does not say which text|Mine.`, "", ""},
	{"/m/pf-bound", "/m/pf-bound/code", "do=unbind&about=src/gate.py#L2-L4", 303, `Unbound “src/gate.py#L2-L4”|{base}/undo?op=`, "memory: unbind pf-bound", `gate.md: !src/gate.py`},
	{"/m/pf-closed/move", "/m/pf-closed/move", "root=yes", 303, `Moved “Old cable”|{base}/undo?op=`, "memory: move pf-closed", `old-cable.md: The cable.`},
	{"", "/m/pf-top/move", "root=yes&hash=0", 404, `pf-top`, "", ""},
	{"/undo?op={op}", "/undo", "", 303, ``, "memory: undo", `operations/old-cable.md: The cable.`},
	{"", "/undo", "op=nowhere&digest=0", 404, `nowhere`, "", ""},
	{"", "/m/pf-nomad/delete", "digest=0", 412, `nothing was done`, "", ""},
	{"/m/pf-nomad/delete", "/m/pf-nomad/delete", "", 303, ``, "memory: delete pf-nomad", ""},
	{"/m/pf-nomad", "/m/pf-nomad/restore", "", 303, ``, "memory: restore pf-nomad", `nomad.md: one after the other`},
	{"", "/m/pf-nomad/restore", "digest=0", 412, `nothing was done`, "", ""},
	{"/review/pf-deny?why=observation", "/review/pf-deny", "do=deny&reason=Not here.", 303, `Denied “Mondays`, "memory: ", `journal/2026/01/d.md: Not here.`},
	{"", "/review/pf-deny", "do=deny", 404, `hint`, "", ""},
}

// writesOfMany are forms without a project in the address: they go to the vault that has the memory.
var writesOfMany = []webWrite{
	{"", "/m/pf-gateway/move", "root=yes", 428, `action="/p/low/m/pf-gateway/move"`, "", ""},
	{".", "/p/low/m/pf-gateway/move", "root=yes", 303, ``, "memory: move pf-gateway", `gateway.md: Changed below.`},
	{"", "/m/pf-twice/edit", "hash=0&body=Typed.", 300, `in 2 projects|href="/p/top/m/pf-twice/edit"|Typed.`, "", ""},
	{"", "/m/pf-nobody/edit", "hash=0&body=Typed.", 404, `pf-nobody|Typed.`, "", ""},
	{"", "/p/nowhere/new", "root=yes&body=Typed.", 404, `there is no project`, "", ""},
}

// isRefused reports whether a status is that of what does not get what it asks for.
func isRefused(status int) bool { return status >= 400 }

// sendForms sends the forms of all rows, one after the other, and compares what they did. The page
// to which one leads is looked at where the row wants something of it.
func (p *place) sendForms(rows []webWrite) {
	p.Helper()
	first, at := strings.TrimSpace(p.head()), ""
	var last webAnswer
	var subjects []string
	for _, r := range rows {
		path := p.base + r.path
		fields, ok := p.fillForm(r, path, at, last)
		if !ok {
			continue
		}
		before := p.head()
		got := p.send("POST", path, fields)
		if last, at = got, path; got.to != "" && r.want != "" {
			last = p.send("GET", got.to, nil)
		}
		if op := undoOf.FindStringSubmatch(last.text); op != nil {
			p.words["op"] = op[1]
		}
		if bad := lacks(last.text, p.fillIn(r.want)); got.status != r.status || bad != nil {
			p.Errorf("%s with %s: %d, want %d; not as wanted: %q\n%s", path, r.fields, got.status, r.status, bad, mainOf(last.text))
		}
		if p.checkWritten(r, before); r.subject != "" {
			subjects = append(subjects, r.subject)
		}
	}
	lines := strings.FieldsFunc(p.git(p.folder, "log", "--reverse", "--format=%s", first+".."), func(r rune) bool { return r == '\n' })
	if !slices.EqualFunc(lines, subjects, strings.HasPrefix) {
		p.Errorf("%s: the commits are\n%s\nwant\n%s", p.folder, strings.Join(lines, "\n"), strings.Join(subjects, "\n"))
	}
}

var undoOf = regexp.MustCompile(`/undo\?op=([^"&]+)`)

// head is the newest commit of the vault.
func (p *place) head() string { return p.read(p.folder + "/.git/refs/heads/main") }

// fillForm opens the page of a row and fills in its form. A field that the form does not have is
// a fault of the row: a person could not send it.
func (p *place) fillForm(r webWrite, path, at string, last webAnswer) (fields url.Values, ok bool) {
	p.Helper()
	typed, err := url.ParseQuery(strings.ReplaceAll(r.fields, "+", "%2B"))
	if err != nil {
		p.Fatal(err)
	}
	if r.page == "" {
		return typed, true
	}
	if r.page != "." {
		at = p.base + p.fillIn(r.page)
		last = p.send("GET", at, nil)
	}
	for _, f := range postForms(last.text) {
		if f.action != path || typed.Has("do") && f.fields.Has("do") && f.fields.Get("do") != typed.Get("do") {
			continue
		}
		for name, values := range typed {
			bare, less := strings.CutPrefix(name, "-")
			if !slices.Contains(f.names, bare) {
				p.Errorf("%s has no field %q for %s", at, bare, path)
			}
			if f.fields[bare] = values; less {
				f.fields.Del(bare)
			}
		}
		return f.fields, true
	}
	p.Errorf("%s: %d, and no form to %s with %s\n%s", at, last.status, path, r.fields, mainOf(last.text))
	return nil, false
}

// checkWritten compares the vault with what a row should have written.
func (p *place) checkWritten(r webWrite, before string) {
	p.Helper()
	if now := p.head(); (now != before) != (r.subject != "") {
		p.Errorf("%s with %s: a commit was made: %t, want %q", r.path, r.fields, now != before, r.subject)
	}
	if name, parts, ok := strings.Cut(r.file, ": "); ok {
		text, err := os.ReadFile(p.at(p.folder + "/" + name))
		if bad := lacks(string(text), parts); err != nil || bad != nil {
			p.Errorf("%s with %s: %s, %v, is not as wanted: %q\n%s", r.path, r.fields, name, err, bad, text)
		}
	}
}
