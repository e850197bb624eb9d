package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/filename"
)

// Invalid is an error of the command line, with the way to the help text.
func Invalid(cmd *cobra.Command, format string, args ...any) error {
	return vault.Errorf(vault.CodeInvalid, "see `"+cmd.CommandPath()+" --help`", format, args...)
}

// usageError is the error of a command that was given too few words, or too many.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// IsUsage reports whether a command was given too few words, or too many.
func IsUsage(err error) bool { return errors.As(err, new(usageError)) }

// FlagError words what the flag package says. A text that begins with a dash is taken for
// flags; the hint says how to give it.
func FlagError(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	if errors.As(err, &value) && takesOf[value.GetFlag().Value.Type()] != "" {
		return Invalid(cmd, "--%s takes %s, but got %q", value.GetFlag().Name, takesOf[value.GetFlag().Value.Type()], value.GetValue())
	}
	var name *pflag.NotExistError
	var syntax *pflag.InvalidSyntaxError
	text := ""
	switch {
	case errors.As(err, &name):
		text = cmp.Or(name.GetSpecifiedShortnames(), name.GetSpecifiedName())
	case errors.As(err, &syntax):
		text = syntax.GetSpecifiedFlag()
	}
	if strings.Contains(text, " ") {
		return vault.Errorf(vault.CodeInvalid, "put -- before a text that begins with a dash: "+cmd.CommandPath()+` -- "- …"`, "%w", err)
	}
	return Invalid(cmd, "%w", err)
}

// takesOf says what a flag of a type takes, where the flag package would tell how it failed to
// read it.
var takesOf = map[string]string{"int": "a whole number", "intSlice": "whole numbers, separated by commas", "float64": "a number", "bool": "no value, or true or false", "duration": "a time like 30s or 2m"}

// Takes returns a check of the number of arguments. names describes them in the error.
func Takes(least, most int, names string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usageError{Invalid(cmd, "%s is required", names)}
		case len(args) > most && most == 0:
			return usageError{Invalid(cmd, "%s takes no arguments, but got %q", cmd.CommandPath(), args[0])}
		case len(args) > most:
			return usageError{Invalid(cmd, "%s takes %s, but got %q too", cmd.CommandPath(), names, args[most])}
		}
		return nil
	}
}

// Group returns a command that has only sub-commands.
func Group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short}
	AsGroup(cmd)
	cmd.AddCommand(commands...)
	return cmd
}

// AsGroup makes a command that has only sub-commands: without one it prints
// its help, with an unknown one it suggests.
func AsGroup(cmd *cobra.Command) {
	cmd.Args = cobra.ArbitraryArgs
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return Unknown(cmd, args[0])
	}
}

// Unknown is the error of a word that names no command below cmd; it suggests what the word means
// in other programs, else the nearest.
func Unknown(cmd *cobra.Command, name string) error {
	hint := "see `" + cmd.CommandPath() + " --help`"
	var words []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			words = append(words, c.Name())
		}
	}
	near := synonymsOf(name, words)
	if len(near) == 0 {
		near = filename.NearWords(name, words)
	}
	if up := cmd.Parent(); up != nil && hasCommand(up, name) {
		hint = fmt.Sprintf("it is `%s %s`", up.CommandPath(), name)
	} else if len(near) > 0 {
		hint = fmt.Sprintf("did you mean `%s %s`?", cmd.CommandPath(), strings.Join(near, "` or `"+cmd.CommandPath()+" "))
	} else if info, err := os.Stat(cmd.Name()); err == nil && info.IsDir() {
		hint += ", or copy the folder with `cp -r " + cmd.Name() + " …`"
	}
	return vault.Errorf(vault.CodeInvalid, hint, "unknown command %q for `%s`", name, cmd.CommandPath())
}

func hasCommand(cmd *cobra.Command, name string) bool {
	return slices.ContainsFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.IsAvailableCommand() && c.Name() == name })
}

// CheckBounds refuses a number that was given and is less than 1, or more than most
// where that is not 0.
func CheckBounds(cmd *cobra.Command, flag string, most int) error {
	n, _ := cmd.Flags().GetInt(flag)
	switch given := cmd.Flags().Changed(flag); {
	case given && most == 0 && n < 1:
		return Invalid(cmd, "--%s must be at least 1", flag)
	case given && most > 0 && (n < 1 || n > most):
		return Invalid(cmd, "--%s must be 1-%d", flag, most)
	}
	return nil
}

// Words is a flag that may be repeated and may hold several values separated by
// commas; empty ones are left out.
type Words []string

// Set adds the values.
func (w *Words) Set(values string) error {
	for v := range strings.SplitSeq(values, ",") {
		if v = strings.TrimSpace(v); v != "" {
			*w = append(*w, v)
		}
	}
	return nil
}

// String is empty: a help text shows no default.
func (w *Words) String() string { return "" }

// Type names the kind of flag in errors.
func (w *Words) Type() string { return "stringArray" }

// Maybe is a flag that changes nothing unless it is given, also as an empty text.
type Maybe struct{ To **string }

// Set takes the value.
func (m Maybe) Set(value string) error {
	*m.To = &value
	return nil
}

// String is empty: a help text shows no default.
func (m Maybe) String() string { return "" }

// Type names the kind of flag in errors.
func (m Maybe) Type() string { return "string" }

// BodyFlags are --body and --body-file. One of them gives a text; a new memory's may also
// come through a pipe.
type BodyFlags struct {
	text, file string
	piped      string // what was read from stdin
	Done       bool   // the text is written
}

// Bind gives cmd the two flags.
func (b *BodyFlags) Bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&b.text, "body", "", "the `text`")
	cmd.Flags().StringVar(&b.file, "body-file", "", "read the text from a `file`; - is stdin")
}

// IsSet reports whether either flag was set, also to an empty text; both are an error.
func (b *BodyFlags) IsSet(cmd *cobra.Command) (bool, error) {
	text, file := cmd.Flags().Changed("body"), cmd.Flags().Changed("body-file")
	if text && file {
		return true, Invalid(cmd, "cannot use both --body and --body-file")
	}
	return text || file, nil
}

// Read returns the text.
func (b *BodyFlags) Read(f Console, cmd *cobra.Command) (string, error) {
	if !cmd.Flags().Changed("body-file") {
		return b.text, nil
	}
	return b.pipe(f.ReadText(cmd.Context(), b.file))
}

// pipe notes a text that came from stdin.
func (b *BodyFlags) pipe(text string, err error) (string, error) {
	if err == nil && (b.file == "" || b.file == "-") {
		b.piped = text
	}
	return text, err
}

// KeepPiped returns err, with which the command ends. If a text from stdin was not written it is
// kept in a file, since nobody may have it any more, and the file is named.
func (b *BodyFlags) KeepPiped(f Console, err error) error {
	if err == nil || b.Done || strings.TrimSpace(b.piped) == "" {
		return err
	}
	file := filepath.Join(os.TempDir(), fmt.Sprintf("cp-text-%d.md", time.Now().UnixNano()))
	if failed := disk.Write(file, []byte(b.piped), 0o600); failed != nil {
		f.Warn("the text from stdin could not be kept: " + disk.Cause(failed).Error())
		return err
	}
	f.Warn("the text from stdin is kept in " + file)
	return err
}

// ReadNewText returns the text of a new memory: the argument or that of a flag, else what comes
// through a pipe.
func (b *BodyFlags) ReadNewText(f Console, cmd *cobra.Command, args ...string) (string, error) {
	given, err := b.IsSet(cmd)
	switch {
	case err != nil:
		return "", err
	case given && len(args) > 0:
		return "", Invalid(cmd, "cannot use both a text and --%s", map[bool]string{true: "body", false: "body-file"}[cmd.Flags().Changed("body")])
	case given:
		return b.Read(f, cmd)
	case len(args) > 0 && args[0] != "-":
		return args[0], nil
	case f.InTTY && len(args) == 0:
		return "", noText(cmd)
	}
	text, err := b.pipe(f.ReadText(cmd.Context(), "-"))
	if err == nil && strings.TrimSpace(text) == "" {
		err = noText(cmd)
	}
	return text, err
}

func noText(cmd *cobra.Command) error {
	return Invalid(cmd, "a text is required: --body, --body-file or a pipe")
}

// ReadText reads a file, or stdin for "-", up to what a memory may hold.
func (f Console) ReadText(ctx context.Context, name string) (string, error) {
	in := f.Stdin(ctx)
	if name != "-" {
		file, err := os.Open(f.Abs(name))
		if err != nil {
			return "", Unreadable(name, err)
		}
		defer file.Close()
		in = file
	}
	b, err := io.ReadAll(io.LimitReader(in, vault.MaxFile+1))
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return "", Unreadable(name, err)
	}
	if len(b) > vault.MaxFile {
		return "", vault.Errorf(vault.CodeInvalid, "split it into several memories", "'%s' is larger than the %d MiB a memory can hold", name, vault.MaxFile>>20)
	}
	return string(b), nil
}

// Unreadable is the error of a file that cannot be read.
func Unreadable(name string, err error) error {
	return vault.Errorf(vault.CodeInvalid, "check the file's name and permissions", "Cannot read file '%s': %w", name, disk.Cause(err))
}
