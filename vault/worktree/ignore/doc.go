// Package ignore tells which names git ignores. It reads the text of ignore files, and
// no file itself.
//
// Each read of a vault asks it, so git is not asked: a process takes as long as a scan of
// 3,000 files. The rules are those of gitignore(5); a test compares them with git's.
//
//	rules := ignore.Top(fold, personal, exclude).Below("", topIgnore)
//	rules = rules.Below("notes", notesIgnore)
//	rules.Out("draft.md", false) // of notes/draft.md
package ignore
