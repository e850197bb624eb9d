package sysfile

import "golang.org/x/sys/unix"

// RenameNew renames from to a name that must not exist; else the error is fs.ErrExist.
func RenameNew(from, to string) error {
	err := unix.RenamexNp(from, to, unix.RENAME_EXCL)
	if isFlagUnknown(err) {
		return linkThenRemove(from, to)
	}
	return linkError("rename", from, to, err)
}

// Exchange swaps the files behind two names in one step. APFS can, HFS+ and the disks of other machines cannot.
func Exchange(a, b string) error {
	err := unix.RenamexNp(a, b, unix.RENAME_SWAP)
	if isFlagUnknown(err) {
		return ErrNoExchange
	}
	return linkError("exchange", a, b, err)
}
