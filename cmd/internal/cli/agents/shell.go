package agents

import (
	"os/exec"
	"path"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/setup"
)

// shellAlias is what gives a shell the command cp as this program.
type shellAlias struct {
	Shell string `json:"shell"`
	File  string `json:"file"` // into which the line goes, as the shell reads it
	Line  string `json:"line"`
}

// shellCommand prints the line.
func shellCommand(f console.Console) *cobra.Command {
	var shell string
	cmd := &cobra.Command{
		Use:   "shell",
		Short: "Print the line that gives your shell the command cp as this program",
		Long: `Packages install the program as cp-memory. This prints the line by which a shell calls it
as cp, too, and says into which file that goes. It writes nothing.

The name alone would not do: all that is none of our commands has to go to the system's
cp, as "cp -r a b" does. So the alias says in the environment that we are called as cp.
Scripts know no aliases: they have the system's cp as before.`,
		Example: `  cp-memory setup shell
  cp-memory setup shell --shell fish
  cp-memory setup shell >>~/.bashrc`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, ok := newAlias(shellName(f, shell), typedName())
			if !ok {
				return console.Invalid(cmd, "say which shell it is with --shell: bash, zsh, fish or powershell")
			}
			return f.Answer(a, func(s render.Screen) {
				s.Printf("# For %s: all that is none of its commands goes to the system's cp.\n%s\n", a.File, a.Line)
			})
		},
	}
	cmd.Flags().StringVar(&shell, "shell", "", "bash, zsh, fish or powershell in place of the `shell` that $SHELL names")
	_ = cmd.RegisterFlagCompletionFunc("shell", cobra.FixedCompletions([]string{"bash", "zsh", "fish", "powershell"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// shellName returns the shell that was named, else the person's.
func shellName(f console.Console, named string) string {
	if named == "" {
		named = path.Base(f.Env("SHELL"))
	}
	switch named = strings.TrimSuffix(strings.ToLower(named), ".exe"); {
	case named == "pwsh", named == "." && runtime.GOOS == "windows":
		return "powershell"
	}
	return named
}

// typedName returns the program as it is to stand in the line: its name where a shell finds it
// under that, else its path.
func typedName() string {
	self := program()
	if found, err := exec.LookPath(setup.Name); err == nil && found == self {
		return setup.Name
	}
	return self
}

// newAlias returns the line of a shell; false for one that is not known.
func newAlias(shell, name string) (a shellAlias, ok bool) {
	const called = "CP_CALLED_AS=cp "
	switch a.Shell = shell; shell {
	case "bash":
		a.File, a.Line = "~/.bashrc", "alias cp="+setup.QuotePath(called+setup.QuotePath(name))
	case "zsh":
		a.File, a.Line = "${ZDOTDIR:-~}/.zshrc", "alias cp="+setup.QuotePath(called+setup.QuotePath(name))
	case "fish":
		a.File, a.Line = "~/.config/fish/config.fish", "function cp; "+called+quoteFish(name)+" $argv; end"
	case "powershell":
		word := "'" + strings.ReplaceAll(name, "'", "''") + "'"
		a.File = "$PROFILE"
		a.Line = "Remove-Item Alias:cp -ErrorAction Ignore; function cp { $env:CP_CALLED_AS = 'cp'; try { & " + word + " @args } finally { $env:CP_CALLED_AS = $null } }"
	}
	return a, a.Line != ""
}

// quoteFish quotes a word for fish where it has to be.
func quoteFish(s string) string {
	if setup.QuotePath(s) == s {
		return s
	}
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
