package cli

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// initialize are the options of init.
type initialize struct {
	Dir    string // as given; empty lets init choose
	Prefix string
	Force  bool
}

// initialized is the outcome of init.
type initialized struct {
	Vault   string   `json:"vault"`
	Project string   `json:"project"`
	Prefix  string   `json:"prefix"`
	Agent   string   `json:"agent"`
	GitInit bool     `json:"git_init"` // the repository is new
	Files   []string `json:"files"`    // written, relative to the top of the repository
	Commit  string   `json:"commit"`   // empty when everything was there already

	warnings []string
}

func (f face) init() *cobra.Command {
	var o initialize
	cmd := &cobra.Command{
		Use:   "init [folder]",
		Short: "Make a memory vault",
		Long: `Make a memory vault and commit its marker, .cp/vault.yaml.

With a folder named, that is the vault. Else it is the folder you are in; or, in
a repository that holds more than notes, the folder memory/ at its top. There, a
.cp.yaml at the top lets every command find the vault. A folder that is in no
git repository becomes one.

The project is named after the git remote, else after the folder; the prefix of
new ids comes from the project's name. With --force an existing vault gets the
values given, and the files it lacks; nothing else of it changes.`,
		Example: `  cp init
  cp init ~/notes --project notes
  cp init docs/memory --prefix doc --agent agent-mycroft`,
		Args: takes(0, 1, "one folder"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.Dir = args[0]
			}
			done, err := f.initVault(cmd.Context(), o)
			if err != nil {
				return err
			}
			return f.said(done.warnings, done, func(s render.Screen) { initText(s, done) })
		},
	}
	cmd.Flags().StringVar(&o.Prefix, "prefix", "", "of new ids: 2 to 8 of a-z and 0-9, a letter first")
	cmd.Flags().BoolVar(&o.Force, "force", false, "again, on an existing vault")
	return cmd
}

func initText(s render.Screen, done initialized) {
	s.Printf("Initialized memory vault %s (project %s, ids %s-…)\n", done.Vault, done.Project, done.Prefix)
	if done.GitInit {
		s.Println("  a new git repository")
	}
	for _, name := range done.Files {
		s.Printf("  %s\n", name)
	}
	if done.Commit == "" {
		s.Println("Nothing to change.")
		return
	}
	s.Println(`Next: cp memory add "what you want to remember"`)
}

// initVault makes the vault. Nothing is written before everything was checked;
// git's repository comes first, then the marker and all else in one commit.
func (f face) initVault(ctx context.Context, o initialize) (initialized, error) {
	site, err := f.site(ctx, o)
	if errors.Is(err, errConfigured) {
		f.finishInit(ctx, o, site)
	}
	if err != nil {
		return initialized{}, err
	}
	own, err := f.initSettings(ctx, o, site)
	if err != nil {
		return initialized{}, err
	}
	if err := disk.MkdirAll(site.root, 0o777); err != nil {
		return initialized{}, cannotMake(site.root, err)
	}
	done := initialized{Vault: site.root, Project: own.Project, Prefix: own.Prefix, Files: []string{}}
	if site.top == "" {
		if err := f.GitInit(ctx, site.root); err != nil {
			return initialized{}, err
		}
		site.top, done.GitInit = site.root, true
	}
	return f.commitInit(ctx, done, site, own)
}

// finishInit finishes what a killed init has left: who begins anew is told that
// the vault is there, and then it has to be. What fails here the next write says.
func (f face) finishInit(ctx context.Context, o initialize, at site) {
	own, err := f.initSettings(ctx, o, at)
	if err != nil || at.top == "" {
		return
	}
	s, err := f.OpenWith(ctx, own)
	if err != nil {
		return
	}
	defer f.close(s)
	if unlock, err := s.Store.Lock(ctx, "init"); err == nil {
		unlock()
	}
}

func cannotMake(dir string, err error) error {
	return vault.Errorf(vault.CodeIO, "", "cannot make the folder %s: %w", dir, reason(err))
}

// initSettings decides on project, prefix and agent: what is given, else what
// an existing vault says, else what fits the place.
func (f face) initSettings(ctx context.Context, o initialize, at site) (settings.Settings, error) {
	own, err := settings.Personal(f.Flags, f.Place())
	if err != nil {
		return own, err
	}
	old, err := settings.Marker(at.root)
	if err != nil {
		return own, err
	}
	own.Root = at.root
	own.Project = firstOf(f.Flags.Project, f.Env("CP_PROJECT"), old.Project, f.projectName(ctx, at))
	own.Prefix = firstOf(o.Prefix, old.Prefix, settings.PrefixFor(own.Project))
	if !vault.ValidPrefix(own.Prefix) {
		return own, vault.Errorf(vault.CodeInvalid, "like --prefix pf", "the prefix %q is not 2 to 8 of a-z and 0-9 with a letter first", own.Prefix)
	}
	return own, settings.CheckName("project", own.Project)
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// projectName is the repository's name at its remote, else the folder's.
func (f face) projectName(ctx context.Context, at site) string {
	name := filepath.Base(at.root)
	if at.top != "" {
		name = filepath.Base(at.top)
		if url, err := f.Git(ctx, at.top, "config", "--get", "remote.origin.url"); err == nil {
			name = firstOf(remoteName(url), name)
		}
	}
	if settings.CheckName("project", name) != nil {
		return "memory"
	}
	return name
}
