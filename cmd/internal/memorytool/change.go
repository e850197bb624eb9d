package memorytool

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
	"github.com/cp-memory/cp/vault/tree"
)

func (f *folder) createFile(ctx context.Context, c command) (string, error) {
	if err := c.requireText("file_text", c.FileText); err != nil {
		return "", err
	}
	p, err := f.newPath(ctx, c.Path)
	if err != nil {
		return "", err
	}
	if _, err = (tree.NewFile{At: noteOf(p), Text: *c.FileText}).Do(ctx, f.Vault); vault.CodeOf(err) == vault.CodeConflict {
		err = refuse("Error: File %s already exists", c.Path)
	}
	return "File created successfully at: " + c.Path, err
}

// around is how many lines a snippet shows before and after what was changed.
const around = 2

func (f *folder) strReplace(ctx context.Context, c command) (string, error) {
	if err := c.requireText("old_str", c.OldStr); err != nil {
		return "", err
	}
	old, is := prose.WithEnds(*c.OldStr, "\n"), ""
	if c.NewStr != nil {
		is = prose.WithEnds(*c.NewStr, "\n")
	}
	var snippet string
	err := f.edit(ctx, c, "Error: The path %s does not exist. Please provide a valid path.", func(text string) (string, error) {
		at, err := c.findOnce(text, old)
		if err != nil {
			return "", err
		}
		after := text[:at] + is + text[at+len(old):]
		line := strings.Count(text[:at], "\n")
		lines := splitLines(after)
		first := max(line-around, 0)
		snippet = numberLines(lines[min(first, len(lines)):min(line+strings.Count(is, "\n")+around+1, len(lines))], first+1)
		return after, nil
	})
	return "The memory file has been edited. Here is the snippet showing the change (with line numbers):" + snippet, err
}

// findOnce returns where the text to replace stands, which has to be in one place.
func (c command) findOnce(text, old string) (int, error) {
	at := strings.Index(text, old)
	if at < 0 || old == "" {
		return 0, refuse("No replacement was performed, old_str `%s` did not appear verbatim in %s.", *c.OldStr, c.Path)
	}
	var lines []string
	for from := 0; ; {
		i := strings.Index(text[from:], old)
		if i < 0 {
			break
		}
		lines = append(lines, fmt.Sprint(1+strings.Count(text[:from+i], "\n")))
		from += i + 1
	}
	if len(lines) > 1 {
		return 0, refuse("No replacement was performed. Multiple occurrences of old_str `%s` in lines: %s. Please ensure it is unique", *c.OldStr, strings.Join(lines, ", "))
	}
	return at, nil
}

func (f *folder) insertLines(ctx context.Context, c command) (string, error) {
	if err := c.requireText("insert_text", c.InsertText); err != nil {
		return "", err
	}
	if c.InsertLine == nil {
		return "", refuse("Error: insert needs insert_line")
	}
	err := f.edit(ctx, c, "Error: The path %s does not exist", func(text string) (string, error) {
		lines, at := splitLines(text), int(*c.InsertLine)
		if at < 0 || at > len(lines) {
			return "", refuse("Error: Invalid `insert_line` parameter: %d. It should be within the range of lines of the file: [0, %d]", at, len(lines))
		}
		lines = slices.Insert(lines, at, strings.TrimSuffix(prose.WithEnds(*c.InsertText, "\n"), "\n"))
		return strings.Join(lines, "\n") + "\n", nil
	})
	return fmt.Sprintf("The file %s has been edited.", c.Path), err
}

// edit changes the text of a file; missing is the error where there is none.
func (f *folder) edit(ctx context.Context, c command, missing string, change func(string) (string, error)) error {
	at, err := f.find(ctx, c.Path)
	if err == nil && !at.file {
		err = refuse(missing, c.Path)
	}
	if err == nil {
		_, err = tree.EditFile{At: at.Path, Edit: change}.Do(ctx, f.Vault)
	}
	return err
}

func (f *folder) remove(ctx context.Context, c command) (string, error) {
	at, err := f.find(ctx, c.Path)
	switch {
	case err != nil:
	case at.Path == f.base:
		err = refuse("Error: Cannot delete the %s directory itself", top)
	case at.file:
		_, err = tree.RemoveFile{At: at.Path}.Do(ctx, f.Vault)
	case at.dir:
		_, err = tree.RemoveFolder{Dir: at.Path}.Do(ctx, f.Vault)
	default:
		err = refuse("Error: The path %s does not exist", c.Path)
	}
	return "Successfully deleted " + c.Path, err
}

func (f *folder) rename(ctx context.Context, c command) (string, error) {
	from, err := f.find(ctx, c.OldPath)
	switch {
	case err != nil:
	case from.Path == f.base:
		err = refuse("Error: Cannot rename the %s directory itself", top)
	case !from.file && !from.dir:
		err = refuse("Error: The path %s does not exist", c.OldPath)
	}
	if err != nil {
		return "", err
	}
	to, err := f.newPath(ctx, strings.TrimRight(c.NewPath, "/"))
	if err != nil {
		return "", err
	}
	along, err := f.moveAlong(ctx, from, to)
	if vault.CodeOf(err) == vault.CodeConflict {
		err = refuse("Error: The destination %s already exists", c.NewPath)
	}
	return fmt.Sprintf("Successfully renamed %s to %s", c.OldPath, c.NewPath) + along, err
}

// moveAlong renames a file or a folder, and tells what went along: a memory and the folder of its
// children stay together.
func (f *folder) moveAlong(ctx context.Context, from place, to vault.Path) (along string, err error) {
	if _, err := f.CatchUp(ctx, vault.Scope{}); err != nil {
		return "", err
	}
	owner, has, err := f.Mirror.Tree.Owner(ctx, from.Home())
	switch whole := has && !owner.Seat && owner.Folder() == from.Home(); {
	case err != nil:
	case from.file:
		if _, err = (tree.Move{Ref: string(from.Path), At: noteOf(to)}).Do(ctx, f.Vault); whole && owner.Children > 0 {
			along = ". Its directory went with it: " + f.toolPath(noteOf(to).Home())
		}
	case whole:
		_, err = tree.Move{Ref: string(owner.Path), At: to + ".md"}.Do(ctx, f.Vault)
		along = ". The file that it belongs to went with it: " + f.toolPath(to+".md")
	default:
		_, err = tree.MoveFolder{From: from.Path, To: to}.Do(ctx, f.Vault)
	}
	return along, err
}

// toolPath is a path of the vault as the tool says it.
func (f *folder) toolPath(p vault.Path) string {
	return top + "/" + strings.TrimPrefix(string(p[len(f.base):]), "/")
}
