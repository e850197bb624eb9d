package wire

import (
	"testing"
)

// What stands at the place of a vault, or around it, decides whether there may be one, and nothing is
// made before that is known.
func TestInitRefuses(t *testing.T) {
	m := newMachine(t)
	m.write("x/.git/HEAD", "x")
	m.write("named/.git", "gitdir: nowhere\n")
	m.write("v2/.cp", "")
	m.write("v3/.gitattributes/x", "")
	m.write("v4/.gitattributes", "# key AKIAIOSFODNN7EXAMPLZ ghp_0123456789abcdefghijABCDEFGHIJ456789\n")
	m.link("nowhere", "broken")
	m.checkRows(".", []row{
		{rule: "a home is no vault", at: "home", line: "init .", want: "!/home is no place for a vault: everything below it would belong to it.*like: cp init .*/home/memory"},
		{rule: "nor is the top of all", line: "init /", want: "!/ is no place for a vault"},
		{rule: "git's own folder is none", line: "init x/.git/y", want: "!x/.git/y lies in a .git folder.*choose a folder outside of it"},
		{rule: "nor is ours", line: "init x/.cp/y", want: "!lies in a .cp folder"},
		{rule: "a file is no folder", line: "init gitconfig", want: "!/gitconfig is not a folder.*choose another folder"},
		{rule: "a link has to lead to one", line: "init broken/v", want: "!cannot open .*/broken.*look where it leads: ls -l"},
		{rule: "a .git that names no repository", line: "init named", want: "!named/.git names no git repository.*look at it and move it away"},
		{rule: "a prefix is short", line: "init v --prefix 1x", want: `!the prefix "1x" is not 2 to 8 of a-z and 0-9 with a letter first.*like --prefix pf`, files: map[string]string{"v": gone}},
		{rule: "a project has a name of one line", line: "init v --project 'a\nb'", want: "!project name .* holds a control character.*use a plain name"},
		{rule: "a file at the place of a folder of ours", line: "init v2", want: "!v2/.cp is not a folder.*look at it and move it away"},
		{rule: "a folder at the place of a file of ours", line: "init v3", want: "!v3/.gitattributes is not a plain file.*look at it and move it away"},
		{rule: "a secret is not committed", line: "init v4", want: "!.gitattributes would be committed: .*take it out and keep it where secrets are kept"},
	})
}

// Without a folder the place follows from what the repository holds.
func TestInitChoosesThePlace(t *testing.T) {
	m := newMachine(t)
	for name, files := range map[string][]string{
		"notes": {"a.md", "b.md", "sub/c.md", "photo.png", "LICENSE"},
		"code":  {"main.go", "docs/a.md", "docs/b.md", "README.md", "sub/x.go"},
		"mixed": {"a.md", "b.md", "Makefile", "memory/x.c"},
	} {
		for _, file := range files {
			m.write(name+"/"+file, "# "+file+"\n")
		}
		m.git(name, "init", "-q")
	}
	m.git("mixed", "remote", "add", "origin", "git@example.org:team/rocket.git")
	m.checkRows(".", []row{
		{rule: "a folder of notes is the vault", at: "notes", line: "init --prefix pf", want: "/notes .*3 Markdown files", files: map[string]string{"notes/memory": gone}},
		{rule: "once is enough", at: "notes", line: "init", want: "!Config already exists. Use --force to overwrite."},
		{rule: "code has the vault beside it, and hears of its notes", at: "code", line: "init --prefix pf", want: "/code/memory.*cp memory import docs"},
		{rule: "which the repository says", files: map[string]string{"code/.cp.yaml": "vault: memory\n"}},
		{rule: "a folder of it belongs to that", at: "code/sub", line: "init", want: "!code/sub belongs to the vault .*/code/memory already, which each command in it finds.*`cp init .` gives this folder a vault of its own"},
		{rule: "until it gets its own, called by it", at: "code/sub", line: "init memory --prefix su", want: `/code/sub/memory \(project sub, ids su-`, files: map[string]string{"code/sub/.cp.yaml": "vault: memory\n", "code/.cp.yaml": "vault: memory\n"}},
		{rule: "a manifest makes it code, and what is called memory and holds code is not taken", at: "mixed", line: "init", want: "!mixed/memory holds other things than notes.*say where: cp init docs/memory"},
		{rule: "unless a person says so; the remote names it", at: "mixed", line: "init memory --agent bob", want: `/mixed/memory \(project rocket,`, files: map[string]string{"mixed/.cp.yaml": "vault: memory\nagent: bob\n"}},
	})
}

// A vault outside of the code is told of in the person's own settings, and nowhere else.
func TestInitOutside(t *testing.T) {
	m := newMachine(t)
	for _, name := range []string{"one", "two", "three"} {
		m.write(name+"/main.go", "package main\n")
		m.git(name, "init", "-q")
	}
	config := "home/.cp/config.yaml"
	m.write(config, "# mine\nagent: pat")
	one := "# mine\nagent: pat\nvaults:\n  " + m.at("one") + ": " + m.at("kept") + "\n"
	m.checkRows("one", []row{
		{rule: "the settings say whose it is", line: "init ../kept --prefix pf", want: "/kept", files: map[string]string{config: one, "one/.cp.yaml": gone}},
		{rule: "said once it is left alone", line: "init ../kept", want: "/kept was there already.*found from .*/one: your own settings say so", files: map[string]string{config: one}},
		{rule: "another repository may have the same", at: "two", line: "init ../kept", want: "/kept", files: map[string]string{config: "# mine\nagent: pat\nvaults:\n  " + m.at("two") + ": " + m.at("kept") + "\n  " + m.at("one") + ": " + m.at("kept") + "\n"}},
		{rule: "settings of another form are not changed", given: func(m *machine) { m.write(config, "vaults: {}\n") }, at: "three", line: "init ../kept",
			want: "!the vault is made, but .*config.yaml cannot be told that it belongs to .*/three.*below vaults: " + m.at("three") + ": " + m.at("kept"), files: map[string]string{config: "vaults: {}\n"}},
		{rule: "a link to nothing is not written through", given: func(m *machine) { m.link("../nowhere", config) }, at: "three", line: "init ../kept",
			want: "!cannot be told of it: .*config.yaml is a link to ../nowhere, which is not there", files: map[string]string{"home/nowhere": gone}},
		{rule: "a link to a file is", given: func(m *machine) { m.write("dotfiles/cp.yaml", ""); m.link("../../dotfiles/cp.yaml", config) }, at: "three", line: "init ../kept",
			want: "/kept", files: map[string]string{"dotfiles/cp.yaml": "vaults:\n  " + m.at("three") + ": " + m.at("kept") + "\n"}},
		{rule: "what cannot be read is told", given: func(m *machine) { m.remove(config); m.write(config+"/x", "") }, at: "one", line: "init ../kept", want: "!config.yaml is not a regular file.*put a plain file in its place"},
	})
}

// A vault on a branch of its own lies beside the code and is in none of its commits.
func TestInitOnABranch(t *testing.T) {
	m := newMachine(t)
	for _, name := range []string{"code", "old"} {
		m.write(name+"/main.go", "package main\n")
		m.git(name, "init", "-q")
		m.git(name, "add", ".")
		m.git(name, "commit", "-qm", "code")
	}
	m.write("notes/.cp/vault.yaml", "format: 1\nproject: notes\nprefix: nn\n")
	m.git("notes", "init", "-q")
	m.git("notes", "add", ".")
	m.checkRows("code", []row{
		{rule: "there has to be code", at: "home", line: "init --branch memory", want: "!/home is in no git repository.*run: git init .*/home"},
		{rule: "a vault that is all of a repository is none beside code", at: "notes", line: "init --branch memory", want: "!the whole repository .*/notes is a vault: there is no code to keep it apart from.*keep it as it is"},
		{rule: "it lies in the code's folder", line: "init --branch memory --prefix pf --agent bob", want: "/code/memory.*--agent is not kept for a vault on a branch; say agent: bob in ~/.cp/config.yaml"},
		{rule: "and git does not see it there", given: func(m *machine) {
			if said := m.git("code", "status", "--porcelain"); said != "" {
				m.Error(said)
			}
		}},
		{rule: "once is enough", line: "init --branch memory", want: "!Config already exists. Use --force to overwrite."},
		{rule: "also where nobody names the branch", line: "init", want: "!Config already exists"},
		{rule: "what is in no commit would be lost", at: "old", given: func(m *machine) {
			m.cp("old", "init", "--prefix", "pf")
			m.add("old", "First", "When it is first", "A text.")
			m.write("old/memory/typed.md", "Typed.\n")
		}, line: "init --branch memory", want: "!old/memory holds what is in no commit .*memory/typed.md.*commit it first, with git or by: cp memory sync"},
	})
}
