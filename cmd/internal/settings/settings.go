package settings

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
)

// Format is the highest vault format that this program reads and writes.
const Format = vault.FormatAbout

// LockTimeout bounds how long a writer waits for the vault's lock unless the settings say
// otherwise.
const LockTimeout = 10 * time.Second

// maxName bounds the names of projects and agents, in characters.
const maxName = 100

// Flags are the global flags that say what a command is about, and who writes. They are a value:
// who asks about something else makes another one. The zero value sets nothing.
type Flags struct {
	Vault   string
	Config  string // the file to read in place of ~/.cp/config.yaml
	Project string // the project that a command is about, or that init makes: a name, a path or all
	Exact   bool   // that project alone, without those below it
	Agent   string
	Writer  Writer
}

// Writer says what is known of who writes, beside the name.
type Writer struct {
	Tool     bool // a tool that an agent calls, or its hook
	Terminal bool // a person sits before it
	Force    bool // --force was typed
}

// IsAgent reports whether an agent writes, under this name. A --force at a terminal is that of the
// person who sits there, whatever name they work under; without a terminal nobody knows whose it is.
func (w Writer) IsAgent(name string) bool {
	return w.Tool || name != "" && !(w.Force && w.Terminal)
}

// ForVault are the flags of who names this vault in place of the one that was typed.
func (f Flags) ForVault(root string) Flags {
	f.Vault = root
	return f
}

// ForProject are the flags of who names this project in place of the one that was typed.
func (f Flags) ForProject(project string) Flags {
	f.Project = project
	return f
}

// Settings are the settings of a command.
type Settings struct {
	Root    string // the vault's folder: absolute, links resolved; empty when none was asked for
	Project string // the vault's folder name unless set
	Prefix  string // of new ids
	Format  int    // of the vault
	Agent   string // as given; empty means git's user.name
	Writer  Writer
	AsAgent bool // an agent writes: protected memories are not changed

	Editor       string        // a command; empty leaves it to the environment
	LockTimeout  time.Duration // how long to wait for the vault's lock
	Hasty        bool          // a reader waits for nobody, see [vault.Vault.Hasty]; no file says so
	HidePointers bool          // new pointer blocks are hidden
	Ignore       []string      // names of files and folders that are no memories; after ! the path of a folder that is opened though it begins with a dot, after !* the ending of a kind of note of which sync makes memories
	Unwanted     []string      // likewise, of those that are memories once they are committed, and not adopted
	NoAdopt      bool          // sync leaves alone what is in no commit
	ShareUsage   bool          // give the team this clone's counts of readings, and count theirs
	Generation   Generation    // the language model that writes trigger phrases
	Embedding    Embedding     // the model that makes vectors of memories
	Recall       Recall        // how many rows recall and search give
	Promotion    Promotion     // what a promotion of an entry asks for
	Core         Core          // where a promotion to core writes to
	Facts        Facts         // how the facts of memories are drawn
	Hooks        Hooks         // what hooks of agents do
	AutoCapture  AutoCapture   // the end of an agent's session is kept in the journal
	Families     Families      // which other vaults answer
	Home         string        // the person's folder; empty where there is none

	Config   string   // the file in place of ~/.cp/config.yaml that was named, absolute
	Files    []string // the settings files that were read, the strongest first
	Warnings []string // for the person, at every command: keys that are not honoured where they stand
	Notes    []string // for --debug and doctor: keys nobody knows
}

// Place holds the working directory and the environment.
type Place struct {
	Dir string              // the working directory, absolute
	Env func(string) string // the environment

	// Branch returns the vault that the repository whose .git is in dir keeps on a branch
	// of its own; empty if it keeps none. nil knows of none.
	Branch func(dir string) (root string, err error)
}

// Load finds the vault and returns its settings. The error is CodeNoVault without a vault,
// and CodeConfig if a file cannot be used.
func Load(f Flags, p Place) (Settings, error) {
	user, near, err := personal(f, p)
	if err != nil {
		return Settings{}, err
	}
	root, err := findVault(f, p, near, user)
	if err != nil {
		return Settings{}, err
	}
	own, err := readVaultFile(root)
	if err != nil {
		return Settings{}, err
	}
	if near.vault != "" && near.vault != root {
		near = file{warnings: near.warnings}
	}
	return mergeSources(f, p, root, near, own, user)
}

// IsEjected reports whether the vault in a folder says, now, that eject has taken the ids out of its files.
func IsEjected(root string) bool {
	own, err := readVaultFile(root)
	return err == nil && own.Adopt == adoptEjected
}

// Personal returns the settings that need no vault: from the flags, the environment,
// .cp.yaml and the user's own file. Project is empty unless set.
func Personal(f Flags, p Place) (Settings, error) {
	user, near, err := personal(f, p)
	if err != nil {
		return Settings{}, err
	}
	return mergeSources(f, p, "", near, file{}, user)
}

func personal(f Flags, p Place) (user, near file, err error) {
	if user, err = readUserFile(f, p); err != nil {
		return user, near, err
	}
	near, err = readNearest(p)
	return user, near, err
}

// mergeSources takes each value from the strongest source that has it.
func mergeSources(f Flags, p Place, root string, near, own, user file) (Settings, error) {
	s := Settings{
		Root:         root,
		Project:      firstNonBlank(p.Env("CP_PROJECT"), near.Project, own.Project, user.Project),
		Agent:        firstNonBlank(f.Agent, p.Env("CP_AGENT"), near.Agent, user.Agent),
		Prefix:       own.Prefix,
		Editor:       user.Editor,
		Format:       max(own.Format, vault.FormatPlain),
		HidePointers: own.Pointers.Style == styleHidden,
		Ignore:       own.notice(),
		NoAdopt:      own.Adopt == adoptEjected || firstNonBlank(own.Adopt, user.Adopt) == adoptNever,
		ShareUsage:   user.Usage.Share,
		LockTimeout:  LockTimeout,
		Generation:   user.Generation.Generation,
		Embedding:    user.Embedding.Embedding,
		Recall:       recallOf(near, own, user),
		Promotion:    bothPromotions(own.Promotion, user.Promotion),
		Core:         Core(user.Core),
		Facts:        factsOf(own, user),
		Hooks:        Hooks(user.Hooks),
		AutoCapture:  user.AutoCapture,
		Families:     familiesOf(p, user),
		Home:         home(p),
	}
	s.Writer, s.AsAgent = f.Writer, f.Writer.IsAgent(s.Agent)
	if f.Config != "" {
		s.Config = UserFile(f, p)
	}
	if err := cmp.Or(environ("generation", s.Generation.fields(), p), environ("embedding", s.Embedding.fields(), p)); err != nil {
		return s, err
	}
	s.Embedding.under(p)
	if s.Project == "" && root != "" {
		s.Project = filepath.Base(root)
	}
	if s.Prefix == "" && root != "" {
		s.Prefix = PrefixFor(s.Project)
	}
	if user.LockTimeout > 0 {
		s.LockTimeout = time.Duration(user.LockTimeout)
	}
	for _, from := range []file{near, own, user} {
		if from.path != "" {
			s.Files = append(s.Files, from.path)
		}
		s.Warnings = append(s.Warnings, from.warnings...)
		s.Notes = append(s.Notes, from.notes...)
	}
	return s, checkNames(s)
}

func firstNonBlank(values ...string) string {
	for _, v := range values {
		if v = strings.TrimSpace(v); v != "" {
			return v
		}
	}
	return ""
}

func checkNames(s Settings) error {
	if err := CheckName("project", s.Project); err != nil {
		return err
	}
	return CheckName("agent", s.Agent)
}

// CheckName refuses a project's or agent's name that does not fit into a commit or on a
// terminal: it is UTF-8 of at most 100 characters without control characters, "<" and ">".
// what says which of the two it is.
func CheckName(what, name string) error {
	bad := func(why string) error {
		return vault.Errorf(vault.CodeInvalid, "use a plain name, like penfold or agent-mycroft", "the %s name %q %s", what, vault.Clip(name, 40), why)
	}
	switch {
	case !utf8.ValidString(name):
		return bad("is not UTF-8")
	case utf8.RuneCountInString(name) > maxName:
		return bad("is longer than 100 characters")
	case strings.ContainsFunc(name, unicode.IsControl):
		return bad("holds a control character")
	case strings.ContainsAny(name, "<>"):
		return bad("holds < or >")
	}
	return nil
}

// home returns the home folder, or "".
func home(p Place) string {
	if h := p.Env("HOME"); filepath.IsAbs(h) {
		return h
	}
	h, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return h
}

// PrefixFor returns an id prefix of 2 to 4 letters for a project: the initials
// of its words (my-cool-app: mca), or the first letter of a single word and
// the consonant after it (penfold: pn). It is "mem" where that gives nothing.
func PrefixFor(project string) string {
	words := strings.FieldsFunc(strings.ToLower(project), func(r rune) bool { return r < 'a' || r > 'z' })
	var prefix string
	switch len(words) {
	case 0:
	case 1:
		prefix = letters(words[0])
	default:
		for _, w := range words[:min(len(words), 4)] {
			prefix += w[:1]
		}
	}
	if !vault.ValidPrefix(prefix) {
		return "mem"
	}
	return prefix
}

func letters(word string) string {
	if i := strings.IndexFunc(word[1:], func(r rune) bool { return !strings.ContainsRune("aeiou", r) }); i >= 0 {
		return word[:1] + word[1+i:2+i]
	}
	return word[:min(len(word), 2)]
}
