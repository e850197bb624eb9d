//go:build unix && !linux && !darwin

package sysfile

// RenameNew renames from to a name that must not exist; else the error is fs.ErrExist.
func RenameNew(from, to string) error { return linkThenRemove(from, to) }

// Exchange swaps the files behind two names in one step.
func Exchange(_, _ string) error { return ErrNoExchange }
