package house

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/cli"
	"github.com/cp-memory/cp/cmd/internal/console"
)

// binary is the program: CP_BIN, or one that is built for the tests.
var binary = sync.OnceValues(func() (string, error) {
	if name := os.Getenv("CP_BIN"); name != "" {
		return name, nil
	}
	dir, err := os.MkdirTemp("", "cp-house-")
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-tags", "sqlite_fts5", "-o", filepath.Join(dir, "cp"), "./cmd/cp")
	cmd.Dir = top
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return filepath.Join(dir, "cp"), nil
})

// built returns the path of the program; it skips a test that is to be short.
func built(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the program")
	}
	program, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// place is a folder with a home and a PATH on which cp is ours.
type place struct {
	*testing.T
	dir string
	env []string
}

func newPlace(t *testing.T) place {
	t.Helper()
	program := built(t)
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := place{T: t, dir: filepath.Join(top, "dir"), env: []string{
		"HOME=" + top + "/home", "PATH=" + top + "/bin:/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC", "TMPDIR=" + t.TempDir(),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" + top, "CP_AGENT=ada", "EDITOR=true",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com",
	}}
	for _, name := range []string{"dir", "home", "bin"} {
		if err := os.Mkdir(filepath.Join(top, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"cp", "cp-memory"} {
		if err := os.Symlink(program, filepath.Join(top, "bin", name)); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// run runs a line of shell and returns both streams, and how it ended where that is not well.
func (w place) run(line, stdin string) string {
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir, cmd.Env, cmd.Stdin = w.dir, w.env, strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		out = fmt.Appendf(out, "[%v]\n", err)
	}
	return string(out)
}

// holds compares what is said now with the file, or writes it.
func holds(t *testing.T, name, now string) {
	t.Helper()
	name = filepath.Join("promises", name)
	if os.Getenv("CP_PROMISES") == "write" {
		if err := os.WriteFile(name, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	was, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(was) != now {
		t.Errorf("%s is not kept: CP_PROMISES=write go test ./cmd/internal/house, then git diff\n%s", name, firstDifference(string(was), now))
	}
}

func firstDifference(was, now string) string {
	a, b := strings.Split(was, "\n"), strings.Split(now, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			from := max(0, i-3)
			return fmt.Sprintf("line %d, was:\n%s\nis:\n%s", i+1, strings.Join(a[from:min(len(a), i+8)], "\n"), strings.Join(b[min(len(b), from):min(len(b), i+8)], "\n"))
		}
	}
	return "there is more"
}

// The help of every command.
func TestPromisesHelp(t *testing.T) {
	w := newPlace(t)
	var b strings.Builder
	for _, path := range paths(cli.Root(&app.App{Env: func(string) string { return "" }, Now: time.Now}, console.Streams{})) {
		line := "cp " + strings.TrimSpace(path+" --help")
		fmt.Fprintf(&b, "$ %s\n%s\n", line, w.run(line, ""))
	}
	holds(t, "help.txt", b.String())
}

// paths returns the words of each command, but for those of cobra's own and the top.
func paths(c *cobra.Command) (all []string) {
	for _, sub := range c.Commands() {
		if sub.Name() != "help" && sub.Name() != "completion" && !sub.Hidden {
			all = append(append(all, strings.TrimPrefix(sub.CommandPath(), c.Root().Name()+" ")), paths(sub)...)
		}
	}
	return all
}

// What the server tells agents: its tools with their schemas, its prompts and resources.
func TestPromisesTools(t *testing.T) {
	w := newPlace(t)
	asked := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"house","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/list"}
{"jsonrpc":"2.0","id":2,"method":"prompts/list"}
{"jsonrpc":"2.0","id":3,"method":"resources/templates/list"}
`
	answers := make([]string, 4)
	for line := range strings.Lines(w.run("cp memory mcp", asked)) {
		var said struct {
			ID *int
		}
		var b bytes.Buffer
		if json.Unmarshal([]byte(line), &said) != nil || said.ID == nil || json.Indent(&b, []byte(line), "", " ") != nil {
			t.Fatalf("the server said %s", line)
		}
		answers[*said.ID] = b.String()
	}
	all := regexp.MustCompile(`("version": )"[^"]*"`).ReplaceAllString(strings.Join(answers, ""), `$1"…"`)
	holds(t, "tools.txt", w.settled(all))
}

// A session with every command, as programs see it: JSON, errors, exit codes.
func TestPromisesSession(t *testing.T) {
	w := newPlace(t)
	lines, err := os.ReadFile("promises/session.sh")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(lines)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			fmt.Fprintf(&b, "$ %s\n%s\n", line, shapes(w.settled(w.run(line, ""))))
		}
	}
	holds(t, "session.txt", b.String())
	for _, path := range paths(cli.Root(&app.App{Env: func(string) string { return "" }, Now: time.Now}, console.Streams{})) {
		if !strings.Contains(string(lines), "cp "+path+" ") && !strings.Contains(string(lines), "cp "+path+"\n") && unasked[path] == "" {
			t.Errorf("the session has no cp %s", path)
		}
	}
}

// unasked are the commands that the session lacks, and why.
var unasked = map[string]string{
	"memory browse": "it serves until it is stopped",
	"memory watch":  "likewise",
	"web":           "likewise",
}

// passing is what differs from run to run.
var passing = []struct {
	form *regexp.Regexp
	name string
}{
	{regexp.MustCompile(`\b20\d{6}T\d{6}\.\d{3}-[0-9a-z]{8}\b`), "OP"},
	{regexp.MustCompile(`\b(?:sh|new)-[0-9a-hjkmnp-tv-z]{8}\b`), "ID"},
	{regexp.MustCompile(`\b[0-9a-f]{40}\b`), "COMMIT"},
	{regexp.MustCompile(`\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z| \+0000|\+00:00)?`), "TIME"},
	{regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b`), "DAY"},
	{regexp.MustCompile(`\b\d+\.\d+ (ms|s|kB|MB)\b`), "SIZE"},
	{regexp.MustCompile(`\b[0-9a-f]{7,12}\b`), "SHORT"},
}

// settled replaces what differs from run to run by its kind.
func (w place) settled(text string) string {
	text = strings.ReplaceAll(text, filepath.Dir(w.dir), "~")
	for _, p := range passing {
		text = p.form.ReplaceAllString(text, p.name)
	}
	return text
}

// shapes replaces the JSON documents that a command has said by their shape, that of lines of
// JSON by that of all of them; what stands on stderr stays as it is, and so does all else.
func shapes(said string) string {
	var shape any
	rest := ""
	for d := json.NewDecoder(strings.NewReader(said)); ; {
		from := d.InputOffset()
		var doc any
		err := d.Decode(&doc)
		switch text := strings.TrimLeft(said[from:d.InputOffset()], "\n"); {
		case err != nil:
			rest += strings.TrimLeft(said[from:], "\n")
		case isStderr(doc):
			rest += text + "\n"
			continue
		default:
			shape = union(shape, shapeOf(doc))
			continue
		}
		if shape == nil {
			return rest
		}
		b, err := json.MarshalIndent(shape, "", "  ")
		if err != nil {
			return err.Error()
		}
		return string(b) + "\n" + rest
	}
}

func isStderr(doc any) bool {
	m, ok := doc.(map[string]any)
	for key := range m {
		ok = ok && (key == "error" || key == "warnings" || key == "notes" || key == "closed" || key == "deferred")
	}
	return ok && len(m) > 0
}

// shapeOf returns the type of each value; a list is that of all its elements.
func shapeOf(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any)
		for key, value := range v {
			out[key] = shapeOf(value)
		}
		return out
	case []any:
		if len(v) == 0 {
			return v
		}
		var all any
		for _, e := range v {
			all = union(all, shapeOf(e))
		}
		return []any{all}
	case nil:
		return nil
	}
	return strings.TrimSuffix(fmt.Sprintf("%T", v), "64")
}

// union joins the shapes of two elements of a list. Where they differ in kind, both are told.
func union(a, b any) any {
	x, isMap := a.(map[string]any)
	y, both := b.(map[string]any)
	switch {
	case a == nil || reflect.DeepEqual(a, b):
		return b
	case b == nil:
		return a
	case isMap && both:
		for key, value := range y {
			x[key] = union(x[key], value)
		}
		return x
	}
	if p, ok := a.([]any); ok {
		if q, ok := b.([]any); ok && len(p)+len(q) > 0 {
			return []any{union(firstOf(p), firstOf(q))}
		}
	}
	return fmt.Sprintf("%v or %v", a, b)
}

func firstOf(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}
