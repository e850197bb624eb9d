package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// kindred is how many vaults the family has. The first one lies above the others.
const kindred = 10

// root returns the topmost note above i.
func root(i int) int {
	for parent(i) >= 0 {
		i = parent(i)
	}
	return i
}

// memberDir is the folder of the family's vault v.
func memberDir(dir string, v int) string {
	if v == 0 {
		return dir
	}
	return filepath.Join(dir, fmt.Sprintf("project%d", v))
}

// buildFamily makes vaults of the notes of buildCorpus, dealt out by their roots.
func buildFamily(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("a family wants the program, the folder and the number of notes")
	}
	size, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	for v := range kindred {
		dir := memberDir(args[1], v)
		if err := emptyVault(args[0], dir); err != nil {
			return err
		}
		if err := fastImport(dir, func(w io.Writer) { share(w, size, v) }); err != nil {
			return err
		}
		if err := commands(dir, "git reset -q --hard", "git tag "+base); err != nil {
			return err
		}
	}
	return nil
}

// share commits the notes of the family's vault v.
func share(w io.Writer, size, v int) {
	fmt.Fprintf(w, "commit refs/heads/main\ncommitter Bench <bench@example.org> %d +0000\ndata 6\nnotes\nfrom refs/heads/main^0\n", epoch.Unix())
	notes := writer{newVocabulary(), size}
	for i := range size {
		if root(i)%kindred == v {
			text := notes.memory(i)
			fmt.Fprintf(w, "M 100644 inline %s.md\ndata %d\n%s\n", stem(i), len(text), text)
		}
	}
}

// family measures questions that ten vaults answer beside the one vault with the same notes.
func (b *bencher) family(size int) error {
	if !b.only.MatchString("family") {
		return nil
	}
	one, err := b.corpus(size)
	if err != nil {
		return err
	}
	dir, err := b.cached(fmt.Sprintf("family-%s-%d", edition, size), "family", b.options.cp, "DIR", strconv.Itoa(size))
	if err != nil {
		return err
	}
	home := dir + "-home"
	if err := os.MkdirAll(home, 0o777); err != nil {
		return err
	}
	for v := range kindred { // by themselves they would join no family: git ignores the bench's folder
		at := memberDir(dir, v)
		if _, err := in(at, "env", "HOME="+home, b.options.cp, "project", "add", at).run(); err != nil {
			return err
		}
		if _, err := b.at(home, at, "list", "--limit", "1").run(); err != nil {
			return err
		}
	}
	newWords()
	c := &corpus{bencher: b, dir: dir, size: size}
	var rows []row
	for _, q := range []struct{ what, verb, words string }{
		{"search of a 1 % word", "search", markPercent}, {"search of three words", "search", markPermille + " " + markPercent + " " + markTenth},
		{"recall of three words", "recall", markPermille + " " + markPercent + " " + markTenth}, {"recall of a sentence", "recall", "why does the " + words.words[60] + " of " + words.words[300] + " " + markPercent + " restart"},
	} {
		rows = append(rows, row{what: "family: " + q.what, floor: "one vault of the same notes", goals: []goal{ratio(1.5, 10_000)},
			product: each(b.at(home, dir, q.verb, q.words, "--limit", "10")), lower: each(b.at(home, one, q.verb, q.words, "--limit", "10"))})
	}
	rows = append(rows, b.without(home, one)...)
	many, err := b.manyProjects(dir)
	if err != nil {
		return err
	}
	rows = append(rows, many...)
	rows = append(rows, row{what: "family: search within one of its vaults", floor: "the same, without a family", goals: []goal{above(5e6)},
		product: each(b.at(home, memberDir(dir, kindred-1), "search", markPercent)), lower: each(in(memberDir(dir, kindred-1), b.options.cp, "memory", "search", markPercent))})
	if err := b.all(c, rows); err != nil {
		return err
	}
	if err := b.all(&corpus{bencher: b, dir: one, size: size}, []row{b.session(home, one)}); err != nil {
		return err
	}
	return b.restore(one)
}

// at is a memory command in a folder, with the list of projects below home.
func (b *bencher) at(home, dir string, args ...string) command {
	return in(dir, append([]string{"env", "HOME=" + home, b.options.cp, "memory"}, args...)...)
}

// without are questions to a vault without a family, beside the same with nothing looked for.
func (b *bencher) without(home, one string) (rows []row) {
	for _, q := range []struct {
		what string
		args []string
	}{
		{"search", []string{"search", markPercent, "--limit", "10"}}, {"recall", []string{"recall", markPercent, "--limit", "10"}}, {"list", []string{"list", "--limit", "10"}},
		{"tree", []string{"tree", "--limit", "10"}}, {"prime", []string{"prime", "--limit", "10"}}, {"graph", []string{"graph"}}, {"search of entities", []string{"search", "--nodes", markPercent}},
		{"changes", []string{"changes", "--since", "7d"}}, {"context", []string{"context", "release"}}, {"review", []string{"review"}}, {"export", []string{"export", "-o", "jsonl"}},
	} {
		rows = append(rows, without(q.what, each(b.at(home, one, q.args...)), each(b.alone(home, one, q.args...))))
	}
	added := 0
	add := func(run func(home, dir string, args ...string) command) func(int) (cost, error) {
		return func(int) (cost, error) {
			added++
			return run(home, one, "add", "--title", fmt.Sprintf("Added %d", added), fmt.Sprintf("What was learned in round %d.", added)).run()
		}
	}
	return append(rows, without("add", add(b.at), add(b.alone)))
}

// session is a row of a server for agents in a vault without a family. A watcher runs: a server
// that begins one of its own looks at each file until that listens, and when it does is chance.
func (b *bencher) session(home, one string) row {
	served := func(env, flags []string) func(int) (cost, error) {
		c := &corpus{bencher: b, dir: one, env: append(env, "HOME="+home), flags: flags}
		return c.calls("memory_recall", func(n int) map[string]any { return map[string]any{"query": markPercent, "limit": 1 + n%10} })
	}
	r := without("recall in a session of the server", served(nil, nil), served([]string{"CP_REGISTRY=off"}, []string{"--exact-project"}))
	r.rounds, r.watch = 0, true
	return r
}

// without is a row of a vault without a family.
func without(what string, product, lower func(int) (cost, error)) row {
	return row{what: "family: " + what + " of a vault that has none", floor: "the same, with --exact-project and no list", goals: []goal{more(2, 10_000)}, rounds: 31, product: product, lower: lower}
}

// alone is a memory command that looks for no family.
func (b *bencher) alone(home, dir string, args ...string) command {
	return in(dir, append([]string{"env", "HOME=" + home, "CP_REGISTRY=off", b.options.cp, "memory", "--exact-project"}, args...)...)
}

// refused is a command that fails, as it should.
func refused(c command) command {
	c.argv = append([]string{"sh", "-c", `! "$0" "$@"`}, c.argv...)
	return c
}

// manyProjects are rows of a machine with a thousand projects, twenty one below another.
func (b *bencher) manyProjects(dir string) (rows []row, err error) {
	home, few := dir+"-many", dir+"-few"
	lines := "version: 1\nprojects:\n"
	for i := range 1000 {
		at := home
		for level := range i%20 + 1 {
			at = filepath.Join(at, fmt.Sprintf("p%d-%d", i/20, level))
		}
		for _, folder := range []string{".cp", ".git"} { // each is a repository of its own
			if err := os.MkdirAll(filepath.Join(at, folder), 0o777); err != nil {
				return nil, err
			}
		}
		if err := os.WriteFile(filepath.Join(at, ".cp", "vault.yaml"), []byte("format: 1\nproject: p\nprefix: pf\n"), 0o666); err != nil {
			return nil, err
		}
		lines += fmt.Sprintf("- {\"path\":%q,\"name\":\"p%d\",\"vault\":%q,\"seen\":\"2026-11-24\"}\n", at, i, at)
	}
	for _, h := range []string{home, few} {
		if err := os.MkdirAll(filepath.Join(h, ".cp"), 0o777); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(home, ".cp", "projects.yaml"), []byte(lines), 0o666); err != nil {
		return nil, err
	}
	low := filepath.Join(home, "p0-0", "p0-1")
	for level := 2; level < 20; level++ {
		low = filepath.Join(low, fmt.Sprintf("p0-%d", level))
	}
	if err := commands(low, "git init -q"); err != nil {
		return nil, err
	}
	return []row{
		{what: "family: list of 1,000 projects", floor: "cp version", goals: []goal{above(42e6)}, rounds: 31, // about 50 ms with the start of the program
			product: each(in(home, "env", "HOME="+home, b.options.cp, "project", "list")), lower: each(in(dir, "env", "HOME="+home, b.options.cp, "version"))},
		{what: "family: choice among 1,000 projects", floor: "the same with one project", goals: []goal{above(5e6)}, rounds: 31,
			product: each(b.at(home, low, "list")), lower: each(b.at(few, low, "list"))},
		{what: "family: a name that none of 1,000 projects has", floor: "the same with one project", goals: []goal{ratio(0, -1)}, // no goal at any size: 200 vaults are opened
			product: each(refused(b.at(home, low, "list", "--project", "nowhere"))), lower: each(refused(b.at(few, low, "list", "--project", "nowhere")))},
	}, nil
}
