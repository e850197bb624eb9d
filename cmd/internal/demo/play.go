package demo

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
)

// scene is a command with what is said before it. A text lists its words, those with blanks in
// quotes, and shows at most that many lines of what the command says; 0 is all.
type scene struct {
	say   string
	lines int
	words []string
}

// scenes are the demo.
var scenes = []scene{
	{"Any folder of Markdown becomes a vault: a git repository in which each file is a memory.", 0, []string{"git", "init", "-q"}},
	{"", 1, []string{"cp", "init"}},
	{"", 1, []string{"cp", "memory", "sync"}},
	{"", 8, []string{"cp", "memory", "tree", "--max-depth", "1"}},
	{"An agent asks, and goes down only where a phrase fits.", 0, []string{"cp", "memory", "recall", "users still see the old version after a deploy", "--limit", "1"}},
	{"", 22, []string{"cp", "memory", "show", "deployment/troubleshooting.md"}},
	{"What it learns is one commit, with its name.", 1, []string{"cp", "memory", "add-sub", "deployment/troubleshooting.md", "--title", "Artifact checksum",
		"--summary", "If a job fails with a checksum mismatch", "--body", "CI rebuilt the tag. Never rebuild a tag: make a new one."}},
	{"", 0, []string{"git", "log", "-1", "--format=%an: %s"}},
	{"Anything can be taken back, by one commit.", 0, []string{"cp", "memory", "undo", "--force"}},
	{"So can all that it has written into your notes.", 1, []string{"cp", "memory", "eject"}},
}

// play runs the scenes, and then serves the pages: until ctx ends if it is to wait.
func (st *stage) play(ctx context.Context, wait bool) error {
	for _, sc := range scenes {
		if err := st.runScene(ctx, sc); err != nil {
			return err
		}
	}
	return st.browse(ctx, wait)
}

// runScene runs one command, and shows what it says.
func (st *stage) runScene(ctx context.Context, sc scene) error {
	line := st.announce(sc)
	out, err := st.prepareCommand(ctx, sc.words).CombinedOutput()
	text := firstLines(string(out), sc.lines)
	st.print(text)
	st.shown.Commands = append(st.shown.Commands, Ran{line, text})
	if err != nil && ctx.Err() == nil {
		return vault.Errorf(vault.CodeInternal, "", "%s failed: %w: %s", line, err, strings.TrimSpace(string(out)))
	}
	return ctx.Err()
}

// browse starts the memory browser, shows where its pages are, and ends it: after ctx where it is
// to wait, else at once.
func (st *stage) browse(ctx context.Context, wait bool) error {
	words := []string{"cp", "memory", "browse"}
	line := st.announce(scene{say: "And all of it in a browser.", words: words})
	cmd := st.prepareCommand(ctx, words)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	text := ""
	for said := bufio.NewScanner(out); st.shown.Link == "" && said.Scan(); {
		text += said.Text() + "\n"
		if strings.HasPrefix(strings.TrimSpace(said.Text()), "http") {
			st.shown.Link = strings.TrimSpace(said.Text())
		}
	}
	st.print(text)
	st.shown.Commands = append(st.shown.Commands, Ran{line, text})
	if wait && st.shown.Link != "" {
		st.print("\nOpen the link. Ctrl-C ends the demo.\n")
	} else {
		_ = cmd.Process.Signal(os.Interrupt)
	}
	err = cmd.Wait()
	if st.shown.Link == "" {
		return vault.Errorf(vault.CodeInternal, "", "%s has shown no link: %v", line, err)
	}
	return nil
}

// prepareCommand returns a command of a scene, to be started.
func (st *stage) prepareCommand(ctx context.Context, words []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	if words[0] == "cp" {
		cmd = exec.CommandContext(ctx, st.program, words[1:]...)
		cmd.Args[0] = st.name
	}
	cmd.Dir, cmd.Env = st.dir, st.env
	cmd.Cancel, cmd.WaitDelay = func() error { return cmd.Process.Signal(os.Interrupt) }, 5*time.Second
	return cmd
}

// announce shows what is said before a command, and the command as a person types it.
func (st *stage) announce(sc scene) (line string) {
	words := make([]string, len(sc.words))
	for i, w := range sc.words {
		if words[i] = w; strings.ContainsAny(w, " %") {
			words[i] = `"` + w + `"`
		}
	}
	line = render.RenameCommands(st.name, strings.Join(words, " "))
	if sc.say != "" {
		st.print("\n# " + sc.say + "\n")
	}
	st.print("\n$ " + line + "\n")
	return line
}

// print shows a text at once, where the answer is one.
func (st *stage) print(text string) {
	if st.f.AsText() {
		st.f.Screen().WriteText(text)
	}
}

// firstLines returns the first lines of a text, and says that there are more; 0 is all.
func firstLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	if n == 0 || len(lines) <= n+1 {
		return text
	}
	return strings.Join(lines[:n], "") + "…\n"
}
