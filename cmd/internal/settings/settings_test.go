package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
)

// world is a home folder and folders to work in, written from a list of files.
type world struct {
	t   *testing.T
	top string
	env map[string]string
}

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, top: top, env: map[string]string{"HOME": filepath.Join(top, "home")}}
	for name, text := range files {
		w.write(name, text)
	}
	return w
}

func (w *world) at(name string) string { return filepath.Join(w.top, filepath.FromSlash(name)) }

func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.at(name)), 0o777); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.at(name), []byte(text), 0o666); err != nil {
		w.t.Fatal(err)
	}
}

// place is a folder of the world, made if need be, with its environment.
func (w *world) place(dir string) settings.Place {
	w.t.Helper()
	if err := os.MkdirAll(w.at(dir), 0o777); err != nil {
		w.t.Fatal(err)
	}
	return settings.Place{Dir: w.at(dir), Env: func(key string) string { return strings.ReplaceAll(w.env[key], "TOP", w.top) }}
}

func TestEachValueComesFromTheStrongestSource(t *testing.T) {
	all := map[string]string{
		"code/.cp.yaml":              "vault: memory\nproject: near\nagent: agent-near\n",
		"code/memory/.cp/vault.yaml": "format: 1\nproject: own\nprefix: ow\n",
		"home/.cp/config.yaml":       "project: user\nagent: agent-user\n",
	}
	without := func(names ...string) map[string]string {
		files := map[string]string{}
		for name, text := range all {
			files[name] = text
		}
		for _, n := range names {
			if n == "code/memory/.cp/vault.yaml" {
				files[n] = ""
			} else {
				delete(files, n)
			}
		}
		return files
	}
	tests := []struct {
		name           string
		files          map[string]string
		env            map[string]string
		flags          settings.Flags
		project, agent string
	}{
		{"flags first", all, map[string]string{"CP_PROJECT": "env", "CP_AGENT": "agent-env"}, settings.Flags{Project: "flag", Agent: "agent-flag"}, "env", "agent-flag"},
		{"then the environment", all, map[string]string{"CP_PROJECT": "env", "CP_AGENT": "agent-env"}, settings.Flags{}, "env", "agent-env"},
		{"then .cp.yaml", all, nil, settings.Flags{}, "near", "agent-near"},
		{"then vault.yaml and the user's file", without("code/.cp.yaml"), nil, settings.Flags{Vault: "memory"}, "own", "agent-user"},
		{"then the user's file alone", without("code/.cp.yaml", "code/memory/.cp/vault.yaml"), nil, settings.Flags{Vault: "memory"}, "user", "agent-user"},
		{"then the folder's name and nobody", without("code/.cp.yaml", "code/memory/.cp/vault.yaml", "home/.cp/config.yaml"), nil, settings.Flags{Vault: "memory"}, "memory", ""},
		{"an empty variable is none", all, map[string]string{"CP_PROJECT": "", "CP_AGENT": " "}, settings.Flags{}, "near", "agent-near"},
		{"the old variables are nothing", all, map[string]string{"CP_HOST": "db", "CP_DATABASE": "x", "CP_USER": "y"}, settings.Flags{}, "near", "agent-near"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, test.files)
			for key, value := range test.env {
				w.env[key] = value
			}
			got, err := settings.Load(test.flags, w.place("code"))
			if err != nil {
				t.Fatal(err)
			}
			if got.Project != test.project || got.Agent != test.agent || got.Root != w.at("code/memory") {
				t.Errorf("got project %q, agent %q, vault %s; want %q, %q", got.Project, got.Agent, got.Root, test.project, test.agent)
			}
		})
	}
}

func TestTheStyleOfPointers(t *testing.T) {
	for name, row := range map[string]struct {
		text   string
		hidden bool
		warns  string
	}{
		"nothing said": {"format: 1\n", false, ""},
		"hidden":       {"format: 1\npointers: {style: hidden}\n", true, ""},
		"visible":      {"format: 2\npointers:\n  style: visible\n", false, ""},
		"no style":     {"pointers: {}\n", false, ""},
		"another word": {"pointers: {style: gone}\n", false, `the style of pointers is visible or hidden, not "gone"`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"v/.cp/vault.yaml": row.text})
			got, err := settings.Load(settings.Flags{}, w.place("v"))
			if err != nil || got.HidePointers != row.hidden || !strings.Contains(strings.Join(got.Warnings, ""), row.warns) || row.warns == "" && len(got.Warnings) > 0 {
				t.Errorf("got %v, %v, %v", got.HidePointers, got.Warnings, err)
			}
		})
	}
	w := newWorld(t, map[string]string{"v/.cp/vault.yaml": "pointers: hidden\n", "home/.cp/config.yaml": "pointers: {style: hidden}\n", "w/.cp/vault.yaml": ""})
	if _, err := settings.Load(settings.Flags{}, w.place("v")); vault.CodeOf(err) != vault.CodeConfig || !strings.Contains(err.Error(), "line 1: pointers is {style: hidden}") {
		t.Errorf("a word in place of a mapping: %v", err)
	}
	if got, err := settings.Load(settings.Flags{}, w.place("w")); err != nil || got.HidePointers {
		t.Errorf("the vault's own settings decide, not a person's: %v, %v", got.HidePointers, err)
	}
}

func TestTheVaultIsFound(t *testing.T) {
	files := map[string]string{
		"code/.cp.yaml":              "vault: memory\n",
		"code/memory/.cp/vault.yaml": "",
		"code/src/deep/x":            "",
		"notes/.cp/vault.yaml":       "format: 1\n",
		"notes/sub/x":                "",
		"plain/x":                    "",
		"agent/.cp.yaml":             "agent: agent-a\n",
		"home/.cp/config.yaml":       "vault: ~/mine\n",
		"home/mine/.cp/vault.yaml":   "",
		"my notes/.cp/vault.yaml":    "",
	}
	tests := []struct {
		name  string
		dir   string
		env   string
		flags settings.Flags
		want  string
	}{
		{"by --vault, relative", "plain", "", settings.Flags{Vault: "../notes"}, "notes"},
		{"by --vault, absolute, before all else", "code", "TOP/home/mine", settings.Flags{Vault: "TOP/notes"}, "notes"},
		{"by --vault, below home", "code", "", settings.Flags{Vault: "~/mine"}, "home/mine"},
		{"by --vault, through its .cp.yaml", "plain", "", settings.Flags{Vault: "../code"}, "code/memory"},
		{"by --vault, with a space", "plain", "", settings.Flags{Vault: "../my notes"}, "my notes"},
		{"by CP_VAULT before the folder", "code", "TOP/notes", settings.Flags{}, "notes"},
		{"here", "notes", "", settings.Flags{}, "notes"},
		{"above", "notes/sub", "", settings.Flags{}, "notes"},
		{"by the .cp.yaml above", "code/src/deep", "", settings.Flags{}, "code/memory"},
		{"inside it, where its .cp.yaml lies further up", "code/memory", "", settings.Flags{}, "code/memory"},
		{"by the user's file", "plain", "", settings.Flags{}, "home/mine"},
		{"by the user's file, past a .cp.yaml without a vault", "agent", "", settings.Flags{}, "home/mine"},
		{"by --config in place of the user's file", "plain", "", settings.Flags{Config: "../other.yaml"}, "notes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, files)
			w.write("other.yaml", "vault: notes\n")
			w.env["CP_VAULT"] = test.env
			test.flags.Vault = strings.ReplaceAll(test.flags.Vault, "TOP", w.top)
			got, err := settings.Load(test.flags, w.place(test.dir))
			if err != nil {
				t.Fatal(err)
			}
			if got.Root != w.at(test.want) {
				t.Errorf("got %s, want %s", got.Root, w.at(test.want))
			}
		})
	}
}

func TestWhatCannotBeUsedIsSaid(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		flags settings.Flags
		code  vault.Code
		msg   string // part of the sentence
		hint  string
	}{
		{"no vault", nil, settings.Flags{}, vault.CodeNoVault, "there is no memory vault", "Run `cp init` to configure."},
		{"a folder that is none", map[string]string{"x/y": ""}, settings.Flags{Vault: "../x"}, vault.CodeNoVault, "is not a memory vault", "Run `cp init` to configure."},
		{"no such folder", nil, settings.Flags{Vault: "../nowhere"}, vault.CodeNoVault, "there is no folder", ""},
		{"no such config", nil, settings.Flags{Config: "nowhere.yaml"}, vault.CodeConfig, "cannot read", ""},
		{"broken YAML near", map[string]string{"dir/.cp.yaml": "project: x\nagent: [a\n"}, settings.Flags{}, vault.CodeConfig, "cannot parse TOP/dir/.cp.yaml: yaml: line ", ""},
		{"broken YAML at home", map[string]string{"home/.cp/config.yaml": "a: b: c\n"}, settings.Flags{}, vault.CodeConfig, "cannot parse TOP/home/.cp/config.yaml: yaml: mapping values", ""},
		{"a list at home", map[string]string{"home/.cp/config.yaml": "- a\n"}, settings.Flags{}, vault.CodeConfig, "line 1: a list of keys is expected", ""},
		{"a list for a name", map[string]string{"dir/.cp.yaml": "agent: [a, b]\n"}, settings.Flags{}, vault.CodeConfig, "line 1: cannot unmarshal", ""},
		{"an alias bomb", map[string]string{"dir/.cp.yaml": "a: &a [x,x]\nb: &b [*a,*a]\nproject: {x: *b}\n"}, settings.Flags{}, vault.CodeConfig, "cannot parse", ""},
		{"a huge file", map[string]string{"dir/.cp.yaml": strings.Repeat("# x\n", 20000)}, settings.Flags{}, vault.CodeConfig, "larger than 64 KiB", ""},
		{"a newer format", map[string]string{"dir/.cp/vault.yaml": "format: 5\n"}, settings.Flags{}, vault.CodeConfig, "has format 5; this cp knows formats up to 4", "install a newer cp"},
		{"a bad prefix", map[string]string{"dir/.cp/vault.yaml": "prefix: 9x\n"}, settings.Flags{}, vault.CodeConfig, "prefix \"9x\" is not", ""},
		{"a control character in a name", map[string]string{"dir/.cp/vault.yaml": ""}, settings.Flags{Agent: "a\x1b[2J"}, vault.CodeInvalid, `the agent name "a\x1b[2J" holds a control character`, ""},
		{"an address for a name", map[string]string{"dir/.cp/vault.yaml": ""}, settings.Flags{Agent: "A <a@b>"}, vault.CodeInvalid, "holds < or >", ""},
		{"a lock time of nonsense", map[string]string{"home/.cp/config.yaml": "lock_timeout: soon\n"}, settings.Flags{}, vault.CodeConfig, "line 1: lock_timeout is a time like 10s", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, test.files)
			_, err := settings.Load(test.flags, w.place("dir"))
			if vault.CodeOf(err) != test.code {
				t.Fatalf("got %v (%s), want %s", err, vault.CodeOf(err), test.code)
			}
			if want := strings.ReplaceAll(test.msg, "TOP", w.top); !strings.Contains(err.Error(), want) {
				t.Errorf("got %q, want a sentence with %q", err, want)
			}
			if hint := err.(*vault.Error).Hint; test.hint != "" && hint != test.hint {
				t.Errorf("got the hint %q, want %q", hint, test.hint)
			}
		})
	}
}

func TestAFileFromOthersSetsInertKeysOnly(t *testing.T) {
	w := newWorld(t, map[string]string{
		"dir/.cp.yaml":       "agent: agent-a\neditor: rm -rf ~\ngeneration: {endpoint: 'http://evil'}\nnonsense: 1\n",
		"dir/.cp/vault.yaml": "format: 1\nvault: /etc\nembedding: {}\nthresholds: {hot: 3}\n",
	})
	got, err := settings.Load(settings.Flags{}, w.place("dir"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Editor != "" || got.Root != w.at("dir") || got.Agent != "agent-a" {
		t.Errorf("got %+v", got)
	}
	near, own := w.at("dir/.cp.yaml"), w.at("dir/.cp/vault.yaml")
	want := []string{
		near + ":2: editor is not taken from a shared file; set it in ~/.cp/config.yaml",
		near + ":3: generation is not taken from a shared file; set it in ~/.cp/config.yaml",
		own + ":2: vault is not taken from a shared file; set it in ~/.cp/config.yaml",
		own + ":3: embedding is not taken from a shared file; set it in ~/.cp/config.yaml",
	}
	if diff := cmp.Diff(want, got.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{near + `:4: unknown key "nonsense"`}, got.Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

func TestASharedFileLeadsNowhereElse(t *testing.T) {
	for name, value := range map[string]string{"absolute": "TOP/away", "upwards": "../away", "by a link": "link"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"away/.cp/vault.yaml": "", "dir/x": ""})
			w.write("dir/.cp.yaml", "vault: "+strings.ReplaceAll(value, "TOP", w.top)+"\n")
			if err := os.Symlink(w.at("away"), w.at("dir/link")); err != nil {
				t.Fatal(err)
			}
			_, err := settings.Load(settings.Flags{}, w.place("dir"))
			if vault.CodeOf(err) != vault.CodeNoVault {
				t.Errorf("got %v, want %s", err, vault.CodeNoVault)
			}
		})
	}
}

// The index is written into .cp: through a link it would be written outside.
func TestALinkedMarkerIsNone(t *testing.T) {
	w := newWorld(t, map[string]string{"away/vault.yaml": "", "dir/x": "", "dir2/.cp/x": ""})
	if err := os.Symlink(w.at("away"), w.at("dir/.cp")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(w.at("away/vault.yaml"), w.at("dir2/.cp/vault.yaml")); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"dir", "dir2"} {
		if settings.IsVault(w.at(dir)) {
			t.Errorf("%s counts as a vault", dir)
		}
	}
}

func TestAnotherVaultsFileSaysNothingAboutThisOne(t *testing.T) {
	w := newWorld(t, map[string]string{
		"code/.cp.yaml":              "vault: memory\nproject: code\nagent: agent-code\n",
		"code/memory/.cp/vault.yaml": "",
		"notes/.cp/vault.yaml":       "project: notes\n",
	})
	got, err := settings.Load(settings.Flags{Vault: "../notes"}, w.place("code"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Project != "notes" || got.Agent != "" {
		t.Errorf("got project %q, agent %q; want notes and nobody", got.Project, got.Agent)
	}
}

func TestPrefixFor(t *testing.T) {
	for project, want := range map[string]string{
		"penfold": "pn", "my-cool-app": "mca", "api": "ap", "notes": "nt", "a": "mem", "": "mem", "移行": "mem", "2026": "mem",
		"new": "nw", "new every week": "mem", "one two three four five": "ottf", "ou": "ou", "C++ Notes": "cn",
	} {
		if got := settings.PrefixFor(project); got != want {
			t.Errorf("PrefixFor(%q) = %q, want %q", project, got, want)
		}
		if got := settings.PrefixFor(project); !vault.ValidPrefix(got) {
			t.Errorf("PrefixFor(%q) = %q, which is no prefix", project, got)
		}
	}
}

// A repository with a vault on a branch comes before its .cp.yaml, and that before what the
// user's own file says of the folder.
func TestTheVaultOfARepository(t *testing.T) {
	files := map[string]string{
		"code/.cp.yaml":              "vault: memory\n",
		"code/memory/.cp/vault.yaml": "",
		"code/src/x":                 "",
		"beside/.cp/vault.yaml":      "",
		"plain/src/x":                "",
		"out/.cp/vault.yaml":         "",
		"home/.cp/config.yaml":       "vaults:\n  TOP/plain: TOP/out\n  TOP/code: ../../out\n",
	}
	for _, test := range []struct{ name, dir, branch, named, want string }{
		{"a branch first", "code/src", "beside", "", "beside"},
		{"then .cp.yaml", "code/src", "", "", "code/memory"},
		{"then the user's file", "plain/src", "", "", "out"},
		{"a branch before that", "plain", "beside", "", "beside"},
		{"in the vault itself it is that", "code/memory", "beside", "", "code/memory"},
		{"of a repository that is named", "beside", "out", "plain", "out"},
		{"a vault that is not finished", "code", "plain", "", ""},
		{"a lost one that is named", "plain", "code/gone", "code/gone", ""},
	} {
		w := newWorld(t, files)
		w.write("home/.cp/config.yaml", strings.ReplaceAll(files["home/.cp/config.yaml"], "TOP", w.top))
		p := w.place(test.dir)
		p.Branch = func(dir string) (string, error) {
			if test.branch == "" || dir != w.at("code") && dir != w.at("plain") {
				return "", nil
			}
			return w.at(test.branch), nil
		}
		var flags settings.Flags
		if test.named != "" {
			flags.Vault = w.at(test.named)
		}
		s, err := settings.Load(flags, p)
		if test.want == "" {
			if vault.CodeOf(err) != vault.CodeNoVault || !strings.Contains(err.Error(), "is not finished") {
				t.Errorf("%s: got %v", test.name, err)
			}
			continue
		}
		if err != nil || s.Root != w.at(test.want) {
			t.Errorf("%s: got %s, %v; want %s", test.name, s.Root, err, test.want)
		}
	}
}
