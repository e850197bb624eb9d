package vault

import (
	"errors"
	"fmt"
	"strings"
)

// Code classifies an error for programs. Codes are promises: add, never change.
type Code string

// The stable table of codes, also printed by "cp help exit-codes".
const (
	CodeInvalid     Code = "invalid_argument"   // the command line or its input is wrong
	CodeNotFound    Code = "not_found"          // no memory, file or revision of that name
	CodeAmbiguous   Code = "ambiguous_id"       // an id prefix that several memories share
	CodeType        Code = "type_mismatch"      // not a memory
	CodeRefused     Code = "not_promotable"     // the message is the reason: a count, a date, or a person's decision
	CodeHasChildren Code = "has_children"       // delete without --recursive
	CodeCycle       Code = "cycle"              // a move below itself
	CodeConfirm     Code = "needs_confirmation" // nobody there to say yes
	CodeConflict    Code = "conflict"           // --if-match does not match, or two sides exclude each other
	CodeDirty       Code = "uncommitted_edits"  // a person's uncommitted text stands in the way
	CodeDamaged     Code = "damaged_file"       // a file we may not edit as it stands
	CodeReadOnly    Code = "read_only_note"     // a note of another kind than *.md, into which we never write
	CodeProtected   Code = "protected_memory"   // a memory that agents do not change, and an agent would
	CodeNoVault     Code = "no_vault"           // no vault found
	CodeNoGit       Code = "no_git"             // the vault is in no git repository
	CodeLocked      Code = "locked"             // another cp holds the vault
	CodeBusy        Code = "repository_busy"    // a merge, rebase, foreign lock … is under way
	CodeQueued      Code = "queued"             // saved to the outbox; exit code 75
	CodeFilter      Code = "filter_failed"      // git cannot convert a file's text: its filter or encoding refuses
	CodeSecret      Code = "secret"             // what looks like a credential would be committed
	CodeConfig      Code = "bad_config"         // a settings file cannot be used
	CodeGeneration  Code = "generation_failed"  // a language model gave no answer that can be used
	CodeEmbedding   Code = "embedding_failed"   // an embedding model gave no vectors that can be used
	CodeRemote      Code = "remote_failed"      // the remote cannot be reached or refused
	CodeDiverged    Code = "histories_diverged" // the history upstream was rewritten, or is another one
	CodeIndex       Code = "index_failed"       // the index cannot be built or written
	CodeIO          Code = "io"                 // disk full, permission, read-only …
	CodeInterrupted Code = "interrupted"        // stopped by a signal; exit code 128 and its number
	CodeInternal    Code = "internal"           // our own fault
)

// Error is an error a person can act on: one sentence, and a hint that names
// the next command to type.
type Error struct {
	Code Code
	Msg  string // one sentence, lower case unless the wording is fixed elsewhere
	Hint string // what to type next; may be empty
	Path string // the file concerned, relative to the vault; may be empty
	Line int    // 1-based line in Path; 0 where it does not apply
	Err  error  // the cause; may be nil
}

// Error returns the sentence, with the path and line before it where there are any.
func (e *Error) Error() string {
	switch {
	case e.Path != "" && e.Line > 0:
		return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Msg)
	case e.Path != "":
		return e.Path + ": " + e.Msg
	}
	return e.Msg
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrRefused is the cause of the error, a CodeNoGit, for a repository in which git refuses to
// work, since another user owns it. The vault in it can be read.
var ErrRefused = errors.New("git refuses the repository")

// Errorf returns an error of the given code and hint; a %w in format becomes its cause.
func Errorf(code Code, hint, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Msg: err.Error(), Hint: hint, Err: errors.Unwrap(err)}
}

// CodeOf returns the code of the first [Error] in err's chain, else CodeInternal. For nil
// it returns the empty code.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}

// MoveLock returns the command that takes a lock of git's away, and keeps what it holds: that
// may be all that is left of an index. It goes to where git reads no refs.
func MoveLock(path string) string {
	dir, name, ok := strings.Cut(path, "/.git/refs/")
	to := dir + "/.git/" + strings.ReplaceAll(name, "/", "-")
	if !ok {
		to = path
	}
	return "mv -n " + Path(path).QuoteForShell() + " " + Path(to+".left").QuoteForShell()
}

// WhyStaged says why a staged file is left alone. The file itself does not show when that
// ends.
const WhyStaged = "it is staged, and so yours to commit"
