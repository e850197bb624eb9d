// Package files tells which names git ignores. It reads the text of ignore files, and
// no file itself.
//
// Each read of a vault asks it, so git is not asked: a process takes as long as a scan of
// 3,000 files. The rules are those of gitignore(5); a test compares them with git's.
//
//	rules := files.NewIgnoreRules(fold, personal, exclude).Below("", topIgnore)
//	rules = rules.Below("notes", notesIgnore)
//	rules.Out("draft.md", false) // of notes/draft.md
//
// # Files
//
// This part reads a vault's folder: it opens, lists, scans and compares files
// and changes none.
//
// No symbolic link is followed, no pipe blocks, and no repository inside the
// vault is entered. A scan asks the kernel once for each folder's names and once
// for each Markdown file's stat.
//
//	d := files.Dir("/home/ann/notes")
//	complete, err := d.Scan(ctx, files.Ignores{}, vault.Scope{}, func(f vault.File) error {
//		fmt.Println(f.Path, f.Stat.Size, f.Problem)
//		return nil
//	})
//
// Facts files, which stand in the vault's own folder, are scanned by their folders, see
// [Dir.ScanFacts].
//
// A half-done write of ours shows as it is; package worktree hides it.
package files
