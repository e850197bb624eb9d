package about

import (
	"bytes"
	"context"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/secret"
)

// MakeStamp returns the stamp of a binding by what the code is now; ok is false for a folder and
// a glob, which have none. The error says why the memory cannot be bound to it.
func MakeStamp(ctx context.Context, code Code, b Binding, now time.Time) (s Stamp, ok bool, err error) {
	if err := b.Check(); err != nil {
		return s, false, err
	}
	if b.Glob || b.IsFolder() || code.Files == nil {
		return s, false, nil
	}
	text, err := readBound(code, b)
	if err != nil {
		return s, false, err
	}
	s = Stamp{Binding: b.String(), Blob: code.Files.BlobOf(text), At: now.UTC().Truncate(time.Second)}
	if code.Past != nil {
		if s.Commit, err = code.Past.HeadCommit(ctx); err != nil {
			return s, false, err
		}
		s.Blob = storedBlob(ctx, code, text, s.Blob)
	}
	lines, err := boundLines(b, text)
	if err != nil {
		return s, false, err
	}
	if s.Text = SumLines(lines); !IsText(text) {
		s.Text = ""
	}
	if IsText(text) && hasSecret(lines) { // of one line its hash could be guessed
		s.Text, s.Blob = "", ""
	}
	return s, true, nil
}

// readBound reads the file of a binding.
func readBound(code Code, b Binding) ([]byte, error) {
	_, there, why := code.Files.Stat(b.Path)
	switch {
	case why != "":
		return nil, vault.Errorf(vault.CodeInvalid, "bind the memory to a file of the repository", "'%s' cannot be bound: %s", b.Path, why)
	case !there:
		return nil, vault.Errorf(vault.CodeNotFound, "name it as it lies there, or make it first", "'%s' is not in the code repository %s (no such file)", b.Path, code.Root)
	}
	text, err := code.Files.Read(b.Path)
	if err != nil {
		return nil, vault.Errorf(vault.CodeIO, "look at the file and its permissions", "'%s' cannot be read: %w", b.Path, err)
	}
	return text, nil
}

// storedBlob returns the id by which git has the text: with the line ends of the disk, where it
// stores them so.
func storedBlob(ctx context.Context, code Code, text []byte, id string) string {
	if !bytes.Contains(text, []byte("\r\n")) {
		return id
	}
	head, err := code.Past.HeadCommit(ctx)
	if err != nil || head == "" {
		return id
	}
	raw := code.Files.RawBlobOf(text)
	if was, err := code.Past.ReadBlob(ctx, raw); err == nil && was != nil {
		return raw
	}
	return id
}

// boundLines returns the lines that a binding means.
func boundLines(b Binding, text []byte) ([]string, error) {
	if b.IsWhole() {
		return SplitLines(text), nil
	}
	switch {
	case len(text) > MaxBytes:
		return nil, vault.Errorf(vault.CodeInvalid, "leave the '#' and what follows it out", "%s is larger than 4 MiB: bind the whole file", b.Path)
	case !IsText(text):
		return nil, vault.Errorf(vault.CodeInvalid, "leave the '#' and what follows it out", "%s is binary: bind the whole file", b.Path)
	}
	lines := SplitLines(text)
	from, to, err := b.rangeIn(lines)
	if err != nil {
		return nil, err
	}
	if to > len(lines) {
		return nil, vault.Errorf(vault.CodeInvalid, "name lines that it has", "%s has %d lines, not %d", b.Path, len(lines), to)
	}
	return lines[from-1 : to], nil
}

// rangeIn returns the lines of a text that a binding means, 1-based, both included. Lines that are
// named may lie beyond its end.
func (b Binding) rangeIn(lines []string) (from, to int, err error) {
	switch {
	case b.HasRange():
		return b.From, b.To, nil
	case b.Symbol != "":
		return FindSymbol(b.Path, lines, b.Symbol)
	}
	return 1, len(lines), nil
}

// hasSecret reports whether one of the lines looks like a credential.
func hasSecret(lines []string) bool {
	for _, line := range lines {
		if len(secret.FindCredentials([]byte(line))) > 0 {
			return true
		}
	}
	return false
}
