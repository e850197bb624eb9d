package cli

import (
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/vault"
)

// bodyFlags are --body and --body-file, one of which gives a text.
type bodyFlags struct{ text, file string }

func (b *bodyFlags) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&b.text, "body", "", "the `text`")
	cmd.Flags().StringVar(&b.file, "body-file", "", "read the text from a `file`; - is stdin")
}

// given reports whether either flag was set, also to an empty text; both are an error.
func (b *bodyFlags) given(cmd *cobra.Command) (bool, error) {
	text, file := cmd.Flags().Changed("body"), cmd.Flags().Changed("body-file")
	if text && file {
		return true, invalid(cmd, "cannot use both --body and --body-file")
	}
	return text || file, nil
}

// read returns the text.
func (b *bodyFlags) read(f face, cmd *cobra.Command) (string, error) {
	if !cmd.Flags().Changed("body-file") {
		return b.text, nil
	}
	return f.readText(b.file)
}

// readText reads a file, or stdin for "-", up to what a memory may hold.
func (f face) readText(name string) (string, error) {
	in := f.Streams.In
	if name != "-" {
		file, err := os.Open(f.absolute(name))
		if err != nil {
			return "", unreadable(name, err)
		}
		defer file.Close()
		in = file
	}
	b, err := io.ReadAll(io.LimitReader(in, vault.MaxFile+1))
	if err != nil {
		return "", unreadable(name, err)
	}
	if len(b) > vault.MaxFile {
		return "", vault.Errorf(vault.CodeInvalid, "split it into several memories", "'%s' is larger than the %d MiB a memory can hold", name, vault.MaxFile>>20)
	}
	return string(b), nil
}

func unreadable(name string, err error) error {
	return vault.Errorf(vault.CodeInvalid, "check the file's name and permissions", "Cannot read file '%s': %w", name, reason(err))
}

// absolute returns the file a person named from the working directory.
func (f face) absolute(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(f.Dir, name)
}
