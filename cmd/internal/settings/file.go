package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/header"
)

// maxFile bounds a settings file in bytes. YAML's cost is quadratic in its keys (20,000 of
// them took 0.6 s), so the bound protects us.
const maxFile = 64 << 10

// file is one settings file, with the keys that its kind may set.
type file struct {
	Vault       string     `yaml:"vault"`
	Format      int        `yaml:"format"`
	Project     string     `yaml:"project"`
	Prefix      string     `yaml:"prefix"`
	Agent       string     `yaml:"agent"`
	Adopt       string     `yaml:"adopt"`
	Ignore      patterns   `yaml:"ignore"`
	Folders     opened     `yaml:"folders"`
	Extensions  kinds      `yaml:"extensions"`
	Editor      string     `yaml:"editor"`
	LockTimeout duration   `yaml:"lock_timeout"`
	Generation  generation `yaml:"generation"`
	Embedding   embedding  `yaml:"embedding"`

	Promotion promotion    `yaml:"promotion"`
	Recall    recallLimits `yaml:"recall"`
	Core      core         `yaml:"core"`
	Facts     facts        `yaml:"facts"`

	Hooks       hooks       `yaml:"hooks"`
	AutoCapture AutoCapture `yaml:"auto_capture"`

	Pointers pointers          `yaml:"pointers"`
	Vaults   map[string]string `yaml:"vaults"` // of folders, by the folder

	Projects string `yaml:"projects"` // exact: a project answers alone
	Registry *bool  `yaml:"registry"`
	Global   string `yaml:"global"`

	Usage struct {
		Share bool `yaml:"share"`
	} `yaml:"usage"`

	path     string // where it was read; empty when there is none
	vault    string // the vault it names: absolute, links resolved
	warnings []string
	notes    []string
}

// duration is written as 10s or 1m30s.
type duration time.Duration

func (d *duration) UnmarshalYAML(n *yaml.Node) error {
	v, err := time.ParseDuration(n.Value)
	if err != nil || v <= 0 {
		return fmt.Errorf("line %d: lock_timeout is a time like 10s or 1m", n.Line)
	}
	*d = duration(v)
	return nil
}

// pointers say how new pointer blocks are written.
type pointers struct {
	Style string `yaml:"style"`
}

// The styles of pointer blocks.
const (
	styleVisible = "visible"
	styleHidden  = "hidden"
)

func (p *pointers) UnmarshalYAML(n *yaml.Node) error {
	type plain pointers
	if err := n.Decode((*plain)(p)); err != nil {
		return fmt.Errorf("line %d: pointers is {style: hidden} or {style: visible}", n.Line)
	}
	return nil
}

// patterns are names of what is no memory. One of them may stand alone.
type patterns []string

func (p *patterns) UnmarshalYAML(n *yaml.Node) error {
	one := n.Value
	if n.Kind == yaml.ScalarNode {
		*p = patterns{one}
	} else if err := n.Decode((*[]string)(p)); err != nil {
		return fmt.Errorf("line %d: ignore is a list of names, like [Templates/, archive]", n.Line)
	}
	for _, one := range *p {
		if _, err := path.Match(one, ""); err != nil || strings.Trim(one, "/") == "" || one[0] == '!' {
			return fmt.Errorf("line %d: ignore cannot hold %q; it holds names like Templates/, archive or draft-*.md", n.Line, vault.Clip(one, 40))
		}
	}
	return nil
}

// opened are folders into which a scan looks although they begin with a dot. One of them may
// stand alone.
type opened []string

func (o *opened) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*o = opened{n.Value}
	} else if err := n.Decode((*[]string)(o)); err != nil {
		return fmt.Errorf("line %d: folders is a list of folders that begin with a dot, like [.cursor/rules, .github]", n.Line)
	}
	for i, one := range *o {
		p, err := vault.ParsePath(one)
		if err != nil || !strings.HasPrefix(one, ".") && !strings.Contains(one, "/.") || p == "" {
			return fmt.Errorf("line %d: folders cannot hold %q; it holds folders in the vault that begin with a dot, like .cursor/rules", n.Line, vault.Clip(one, 40))
		}
		(*o)[i] = string(p)
	}
	return nil
}

// kinds are those of notes, beside *.md, of which sync makes memories. One of them may stand
// alone.
type kinds []string

func (k *kinds) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*k = kinds{n.Value}
	} else if err := n.Decode((*[]string)(k)); err != nil {
		return fmt.Errorf("line %d: extensions is a list of the kinds mdc, mdx and markdown, like [mdc]", n.Line)
	}
	for i, one := range *k {
		kind := "." + strings.TrimPrefix(one, ".")
		if !slices.Contains(header.Endings[:], kind) {
			return fmt.Errorf("line %d: extensions cannot hold %q; it holds the kinds mdc, mdx and markdown", n.Line, vault.Clip(one, 40))
		}
		(*k)[i] = kind
	}
	return nil
}

// notice returns what the file says of what is a memory: the names of what is none, behind them
// "!" and the path of each folder that is opened, and "!*" and the ending of each kind of note
// of which memories are made.
func (f *file) notice() []string {
	all := []string(f.Ignore)
	for _, folder := range f.Folders {
		all = append(all, "!"+folder)
	}
	for _, kind := range f.Extensions {
		all = append(all, "!*"+kind)
	}
	return all
}

// The keys that each kind of file may set.
var (
	nearKeys  = []string{"vault", "project", "agent", "recall"}
	vaultKeys = []string{"format", "project", "prefix", "thresholds", "adopt", "pointers", "ignore", "folders", "extensions", "promotion", "recall", "facts"}
	userKeys  = []string{"vault", "vaults", "project", "agent", "editor", "lock_timeout", "embedding", "generation", "usage", "adopt", "promotion", "core", "recall", "facts", "hooks", "auto_capture", "projects", "registry", "global"}
)

// What adopt: may say beside always. With never sync leaves alone what is in no commit, and with
// ejected all files: their ids were taken out.
const (
	adoptNever   = "never"
	adoptEjected = "ejected"
)

// shared says that a file comes from other people.
const shared, own = true, false

// parseFile reads a settings file; a missing one is an empty file without a path. It leaves
// out keys that this kind of file may not set: with a warning if another kind may set
// them, with a note if no kind may.
func parseFile(path string, keys []string, foreign bool) (file, error) {
	b, err := readFile(path, foreign)
	if err != nil || b == nil {
		return file{}, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return file{}, parseError(path, err)
	}
	f := file{path: path}
	if len(doc.Content) == 0 {
		return f, nil
	}
	top := doc.Content[0]
	if top.Kind != yaml.MappingNode {
		if top.Tag == "!!null" {
			return f, nil
		}
		return file{}, parseError(path, fmt.Errorf("yaml: line %d: a list of keys is expected, like project: penfold", top.Line))
	}
	f.dropForbidden(top, keys, foreign)
	if err := top.Decode(&f); err != nil {
		return file{}, parseError(path, err)
	}
	if f.Adopt != "" && f.Adopt != adoptNever && f.Adopt != "always" && !(f.Adopt == adoptEjected && slices.Contains(keys, "format")) {
		f.warnings = append(f.warnings, fmt.Sprintf("%s: adopt is never or always, not %q", path, vault.Clip(f.Adopt, 40)))
		f.Adopt = ""
	}
	if style := f.Pointers.Style; style != "" && style != styleHidden && style != styleVisible {
		f.warnings = append(f.warnings, fmt.Sprintf("%s: the style of pointers is visible or hidden, not %q", path, vault.Clip(style, 40)))
	}
	for _, w := range slices.Concat(f.Generation.warnings, f.Embedding.warnings) {
		f.warnings = append(f.warnings, path+": "+w)
	}
	return f, nil
}

// dropForbidden drops the keys from top that the file may not set.
func (f *file) dropForbidden(top *yaml.Node, keys []string, foreign bool) {
	var kept []*yaml.Node
	for i := 0; i+1 < len(top.Content); i += 2 {
		key := top.Content[i]
		switch {
		case slices.Contains(keys, key.Value):
			kept = append(kept, top.Content[i], top.Content[i+1])
		case foreign && slices.Contains(userKeys, key.Value):
			f.warnings = append(f.warnings, fmt.Sprintf("%s:%d: %s is not taken from a shared file; set it in ~/.cp/config.yaml", f.path, key.Line, key.Value))
		default:
			f.notes = append(f.notes, fmt.Sprintf("%s:%d: unknown key %q", f.path, key.Line, vault.Clip(key.Value, 40)))
		}
	}
	top.Content = kept
}

// readFile returns a regular file's bytes, or nil without one. A foreign file must not be a
// symbolic link: that could show us files of this machine.
func readFile(path string, foreign bool) ([]byte, error) {
	stat := os.Stat
	if foreign {
		stat = os.Lstat
	}
	info, err := stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || sysfile.IsNotDir(err):
		return nil, nil
	case err != nil:
		return nil, readError(path, err)
	case !info.Mode().IsRegular(): // opening a pipe would hang
		return nil, vault.Errorf(vault.CodeConfig, "put a plain file in its place", "%s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, readError(path, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, readError(path, err)
	}
	if len(b) > maxFile {
		return nil, parseError(path, errors.New("it is larger than 64 KiB"))
	}
	if b == nil {
		b = []byte{}
	}
	return b, nil
}

func readError(path string, err error) error {
	return vault.Errorf(vault.CodeConfig, "check the file's permissions", "cannot read %s: %w", path, disk.Cause(err))
}

// parseError words a YAML error on one line; the sentence is fixed.
func parseError(path string, err error) error {
	text := strings.Join(strings.Fields(err.Error()), " ")
	return &vault.Error{Code: vault.CodeConfig, Msg: "cannot parse " + path + ": " + text, Hint: "correct the file, or move it away", Err: err}
}

// readUserFile reads the user's own settings: --config, which must exist, or ~/.cp/config.yaml.
// As with git's own, a home that cannot be entered has none: in a container the user may be
// anybody, and HOME another one's.
func readUserFile(f Flags, p Place) (file, error) {
	path := UserFile(f, p)
	if path == "" {
		return file{}, nil
	}
	switch _, err := os.Stat(path); {
	case err != nil && f.Config != "":
		return file{}, readError(path, err)
	case errors.Is(err, fs.ErrPermission):
		return file{}, nil
	}
	u, err := parseFile(path, userKeys, own)
	u.Embedding.under(Place{Dir: filepath.Dir(path), Env: p.Env})
	at := Place{Dir: filepath.Dir(path), Env: p.Env}
	if err == nil && u.Vault != "" {
		u.vault = Absolute(u.Vault, at)
	}
	mapped := make(map[string]string, len(u.Vaults))
	for folder, root := range u.Vaults {
		mapped[Absolute(folder, at)] = Absolute(root, at)
	}
	u.Vaults = mapped
	u.Core.under(at)
	return u, err
}

// UserFile returns the path of the user's own settings; empty without a home.
func UserFile(f Flags, p Place) string {
	switch {
	case f.Config != "":
		return Absolute(f.Config, p)
	case home(p) == "":
		return ""
	}
	return filepath.Join(home(p), ".cp", "config.yaml")
}

// Marker returns the project, prefix and format that the marker of the vault in root sets.
// Without a marker it returns nothing.
func Marker(root string) (Settings, error) {
	f, err := readVaultFile(root)
	return Settings{Root: root, Project: f.Project, Prefix: f.Prefix, Ignore: f.notice(), Format: max(f.Format, vault.FormatPlain)}, err
}

// ParseIgnore returns what the text of a marker says of what is a memory, as [Settings].Ignore; ok is false for a text
// that cannot be read.
func ParseIgnore(marker []byte) (names []string, ok bool) {
	var of struct {
		Ignore     patterns `yaml:"ignore"`
		Folders    opened   `yaml:"folders"`
		Extensions kinds    `yaml:"extensions"`
	}
	err := yaml.Unmarshal(marker, &of)
	f := file{Ignore: of.Ignore, Folders: of.Folders, Extensions: of.Extensions}
	return f.notice(), err == nil
}

// readVaultFile reads the marker of the vault in root.
func readVaultFile(root string) (file, error) {
	path := filepath.Join(root, ".cp", "vault.yaml")
	f, err := parseFile(path, vaultKeys, shared)
	if err != nil {
		return f, err
	}
	if f.Format > Format {
		return f, vault.Errorf(vault.CodeConfig, "install a newer cp", "the vault %s has format %d; this cp knows formats up to %d", root, f.Format, Format)
	}
	if f.Prefix != "" && !vault.ValidPrefix(f.Prefix) {
		return f, parseError(path, fmt.Errorf("prefix %q is not 2 to 8 of a-z and 0-9 with a letter first", vault.Clip(f.Prefix, 40)))
	}
	return f, nil
}

// ErrUnreadable is the error of a file or folder that a person named and that cannot be read.
func ErrUnreadable(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return vault.Errorf(vault.CodeNotFound, "check the path", "there is no file or folder '%s'", path)
	}
	return vault.Errorf(vault.CodeIO, "", "cannot read '%s': %w", path, disk.Cause(err))
}
