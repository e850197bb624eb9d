package wire

import (
	"regexp"
	"strings"
)

// pagesOfVault are the pages of one vault: asked of a vault that is alone, and of one of a family.
// {base} stands before the addresses of its pages, {rev} is its first commit with the memories.
var pagesOfVault = []webRow{
	{"/", 200, `href="{base}/m/pf-ops"|When you run it|href="{base}/new"`},
	{"/index.json", 200, `"id": "pf-ops"|"child_count": 1`},

	{"/m/pf-ops", 200, `>Operations</h1>|When you run it|How it is run|src="{base}/file/shot.png"|href="{base}/at?p=operations%2Fgateway.md|href="{base}/m/pf-gateway"|If it hangs|href="{base}/m/pf-ops/edit"|href="{base}/search?label=ops"`},
	{"/m/pf-gateway", 200, `Restart the zebra|id="parent"|Linked from|Speaks of|href="{base}/entity?name=n-|>nomad</a>|<svg`},
	{"/m/pf-closed", 200, `Old cable|<span class="mark">closed</span>`},
	{"/m/pf-decision", 200, `Use Nomad|decision|storage`},
	{"/m/Gateway", 200, `Restart the zebra`},
	{"/m/pf-gateway.json", 200, `"title": "Gateway"|"hash": "`},
	{"/m/pf-ops?offset=99", 200, `>Operations</h1>`},
	{"/m/pf-gatewai", 404, `Not Found|Near it|href="{base}/m/pf-gateway"|!Restore it`},
	{"/m/pf-nobody.json", 404, `"code": "not_found"|pf-nobody`},

	{"/m/pf-gateway/history", 200, `>History</h1>|memory: sync|{base}/m/pf-gateway/diff?from={rev}|{base}/m/pf-gateway/restore?rev={rev}|{base}/undo?op=`},
	{"/m/pf-gateway/history.json", 200, `"subject": "memory: sync`},
	{"/m/pf-nobody/history", 404, `pf-nobody`},
	{"/m/pf-nobody/history.json", 404, `"error"`},
	{"/m/pf-gateway/blame", 200, `Who wrote it|Restart the zebra|Penny Fold`},
	{"/m/pf-gateway/blame.json", 200, `"text": "Restart the zebra."`},
	{"/m/pf-nobody/blame", 404, `pf-nobody`},
	{"/m/pf-nobody/blame.json", 404, `"error"`},
	{"/m/pf-gateway/diff", 200, `Nothing differs|against`},
	{"/m/pf-gateway/diff?from={rev}^&to={rev}", 200, `<ins>Restart the zebra.</ins>`},
	{"/m/pf-gateway/diff.json", 200, `"id": "pf-gateway"`},
	{"/m/pf-nobody/diff", 404, `pf-nobody`},
	{"/m/pf-gateway/diff?from=nowhere", 404, `nowhere|!Restore it`},
	{"/m/pf-gateway/diff?from=--output=x", 404, `hint`},
	{"/m/pf-gateway/diff.json?to=nowhere", 404, `"error"`},

	{"/search", 200, `All memories that pass the filters|Operations|!Old cable`},
	{"/search?q=zebra", 200, `Search: zebra|Restart the <mark>zebra</mark>|1 memory|!Operations</a>`},
	{"/search?label=net", 200, `Gateway|1 memory`},
	{"/search?status=closed", 200, `Old cable|!Gateway`},
	{"/search?under=pf-ops", 200, `Gateway|!Two sides`},
	{"/search?q=unheard", 200, `No matching memories found`},
	{"/search?since=2099-01-01", 200, `No matching memories found`},
	{"/search?limit=1", 200, `1–1 of |rel="next"`},
	{"/search?limit=1&offset=1", 200, `2–2 of |rel="prev"`},
	{"/search?under=nowhere", 404, `nowhere`},
	{"/search?since=whenever", 400, `whenever`},
	{"/search.json?q=zebra", 200, `"id": "pf-gateway"|"score"`},
	{"/search.json?since=whenever", 400, `"error"|whenever`},

	{"/journal", 200, `<h2>2026-01-03</h2>|Use Nomad|Volumes are late|!Gateway</a>`},
	{"/journal?kind=decision&spec=storage", 200, `Use Nomad|!Volumes are late`},
	{"/journal?level=pending", 200, `Volumes are late`},
	{"/journal?kind=blocker", 200, `Nothing was captured yet`},
	{"/journal?since=whenever", 400, `whenever`},
	{"/journal.json?kind=decision", 200, `"id": "pf-decision"|!pf-seen`},
	{"/journal.json?level=high", 400, `"error"|high`},

	{"/review", 200, `What waits for a decision|href="{base}/review/pf-seen?why=observation"|core: 1|observation: 3`},
	{"/review?denied=1", 200, `Nothing was denied`},
	{"/review.json?limit=1", 200, `"total": 4`},
	{"/review/pf-seen?why=observation", 200, `Volumes are late|Approve below it|name="reason"|<dt>Sessions</dt><dd>2</dd>`},
	{"/review/pf-core", 200, `Say please|Write into these files|name="target"`},
	{"/review/pf-seen.json", 200, `"why": "observation"|"hash": "`},
	{"/review/pf-nobody", 404, `pf-nobody`},
	{"/review/pf-nobody.json", 404, `"error"`},
	{"/review/pf-closed", 404, `hint`},
	{"/review/pf-seen?why=core", 200, `<span class="mark">observation</span>`},

	{"/findings", 200, `An injection|<strong>high</strong>|a.go:3|escape it|1 finding`},
	{"/findings?severity=low", 200, `There is no finding`},
	{"/findings?all=1&category=security", 200, `An injection|checked`},
	{"/findings?severity=zeppelin", 400, `zeppelin`},
	{"/findings.json", 200, `"id": "pf-finding"`},
	{"/findings.json?category=zeppelin", 400, `"error"|zeppelin`},

	{"/changes", 200, `To be read again|Gateway|memory: fact add pf-gateway|value="7d"|{base}/undo?op=`},
	{"/changes?since=2099-01-01", 200, `Nothing has changed`},
	{"/changes.json?since=24h", 200, `pf-gateway`},
	{"/changes?since=whenever", 404, `whenever`},
	{"/changes.json?since=whenever", 404, `"error"`},
	{"/health", 200, `<h1>Health</h1>|<th>Memories</th>|Checks`},
	{"/health.json", 200, `"check"|"severity"`},

	{"/graph", 200, `The same as a list|gateway|nomad|<svg`},
	{"/graph?of=pf-gateway&depth=2", 200, `Graph of Gateway|runs on|aria-current="true">2<`},
	{"/graph?of=nomad&depth=99", 200, `Graph of nomad|aria-current="true">1<`},
	{"/graph?of=nowhere", 404, `nowhere`},
	{"/graph.json?of=pf-gateway", 200, `"nodes"|"speaks of"`},
	{"/graph.json?of=nowhere", 404, `"error"`},
	{"/graph.svg?of=pf-gateway", 200, `<svg|nomad`},
	{"/graph.svg?of=nowhere", 404, `nowhere`},
	{"/map", 200, `<h1>Map</h1>|href="{base}/m/pf-ops"|<svg`},
	{"/map.json", 200, `Operations`},
	{"/map.svg", 200, `<svg|Operations`},
	{"/entities", 200, `href="{base}/entity?name=n-|>nomad</a>|2 entities`},
	{"/entities?type=unheard", 200, `No facts were drawn yet`},
	{"/entities.json", 200, `"name": "nomad"`},
	{"/entity?name=nomad", 200, `gateway <em>runs on</em> nomad|href="{base}/m/pf-gateway"`},
	{"/entity?name=unheard", 404, `unheard`},
	{"/entity.json?name=nomad", 200, `"runs on"`},
	{"/entity.json", 404, `"error"`},

	{"/tree/pf-ops", 200, `href="{base}/m/pf-gateway"|!<html`},
	{"/tree/pf-nobody", 404, `pf-nobody`},
	{"/tree/pf-ops.json", 200, `"id": "pf-ops"|"pf-gateway"`},
	{"/tree/pf-nobody.json", 404, `"error"`},
	{"/at?p=operations/gateway.md", 303, `{base}/m/pf-gateway`},
	{"/at?p=nowhere.md&r=Gateway", 303, `{base}/m/pf-gateway`},
	{"/at", 404, `no such page`},
	{"/at?p=nowhere.md", 404, `nowhere.md`},
	{"/file/shot.png", 200, "\x89PNG"},
	{"/file/drawing.svg", 200, `<svg/>`},
	{"/file/notes.txt", 404, `!plain words`},
	{"/file/nothing.png", 404, `no such page`},
	{"/file/.cp/vault.yaml", 404, `!prefix:`},
	{"/file/..%2f..%2fgitconfig", 404, `!Penny`},

	{"/new", 200, `Add a memory|name="parent"|action="{base}/new"`},
	{"/new?parent=pf-ops", 200, `Add a memory below Operations|type="hidden" name="parent" value="pf-ops"`},
	{"/new?parent=pf-nobody", 404, `pf-nobody`},
	{"/m/pf-gateway/edit", 200, `Restart the zebra|action="{base}/m/pf-gateway/edit"|name="hash"`},
	{"/m/pf-nobody/edit", 404, `pf-nobody`},
	{"/m/pf-gateway/move", 200, `action="{base}/m/pf-gateway/move"|name="hash"`},
	{"/m/pf-nobody/move", 404, `pf-nobody`},
	{"/m/pf-ops/delete", 200, `3 memories go|Gateway (pf-gateway)|action="{base}/m/pf-ops/delete"`},
	{"/m/pf-nobody/delete", 404, `pf-nobody`},
	{"/m/pf-gateway/restore?rev={rev}", 200, `Restore this text|name="digest"|action="{base}/m/pf-gateway/restore"`},
	{"/m/pf-gateway/restore?rev=nowhere", 404, `nowhere`},
	{"/m/pf-nobody/restore?rev={rev}", 404, `pf-nobody`},
	{"/undo", 404, `no such page`},
	{"/undo?op=nowhere", 404, `nowhere`},

	{"/m/pf-ops/nothing", 404, `no such page`},
}

// pagesOfMany are the other pages, of a family that is served at its upper project: those of all
// its projects, and those of no vault.
var pagesOfMany = []webRow{
	{"/", 200, `Projects below|href="/p/low/"|href="/p/top/m/pf-top"`},
	{"/index.json", 200, `"project": "low"|"pf-top"`},
	{"/p/low", 200, `href="/p/low/m/pf-ops"|!pf-top`},
	{"/p/low/nothing", 404, `no such page`},
	{"/p/low/keys", 404, `no such page`},
	{"/nothing", 404, `no such page`},
	{"/m/pf-ops", 303, `/p/low/m/pf-ops`},
	{"/m/pf-ops.json", 303, `/p/low/m/pf-ops.json`},
	{"/m/pf-ops/edit", 303, `/p/low/m/pf-ops/edit`},
	{"/m/pf-twice", 300, `in 2 projects|href="/p/top/m/pf-twice"|href="/p/low/m/pf-twice"`},
	{"/m/pf-twice.json", 300, `"ambiguous_id"`},
	{"/m/pf-nobody", 404, `pf-nobody`},
	{"/p/top/m/pf-twice", 200, `Here above|!There below`},
	{"/p/low/m/pf-twice", 200, `There below|!Here above`},
	{"/p/top/m/pf-ops", 404, `pf-ops`},
	{"/search?q=zebra", 200, `href="/p/low/m/pf-gateway"|<span class="mark">low</span>|all projects`},
	{"/journal", 200, `<span class="mark">low</span>`},
	{"/review", 200, `href="/p/low/review/pf-seen?why=observation"`},
	{"/findings.json", 200, `"project": "low"`},
	{"/entity?name=nomad", 200, `href="/p/low/m/pf-gateway"`},
	{"/health", 200, `href="/p/low/health"`},
	{"/jump.json?q=gatew", 200, `"href":"/p/low/m/pf-gateway"|"project":"low"`},
	{"/jump.json?whole=1&q=zebra", 200, `/p/low/m/pf-gateway`},
	{"/jump.json", 200, `!href`},
	{"/keys", 200, `<h1>Keys</h1>|the next line of a list`},
	{"/static/nothing.css", 404, `!body`},
	{"/static/{style}", 200, `--`},
}

// pagesOfNowhere are the pages of a project that there is not: one of each kind.
func pagesOfNowhere(routes []string) (rows []webRow) {
	for _, route := range routes {
		rest, ok := strings.CutPrefix(route, "GET /p/{project}")
		if !ok {
			continue
		}
		want := "there is no project"
		if strings.HasSuffix(rest, ".json") {
			want = `"error"|there is no project`
		}
		rows = append(rows, webRow{"/p/nowhere" + word.ReplaceAllStringFunc(rest, func(name string) string { return strings.Trim(name, "{.$}") }), 404, want})
	}
	return rows
}

// word is what stands in a route for any word.
var word = regexp.MustCompile(`\{[^}]*\}`)
