package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// reviewed returns a vault in which something waits for each list of the review, and an
// agent's file beside it. The copies that tests work on are made from one.
func reviewed(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.must("rm", "-rf", ".git", ".cp", ".gitattributes")
	s.prepare(`find . -name '*.md' -delete; cp init --prefix pf
printf 'promotion: {to_core: {min_days: 0}}\n' >>.cp/vault.yaml
cp memory add --title Operations --summary 'When something runs' 'How we run it.'
cp memory add --title Networks --summary 'When something connects' 'Wires and radio.'
for s in s1 s2 s3; do cp memory observe 'The gateway answers inside the VPN' --session $s; done
for s in s1 s2; do cp memory observe 'Builds need much memory' --session $s; done
cp memory observe 'Tests fail on Mondays' --session s1
for s in s1 s2 s3; do cp memory observe 'The worker needs a restart' --session $s; done
cp memory promote --to long-term --approve --summary 'When the worker hangs' "$(cp memory list --type observation -o json | tr -d '\n' | grep -o '"id": *"[^"]*",[^{]*"title": *"The worker' | grep -o 'pf-[a-z0-9]*' | head -1)"
printf '# Rules\n' >CLAUDE.md`)
	t.Setenv("TERM", "xterm-256color")
	t.Setenv("CP_ACCESSIBLE", "")
	t.Setenv("NO_COLOR", "")
	os.Unsetenv("NO_COLOR")
	return s
}

// sit opens the review and waits for its first item.
func (s *scene) review(t *testing.T, width, height int) *sitting {
	t.Helper()
	return s.sit(t, width, height, "memory", "review").see("[Observations 3]", "> 3x The gateway")
}

// The keys of the design, as one sitting. What they decide stands in commits.
func TestReviewScreenKeys(t *testing.T) {
	s := reviewed(t)
	at := s.review(t, 100, 24)
	at.see("seen by 3 sessions (s1, s2, s3)", "? keys")
	at.keys("j").see("> 2x Builds").keys("k").see("> 3x The gateway").keys("\x1b[B").see("> 2x Builds").keys("\x1b[A").see("> 3x The gateway")
	at.keys("G").see("> 1x Tests", "1/2, needs 1 more").keys("gg").see("> 3x The gateway").keys("\x1b[6~").see("> 1x Tests").keys("\x1b[5~").see("> 3x The gateway")
	at.keys("\r").see("! │", "The gateway answers inside the VPN").keys("\r").see("> 3x").keys("o").see("sessions (3):", "- s2").keys("\x1b").see("> 3x")
	at.keys("?").see("take back the last decision").keys("q").see("> 3x")
	at.keys("/").see("Filter _").keys("builds").see("> 2x Builds", "!gateway").keys("\x7f\x7f\x7f\x7f\x7f\x7f\x1b").see("> 3x The gateway", "!Filter")
	at.keys("p").see("> Learned", "Networks", "Operations").keys("netw").see("> Networks", "!Operations").keys("\r").see("a puts it below “Networks”")
	at.keys("w").see("When does one need it?").keys("When it dials in\r").see("phrase: When it dials in")
	at.keys("a").see("Approved pf-", "u takes it back", "[Observations 2]", "> 2x Builds")
	s.must("test", "-f", "networks/the-gateway-answers-inside-the-vpn.md")
	at.keys("u").see("Taken back: the approval of", "[Observations 3]", "> 3x The gateway", "seen by 3")
	if _, err := s.run("test", "-f", "networks/the-gateway-answers-inside-the-vpn.md"); err == nil {
		t.Error("what was taken back is still there")
	}
	at.keys("s").see("> 2x Builds", "seen by 2").keys("d").see("Denied pf-", "> 1x Tests", "seen by 1").keys("u").see("Taken back: the denial of", "> 2x Builds", "seen by 2")
	at.keys("gg").see(">-3x The gateway").keys("  ").see("2 marked").keys("A").see("Approve 2 items?", "goes below “Networks”").keys("\r").see("Nothing was done", "2 marked")
	at.keys("D").see("Deny 2 items?", "Yes or no? (y/N)").keys("y").see("Denied 2", "[Observations 1]", "2 decided")
	at.see("seen by 1").keys("m").see("Nothing is near it")
	at.keys("\t").see("[Promotions 1]", "> core The worker", "seen by 3").keys("a").see("1 [x] CLAUDE.md (claude_md)", "2 [ ] AGENTS.md", "+## The worker needs a restart")
	at.keys("n").see("Nothing was done").keys("a").see("2 [ ] AGENTS.md").keys("2").see("2 [x] AGENTS.md").keys("y").see("Written pf-", "[Promotions 0]", "All promotions are reviewed.")
	s.must("grep", "-q", "## The worker", "CLAUDE.md", "AGENTS.md")
	at.keys("u").see("Taken back: the copies of", "> core The worker", "seen by 3")
	if text, err := os.ReadFile(filepath.Join(s.dir, "CLAUDE.md")); err != nil || string(text) != "# Rules\n" {
		t.Errorf("CLAUDE.md is %q (%v), want what it was", text, err)
	}
	code, raw := at.keys("q").end()
	if code != 0 || !strings.Contains(raw, "2 of 4 seen: 2 denied.") {
		t.Errorf("exit code %d, want 0 and what was done:\n%s", code, raw)
	}
	if !colours.MatchString(raw) {
		t.Errorf("nothing has a colour:\n%q", raw)
	}
	if log := s.must("git", "log", "--format=%s"); strings.Count(log, "memory: deny ") != 3 {
		t.Errorf("each decision is a commit, got:\n%s", log)
	}
	s.healthy()
}

// The screen is whole on every size. Below 20x5 one line says why nothing is shown.
func TestReviewScreenSizes(t *testing.T) {
	testlevel.Check(t)
	s := reviewed(t)
	at := s.review(t, 80, 14)
	at.see("│ The gateway answers", "Tests fail", "? keys q quit")
	at.size(40, 8)
	at.see("> 3x The gateway answers", "Tests fail", "!│").keys("\r").see("ready for a place in the tree", "q back")
	at.size(18, 4)
	at.see("Needs 20x5 cells", "!gateway")
	at.size(40, 12)
	at.see("ready for a place in the tree", "q back").keys("j\x7f").see("> 3x The gateway", "Tests fail", "ready for a place in the tree")
	at.size(120, 40)
	at.see("│ The gateway answers")
	if code, raw := at.keys("q").end(); code != 0 {
		t.Errorf("exit code %d:\n%s", code, raw)
	}
}

// Without colours what matters is bold, and the cursor is a sign.
func TestReviewScreenWithoutColours(t *testing.T) {
	testlevel.Check(t)
	s := reviewed(t)
	t.Setenv("NO_COLOR", "1")
	at := s.review(t, 100, 24)
	at.keys("\t").see("> core", "seen by 3").keys("a").see("+## The worker needs a restart").keys("n").see("Nothing was done")
	_, raw := at.keys("q").end()
	if found := colours.FindString(raw); found != "" || !strings.Contains(raw, "\x1b[1m") {
		t.Errorf("colour %q, or nothing is bold:\n%q", found, raw)
	}
}

// colours are the escapes that set a colour.
var colours = regexp.MustCompile(`\x1b\[(\d+;)*([349]\d|10\d)(;\d+)*m`)

// What another process changes or takes away meanwhile is not decided about.
func TestReviewScreenBesideOthers(t *testing.T) {
	testlevel.Check(t)
	s := reviewed(t)
	at := s.review(t, 100, 24)
	at.see("a puts it below")
	id := func(title string) string {
		return strings.TrimSpace(s.must("sh", "-c", `"$0" memory search "$1" --type observation -o jsonl | grep -o 'pf-[a-z0-9]*' | head -1`, s.cp, title))
	}
	s.must(s.cp, "memory", "update", id("gateway"), "--body", "The gateway answers to nobody.")
	at.keys("a").see("Not done: pf-", "was changed meanwhile", "The gateway answers to nobody.", "[Observations 3]")
	at.keys("j").see("> 2x Builds", "seen by 2")
	s.must(s.cp, "memory", "deny", id("Builds"))
	at.keys("a").see("is gone: it waits no more", "[Observations 2]", "> 1x Tests")
	at.see("seen by 1").keys("k").see("> 3x", "seen by 3").keys("a").see("Approved pf-", "[Observations 1]")
	if code, raw := at.keys("q").end(); code != 0 {
		t.Errorf("exit code %d:\n%s", code, raw)
	}
	s.healthy()
}

// A key that is held down decides once, and what is pasted decides nothing.
func TestReviewScreenHeldKey(t *testing.T) {
	testlevel.Check(t)
	s := reviewed(t)
	at := s.review(t, 100, 24)
	at.see("seen by 3").keys("\x1b[200~adady\ra\x1b[201~?").see("take back the last decision").keys("q").see("> 3x The gateway")
	at.keys("dddddddddddddddd").see("[Observations 2]", "> 2x Builds", "seen by 2").keys("kdddddddd").see("[Observations 1]", "2 decided")
	if code, raw := at.keys("q").end(); code != 0 || !strings.Contains(raw, "2 of 4 seen: 2 denied.") {
		t.Errorf("exit code %d, want 0 and two decisions:\n%s", code, raw)
	}
}

// The editor has the terminal for as long as it runs. What it saves is a commit.
func TestReviewScreenEditor(t *testing.T) {
	testlevel.Check(t)
	s := reviewed(t)
	editor := filepath.Join(t.TempDir(), "editor")
	write := func(script string) {
		if err := os.WriteFile(editor, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", editor)
	at := s.review(t, 100, 24)
	at.see("a puts it below")
	write(`printf 'ready? '; read line; echo "$line" >"$1"`)
	at.keys("e").see("ready?", "!Observations").keys("The gateway is gone\r").see("[Observations 3]", "> 3x The gateway is gone", "a approves it as it is now")
	at.keys("e").see("ready?", "!Observations").keys("The gateway is gone\r").see("The text is as it was")
	write("exit 3")
	at.keys("e").see("Not done: the editor", "failed (exit status 3)", "> 3x The gateway is gone")
	at.keys("u").see("Taken back: the new text of", "> 3x The gateway answers")
	if code, raw := at.keys("q").end(); code != 0 {
		t.Errorf("exit code %d:\n%s", code, raw)
	}
	s.healthy()
}

// However the screen ends, the terminal is as it was, and the exit code says why.
func TestReviewScreenEnds(t *testing.T) {
	s := reviewed(t)
	for name, c := range map[string]struct {
		end  func(*sitting)
		code int
		want string
	}{
		"q":                           {func(at *sitting) { at.keys("q") }, 0, "0 of 4 seen: nothing was decided."},
		"escape":                      {func(at *sitting) { at.keys("\x1b") }, 0, "nothing was decided."},
		"interrupt":                   {func(at *sitting) { at.keys("\x03") }, 130, "stopped by Ctrl+C"},
		"interrupt while it is asked": {func(at *sitting) { at.keys("r").see("Why deny it?").keys("\x03") }, 130, "stopped by Ctrl+C"},
		"termination":                 {func(at *sitting) { _ = at.cmd.Process.Signal(syscall.SIGTERM) }, 143, "stopped by a signal"},
		"an error": {func(at *sitting) {
			s.must("cp", ".git/refs/heads/main", ".git/MERGE_HEAD")
			at.keys("d").see("Not done: ", "merge", "[Observations 3]")
			s.must("rm", ".git/MERGE_HEAD")
			at.keys("q")
		}, 0, "nothing was decided."},
	} {
		t.Run(name, func(t *testing.T) {
			at := s.review(t, 100, 24)
			at.t = t
			at.see("a puts it below")
			c.end(at)
			if code, raw := at.end(); code != c.code || !strings.Contains(raw, c.want) {
				t.Errorf("exit code %d, want %d and %q:\n%q", code, c.code, c.want, raw)
			}
		})
	}
	s.healthy()
}

// Where no screen can be drawn, or none is wanted, nothing steers the terminal.
func TestReviewWithoutAScreen(t *testing.T) {
	s := reviewed(t)
	for name, c := range map[string]struct {
		variable, value string
		args            []string
		asks            bool
	}{
		"dumb":       {"TERM", "dumb", nil, true},
		"no name":    {"TERM", "", nil, false},
		"accessible": {"CP_ACCESSIBLE", "1", nil, true},
		"plain":      {"", "", []string{"--plain"}, true},
		"no input":   {"", "", []string{"--no-input"}, false},
		"JSON":       {"", "", []string{"-o", "json"}, false},
		"denied":     {"", "", []string{"--denied"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if c.variable != "" {
				t.Setenv(c.variable, c.value)
			}
			at := s.sit(t, 100, 40, append([]string{"memory", "review"}, c.args...)...)
			if c.asks {
				at.see("[q]uit >").keys("q\n")
			}
			code, raw := at.end()
			if code != 0 || strings.Contains(raw, "\x1b[?") || strings.Contains(raw, "[q]uit >") != c.asks {
				t.Errorf("exit code %d, want 0 and a question %v:\n%q", code, c.asks, raw)
			}
		})
	}
	if out := s.must(s.cp, "memory", "review"); strings.Contains(out, "\x1b") || !strings.Contains(out, "1 of 4.") {
		t.Errorf("into a pipe it prints %q, want the queue", out)
	}
	s.must(s.cp, "memory", "review", "--yes")
}
