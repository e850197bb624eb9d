package wire

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/findings"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/transfer"
	"github.com/cp-memory/cp/vault/tree"
)

// answer is a question to a family: what is asked, and the rows of the answer in a line.
type answer struct {
	rule string
	ask  func(f *ask.Family) (rows []string, err error)
	want string // of the family of top
	lone string // of the project low
}

// collect makes lines of rows.
func collect[R any](rows []R, line func(R) string) (all []string) {
	for _, r := range rows {
		all = append(all, line(r))
	}
	return all
}

// checkAnswers asks a family and one project of it the same questions. What two clones have comes
// once, and a row says from which project it is.
func checkAnswers(m *machine) {
	ctx := m.Context()
	answers := []answer{
		{"a list has the rows of all", func(f *ask.Family) ([]string, error) {
			p, err := f.List(ctx, app.Filter{Limit: 20, Facts: true})
			rows := collect(p.Rows, func(r tree.ListRow) string { return fmt.Sprintf("%s@%s,%t", r.ID, r.Project, r.Facts != nil) })
			slices.Sort(rows)
			return append(rows, fmt.Sprint(p.Total)), err
		}, "pf-bare@deep,false pf-late@deep,false pf-nomad@top,true pf-quota@low,true pf-twin@top,false 5", "pf-quota@low,true pf-twin@low,false 2"},
		{"a page begins where the last one ended", func(f *ask.Family) ([]string, error) {
			p, err := f.List(ctx, app.Filter{Limit: 2, Offset: 4})
			return []string{fmt.Sprint(len(p.Rows), " of ", p.Total)}, err
		}, "1 of 5", "0 of 2"},
		{"a label that nobody has is told", func(f *ask.Family) ([]string, error) {
			p, err := f.SearchMemories(ctx, "binary", app.Filter{Labels: []string{"opz"}})
			return []string{fmt.Sprint(len(p.Rows)), fmt.Sprint(strings.Contains(p.Hint, "opz"))}, err
		}, "0 true", "0 true"},
		{"a recall ranks all", func(f *ask.Family) ([]string, error) {
			a, err := f.Recall(ctx, recall.Query{Text: "when is the quota full"}, app.Filter{Files: true})
			return collect(a.Rows[:min(1, len(a.Rows))], func(r recall.Row) string { return string(r.ID) + "@" + r.Project }), err
		}, "pf-quota@low", "pf-quota@low"},
		{"below a memory of one project only that answers", func(f *ask.Family) ([]string, error) {
			_, err := f.List(ctx, app.Filter{Limit: 9, Under: "pf-nosuch"})
			return []string{string(vault.CodeOf(err))}, nil
		}, string(vault.CodeNotFound), string(vault.CodeNotFound)},
		{"a piece of work is what all know of it", func(f *ask.Family) ([]string, error) {
			w, err := f.Context(ctx, journal.Context{Spec: "storage"})
			rows := collect(w.Blockers, func(e journal.Entry) string { return string(e.ID) + "@" + e.Project })
			for _, g := range w.Groups {
				rows = append(rows, collect(g.Entries, func(e journal.Entry) string { return string(e.ID) + "@" + e.Project })...)
			}
			return rows, err
		}, "pf-out@low pf-use@top pf-disk@low", "pf-out@low pf-disk@low"},
		{"within a budget a lone project is not named", func(f *ask.Family) ([]string, error) {
			w, err := f.Context(ctx, journal.Context{Spec: "storage", Budget: 2000})
			return collect(w.Blockers, func(e journal.Entry) string { return string(e.ID) + "@" + e.Project }), err
		}, "pf-out@low", "pf-out@"},
		{"awareness counts all", func(f *ask.Family) ([]string, error) {
			a, err := f.Awareness(ctx)
			return []string{fmt.Sprint(a.Memories, a.Unresolved, a.Waiting, a.Entries)}, err
		}, "12 1 2 map[blockers:1 decisions:1 learnings:1 observations:1 reviews:2]", "5 1 1 map[blockers:1 learnings:1 reviews:1]"},
		{"a title may be of several, and twins are one", func(f *ask.Family) ([]string, error) {
			rows := collect(f.Holding(ctx, "pf-twin"), func(h ask.Held) string { return string(h.ID) + "@" + h.Project.Name })
			return append(rows, collect(f.Holding(ctx, "Quota"), func(h ask.Held) string { return string(h.ID) + "@" + h.Project.Name })...), nil
		}, "pf-twin@top pf-quota@low", "pf-twin@low pf-quota@low"},
		{"of findings the worst comes first, wherever it is", func(f *ask.Family) ([]string, error) {
			all, err := f.ListFindings(ctx, findings.Filter{})
			return collect(all, func(r ask.Found) string { return string(r.Severity) + "@" + r.Project }), err
		}, "high@low low@deep", "high@"},
		{"an entity of which several speak is one", func(f *ask.Family) ([]string, error) {
			l, err := f.ListEntities(ctx, graph.Query{})
			return collect(l.Entities, func(e graph.Node) string {
				return fmt.Sprint(e.Name, e.Sources, e.Project, len(e.Projects), e.Description)
			}), err
		}, "PostgreSQL2top2the store", "PostgreSQL1low0"},
		{"and is found by a word", func(f *ask.Family) ([]string, error) {
			hits, err := f.SearchNodes(ctx, "postgresql", 9, false)
			return collect(hits, func(h graph.Hit) string { return h.Name }), err
		}, "PostgreSQL", "PostgreSQL"},
		{"with all memories that speak of it", func(f *ask.Family) ([]string, error) {
			all, err := f.Entity(ctx, "PostgreSQL")
			var rows []string
			for _, e := range all {
				for _, r := range e.Memories {
					rows = append(rows, string(r.ID)+"@"+r.Project)
				}
			}
			return rows, err
		}, "pf-nomad@top pf-quota@low", "pf-quota@low"},
		{"an export has each once", func(f *ask.Family) (rows []string, err error) {
			err = f.Export(ctx, "", app.Filter{}, func(e transfer.Exported) error {
				if e.ID == "pf-twin" || e.ID == "pf-quota" || e.ID == "pf-bare" {
					rows = append(rows, string(e.ID)+"@"+e.Project)
				}
				return nil
			})
			return rows, err
		}, "pf-twin@top pf-quota@low pf-bare@deep", "pf-quota@low pf-twin@low"},
		{"below a memory it has that alone", func(f *ask.Family) (rows []string, err error) {
			err = f.Export(ctx, "pf-quota", app.Filter{}, func(e transfer.Exported) error { rows = append(rows, string(e.ID)); return nil })
			return rows, err
		}, "pf-quota", "pf-quota"},
		{"and of nothing it is an error", func(f *ask.Family) (rows []string, err error) {
			err = f.Export(ctx, "pf-nosuch", app.Filter{}, func(transfer.Exported) error { return nil })
			return []string{string(vault.CodeOf(err))}, nil
		}, string(vault.CodeNotFound), string(vault.CodeNotFound)},
	}
	for _, at := range []string{"top", "top/low"} {
		_, f := m.family(at, settings.Flags{})
		for _, row := range answers {
			rows, err := row.ask(f)
			want := row.want
			if at == "top/low" {
				want = row.lone
			}
			if got := strings.Join(rows, " "); err != nil || got != want {
				m.Errorf("%s in %s: got %q, %v; want %q", row.rule, at, got, err, want)
			}
		}
		if len(f.Warnings) > 0 {
			m.Errorf("in %s: %v", at, f.Warnings)
		}
	}
	_, f := m.family("top", settings.Flags{})
	out, err := f.ExportTo(ctx, "", m.at("out"), app.Filter{})
	where := collect(out.Projects, func(p ask.ExportedIn) string { return p.Project + " " + strings.TrimPrefix(p.Folder, m.dir) })
	if slices.Sort(where); err != nil || strings.Join(where, ", ") != "deep /out/deep, low /out/low, top /out" {
		m.Errorf("an export has a folder for each: %v, %v", where, err)
	}
	for _, name := range []string{"out/nomad.md", "out/low/quota.md", "out/deep/late/bare.md"} {
		if _, err := os.Stat(m.at(name)); err != nil {
			m.Error(err)
		}
	}
	if _, err = f.ExportTo(ctx, "", m.at("out"), app.Filter{}); vault.CodeOf(err) != vault.CodeInvalid {
		m.Errorf("an export overwrites: %v", err)
	}
}

// checkWrites writes in the vault of a project, and hears what the projects below say already.
func checkWrites(m *machine) {
	ctx, quota := m.Context(), "The disk of db1 holds ninety days of logs and is then full."
	t := m.target("top", settings.Flags{})
	like := func(all []tree.Like) string {
		return strings.Join(collect(all, func(l tree.Like) string { return string(l.ID) + "@" + l.Project }), " ")
	}
	head := m.git("top", "rev-parse", "HEAD")
	a, err := ask.Create(ctx, t, tree.Add{Title: "Quota", Summary: "When the quota is full", Text: quota})
	if err != nil || !a.Duplicate || a.ID != "pf-quota" || a.Project != "low" || m.git("top", "rev-parse", "HEAD") != head {
		m.Errorf("what a project below says is not stored twice: %+v, %v", a, err)
	}
	a, err = ask.Create(ctx, t, tree.Add{Title: "Quota", Summary: "When the quota is full", Text: quota, AllowDuplicate: true})
	if err != nil || a.Duplicate || like(a.Similar) != "pf-quota@low" {
		m.Errorf("unless it is to be: %+v, %v", a, err)
	}
	a, err = ask.CreateSub(ctx, t, app.AddSub{AddSub: tree.AddSub{Parent: "pf-nomad", Title: "Put off", Summary: "When it is late", Body: "Put off."}}, nil)
	if err != nil || like(a.Similar) != "pf-late@deep" {
		m.Errorf("a child hears what is alike: %+v, %v", a, err)
	}
	o, err := ask.CountObservation(ctx, t, journal.Observe{Text: "The disk of db1 holds ninety days of logs and then is full", Session: "s1"})
	if err != nil || !o.New || !strings.Contains(like(o.Similar), "pf-quota@low") {
		m.Errorf("so does an observation: %+v, %v", o, err)
	}
	for text, want := range map[string]string{"pf-quota": "low", "pf-nomad": ""} {
		if p, ok := ask.Observing(ctx, t, text); p.Name != want || ok != (want != "") {
			m.Errorf("%s is counted in %s, want %s", text, p.Name, want)
		}
	}
}
