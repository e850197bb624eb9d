package wire

import (
	"os"
	"strings"
	"testing"
)

// newCode makes a machine with a repository of code, whose vault is code/memory.
func newCode(t *testing.T) *machine {
	t.Helper()
	m := newMachine(t)
	m.write("code/main.go", "package main\n")
	m.git("code", "init", "-q")
	m.cp("code", "init", "--prefix", "pf")
	return m
}

// edit replaces words in a file.
func (m *machine) edit(name, old, now string) {
	m.Helper()
	text := m.read(name)
	if !strings.Contains(text, old) {
		m.Fatalf("%s does not hold %q:\n%s", name, old, text)
	}
	m.write(name, strings.ReplaceAll(text, old, now))
}

// link makes a symbolic link, in place of what is there.
func (m *machine) link(to, name string) {
	m.Helper()
	if err := os.RemoveAll(m.at(name)); err != nil {
		m.Fatal(err)
	}
	if err := os.Symlink(to, m.at(name)); err != nil {
		m.Fatal(err)
	}
}

// remove removes a file or a folder.
func (m *machine) remove(name string) {
	m.Helper()
	if err := os.RemoveAll(m.at(name)); err != nil {
		m.Fatal(err)
	}
}

const rules = "# Rules\r\n\r\nBe kind."

// A memory gets into the files that agents load and out of them again.
func TestCore(t *testing.T) {
	m := newCode(t)
	m.note("code/memory", "vpn", "Deploys need the VPN", "When you deploy", "The gateway answers <!-- inside --> only.")
	m.note("code/memory", "new", "New VPN", "When you dial in", "The gateway.")
	m.note("code/memory", "own", "Own VPN", "When you dial out", "The gateway.")
	m.cp("code", "memory", "sync")
	m.cp("code", "memory", "approve", "pf-new")
	m.Run("files", func(t *testing.T) { checkCoreFiles(m.within(t)) })
	m.Run("places", func(t *testing.T) { checkCorePlaces(m.within(t)) })
	m.Run("the person's own", func(t *testing.T) { checkOwnFiles(m.within(t)) })
}

// checkCoreFiles has a section come and go, byte for byte; a person's own text in it is never lost.
func checkCoreFiles(m *machine) {
	m.write("code/CLAUDE.md", rules)
	was := map[string]string{"code/CLAUDE.md": rules}
	with, now := "", func(m *machine) { m.edit("code/CLAUDE.md", "gateway", "proxy") }
	m.checkRows("code", []row{
		{rule: "a file has to be named", line: "memory promote pf-vpn --to core", want: "!No core memory targets configured.*name one: --target claude_md"},
		{rule: "by a name there is", line: "memory promote pf-vpn --to core --target claude", want: "!'claude' is no target.*targets are claude_md, agents_md"},
		{rule: "nothing goes there unapproved", line: "memory promote pf-vpn --to core --target claude_md", want: "!^Error: Not approved$", files: was},
		{rule: "approved it is a section", line: "memory promote pf-vpn --to core --target claude_md --approve", want: `^Promoted pf-vpn "Deploys need the VPN" to core: .*/code/CLAUDE.md$`},
		{rule: "twice it is there once", given: func(m *machine) {
			if with = m.read("code/CLAUDE.md"); !strings.HasPrefix(with, rules) || !strings.Contains(with, "answers &lt;!-- inside --&gt; only") {
				m.Errorf("CLAUDE.md: %q", with)
			}
		}, line: "memory promote pf-vpn --to core --target claude_md", want: "is in core already"},
		{rule: "an edited section is not taken out", given: now, line: "memory demote pf-vpn", want: "!claude_md: the section in .*CLAUDE.md was edited"},
		{rule: "nor by the end of its memory, which names it", line: "memory deny pf-vpn", want: "CLAUDE.md still has pf-vpn: that section was edited"},
		{rule: "status tells what is left over", line: "memory status", want: "Left over: .*/code/CLAUDE.md, of pf-vpn: it is denied. Take it out: in an editor, with its markers"},
		{rule: "a denied one is not promoted", given: func(m *machine) { m.edit("code/CLAUDE.md", "proxy", "gateway") }, line: "memory promote pf-vpn --to core", want: "!^Error: Denied$"},
		{rule: "approved it comes back", line: "memory approve pf-vpn", want: "Approved"},
		{rule: "deleted it leaves the file", line: "memory delete pf-vpn --force", want: "pf-vpn was taken out of .*/code/CLAUDE.md", files: was},
		{rule: "undo of the deletion brings it back", line: "memory undo --force", want: "pf-vpn"},
		{rule: "other settings name another file, and the old one is told", given: func(m *machine) { m.write("home/.cp/config.yaml", "core: {project: {claude_md: docs/C.md}}\n") },
			line: "memory status", want: "Left over: .*/code/CLAUDE.md, of pf-vpn: this is no file of claude_md. Take it out: cp memory promote pf-vpn --to core"},
		{rule: "promoted again it is in the new one alone", line: "memory promote pf-vpn --to core", want: "pf-vpn was taken out of .*/code/CLAUDE.md", files: was},
		{rule: "a folder made for it goes with it", line: "memory demote pf-vpn", want: "from core", files: map[string]string{"code/docs/C.md": gone, "home/docs": gone}},
		{rule: "one in no file is not demoted to the journal", given: func(m *machine) { m.remove("home/.cp/config.yaml") }, line: "memory demote pf-own", want: "!pf-own was never in the journal"},
	})
}

// checkCorePlaces has what stands at the place of a file decide whether it is written.
func checkCorePlaces(m *machine) {
	m.remove("code/CLAUDE.md")
	out := map[string]string{"code/AGENTS.md": gone, "code/GEMINI.md": gone, "code/.cursor": gone}
	m.checkRows("code", []row{
		{rule: "of two targets one may fail", given: func(m *machine) { m.link("../nowhere.md", "code/GEMINI.md") },
			line: "memory promote pf-new --to core --target agents_md,gemini_md,cursor_mdc", want: "Not written: gemini_md.*it is a link to .*/nowhere.md, which is not there", files: map[string]string{"nowhere.md": gone}},
		{rule: "the next run writes what is missing", given: func(m *machine) { m.remove("code/GEMINI.md") }, line: "memory promote pf-new --to core", want: "to core: .*/GEMINI.md$", never: "AGENTS"},
		{rule: "files that were made go with the last section", line: "memory demote pf-new", want: "from core", files: out},
		{rule: "an AGENTS.md is Claude Code's where that has none", given: func(m *machine) {
			m.write("code/docs/agents.txt", "# Agents\n")
			m.link("docs/agents.txt", "code/AGENTS.md")
		}, line: "memory promote pf-new --to core --target agents_md,claude_md", want: "to core: .*/code/docs/agents.txt$", files: map[string]string{"code/CLAUDE.md": gone}},
		{rule: "and there it stands once", given: func(m *machine) {
			if n := strings.Count(m.read("code/docs/agents.txt"), "<!-- cp:code/pf-new"); n != 1 {
				m.Errorf("%d sections", n)
			}
		}, line: "memory demote pf-new", want: "from core", files: map[string]string{"code/docs/agents.txt": "# Agents\n"}},
		{rule: "a link to a file of the code that is not there is written through", given: func(m *machine) { m.link("docs/new.md", "code/AGENTS.md") },
			line: "memory promote pf-new --to core --target agents_md", want: "to core: .*/code/docs/new.md$"},
		{rule: "a folder is refused", given: func(m *machine) { m.remove("code/AGENTS.md"); m.write("code/AGENTS.md/x", "") },
			line: "memory promote pf-new --to core --target agents_md", want: "!it is no regular file"},
		{rule: "what cannot hold a folder is refused", given: func(m *machine) { m.write("code/.github", "") },
			line: "memory promote pf-new --to core --target copilot_md", want: "!copilot_md: .*/code/.github is no folder"},
		{rule: "what is read-only is refused", given: func(m *machine) {
			m.remove("code/AGENTS.md")
			m.write("code/AGENTS.md", "# A\n")
			if err := os.Chmod(m.at("code/AGENTS.md"), 0o440); err != nil {
				m.Fatal(err)
			}
		}, line: "memory promote pf-new --to core --target agents_md", want: "!it is read-only", files: map[string]string{"code/AGENTS.md": "# A\n"}},
		{rule: "a region that is not closed is refused", given: func(m *machine) { m.remove("code/AGENTS.md"); m.write("code/AGENTS.md", "# A\n<!-- cp:core -->\n") },
			line: "memory promote pf-new --to core --target agents_md", want: "!line 2: the managed region is not closed"},
	})
}

// checkOwnFiles has a memory in the person's own files, which hold for all repositories: no commit
// tells of them.
func checkOwnFiles(m *machine) {
	m.remove("code/AGENTS.md")
	m.write("home/.claude/CLAUDE.md", "# Mine")
	mine := map[string]string{"home/.claude/CLAUDE.md": "# Mine", "home/.codex": gone}
	head := ""
	m.checkRows("code", []row{
		{rule: "a file has to be named", line: "memory promote pf-own --to core --user", want: "!No core memory targets configured"},
		{rule: "of an agent that has one", line: "memory promote pf-own --to core --user --target cursor_mdc", want: "!cursor_mdc has no file of the user's own.*leave out --user"},
		{rule: "nothing goes there unapproved", line: "memory promote pf-own --to core --user --target claude_md", want: "!^Error: Not approved$", files: mine},
		{rule: "what is not there is not promoted", line: "memory promote pf-none --to core --user --target claude_md", want: "!not found"},
		{rule: "approved it is in both", line: "memory promote pf-own --to core --user --target claude_md,agents_md --approve", want: "to core: .*/.claude/CLAUDE.md$.*to core: .*/.codex/AGENTS.md$"},
		{rule: "twice it is there once", given: func(m *machine) { head = m.git("code", "rev-parse", "HEAD") }, line: "memory promote pf-own --to core --user --target claude_md", want: "is in core already"},
		{rule: "it is taken out of all", line: "memory demote pf-own --user", want: "Taken out of .*/.claude/CLAUDE.md", files: mine},
		{rule: "and is in none then, and in no commit", given: func(m *machine) {
			if now := m.git("code", "rev-parse", "HEAD"); now != head {
				m.Error("there is a commit")
			}
		}, line: "memory demote pf-own --user", want: "!'pf-own' is in none of your own files.*without --user it is taken out of the repository's files"},
		{rule: "the settings name the file", given: func(m *machine) {
			m.write("home/.cp/config.yaml", "core:\n  targets: [claude_md]\n  user: {claude_md: ~/x.md}\n")
		}, line: "memory promote pf-own --to core --user", want: "to core: .*/home/x.md$"},
		{rule: "for the repository, too", line: "memory promote pf-own --to core", want: "to core: .*/code/CLAUDE.md$"},
		{rule: "what was edited stays, and is named with the command", given: func(m *machine) { m.edit("home/x.md", "gateway", "proxy") },
			line: "memory demote pf-own", want: "home/x.md still has pf-own: take it out in an editor", files: map[string]string{"code/CLAUDE.md": gone}},
		{rule: "also where it is asked for", line: "memory demote pf-own --user", want: "!was edited since it was written"},
		{rule: "one target that fails keeps the other from nothing", given: func(m *machine) { m.write("home/.gemini", "") },
			line: "memory promote pf-own --to core --user --target gemini_md,agents_md", want: "to core: .*/.codex/AGENTS.md$.*Not written: gemini_md"},
		{rule: "all that fail are an error", line: "memory promote pf-own --to core --user --target gemini_md", want: "!gemini_md: .*/home/.gemini is no folder.*put the file right, then run the command again"},
		{rule: "a memory that is gone leaves the person's own files", given: func(m *machine) { m.edit("home/x.md", "proxy", "gateway") },
			line: "memory delete pf-own --force", want: "pf-own was taken out of .*/home/x.md", files: map[string]string{"home/x.md": gone, "home/.codex/AGENTS.md": gone}},
	})
}

// The files are those of the code that the vault is kept for, wherever the program was called.
func TestCoreOfAVaultOutside(t *testing.T) {
	m := newMachine(t)
	for _, name := range []string{"one", "two", "else"} {
		m.write(name+"/main.go", "package main\n")
		m.git(name, "init", "-q")
	}
	m.cp("one", "init", "../vault", "--prefix", "pf")
	m.note("vault", "vpn", "VPN", "When you deploy", "The gateway.")
	m.cp("vault", "memory", "sync")
	m.cp("vault", "memory", "approve", "pf-vpn")
	m.checkRows("else", []row{
		{rule: "the code of the vault has the file", line: "memory promote pf-vpn --to core --target agents_md --vault ../vault", want: "to core: .*/one/AGENTS.md$", files: map[string]string{"else/AGENTS.md": gone, "vault/AGENTS.md": gone}},
		{rule: "of two the command says which", given: func(m *machine) { m.cp("two", "init", "../vault") },
			line: "memory promote pf-vpn --to core --target claude_md --vault ../vault", want: "!is kept for several repositories: .*/one.*/two.*run the command in one of them"},
		{rule: "by where it runs", at: "two", line: "memory promote pf-vpn --to core --target claude_md", want: "to core: .*/two/CLAUDE.md$"},
		{rule: "a review knows no old copies where it does not know the code", line: "memory review --vault ../vault", want: "Nothing waits"},
		{rule: "both are cleared by the end of the memory", line: "memory resolve pf-vpn --resolution done --vault ../vault", want: "taken out of .*one/AGENTS.md", files: map[string]string{"one/AGENTS.md": gone, "two/CLAUDE.md": gone}},
	})
}
